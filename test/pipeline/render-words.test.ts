/** Cut and muted words in the rendered sound, measured on a voice of tones whose words are all known. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClipSound } from '../../server/contract/clip-measurements.ts'
import type { CaptionLayer, Composition } from '../../server/contract/composition.ts'
import { ticksToSeconds } from '../../server/contract/time.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { measureSound } from '../../server/domain/runs/measure-sound.ts'
import { homePaths } from '../../server/home.ts'
import { compileComposition } from '../../server/nodes/index.ts'
import { artefactFolder } from '../../workers/paths.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { documentOf, factsOf, node } from '../support/node-values.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { countingSource, LOSSLESS, make, renderForTest, shownFrames } from './render-support.ts'

const SECONDS = 12
const RATE = 48_000
/** Words sound at 200 Hz, what is to go at 700 Hz, laughter at 3 kHz: each is found again by its pitch. */
const VOICE = 200
const GONE = 700
const LAUGHTER = 3000

interface Sound {
  readonly from: number
  readonly to: number
  readonly hertz: number
}

const said = (word: string, start: number, end: number): TranscriptWord => ({ word, start, end })
const WORDS = [
  said('Well,', 0.4, 0.8),
  said('um,', 1, 1.4),
  said('the', 1.6, 1.9),
  said('the', 1.9, 2.2),
  said('class', 2.25, 2.8),
  said('was', 4.4, 4.8),
  said('fucking', 5, 5.5),
  said('good.', 5.6, 6.1),
  said('They', 8, 8.4),
  said('laughed.', 8.5, 9),
]
const GONE_WORDS = [1, 2, 6]
const LAUGH: Sound = { from: 6.2, to: 7.9, hertz: LAUGHTER }

let root = ''
let source = ''
let sound: ClipSound

function voice(): Float32Array {
  const samples = new Float32Array(SECONDS * RATE)
  let noise = 7
  for (let at = 0; at < samples.length; at++) {
    noise = (noise * 1103515245 + 12345) & 0x7fffffff
    samples[at] = ((noise % 2001) - 1000) * 1e-6
  }
  const sounds = WORDS.map((word, index): Sound => {
    return { from: word.start, to: word.end, hertz: GONE_WORDS.includes(index) ? GONE : VOICE }
  })
  for (const { from, to, hertz } of [...sounds, LAUGH]) {
    for (let at = Math.round(from * RATE); at < to * RATE; at++) {
      const edge = Math.min(1, (at / RATE - from) / 0.02, (to - at / RATE) / 0.02)
      samples[at] = (samples[at] ?? 0) + 0.3 * Math.max(0, edge) * Math.sin((2 * Math.PI * hertz * at) / RATE)
    }
  }
  return samples
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-words-test-'))
  const raw = join(root, 'voice.f32')
  const samples = voice()
  await writeFile(raw, new Uint8Array(samples.buffer))
  source = join(root, 'talk.mkv')
  const [, , , picture = ''] = countingSource(SECONDS * 30, 2)
  const spoken = ['-f', 'f32le', '-ar', String(RATE), '-ac', '1', '-i', raw]
  await make(['-f', 'lavfi', '-i', picture, ...spoken, ...LOSSLESS, source])
  const params = { streamIndex: 1, durationSeconds: SECONDS }
  const audio = await runStageForTest(runAudio, params, { root: join(root, 'audio'), inputs: { source } })
  const home = homePaths(join(root, 'home'))
  const key = 'a'.repeat(64)
  await mkdir(dirname(artefactFolder(home.artefacts, 'audio', key)), { recursive: true })
  await rename(audio.folder, artefactFolder(home.artefacts, 'audio', key))
  sound = await measureSound({ home }, { key, output: audio.output }, { start: 0, end: SECONDS })
})
afterAll(() => rm(root, { recursive: true, force: true }))

const everything = { stutteredWordsEnabled: true, silencesEnabled: true }
const fillers = node('filler_words', { filler_words_config: everything })
const curses = (mode: string) => node('remove_curse_words', { remove_curse_words_config: { mode } })

function compile(nodes: ReturnType<typeof node>[], exactLevels: boolean): Composition {
  const facts = factsOf({ width: 640, height: 360, seconds: SECONDS })
  const times = { startTimestamp: 0, endTimestamp: 10 }
  const document = { ...documentOf([...nodes, node('add_subtitles')], times, facts), sound, language: 'en' }
  const { composition, warnings } = compileComposition({ document, words: WORDS, facts })
  expect(warnings).toEqual([])
  const integratedLufs = exactLevels ? null : composition.audio.integratedLufs
  return { ...composition, audio: { ...composition.audio, integratedLufs } }
}

async function heard(composition: Composition, name: string) {
  const { clip } = await renderForTest(composition, source, join(root, name))
  // One channel as it is: mixing two down would change the level.
  const left = ['-af', 'pan=mono|c0=c0', '-ar', String(RATE), '-f', 'f32le', '-']
  const bytes = await make(['-i', clip, '-map', '0:a', ...left])
  return { clip, samples: new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2) }
}

/** Level of one pitch between two moments, dBFS of a sine's peak (Goertzel). */
function levelAt(samples: Float32Array, hertz: number, from: number, to: number): number {
  const window = samples.subarray(Math.round(from * RATE), Math.round(to * RATE))
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / RATE)
  let before = 0
  let last = 0
  for (const sample of window) [before, last] = [last, sample + coefficient * last - before]
  const power = last * last + before * before - coefficient * last * before
  return 10 * Math.log10((4 * power) / window.length ** 2 + 1e-12)
}

const rmsDb = (samples: Float32Array, from: number, to: number): number => {
  const window = samples.subarray(Math.round(from * RATE), Math.round(to * RATE))
  return 10 * Math.log10(window.reduce((sum, one) => sum + one * one, 0) / window.length + 1e-12)
}

