/** The bundled talk with its "um" and "uh" left out of the captions: they are found in the sound and gone from the render. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClipSound } from '../../server/contract/clip-measurements.ts'
import type { Transcript } from '../../server/contract/transcript.ts'
import { measureSound } from '../../server/domain/runs/measure-sound.ts'
import { homePaths } from '../../server/home.ts'
import { compileComposition } from '../../server/nodes/index.ts'
import { artefactFolder } from '../../workers/paths.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runCaptions } from '../../workers/stages/captions/stage.ts'
import { documentOf, factsOf, node } from '../support/node-values.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { make, renderForTest } from './render-support.ts'

const SAMPLE = join(import.meta.dirname, '..', '..', 'resources', 'sample')
const SOURCE = join(SAMPLE, 'sample.mp4')
const SECONDS = 244.8
/** The clip, and the "um" that is spoken in it: from words.json. */
const CLIP = { startTimestamp: 27, endTimestamp: 31 }
const UM = { start: 28.76, end: 29.007 }
const RATE = 8000

let root = ''
let transcript: Transcript
let sound: ClipSound

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-unwritten-'))
  const given = { streamIndex: 1, durationSeconds: SECONDS }
  const audio = await runStageForTest(runAudio, given, {
    root: join(root, 'audio'),
    inputs: { source: SOURCE },
  })
  const ingest = join(root, 'ingest')
  await mkdir(ingest)
  const written = await readFile(join(SAMPLE, 'sample.srt'), 'utf8')
  await writeFile(join(ingest, 'en.srt'), written.replaceAll(/\b(um|uh)\b[,.]? ?/gi, ''))
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
  const home = homePaths(join(root, 'home'))
  const key = 'a'.repeat(64)
  await mkdir(dirname(artefactFolder(home.artefacts, 'audio', key)), { recursive: true })
  await rename(audio.folder, artefactFolder(home.artefacts, 'audio', key))
  const range = { start: CLIP.startTimestamp - 2, end: CLIP.endTimestamp + 2 }
  sound = await measureSound({ home }, { key, output: audio.output }, range, transcript)
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function render(name: string, sound: ClipSound) {
  const facts = factsOf({ seconds: SECONDS, width: 1280, height: 720 })
  const nodes = [node('filler_words'), node('add_subtitles')]
  const document = { ...documentOf(nodes, CLIP, facts), sound, language: 'en' }
  const words = transcript.words.filter(
    ({ start, end }) => end > CLIP.startTimestamp && start < CLIP.endTimestamp,
  )
  const { composition } = compileComposition({ document, words, facts })
  const { clip } = await renderForTest(composition, SOURCE, join(root, name))
  return { composition, samples: await samplesOf(clip) }
}

async function samplesOf(file: string): Promise<Float32Array> {
  const bytes = await make(['-i', file, '-ac', '1', '-ar', String(RATE), '-f', 'f32le', '-'])
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
}

/** Seconds that are louder than -34 dBFS, by hundredths. */
function loudSeconds(samples: Float32Array): number {
  const hop = RATE / 100
  let hops = 0
  for (let from = 0; from + hop <= samples.length; from += hop) {
    const power = samples.subarray(from, from + hop).reduce((sum, value) => sum + value * value, 0) / hop
    if (power > 0.02 ** 2) hops += 1
  }
  return hops / 100
}

it('an "um" that the captions leave out is found, and gone from the clip', async () => {
  expect(sound.fillers).toEqual([
    { start: expect.closeTo(UM.start, 1) as number, end: expect.closeTo(UM.end, 1) as number, sure: true },
  ])
  const { fillers: _, ...levels } = sound
  const whole = await render('whole', levels)
  const cut = await render('cut', sound)
  const frames = whole.composition.durationFrames - cut.composition.durationFrames
  const { numerator, denominator } = cut.composition.output.frameRate
  const seconds = (frames * denominator) / numerator
  expect(seconds).toBeGreaterThan(UM.end - UM.start)
  expect(seconds).toBeLessThan(UM.end - UM.start + 0.5)
  expect((whole.samples.length - cut.samples.length) / RATE).toBeCloseTo(seconds, 1)
  // What is gone is the sound of the "um", and no other sound.
  const gone = loudSeconds(whole.samples) - loudSeconds(cut.samples)
  expect(gone).toBeGreaterThan(UM.end - UM.start - 0.08)
  expect(gone).toBeLessThan(UM.end - UM.start + 0.06)
})
