/** The speech stage with the studio's own server, played by a local one: it answers as each product does, or not at all. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { Transcript } from '../../server/contract/transcript.ts'
import { STAGES } from '../../workers/stages/catalog.ts'
import { serverDecoder } from '../../workers/stages/speech/server-decoder.ts'
import {
  ANSWERS,
  pretendSpeechServer,
  SERVER_KEY,
  wordsOfPart,
  type KnownWord,
  type PretendSpeechServer,
  type Received,
  type Reply,
} from '../support/speech-server.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { transcribeForTest } from '../support/transcribe.ts'
import { wavOf } from '../support/wav.ts'
import { measureSlowness } from '../support/pace.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
const JFK = join(SHARED, 'media', 'jfk.flac')
const KEY = SERVER_KEY

let root: string
let count = 0
let server: PretendSpeechServer | null = null
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-speech-server-'))
})
afterEach(async () => {
  await server?.stop()
  server = null
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** A recording of three parts far apart, in each of which two words are said. */
const WORDS: KnownWord[] = [
  { word: 'Hello,', start: 1, end: 1.5 },
  { word: 'world.', start: 1.8, end: 2.4 },
  { word: 'Count', start: 11, end: 11.4 },
  { word: 'again!', start: 11.7, end: 12.3 },
  { word: 'Never', start: 21, end: 21.5 },
  { word: 'whisper.', start: 21.8, end: 22.5 },
]
const RECORDING = wavOf(
  WORDS.map(({ start, end }) => [start, end] as const),
  30,
)

const access = (change: object = {}) => ({
  address: server?.url ?? '',
  model: 'large-v3',
  key: KEY,
  addresses: 'loopback' as const,
  timeoutSeconds: 5,
  ...change,
})

interface Change {
  readonly recording?: Buffer
  readonly signal?: AbortSignal
  readonly at?: string
  readonly keywords?: string[]
  readonly server?: object
}

/** Runs the stage as the pool does, on a server that replies like this. */
async function transcribe(reply: (received: Received, count: number) => Reply, change: Change = {}) {
  server ??= await pretendSpeechServer(reply)
  const at = change.at ?? join(root, String((count += 1)))
  const audio = join(at, 'audio')
  await mkdir(audio, { recursive: true })
  await writeFile(join(audio, 'speech.wav'), change.recording ?? RECORDING)
  const params = { language: '', keywords: change.keywords ?? [], model: '', server: access(change.server) }
  const run = await transcribeForTest(params, {
    root: at,
    inputs: { audio },
    results: { audio: { speechFile: 'speech.wav', silent: false } },
    ...omitUndefined({ signal: change.signal }),
  })
  expect([...Value.Errors(STAGES.speech.output, run.output)]).toEqual([])
  const text = await readFile(join(run.folder, 'transcript.json'), 'utf8')
  const transcript: unknown = JSON.parse(text)
  expect([...Value.Errors(Transcript, transcript)]).toEqual([])
  return { ...run, text, transcript: transcript as Transcript }
}

const answerAs =
  (product: keyof typeof ANSWERS, recording = RECORDING, words: readonly KnownWord[] = WORDS) =>
  (received: Received): Reply => ({
    json: ANSWERS[product](wordsOfPart(recording, words, received), received),
  })

const NO_WORD_TIMES = 'has no word times'

function startErrors(found: readonly KnownWord[], truth: readonly KnownWord[]): number[] {
  return found
    .map(({ start }, at) => Math.abs(start - (truth[at]?.start ?? Infinity)))
    .toSorted((a, b) => a - b)
}

