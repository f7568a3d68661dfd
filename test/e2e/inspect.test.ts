/** `cutroom inspect` as a person types it: on the sample that ships, and on filmed people with models. */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutroom } from '../support/appliance-process.ts'
import { makeMedia } from '../support/make-media.ts'

const root = join(import.meta.dirname, '..', '..')
const sample = join(root, 'resources', 'sample', 'sample.mp4')
const shared = join(root, '..', 'shared')
const people = join(shared, 'media', 'people', 'simpl_vp9_webrtc_3.webm')
const meeting = join(shared, 'media', 'ami-dev', 'trn03.flac')
const present = existsSync(people) && existsSync(meeting)
if (!present)
  console.log('inspect: filmed people are skipped, because the development media are not beside the project')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-inspect-'))
  expect((await cutroom(['--version'], { timeoutMs: 120_000 })).code).toBe(0)
}, 130_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Stretch {
  readonly start: number
  readonly end: number
}
interface Found {
  readonly voice: Stretch[]
  readonly speakers: (Stretch & { speaker: number })[]
  readonly faces: {
    frameRate: number
    tracks: { id: number; boxes: Record<'time' | 'x' | 'y' | 'width' | 'height' | 'score', number>[] }[]
    speaking: { time: number; track: number | null; confidence: number }[]
  }
  readonly framing: {
    width: number
    height: number
    samples: { time: number; panes: { x: number; y: number; width: number; height: number }[] }[]
  }
  readonly shots: Stretch[]
  readonly sounds: (Stretch & { label: string })[]
  readonly words: (Stretch & { text: string })[]
  readonly clips: (Stretch & {
    title: string
    score: number
    relevance: number
    reasons: string[]
    text: string
  })[]
  readonly warnings: string[]
}

async function inspect(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const home = join(folder, 'home')
  const result = await cutroom(['inspect', ...words, '--json'], {
    environment: { CUTROOM_HOME: home, ...environment },
    timeoutMs: 110_000,
  })
  const lines = result.stdout.trim().split('\n')
  expect([result.code, lines.length], result.stderr).toEqual([0, 1])
  return JSON.parse(lines[0] ?? '') as Found
}

it('finds everything in the sample without a model, and says what it could not look at', async () => {
  const found = await inspect([sample])
  expect(found.voice.length).toBeGreaterThan(0)
  expect(found.words.length).toBeGreaterThan(20)
  expect(found.clips.length).toBeGreaterThan(0)
  expect(found.clips.map(({ score }) => score)).toEqual(
    found.clips.map(({ score }) => score).toSorted((a, b) => b - a),
  )
  for (const clip of found.clips) {
    expect(clip.end - clip.start).toBeGreaterThanOrEqual(20)
    expect(clip.reasons.length).toBeGreaterThan(0)
    expect([clip.title, clip.text]).not.toContain('')
  }
  const length = found.shots.at(-1)?.end ?? 0
  expect(found.framing.samples.length).toBe(Math.ceil(length * 5))
  for (const { panes } of found.framing.samples)
    for (const pane of panes) expect(pane.width / pane.height).toBeCloseTo(9 / 16, 2)
  expect(found.warnings.join(' ')).toContain('cutroom models install yunet')
}, 120_000)

it('uses the cache of before, takes captions that are given, and starts no run', async () => {
  const captions = join(folder, 'other.srt')
  await writeFile(captions, '1\n00:00:01,000 --> 00:00:05,000\nEntirely other words\n')
  const { words, ...more } = await inspect([sample, '--what', 'words,voice', '--captions', captions])
  expect(words.map(({ text }) => text)).toEqual(['Entirely', 'other', 'words'])
  expect(Object.keys(more).toSorted()).toEqual(['voice', 'warnings'])
  const home = join(folder, 'home')
  const audio = await readdir(join(home, 'artefacts', 'audio'), { recursive: true })
  expect(audio.filter((name) => name.endsWith('result.json'))).toHaveLength(1)
  expect(existsSync(join(home, 'cutroom.sqlite'))).toBe(false)
}, 120_000)

it.each([
  ['INVALID_REQUEST', ['--what', 'voice,smell']],
  ['INVALID_REQUEST', ['--speakers', '2.5']],
  ['INVALID_REQUEST', ['--captions', sample]],
  ['INVALID_NODE_CONFIG', ['--style', 'style_nine']],
  ['INVALID_NODE_CONFIG', ['--aspect', 'tall']],
])(
  'refuses what cannot be before any work: %s for %j',
  async (code, words) => {
    const home = join(folder, 'untouched')
    const result = await cutroom(['inspect', sample, ...words, '--json'], {
      environment: { CUTROOM_HOME: home },
    })
    expect([result.code, result.stdout]).toEqual([1, ''])
    expect(JSON.parse(result.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ code })
    expect(await readdir(join(home, 'artefacts')).catch(() => [])).toEqual([])
  },
  120_000,
)

describe.skipIf(!present)('filmed people', () => {
  const models = { CUTROOM_MODELS: join(shared, 'models') }

  it('shows both men of a film to the pixel, and the panes that they are seen in', async () => {
    // The first seconds only, because finding faces takes longest.
    const film = await makeMedia(folder, 'film.webm', ['-i', people, '-t', '4', '-c', 'copy'])
    const { faces, framing } = await inspect(
      [film, '--what', 'faces,framing', '--style', 'style_two'],
      models,
    )
    const boxes = faces.tracks.flatMap((track) => track.boxes)
    for (const { x, y, width, height, score } of boxes) {
      expect(x + width).toBeLessThan(1300)
      expect(y + height).toBeLessThan(740)
      expect(score).toBeLessThanOrEqual(1)
    }
    const early = faces.tracks.filter((track) => track.boxes.some(({ time }) => time < 1))
    expect(early.length).toBe(2)
    expect([framing.width, framing.height]).toEqual([1280, 720])
    expect(framing.samples.filter(({ panes }) => panes.length === 2).length).toBeGreaterThan(10)
  }, 120_000)

  it('takes sound alone, with the number of voices that is given', async () => {
    const { voice, speakers, framing, warnings } = await inspect(
      [meeting, '--what', 'voice,speakers,framing', '--speakers', '2'],
      models,
    )
    expect(voice.reduce((sum, { start, end }) => sum + end - start, 0)).toBeGreaterThan(15)
    expect(new Set(speakers.map(({ speaker }) => speaker)).size).toBeLessThanOrEqual(2)
    expect(framing.samples).toEqual([])
    expect(warnings.join(' ')).toContain('no picture')
  }, 120_000)
})