/** Loudest of short windows, so that a blip of 50 ms is not averaged away. */
function loudest(samples: Float32Array, hertz: number): number {
  let most = -Infinity
  for (let at = 0; at + 0.05 <= samples.length / RATE; at += 0.025) {
    most = Math.max(most, levelAt(samples, hertz, at, at + 0.05))
  }
  return most
}

const captionsOf = (composition: Composition): string =>
  composition.layers
    .filter((layer): layer is CaptionLayer => layer.kind === 'captions')
    .flatMap((layer) => layer.cues.flatMap((cue) => cue.words.map((word) => word.text)))
    .join(' ')

describe('cut words', () => {
  it('are removed, and the rest plays with its own picture', async () => {
    const composition = compile([fillers, curses('remove')], true)
    expect(captionsOf(composition)).toBe('Well, the class was good. They laughed.')
    const { clip, samples } = await heard(composition, 'cut')
    expect(samples.length / RATE).toBeCloseTo(composition.durationFrames / 30, 1)
    // 700 Hz is what had to go; the edge of the touching stutter may leave a trace of under 50 ms.
    const trace = levelAt(samples, GONE, 0, samples.length / RATE) - levelAt(voice(), GONE, 0, 10)
    expect(trace).toBeLessThan(-20)
    // Every remaining word sounds in its full length at the time of the time map.
    for (const [index, { start, end }] of WORDS.entries()) {
      if (GONE_WORDS.includes(index)) continue
      const span = composition.timeMap.find(
        ({ sourceStart, sourceEnd }) =>
          ticksToSeconds(sourceStart) <= start + 1e-6 && end <= ticksToSeconds(sourceEnd) + 1e-6,
      )
      if (span === undefined) throw new Error(`"${WORDS[index]?.word ?? ''}" is cut into`)
      const shift = span.startFrame / 30 - ticksToSeconds(span.sourceStart)
      expect(levelAt(samples, VOICE, start + shift + 0.03, end + shift - 0.03)).toBeGreaterThan(-15)
    }
    // Laughter is no silence.
    expect(
      composition.timeMap.some(
        (span) => ticksToSeconds(span.sourceStart) < LAUGH.from && ticksToSeconds(span.sourceEnd) > LAUGH.to,
      ),
    ).toBe(true)
    const shown = await shownFrames(clip)
    const truth = composition.timeMap.flatMap((span) => {
      const from = Math.round(ticksToSeconds(span.sourceStart) * 30)
      return Array.from({ length: span.endFrame - span.startFrame }, (_, frame) =>
        Math.floor((from + frame) / 2),
      )
    })
    expect(shown).toEqual(truth)
  })

  it('leave no click and short pauses', async () => {
    const composition = compile([fillers, curses('remove')], true)
    const { samples } = await heard(composition, 'clicks')
    // The steepest step that the voice itself makes, at 3 kHz, and a margin for the lossy encoding.
    const steepest = 0.3 * 2 * Math.sin((Math.PI * LAUGHTER) / RATE) * 1.15
    const lowest = 0.3 * 2 * Math.sin((Math.PI * GONE) / RATE) * 1.5
    for (const { startFrame } of composition.timeMap.slice(1)) {
      const at = Math.round((startFrame / 30) * RATE)
      for (let index = at - 480; index < at + 480; index++) {
        expect(Math.abs((samples[index] ?? 0) - (samples[index - 1] ?? 0))).toBeLessThan(lowest)
      }
    }
    let largest = 0
    samples.forEach(
      (value, index) => (largest = Math.max(largest, Math.abs(value - (samples[index - 1] ?? value)))),
    )
    expect(largest).toBeLessThan(steepest)
    // From "class" to "was" there were 1.6 s.
    let quiet = 0
    let longest = 0
    for (let at = 0; at + 0.01 < samples.length / RATE; at += 0.01) {
      quiet = rmsDb(samples, at, at + 0.01) < -45 ? quiet + 0.01 : 0
      longest = Math.max(longest, quiet)
    }
    expect(longest).toBeLessThan(0.42)
  })
})

describe('muted words', () => {
  const start = 5.03
  const end = 5.47

  it('are silent while the picture goes on', async () => {
    const composition = compile([curses('silence')], true)
    expect(captionsOf(composition)).toContain('was f****** good.')
    expect(composition.durationFrames).toBe(300)
    const { samples } = await heard(composition, 'silence')
    expect(rmsDb(samples, start, end)).toBeLessThan(-65)
    // Neighbouring words sound up to the edge.
    expect(levelAt(samples, VOICE, 4.42, 4.78)).toBeGreaterThan(-15)
    expect(levelAt(samples, VOICE, 5.62, 6.08)).toBeGreaterThan(-15)
  })

  it('are a tone of 1 kHz at a level that fits the speech, and nothing else', async () => {
    const composition = compile([curses('beep')], false)
    const { samples } = await heard(composition, 'beep')
    const tone = levelAt(samples, 1000, start, end)
    expect(levelAt(samples, GONE, start, end)).toBeLessThan(tone - 40)
    const neighbours = [500, 900, 950, 1050, 1100, 2000, 3000].map((hertz) =>
      levelAt(samples, hertz, start, end),
    )
    expect(Math.max(...neighbours)).toBeLessThan(tone - 25)
    // 5 LU under -14 LUFS in both channels: -22 dBFS RMS.
    expect(rmsDb(samples, start, end)).toBeGreaterThan(-23.5)
    expect(rmsDb(samples, start, end)).toBeLessThan(-20.5)
    expect(loudest(samples.subarray(0, 4 * RATE), 1000)).toBeLessThan(tone - 30)
  })
})
