/** Whatever a language model answers, a clip made of it is whole and within the limits, or it is refused. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTalk as readWritten, type WrittenTalk } from '../../../../test/bench/talks/read-talk.ts'
import { marksOf, sentencesIn } from '../../../../test/support/marked-answers.ts'
import { PLAIN_SETTINGS } from '../../../../test/support/topics.ts'
import type { ClipCandidate } from '../../../../server/contract/clip-candidate.ts'
import { findClips } from '../../find-clips/pure/find-clips.ts'
import { checkMarks, parseMarks, type Checked } from './check-marks.ts'
import { buildStoryQuestion, MAX_CUTS } from './question.ts'
import { applyMarks, sayRefused } from './shortened-clip.ts'
import { readTalk, windowAround, type StoryWindow, type Talk } from './story-window.ts'

const LIMIT = 120
const settings = { ...PLAIN_SETTINGS, minLength: 15, maxLength: LIMIT, maxClips: 5 }
let written: WrittenTalk
let talk: Talk
let window: StoryWindow
let marks: { begins: number; ends: number; leave_out: { from: number; to: number }[] }

beforeAll(() => {
  const file = join(import.meta.dirname, '../../../../test/bench/talks/long/tuned/vets-en.txt')
  written = readWritten(readFileSync(file, 'utf8'))
  const durationSeconds = (written.words.at(-1)?.end ?? 0) + 1
  const { candidates } = findClips({ ...written, settings, durationSeconds })
  talk = readTalk({ ...written, settings, durationSeconds })
  const story = written.stories[0]
  if (story === undefined) throw new Error('the talk has no story')
  const clip = candidates.find(({ start, end }) => start < story.payoffEnd && end > story.openingStart)
  const around = clip === undefined ? null : windowAround(talk, clip)
  if (around === null) throw new Error('no clip of the story is asked about')
  window = around
  const found = marksOf(story, sentencesIn(buildStoryQuestion(talk, window).user, written), LIMIT)
  if (found === null) throw new Error('the story was not shown')
  // "Would you care to examine the deceased?" is followed by laughter: the sentence that ends it is a question.
  marks = found
})

const refusal = (checked: Checked): string => (checked.kind === 'refused' ? checked.why : checked.kind)

describe('the marks of a language model', () => {
  it('as the writer made them give a clip that holds opening and pay-off and says what was shortened', () => {
    const checked = checkMarks(talk, window, marks)
    expect(refusal(checked)).toBe('valid')
    if (checked.kind !== 'valid') return
    const clip = applyMarks(talk, {
      candidate: window.candidate,
      marks: checked,
      model: 'small:1b',
      replaced: 0,
    })
    const played = (clip.leftOut ?? []).reduce(
      (sum, { start, end }) => sum - (end - start),
      clip.end - clip.start,
    )
    expect(clip.leftOut).toHaveLength(1)
    expect(played).toBeLessThanOrEqual(LIMIT + 1e-6)
    expect(clip.text).toContain('frightened in this job was by a hamster')
    expect(clip.text).toContain('care to examine the deceased?')
    expect(clip.text).not.toContain('what a Friday surgery was like')
    expect(clip.scoreReasons[0]?.reason).toMatch(
      /^Holds a story from its opening, ".+", to its pay-off, ".+", as small:1b marked them\. The set-up is shortened by \d\d s: what begins with "Now you've got/,
    )
  })

  it.each<[string, (right: typeof marks) => unknown, RegExp]>([
    ['without a form', () => ({ begins: 'here' }), /cannot be read/],
    ['without a story', () => ({ begins: 0, ends: 0, leave_out: [] }), /no whole story/],
    ['beyond what was shown', (right) => ({ ...right, ends: 9999 }), /was not shown/],
    [
      'with the end first',
      ({ begins, ends }) => ({ begins: ends, ends: begins, leave_out: [] }),
      /not in order/,
    ],
    [
      'without the opening',
      (right) => ({ ...right, leave_out: [{ from: right.begins, to: right.begins + 1 }] }),
      /opening or the pay-off/,
    ],
    [
      'without the pay-off',
      (right) => ({ ...right, leave_out: [{ from: right.ends, to: right.ends }] }),
      /opening or the pay-off/,
    ],
    [
      'with a part of the pay-off gone',
      (right) => ({
        ...right,
        leave_out: [...right.leave_out, { from: right.ends - 1, to: right.ends - 1 }],
      }),
      /pay-off|question/,
    ],
    [
      'with too many cuts',
      (right) => ({
        ...right,
        leave_out: [1, 3, 5, 7].map((by) => ({ from: right.begins + by, to: right.begins + by })),
      }),
      /more than 3|not in order/,
    ],
    ['that leave it too long', (right) => ({ ...right, leave_out: [] }), /still be \d+ s long/],
  ])('%s are refused', (_name, change, why) => {
    expect(refusal(checkMarks(talk, window, parseMarks(JSON.stringify(change(marks)))))).toMatch(why)
  })

  it('of another story are refused', () => {
    const other = written.stories.at(-1)
    const sentences = sentencesIn(buildStoryQuestion(talk, window).user, written)
    const far = sentences.filter(({ start }) => start > (other?.openingStart ?? Infinity))
    const answer = { begins: far[0]?.number ?? 1, ends: far.at(-1)?.number ?? 1, leave_out: [] }
    if (far.length > 1) expect(checkMarks(talk, window, answer).kind).toBe('refused')
    expect(refusal(checkMarks(talk, window, { begins: 1, ends: 2, leave_out: [] }))).not.toBe('valid')
  })

  it('may be anything: the clip is within the limits, of whole sentences, with its edges kept, or it is refused', () => {
    const number = fc.oneof(fc.integer({ min: -3, max: 80 }), fc.integer())
    const run = fc.record({ from: number, to: number })
    const any = fc.record({ begins: number, ends: number, leave_out: fc.array(run, { maxLength: 5 }) })
    // Near the right answer, so that many pass.
    const near = fc
      .record({
        begin: fc.integer({ min: -3, max: 6 }),
        end: fc.integer({ min: -8, max: 6 }),
        a: fc.nat(12),
        b: fc.nat(14),
      })
      .map(({ begin, end, a, b }) => ({
        begins: marks.begins + begin,
        ends: marks.ends + end,
        leave_out: [{ from: marks.begins + a + 1, to: marks.begins + a + 1 + b }],
      }))
    let passed = 0
    const { sentences } = talk.facts.analysis
    fc.assert(
      fc.property(fc.oneof(any, near), (answer) => {
        const checked = checkMarks(talk, window, parseMarks(JSON.stringify(answer)))
        if (checked.kind !== 'valid') return
        passed += 1
        const { from, to, start, end, cuts, leftOut } = checked
        const gone = leftOut.filter((part) => part.from > from && part.to < to)
        const seconds = gone.reduce(
          (sum, part) => sum + (sentences[part.to]?.end ?? 0) - (sentences[part.from]?.start ?? 0),
          0,
        )
        expect(end - start - seconds).toBeLessThanOrEqual(LIMIT + 2)
        expect(end - start - seconds).toBeGreaterThanOrEqual(settings.minLength - 2)
        expect(cuts.length).toBeLessThanOrEqual(MAX_CUTS)
        for (const cut of cuts) {
          expect(cut.from).toBeGreaterThan(from)
          expect(cut.to).toBeLessThan(to)
          expect(/\?["”]?$/.test(sentences[cut.from - 1]?.text ?? '')).toBe(false)
        }
        expect(Math.min(end, window.candidate.end) - Math.max(start, window.candidate.start)).toBeGreaterThan(
          0,
        )
      }),
      { numRuns: 2000, seed: 18 },
    )
    expect(passed).toBeGreaterThan(10)
  })

  it('may be any text at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['refused', 'same', 'valid']).toContain(checkMarks(talk, window, parseMarks(text)).kind)
      }),
    )
    const right = JSON.stringify(marks)
    for (const text of [
      `<think>{"begins":1}</think>\n\`\`\`json\n${right}\n\`\`\``,
      right.replaceAll(/(\d+)/g, '"$1"'),
    ])
      expect(parseMarks(text)).toEqual(marks)
  })
})

it('a clip whose marks are refused says why, and no longer that a language model could help', () => {
  const clip: ClipCandidate = {
    ...window.candidate,
    scoreReasons: [{ name: 'completeness', score: 40, reason: 'Ends early.' }],
  }
  expect(sayRefused(clip, 'small:1b', 'the answer cannot be read').scoreReasons[0]?.reason).toBe(
    'Ends early. small:1b was asked for the whole story, and its answer is not used: the answer cannot be read.',
  )
})