describe('speech by the studio’s own server', () => {
  it.each(['openai', 'speaches', 'whisperCpp'] as const)(
    'has the words with punctuation and times from a server like %s',
    async (product) => {
      const { transcript, output, warnings } = await transcribe(answerAs(product))
      expect(transcript.words.map(({ word }) => word)).toEqual(WORDS.map(({ word }) => word))
      expect(startErrors(transcript.words, WORDS).at(-1)).toBeLessThan(0.15)
      const host = new URL(server?.url ?? '').host
      expect(output).toEqual({
        transcriptFile: 'transcript.json',
        wordCount: 6,
        language: 'en',
        model: `large-v3 at ${host}`,
      })
      expect(transcript).toMatchObject({
        origin: 'speech-model',
        language: 'en',
        detail: `large-v3 at ${host}`,
      })
      expect(warnings.join()).not.toContain(NO_WORD_TIMES)
    },
  )

  it.each<[string, (received: Received) => Reply]>([
    ['segments only', answerAs('vllm')],
    [
      'no verbose answers',
      (received) =>
        received.fields['response_format']?.[0] === 'verbose_json'
          ? { status: 400, raw: '{"error":"response_format"}' }
          : {
              json: {
                text: wordsOfPart(RECORDING, WORDS, received)
                  .map(({ word }) => word)
                  .join(' '),
              },
            },
    ],
    [
      'no granularities',
      (received) =>
        received.fields['timestamp_granularities[]'] === undefined
          ? answerAs('vllm')(received)
          : { status: 422, raw: '{}' },
    ],
  ])('times the words by the sound, with a warning, where there are %s', async (_name, reply) => {
    const { transcript, warnings } = await transcribe(reply)
    expect(transcript.words.map(({ word }) => word)).toEqual(WORDS.map(({ word }) => word))
    expect(startErrors(transcript.words, WORDS).at(-1)).toBeLessThan(0.5)
    expect(warnings.filter((warning) => warning.includes(NO_WORD_TIMES))).toHaveLength(1)
  })

  it('sends each window once as WAV, with key, model, keywords and the language that it found', async () => {
    const { progress } = await transcribe(answerAs('whisperCpp'), { keywords: ['Alice', 'Bob'] })
    const received = server?.received ?? []
    expect(received).toHaveLength(4)
    for (const { path, authorization, fields, fileName, mediaType, wav } of received) {
      expect([path, authorization]).toEqual(['/v1/audio/transcriptions', `Bearer ${KEY}`])
      expect([fileName, mediaType]).toEqual(['part.wav', 'audio/wav'])
      expect(wav.toString('latin1', 0, 16)).toBe(`RIFF${wav.toString('latin1', 4, 8)}WAVEfmt `)
      expect(wav.length).toBeLessThan(44 + 27 * 32_000)
      expect(fields).toMatchObject({
        model: ['large-v3'],
        response_format: ['verbose_json'],
        'timestamp_granularities[]': ['word', 'segment'],
      })
    }
    expect(received.map(({ fields }) => fields['language'])).toEqual([undefined, ['en'], ['en'], ['en']])
    expect(received.map(({ fields }) => fields['prompt'])).toEqual([
      undefined,
      ['Alice, Bob.'],
      ['Alice, Bob.'],
      ['Alice, Bob.'],
    ])
    expect(progress.filter((fraction) => fraction > 0.05).length).toBeGreaterThanOrEqual(3)
    expect(progress.at(-1)).toBe(1)
  })

  it('goes on where it was interrupted, and writes the key nowhere', async () => {
    const at = join(root, 'resumed')
    const broken = transcribe(
      (received, nth) => (nth < 4 ? answerAs('speaches')(received) : { status: 401, raw: `bad key ${KEY}` }),
      { at },
    )
    await expect(broken).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' })
    const scratch = await readFile(join(at, 'temporary', 'speech-windows.jsonl'), 'utf8')
    expect(scratch.trim().split('\n')).toHaveLength(2)
    expect(scratch).not.toContain(KEY)
    const before = server?.received.length ?? 0
    const url = server?.url ?? ''
    await server?.stop()
    server = await pretendSpeechServer(answerAs('speaches'))
    // The address is part of what the stored windows belong to.
    const stored = scratch.replaceAll(url, server.url).replaceAll(new URL(url).host, new URL(server.url).host)
    await writeFile(join(at, 'temporary', 'speech-windows.jsonl'), stored)
    const { transcript, text, output, warnings } = await transcribe(answerAs('speaches'), { at })
    expect(before).toBe(4)
    expect(server.received).toHaveLength(2)
    expect(transcript.words).toHaveLength(6)
    for (const written of [text, JSON.stringify([output, warnings])]) expect(written).not.toContain(KEY)
    expect(await readdir(join(at, 'temporary'))).toEqual([])
  })

  it('has nothing to say of sound in which the server finds no words', async () => {
    const silent = transcribe(() => ({ json: { text: '', language: 'en', segments: [], words: [] } }))
    await expect(silent).rejects.toMatchObject({ code: 'NO_SPEECH' })
  })
})

