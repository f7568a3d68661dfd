/** The speech stage with real inference: voices found in real speech, and the whole path on random weights. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseModel } from '../../models/installed.ts'
import { Transcript } from '../../server/contract/transcript.ts'
import { digestOf } from '../../workers/artefacts.ts'
import { detectVoiceByLevel, detectVoiceByModel } from '../../workers/inference/voice-activity.ts'
import { openWav } from '../../workers/inference/wav-file.ts'
import { loadWhisper } from '../../workers/inference/whisper.ts'
import { planWindows, voicedSeconds, voiceSegments } from '../../workers/stages/speech/pure/plan-windows.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { transcribeForTest } from '../support/transcribe.ts'
import { wavOf } from '../support/wav.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
const MODELS = join(SHARED, 'models')
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-speech-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function audioFolder(name: string, wav: Buffer | null): Promise<{ audio: string }> {
  const audio = join(root, name)
  await mkdir(audio)
  if (wav !== null) await writeFile(join(audio, 'speech.wav'), wav)
  return { audio }
}
const params = { language: '', keywords: [], model: '' }
const NO_WARNING = { warn: (message: string) => expect.fail(message) }
const listening = () => ({ signal: new AbortController().signal, onProgress: () => undefined })
const heard = { audio: { speechFile: 'speech.wav', silent: false } }

describe('speech stage', () => {
  it('reports the command that installs a missing model', async () => {
    const inputs = await audioFolder('none', wavOf([[0.5, 1]], 2))
    const run = transcribeForTest(params, {
      root: join(root, 'n'),
      inputs,
      results: heard,
      modelFolders: [join(root, 'no-models')],
    })
    await expect(run).rejects.toMatchObject({
      code: 'MODEL_NOT_INSTALLED',
      message: expect.stringContaining('cutroom models install whisper-base') as string,
    })
  })

  it('finds voices by level, reading the file in ranges', async () => {
    const { audio } = await audioFolder(
      'level',
      wavOf(
        [
          [1, 1.6],
          [3, 3.9],
        ],
        6,
      ),
    )
    const wav = await openWav(join(audio, 'speech.wav'))
    const found = await detectVoiceByLevel(wav, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    })
    await wav.close()
    const segments = voiceSegments(found.probabilities, found.frameSeconds)
    expect(segments).toHaveLength(2)
    expect(segments[1]?.start).toBeCloseTo(3, 1)
  })
})

if (!existsSync(MODELS)) console.log('speech inference tests skipped: ../shared/models is not here')
describe.skipIf(!existsSync(MODELS))('speech stage with installed models', () => {
  it('detects the pauses of a real recording by Silero', async () => {
    const { audio } = await audioFolder('jfk', null)
    execFileSync(bundledTools().ffmpeg, [
      '-v',
      'error',
      '-i',
      join(SHARED, 'media/jfk.flac'),
      '-ac',
      '1',
      '-ar',
      '16000',
      '-c:a',
      'pcm_s16le',
      join(audio, 'speech.wav'),
    ])
    const model = await chooseModel([MODELS], 'voice-activity')
    if (model === null) throw new Error('no voice activity model')
    const wav = await openWav(join(audio, 'speech.wav'))
    const found = await detectVoiceByModel(wav, model, listening(), NO_WARNING)
    await wav.close()
    const segments = voiceSegments(found.probabilities, found.frameSeconds)
    expect(voicedSeconds(segments, 0.4, 2.2)).toBeGreaterThan(1.5)
    expect(voicedSeconds(segments, 2.6, 3.1)).toBeLessThan(0.2)
    expect(voicedSeconds(segments, 7.6, 8.0)).toBeLessThan(0.2)
  })

  it('loads the real layout, detects a language, decodes words with times and ends', async () => {
    const model = await chooseModel([MODELS], 'speech', 'random-whisper')
    if (model === null) throw new Error('no speech model')
    const whisper = await loadWhisper(model, NO_WARNING)
    expect(whisper.hasWordTimes).toBe(true)
    const wav = await openWav(join(SHARED, 'media/flite_slt_alice.wav'))
    const samples = Float32Array.from(await wav.read(0, 3), (sample) => sample / 32768)
    await wav.close()
    expect(await whisper.detectLanguage(samples)).toMatch(/^[a-z]{2,3}$/)
    const [decoded] = await whisper.decode([samples], 'en')
    if (decoded === undefined) throw new Error('nothing was decoded')
    expect(decoded.words).toBe(true)
    expect(decoded.pieces.length).toBeGreaterThan(0)
    expect(decoded.pieces.some((piece) => piece.from !== null)).toBe(true)
    expect(whisper.provider).toBe('cpu')
  })

  it('gives the model keywords in advance: another result, none of them in the output, no more than fit', async () => {
    const model = await chooseModel([MODELS], 'speech', 'random-whisper')
    if (model === null) throw new Error('no speech model')
    const whisper = await loadWhisper(model, NO_WARNING)
    const wav = await openWav(join(SHARED, 'media/flite_slt_alice.wav'))
    const samples = Float32Array.from(await wav.read(0, 3), (sample) => sample / 32768)
    await wav.close()
    const prompt = whisper.prompt(['Cheshire', 'Dormouse'])
    expect(prompt).toMatchObject({ used: ['Cheshire', 'Dormouse'], left: [] })
    const [plain] = await whisper.decode([samples], 'en')
    const [again] = await whisper.decode([samples], 'en', whisper.prompt([]))
    const [told] = await whisper.decode([samples], 'en', prompt)
    if (told === undefined) throw new Error('nothing was decoded')
    expect(again).toEqual(plain)
    expect(told).not.toEqual(plain)
    expect(told.pieces.length).toBeGreaterThan(0)
    expect(told.pieces.map(({ text }) => text).join('')).not.toMatch(/Cheshire, Dormouse/)
    const times = told.pieces.flatMap(({ from }) => (from === null ? [] : [from]))
    expect(times.length).toBeGreaterThan(0)
    expect(Math.max(...times)).toBeLessThanOrEqual(3.1)
    const many = whisper.prompt(Array.from({ length: 200 }, (_, index) => `Keyword${index}`))
    expect(many.tokens.length).toBeLessThanOrEqual(96)
    expect(many.used.length).toBeGreaterThan(5)
    expect(many.used.length + many.left.length).toBe(200)
  })

  it('gives each of several windows at once what it gives it alone, whatever their lengths', async () => {
    const model = await chooseModel([MODELS], 'speech', 'random-whisper')
    if (model === null) throw new Error('no speech model')
    const whisper = await loadWhisper(model, NO_WARNING)
    const wav = await openWav(join(SHARED, 'media/flite_slt_alice.wav'))
    const windows: Float32Array[] = []
    for (const [from, to] of [
      [0, 2],
      [2, 7.5],
      [7.5, 8.6],
    ] as const)
      // prettier-ignore
      windows.push(Float32Array.from(await wav.read(from, to), (sample) => sample / 32768))
    await wav.close()
    const together = await whisper.decode(windows, 'en')
    expect(together.map(({ pieces }) => pieces.length > 0)).toEqual([true, true, true])
    for (const [at, window] of windows.entries())
      expect(together[at]).toEqual((await whisper.decode([window], 'en'))[0])
    expect(new Set(together.map((one) => JSON.stringify(one))).size).toBe(3)
    // The processor has enough to do with one.
    expect(whisper.together).toBe(1)
  })

  it('runs on the processor where the card’s library does not load, with a warning', async () => {
    const model = await chooseModel([MODELS], 'speech', 'random-whisper')
    if (model === null) throw new Error('no speech model')
    const warnings: string[] = []
    const wish = { inference: 'dml' as const, warn: (message: string) => void warnings.push(message) }
    const source = { platform: 'win32', backends: () => [], failures: new Map() }
    const whisper = await loadWhisper(model, wish, source)
    expect(whisper.provider).toBe('cpu')
    expect(warnings.join()).toMatch(/DirectML does not work here, so models run on the processor: /)
  })

  it('resumes from the windows of an interrupted attempt, and times recorded words by the sound', async () => {
    const speech = join(SHARED, 'media/flite_slt_alice.wav')
    const { audio } = await audioFolder('alice', null)
    await cp(speech, join(audio, 'speech.wav'))
    const truth = alignedWords(await readFile(join(SHARED, 'media/flite_slt_alice.align.txt'), 'utf8'))
    const runRoot = join(root, 'alice-run')
    await mkdir(join(runRoot, 'temporary'), { recursive: true })
    // What a decoder gives: words some 0.1 s off, in windows as the stage cuts them.
    const windows = await plannedWindows(speech)
    await using wav = await openWav(speech)
    const lines = await Promise.all(
      windows.map(async (window) => {
        const inside = truth.filter((word) => word.start >= window.start && word.start < window.end)
        const pieces = inside.map((word, index) => {
          const off = (((index * 29) % 21) - 10) / 80
          return {
            text: ` ${word.word}`,
            from: word.start - window.start + off,
            to: word.end - window.start + off,
          }
        })
        const decoded = { ...window, pieces, words: true }
        const samples = await wav.read(window.start, window.end)
        const sound = createHash('sha256').update(samples).digest('hex')
        return JSON.stringify({ by: SIGNATURE, sound, sum: digestOf({ decoded, sound }), decoded })
      }),
    )
    await writeFile(join(runRoot, 'temporary/speech-windows.jsonl'), `${lines.join('\n')}\n{"by":"half a li`)
    const run = await transcribeForTest(
      { language: 'en', keywords: ['Alice'], model: 'random-whisper' },
      { root: runRoot, inputs: { audio }, results: heard, modelFolders: [MODELS] },
    )
    const transcript: unknown = JSON.parse(await readFile(join(run.folder, 'transcript.json'), 'utf8'))
    expect([...Value.Errors(Transcript, transcript)]).toEqual([])
    const { words } = transcript as Transcript
    expect(words.map((word) => word.word)).toEqual(truth.map((word) => word.word))
    const errors = words
      .map((word, index) => Math.abs(word.start - (truth[index]?.start ?? 0)))
      .sort((a, b) => a - b)
    const median = errors[errors.length >> 1] ?? 9
    const late = errors[Math.floor(errors.length * 0.95)] ?? 9
    console.log(`word starts after snapping: median ${median.toFixed(3)} s, 95th ${late.toFixed(3)} s`)
    expect(median).toBeLessThan(0.04)
    expect(late).toBeLessThan(0.2)
    expect(run.warnings.join()).toContain('model for tests')
    expect(run.warnings.join()).not.toContain('keywords')
    expect(run.output.provider).toBe('cpu')
    expect(run.progress.at(-1)).toBe(1)
    const aborted = {
      root: join(root, 'cancel'),
      inputs: { audio },
      results: heard,
      modelFolders: [MODELS],
      signal: AbortSignal.abort(),
    }
    const named = { language: 'en', keywords: [], model: 'random-whisper' }
    await expect(transcribeForTest(named, aborted)).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

const SIGNATURE = 'random-whisper/en/{"encoder_model":"fp32","decoder_model_merged":"fp32"}/["Alice"]'

function alignedWords(text: string): { word: string; start: number; end: number }[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', from, to] = line.trim().split(/\s+/)
    if (to === undefined || /^[<[]/.test(name) || !Number.isFinite(Number(from))) return []
    return [{ word: name.replace(/\(\d+\)$/, ''), start: Number(from), end: Number(to) + 0.01 }]
  })
}

async function plannedWindows(file: string): Promise<{ start: number; end: number }[]> {
  const wav = await openWav(file)
  const model = await chooseModel([MODELS], 'voice-activity')
  if (model === null) throw new Error('no voice activity model')
  const found = await detectVoiceByModel(wav, model, listening(), NO_WARNING)
  await wav.close()
  return planWindows(voiceSegments(found.probabilities, found.frameSeconds), wav.durationSeconds)
}
