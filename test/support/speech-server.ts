/**
 * A server that pretends to transcribe, as OpenAI, speaches, whisper.cpp and vLLM document it, well or badly. It knows the
 * words of one recording, and finds by the samples which part of it was sent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface KnownWord {
  readonly word: string
  /** Seconds in the recording. */
  readonly start: number
  readonly end: number
}

export interface Received {
  readonly path: string
  readonly authorization: string
  /** Text fields by name, in order. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly fileName: string
  readonly mediaType: string
  readonly wav: Buffer
}

/** What it sends: a status with a body as it is, or an answer as JSON; after so many milliseconds. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly raw?: string
  readonly json?: unknown
  readonly afterMs?: number
  /** Breaks the connection off instead. */
  readonly breaksOff?: boolean
}

export interface PretendSpeechServer {
  readonly url: string
  readonly received: readonly Received[]
  /** How many requests were left by the client before they were answered. */
  readonly left: () => number
  stop(): Promise<void>
}

/** With which it lists its only model, large-v3. Transcriptions are answered as the test says, whatever the key. */
export const SERVER_KEY = 'sk-very-secret'

export async function pretendSpeechServer(
  reply: (received: Received, count: number) => Reply,
): Promise<PretendSpeechServer> {
  const received: Received[] = []
  let left = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = await readRequest(request)
    received.push(one)
    const { status = 200, headers = {}, raw, json, afterMs = 0, breaksOff } = reply(one, received.length)
    response.on('close', () => {
      if (!response.writableFinished) left += 1
    })
    if (breaksOff === true) return void request.socket.destroy()
    const type = { 'content-type': 'application/json' }
    const send = () => response.writeHead(status, { ...type, ...headers }).end(raw ?? JSON.stringify(json))
    if (afterMs === 0) send()
    else setTimeout(send, afterMs)
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const key = request.headers.authorization === `Bearer ${SERVER_KEY}`
      return void response.writeHead(key ? 200 : 401).end(JSON.stringify({ data: [{ id: 'large-v3' }] }))
    }
    answer(request, response).catch(() => response.writeHead(400).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    left: () => left,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(Buffer.concat(chunks), { headers }).formData()
  const fields: Record<string, string[]> = {}
  for (const [name, value] of form) if (typeof value === 'string') (fields[name] ??= []).push(value)
  const file = form.get('file')
  if (file === null || typeof file === 'string') throw new Error('no file in the request')
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization ?? '',
    fields,
    fileName: file.name,
    mediaType: file.type,
    wav: Buffer.from(await file.arrayBuffer()),
  }
}

const HEADER_BYTES = 44
const BYTES_A_SECOND = 32_000

/** The words of a recording (a WAV of 16 kHz mono) that are in the part that was sent, with times from its start. */
export function wordsOfPart(recording: Buffer, words: readonly KnownWord[], { wav }: Received): KnownWord[] {
  const samples = wav.subarray(HEADER_BYTES)
  const from = (recording.indexOf(samples) - HEADER_BYTES) / BYTES_A_SECOND
  if (from < 0) throw new Error('this part is not in the recording')
  const length = samples.length / BYTES_A_SECOND
  return words
    .filter(({ start, end }) => (start + end) / 2 >= from && (start + end) / 2 < from + length)
    .map(({ word, start, end }) => ({ word, start: Math.max(0, start - from), end: end - from }))
}

const textOf = (words: readonly KnownWord[]): string => words.map(({ word }) => word).join(' ')
const lengthOf = ({ wav }: Received): number => (wav.length - HEADER_BYTES) / BYTES_A_SECOND

/** A segment for each sentence. */
function segmentsOf(words: readonly KnownWord[]) {
  const sentences: KnownWord[][] = []
  for (const [at, word] of words.entries()) {
    if (at === 0 || /[.;!?]$/.test(words[at - 1]?.word ?? '')) sentences.push([])
    sentences.at(-1)?.push(word)
  }
  return sentences.map((sentence, id) => ({
    id,
    seek: 0,
    start: sentence[0]?.start ?? 0,
    end: sentence.at(-1)?.end ?? 0,
    text: ` ${textOf(sentence)}`,
    tokens: [50_364, 400],
    temperature: 0,
    avg_logprob: -0.2,
    compression_ratio: 1.2,
    no_speech_prob: 0.01,
  }))
}

/** Each server's answer. The language is what it detects, or what it was given. */
export const ANSWERS = {
  /** Words without punctuation at the top; the language by its English name. */
  openai: (words: readonly KnownWord[], received: Received) => ({
    task: 'transcribe',
    language: 'english',
    duration: lengthOf(received),
    text: textOf(words),
    words: words.map(({ word, start, end }) => ({ word: word.replace(/[^\p{L}\p{N}'-]/gu, ''), start, end })),
    segments: segmentsOf(words),
    usage: { type: 'duration', seconds: Math.ceil(lengthOf(received)) },
  }),
  /** Words with a space before and punctuation. */
  speaches: (words: readonly KnownWord[], received: Received) => ({
    duration: lengthOf(received),
    language: 'en',
    text: textOf(words),
    segments: segmentsOf(words),
    words: words.map(({ word, start, end }) => ({ start, end, word: ` ${word}` })),
  }),
  /** Tokens in place of words, in the segments; the language that it was started with, and the one that it detects. */
  whisperCpp: (words: readonly KnownWord[], received: Received) => ({
    task: 'transcribe',
    language: received.fields['language']?.[0] === 'en' ? 'english' : 'german',
    duration: lengthOf(received),
    text: ` ${textOf(words)}\n`,
    detected_language: 'english',
    detected_language_probability: 0.98,
    language_probabilities: { en: 0.98 },
    segments: [
      {
        id: 0,
        text: ` ${textOf(words)}`,
        start: 0,
        end: 30,
        tokens: [400],
        words: words.flatMap(tokensOf),
        temperature: 0,
        avg_logprob: -0.2,
        no_speech_prob: 0.01,
      },
    ],
  }),
  /** Segments only; the duration as a text. */
  vllm: (words: readonly KnownWord[], received: Received) => ({
    duration: String(lengthOf(received)),
    language: 'en',
    text: ` ${textOf(words)}`,
    segments: segmentsOf(words),
    words: null,
  }),
}

/** A word as two tokens and its punctuation, the first with a space. */
function tokensOf({ word, start, end }: KnownWord) {
  const middle = (start + end) / 2
  const letters = word.replace(/[^\p{L}\p{N}]+$/u, '')
  const half = Math.ceil(letters.length / 2)
  const parts: [string, number, number][] = [
    [` ${letters.slice(0, half)}`, start, letters.length > half ? middle : end],
    [letters.slice(half), middle, end],
    [word.slice(letters.length), end, end],
  ]
  return parts
    .filter(([text]) => text !== '')
    .map(([text, from, to]) => ({ word: text, start: from, end: to, t_dtw: -1, probability: 0.9 }))
}
