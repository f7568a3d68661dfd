/** The bundled talk with its fillers cut: by the times that the captions stage finds, checked against the written truth. */
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeLevels } from '../../server/contract/clip-measurements.ts'
import type { CaptionLayer } from '../../server/contract/composition.ts'
import type { Transcript } from '../../server/contract/transcript.ts'
import { compileComposition, withPlayedTimes } from '../../server/nodes/index.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runCaptions } from '../../workers/stages/captions/stage.ts'
import { documentOf, factsOf, node } from '../support/node-values.ts'
import { runStageForTest } from '../support/stage-harness.ts'

const SAMPLE = join(import.meta.dirname, '..', '..', 'resources', 'sample')
const SECONDS = 244.8

interface SaidWord {
  readonly word: string
  readonly start: number
  readonly end: number
}

let root = ''
let transcript: Transcript
let truth: SaidWord[]
let levels: number[]
let background: { speechLevelDb: number; noiseLevelDb: number }

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-fillers-'))
  const audio = await runStageForTest(
    runAudio,
    { streamIndex: 1, durationSeconds: SECONDS },
    { root: join(root, 'audio'), inputs: { source: join(SAMPLE, 'sample.mp4') } },
  )
  const bytes = await readFile(join(audio.folder, audio.output.envelopeFile))
  const envelope = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
  levels = Array.from({ length: envelope.length >> 1 }, (_, hop) =>
    Math.max(envelope[2 * hop] ?? -100, envelope[2 * hop + 1] ?? -100),
  )
  background = audio.output
  const ingest = join(root, 'ingest')
  await mkdir(ingest)
  await copyFile(join(SAMPLE, 'sample.srt'), join(ingest, 'en.srt'))
  const captions = await runStageForTest(
    runCaptions,
    { track: { kind: 'sidecar', file: 'en.srt', format: 'srt', language: 'en' }, durationSeconds: SECONDS },
    {
      root: join(root, 'captions'),
      inputs: { ingest, audio: audio.folder },
      results: { audio: audio.output },
    },
  )
  transcript = JSON.parse(await readFile(join(captions.folder, 'transcript.json'), 'utf8')) as Transcript
  truth = JSON.parse(await readFile(join(SAMPLE, 'words.json'), 'utf8')) as SaidWord[]
})
afterAll(() => rm(root, { recursive: true, force: true }))

function clean(config: Record<string, unknown>) {
  const { speechLevelDb, noiseLevelDb } = background
  const facts = factsOf({ seconds: SECONDS, frameRate: { numerator: 25, denominator: 1 } })
  const nodes = [node('filler_words', { filler_words_config: config }), node('add_subtitles')]
  const document = {
    ...documentOf(nodes, { startTimestamp: 0, endTimestamp: SECONDS }, facts),
    sound: { start: 0, hopSeconds: 0.02, levels: encodeLevels(levels), speechLevelDb, noiseLevelDb },
    language: transcript.language,
  }
  const { composition } = compileComposition({ document, words: transcript.words, facts })
  const captions = composition.layers.find((layer): layer is CaptionLayer => layer.kind === 'captions')
  const shown = captions?.cues.flatMap((cue) => cue.words.map((word) => word.text)) ?? []
  const { played = [], duration } = withPlayedTimes({ document, words: transcript.words, facts })
  const lost = truth.map(({ start, end }) =>
    played.reduce(
      (left, one) => left - Math.max(0, Math.min(end, one.end) - Math.max(start, one.start)),
      end - start,
    ),
  )
  return { shown, duration, lost }
}

const isUm = (word: string): boolean => /^(um|uh)\W*$/i.test(word)

describe('the sample talk without its fillers', () => {
  it('loses every "um", "uh" and set-off "you know", and no word that stays is cut into', () => {
    const { shown, lost, duration } = clean({})
    const fillers = truth.flatMap(({ word }, index) => {
      const next = truth[index + 1]?.word ?? ''
      const known = /^you$/i.test(word) && next === 'know,'
      return isUm(word) ? [index] : known ? [index, index + 1] : []
    })
    expect(fillers).toHaveLength(16)
    for (const index of fillers) {
      const { start, end } = truth[index] ?? { start: 0, end: 1 }
      expect((lost[index] ?? 0) / (end - start)).toBeGreaterThan(0.9)
    }
    expect(shown).toHaveLength(truth.length - fillers.length)
    expect(shown.filter(isUm)).toEqual([])
    expect(shown.join(' ')).toContain('If you know a place')
    // Words are timed to a few hundredths; half a frame of the start of a word is all that may go with a filler.
    lost.forEach((seconds, index) => {
      if (!fillers.includes(index)) expect(seconds).toBeLessThan(0.03)
    })
    expect(duration).toBeLessThan(SECONDS - 5)
  })

  it('loses its stutters and long pauses as well', () => {
    const { shown, lost, duration } = clean({ stutteredWordsEnabled: true, silencesEnabled: true })
    expect(shown.join(' ')).toContain('heater, and the rent')
    expect(shown.join(' ')).toContain('Thank you. I rode here')
    expect(duration).toBeLessThan(SECONDS - 20)
    const cutInto = truth.filter(({ start, end }, index) => {
      const part = (lost[index] ?? 0) / (end - start)
      return (lost[index] ?? 0) > 0.03 && part < 0.6
    })
    expect(cutInto).toEqual([])
  })
})
