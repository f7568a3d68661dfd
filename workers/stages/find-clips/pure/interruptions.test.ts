import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseFrom } from '../../../../test/bench/written-talks.ts'
import { readTalk } from '../../../../test/bench/talks/read-talk.ts'
import { leaveOut } from './left-out.ts'
import { endAfter, startBefore, type Sentence } from './sentences.ts'

const TALKS = join(import.meta.dirname, '../../../../test/bench/talks')
const readWritten = (name: string) => readTalk(readFileSync(join(TALKS, name), 'utf8'))

describe('a story that is told in two parts', () => {
  it('is one clip, without what came between, longer in the source than a clip may be', () => {
    const talk = readWritten('tuned/panel-en.txt')
    const story = talk.stories.find(({ id }) => id === 's6')
    const [interruption] = story?.interruptions ?? []
    if (story === undefined || interruption === undefined) throw new Error('the talk has no such story')
    const clip = chooseFrom(talk, '', null).candidates.find(
      ({ start, end }) => start < story.openingStart + 0.35 && end > story.payoffEnd - 0.35,
    )
    expect(clip?.leftOut).toHaveLength(1)
    const [{ start = 0, end = 0 } = {}] = clip?.leftOut ?? []
    expect(start).toBeCloseTo(interruption.start, -1)
    expect(end).toBeCloseTo(interruption.end, -1)
    expect((clip?.end ?? 0) - (clip?.start ?? 0)).toBeGreaterThan(90)
    expect((clip?.end ?? 0) - (clip?.start ?? 0) - (end - start)).toBeLessThanOrEqual(90)
    expect(clip?.scoreReasons[0]?.reason).toMatch(
      /35 s in the middle that do not belong to it are left out\.$/,
    )
    expect(clip?.text).toContain("the railroad's got reel five")
    expect(clip?.text).not.toContain('Sorry to stop you there')
  })

  it('is not seen where nobody interrupts', () => {
    const { candidates } = chooseFrom(readWritten('tuned/podcast-fr.txt'), '', null)
    const talk = readWritten('tuned/podcast-fr.txt')
    for (const { leftOut = [] } of candidates)
      for (const gap of leftOut)
        expect(
          talk.stories.some(({ interruptions }) =>
            interruptions.some((one) => one.start < gap.end && one.end > gap.start),
          ),
        ).toBe(true)
  })
})

describe('leaveOut', () => {
  const sentences: Sentence[] = Array.from({ length: 8 }, (_, at) => ({
    first: at,
    last: at,
    start: at * 10,
    end: at * 10 + 9,
    text: `Sentence ${at}.`,
    before: 1,
    after: 1,
    speaker: 0,
    edgeStart: true,
    edgeEnd: true,
  }))
  const gaps = leaveOut(sentences, [{ from: 2, to: 3 }])
  const start = endAfter(sentences[1] as Sentence)
  const end = startBefore(sentences[4] as Sentence)

  it('moves what comes later, and finds each sentence among those that stay', () => {
    expect(gaps.kept).toEqual([0, 1, 4, 5, 6, 7])
    expect([...gaps.places]).toEqual([0, 1, 1, 1, 2, 3, 4, 5])
    expect(gaps.moved[2]?.start).toBeCloseTo(40 - (end - start), 9)
    expect([1, 2, 3, 4].map(gaps.isLeftOut)).toEqual([false, true, true, false])
  })

  it('counts where both sides are played, and not otherwise', () => {
    expect(gaps.between(0, 5)).toEqual([{ start, end }])
    expect(gaps.between(0, 1)).toEqual([])
    expect(gaps.between(4, 7)).toEqual([])
    expect(gaps.secondsBetween(1, 4)).toBeCloseTo(end - start, 9)
  })
})
