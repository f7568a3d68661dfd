/** Diarization on the development media: turns are known, so the error can be measured. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Transcript } from '../../server/contract/transcript.ts'
import { openWav } from '../../workers/inference/wav-file.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { mfcc } from '../../workers/stages/speakers/pure/mfcc.ts'
import { runSpeakers } from '../../workers/stages/speakers/stage.ts'
import type { Turn } from '../../workers/stages/speakers/pure/turns.ts'
import { runStageForTest } from '../support/stage-harness.ts'

const shared = join(import.meta.dirname, '..', '..', '..', 'shared')
const present = existsSync(join(shared, 'models', 'diarization')) && existsSync(join(shared, 'media'))
if (!present)
  console.log('speakers: skipped, because the development media and models are not beside the project')

type Handler = Parameters<typeof runStageForTest>[0]
/** Nothing is scored around each change of speaker, as is usual for this measure, seconds. */
const COLLAR = 0.25

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-speakers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function readSound(root: string, source: string, seconds: number) {
  return runStageForTest(
    runAudio as Handler,
    { streamIndex: 0, durationSeconds: seconds },
    { inputs: { source }, root: join(root, 'audio') },
  )
}

async function detectSpeakers(source: string, seconds: number, count: number) {
  const root = await mkdtemp(join(folder, 'run-'))
  const sound = await readSound(root, source, seconds)
  const transcript: Transcript = {
    origin: 'speech-model',
    language: 'en',
    detail: '',
    words: Array.from({ length: Math.floor(seconds) }, (_, at) => ({
      word: `word${at}`,
      start: at + 0.2,
      end: at + 0.7,
    })),
  }
  const words = join(root, 'words')
  await mkdir(words)
  await writeFile(join(words, 'transcript.json'), JSON.stringify(transcript))
  const run = await runStageForTest(
    runSpeakers as Handler,
    { count },
    {
      root: join(root, 'speakers'),
      inputs: { audio: sound.folder, transcript: words },
      results: { audio: sound.output, transcript: { transcriptFile: 'transcript.json', wordCount: 1 } },
      modelFolders: [join(shared, 'models')],
    },
  )
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(run.folder, name), 'utf8'))
  return {
    turns: (await read('turns.json')) as Turn[],
    words: ((await read('transcript.json')) as Transcript).words,
    speakers: (run.output as { speakers: number }).speakers,
  }
}

describe.skipIf(!present)('speakers', () => {
  for (const count of [0, 2])
    it(`two who talk in turns, ${count === 0 ? 'nobody said how many' : 'two were announced'}`, async () => {
      const truth = JSON.parse(await readFile(join(shared, 'media', 'two_speakers_flite.json'), 'utf8')) as {
        turns: { speaker: string; start: number; end: number }[]
      }
      const { turns, words, speakers } = await detectSpeakers(
        join(shared, 'media', 'two_speakers_flite.wav'),
        25.8,
        count,
      )
      expect(speakers).toBe(2)
      const names = [...new Set(truth.turns.map(({ speaker }) => speaker))]
      // In steps of 10 ms: speech that is missed, detected where there is none, or given to the wrong speaker.
      let wrong = 0
      let spoken = 0
      for (let time = 0; time < 25.8; time += 0.01) {
        const near = truth.turns.some(
          ({ start, end }) => Math.abs(time - start) < COLLAR || Math.abs(time - end) < COLLAR,
        )
        if (near) continue
        const real = truth.turns.filter(({ start, end }) => time >= start && time < end)
        const found = turns.filter(({ start, end }) => time >= start && time < end)
        spoken += real.length
        const right = real.filter(({ speaker }) =>
          found.some((turn) => turn.speaker === names.indexOf(speaker)),
        ).length
        wrong += Math.max(real.length, found.length) - right
      }
      console.log(`speakers: diarization error ${((100 * wrong) / spoken).toFixed(1)} %`)
      expect(wrong / spoken).toBeLessThan(0.05)
      for (const { speaker, start, end } of truth.turns)
        for (const word of words.filter((one) => one.start > start + 0.3 && one.end < end - 0.3))
          expect(word.speaker, `${word.word} in ${start}-${end}`).toBe(names.indexOf(speaker))
    })

  async function detectTurns(name: string, modelFolders: readonly string[], count = 0) {
    const root = await mkdtemp(join(folder, 'run-'))
    const sound = await readSound(root, join(shared, 'media', name), 11)
    return runStageForTest(
      runSpeakers as Handler,
      { count },
      {
        root: join(root, 'speakers'),
        inputs: { audio: sound.folder },
        results: { audio: sound.output },
        modelFolders,
      },
    )
  }

  it('writes turns alone where there is no transcript', async () => {
    const run = await detectTurns('jfk.flac', [join(shared, 'models')], 2)
    expect(run.output).toMatchObject({
      transcriptFile: '',
      wordCount: 0,
      speakers: 1,
      embedding: 'dvector-bilstm',
    })
    expect(await readdir(run.folder)).toEqual(['turns.json', 'voices.json'])
    expect(run.warnings).toEqual(['2 speakers were given, but only 1 can be told apart by their voices.'])
  })

  it('follows voices by the segmentation alone without an embedding, and says what to install', async () => {
    const models = join(folder, 'models')
    await mkdir(models)
    await symlink(join(shared, 'models', 'diarization'), join(models, 'diarization'))
    const run = await detectTurns('jfk.flac', [models])
    expect(run.output).toMatchObject({ model: 'pyannote-segmentation', transcriptFile: '' })
    expect(run.output).not.toHaveProperty('embedding')
    expect(run.warnings).toEqual([
      expect.stringContaining('cutroom models install wespeaker-resnet34-lm') as string,
    ])
  })

  it('makes the features that the embedding was trained on', async () => {
    await using wav = await openWav(join(shared, 'media', 'flite_slt_alice.wav'))
    const samples = await wav.read(0, wav.durationSeconds)
    const rows = mfcc.features(Float32Array.from(samples, (sample) => sample / 32_768))
    expect(rows).toHaveLength(1289 * 40)
    expect([...rows.subarray(4000, 4003)].map((value) => Number(value.toFixed(2)))).toEqual([
      -233.68, 76.66, 74.85,
    ])
  })

  it('one person who talks alone is one speaker', async () => {
    expect((await detectSpeakers(join(shared, 'media', 'jfk.flac'), 11, 0)).speakers).toBe(1)
    expect((await detectSpeakers(join(shared, 'media', 'flite_slt_alice.wav'), 41, 0)).speakers).toBe(1)
  })
})