if (!existsSync(JFK)) console.log('a real recording is not transcribed: ../shared/media is not here')
describe.skipIf(!existsSync(JFK))('speech by the studio’s own server, of a real recording', () => {
  // Where only sentences have times, how well words are timed is a matter of the sound, not of the server.
  it.each<[keyof typeof ANSWERS, number, number]>([
    ['openai', 0.1, 0.36],
    ['whisperCpp', 0.1, 0.36],
    ['vllm', 0.25, 2],
  ])('has its words from a server like %s', async (product, median, most) => {
    const wav = join(root, `jfk-${product}.wav`)
    const form = ['-ac', '1', '-ar', '16000', '-bitexact', '-c:a', 'pcm_s16le']
    execFileSync(bundledTools().ffmpeg, ['-v', 'error', '-i', JFK, ...form, wav])
    const recording = await readFile(wav)
    const spoken = (await readFile(join(SHARED, 'media', 'jfk.txt'), 'utf8')).trim().split(/\s+/)
    const lines = (await readFile(join(SHARED, 'media', 'jfk.align.txt'), 'utf8')).split('\n')
    const times = lines.flatMap((line) => {
      const [name = '', start, end] = line.trim().split(' ')
      return /^[a-z]/.test(name) && Number(end) > 0 ? [{ start: Number(start), end: Number(end) }] : []
    })
    expect(times).toHaveLength(spoken.length)
    const words = times.map((time, at) => ({ word: spoken[at] ?? '', ...time }))
    const { transcript } = await transcribe(answerAs(product, recording, words), { recording })
    expect(transcript.words.map(({ word }) => word)).toEqual(spoken)
    const errors = startErrors(transcript.words, words)
    const at = (share: number) => errors[Math.floor((errors.length - 1) * share)] ?? Infinity
    const [half, nearly] = [at(0.5), at(0.95)].map((seconds) => seconds.toFixed(3))
    console.log(`jfk by ${product}: word starts off by ${half} s (median), ${nearly} s (95th percentile)`)
    expect(at(0.5)).toBeLessThan(median)
    expect(at(1)).toBeLessThan(most)
  })
})

const SOUND = Float32Array.from({ length: 16_000 * 4 }, (_, at) => Math.sin(at / 20) / 3)
const NO_PROMPT = { tokens: [], used: [], left: [] }
const GOOD = {
  json: {
    text: 'Hello world',
    language: 'en',
    words: [
      { word: 'Hello', start: 0, end: 1 },
      { word: 'world', start: 1, end: 2 },
    ],
  },
}

/** One window of 4 s. */
async function decodeOne(
  reply: (received: Received, count: number) => Reply,
  change: { server?: object; signal?: AbortSignal; pausesMs?: readonly number[] } = {},
) {
  server = await pretendSpeechServer(reply)
  const { signal = new AbortController().signal, pausesMs = [5, 5] } = change
  const decoder = await serverDecoder({ signal }, access(change.server), pausesMs).open()
  return (await decoder.decode([SOUND], 'en', NO_PROMPT))[0]
}

describe('a speech server', () => {
  it.each<[string, Reply, string, RegExp, number]>([
    ['refuses the key', { status: 401, raw: `no ${KEY}` }, 'INVALID_CONFIGURATION', /CUTROOM_ASR_KEY/, 1],
    ['forbids it', { status: 403, raw: KEY }, 'INVALID_CONFIGURATION', /CUTROOM_ASR_KEY/, 1],
    [
      'has no such model',
      { status: 404, raw: '{}' },
      'INVALID_CONFIGURATION',
      /large-v3.*CUTROOM_ASR_MODEL/,
      1,
    ],
    ['is busy', { status: 429, raw: '{}' }, 'STAGE_FAILED', /too much to do \(HTTP 429\)/, 3],
    ['is overloaded', { status: 503, raw: KEY }, 'STAGE_FAILED', /HTTP 503/, 3],
    ['breaks in each form', { status: 500, raw: KEY }, 'STAGE_FAILED', /HTTP 500/, 9],
    ['takes no form', { status: 400, raw: KEY }, 'STAGE_FAILED', /does not take the request \(HTTP 400\)/, 3],
    ['breaks off', { breaksOff: true }, 'STAGE_FAILED', /broke off the connection/, 3],
    [
      'is slow',
      { json: GOOD.json, afterMs: 4000 },
      'STAGE_FAILED',
      /did not answer within 1 s.*CUTROOM_ASR_TIMEOUT/,
      1,
    ],
    ['answers with a page', { raw: '<html>' }, 'STAGE_FAILED', /not JSON/, 1],
    ['answers with something else', { json: { ok: true } }, 'STAGE_FAILED', /neither a text nor words/, 1],
    ['answers without end', { raw: 'x'.repeat(4_100_000) }, 'STAGE_FAILED', /far too much/, 1],
  ])('that %s is named', async (_name, reply, code, why, requests) => {
    const failed = await decodeOne(() => reply, { server: { timeoutSeconds: 1 } }).catch(
      (error: unknown) => error,
    )
    expect(failed).toMatchObject({ code, message: expect.stringMatching(why) as string })
    expect((failed as Error).message).toMatch(/^The speech server at 127\.0\.0\.1:\d+ /)
    expect(JSON.stringify([failed, (failed as Error).stack, (failed as Error).cause])).not.toContain(KEY)
    expect(server?.received).toHaveLength(requests)
  })

  it('that is not there, or elsewhere with the network off, is named', async () => {
    await expect(
      decodeOne(() => GOOD, { server: { address: 'http://127.0.0.1:9/v1' } }),
    ).rejects.toMatchObject({
      code: 'STAGE_FAILED',
      message: expect.stringMatching(/refuses connections.*CUTROOM_ASR_URL/) as string,
    })
    await server?.stop()
    await expect(decodeOne(() => GOOD, { server: { address: 'http://192.0.2.7/v1' } })).rejects.toMatchObject(
      {
        code: 'INVALID_CONFIGURATION',
        message: expect.stringContaining('CUTROOM_NETWORK') as string,
      },
    )
  })

  it('that redirects is named, and nothing is sent to where it leads', async () => {
    const other = await pretendSpeechServer(() => GOOD)
    const location = `${other.url}/audio/transcriptions`
    for (const status of [302, 307, 308]) {
      const redirected = decodeOne(() => ({ status, headers: { location }, raw: '' }))
      await expect(redirected).rejects.toMatchObject({
        code: 'INVALID_CONFIGURATION',
        message: expect.stringContaining('redirects') as string,
      })
      await server?.stop()
    }
    expect(other.received).toEqual([])
    await other.stop()
  })

  it.each<[string, Reply]>([
    ['is busy for a moment', { status: 429, headers: { 'retry-after': '0' }, raw: '' }],
    ['starts', { status: 503, raw: '' }],
    ['broke off once', { breaksOff: true }],
  ])('that %s is tried again', async (_name, reply) => {
    const decoded = await decodeOne((_received, nth) => (nth < 3 ? reply : GOOD))
    expect(decoded).toEqual({
      pieces: [
        { text: 'Hello', from: 0, to: 1 },
        { text: ' world', from: 1, to: 2 },
      ],
      words: true,
    })
    expect(server?.received).toHaveLength(3)
  })

  it('that breaks on a form is asked in a simpler one, but not once it has answered', async () => {
    server = await pretendSpeechServer(({ fields }, nth) =>
      nth > 2 || fields['timestamp_granularities[]'] !== undefined ? { status: 400, raw: '' } : GOOD,
    )
    const context = { signal: new AbortController().signal }
    const decoder = await serverDecoder(context, access(), []).open()
    await decoder.decode([SOUND], 'en', NO_PROMPT)
    await expect(decoder.decode([SOUND], 'en', NO_PROMPT)).rejects.toMatchObject({ code: 'STAGE_FAILED' })
    expect(server.received).toHaveLength(3)
  })

  it('is left at once when the run is cancelled, while it answers and between tries', async () => {
    const busy: Reply = { status: 503, raw: '', headers: { 'retry-after': '30' } }
    for (const reply of [{ json: GOOD.json, afterMs: 8000 }, busy]) {
      const halt = new AbortController()
      setTimeout(() => halt.abort('cancel'), 100)
      const began = performance.now()
      await expect(decodeOne(() => reply, { signal: halt.signal })).rejects.toMatchObject({
        code: 'CANCELLED',
      })
      expect(performance.now() - began).toBeLessThan(1500 * measureSlowness())
      if (reply !== busy) await expect.poll(() => server?.left()).toBe(1)
      await server?.stop()
    }
  })
})
