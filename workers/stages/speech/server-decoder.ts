/**
 * Decodes speech by the studio's own server, through an API like OpenAI's audio transcriptions. Errors never contain the
 * key, nor anything that the server writes.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { FormData, request } from 'undici'
import { AppError, type ErrorCode } from '../../../server/contract/errors.ts'
import { wavHeader } from '../../media/wav-writer.ts'
import type { Stages } from '../catalog.ts'
import type { ParamsOf } from '../declare.ts'
import { guardedAgent } from '../ingest/guard.ts'
import { readBounded } from '../ingest/guarded-fetch.ts'
import { limitTime, networkSentence, rootCause } from '../ingest/transfer.ts'
import type { DecoderSource, SpeechDecoder } from './decoder.ts'
import { promptOf, type Prompt } from './pure/prompt.ts'
import { parseAnswer, type ServerAnswer } from './pure/server-answer.ts'

type Server = NonNullable<ParamsOf<Stages['speech']>['server']>

const RATE = 16_000
const CONNECT_SECONDS = 10
/** The answer for a window with all its tokens is below 100 kB. */
const MAX_BYTES = 4_000_000
const PAUSES_MS = [1000, 4000, 10_000]
/** A server that wants to be left alone for longer is waited for no longer. */
const LONGEST_PAUSE_MS = 60_000
/** UTF-8 bytes of a token, at least: the server's tokenizer is not known. */
const BYTES_A_TOKEN = 3

/** Forms in which words are requested, best first. Servers and models refuse those that they do not support. */
const FORMS: readonly (readonly (readonly [string, string])[])[] = [
  [
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'word'],
    ['timestamp_granularities[]', 'segment'],
  ],
  [['response_format', 'verbose_json']],
  [['response_format', 'json']],
]
/** Statuses that may be about the form. Some servers break (500) on one that a model does not support. */
const ABOUT_THE_FORM: ReadonlySet<number> = new Set([400, 415, 422, 500, 501])
/** Statuses of a server that may work in a moment. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
/** Codes of a connection that was there and broke. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

interface Connection {
  readonly server: Server
  readonly signal: AbortSignal
  readonly pausesMs: readonly number[]
  /** Index of the form in use, and whether the server has answered in it. */
  form: number
  proven: boolean
}

/** `pausesMs`: between tries of a request that a busy server refuses. Nothing is sent before a window is decoded. */
export function serverDecoder(
  context: { readonly signal: AbortSignal },
  server: Server,
  pausesMs: readonly number[] = PAUSES_MS,
): DecoderSource {
  const name = `${server.model} at ${hostOf(server)}`
  const connection: Connection = { server, signal: context.signal, pausesMs, form: 0, proven: false }
  const decoder: SpeechDecoder = {
    name,
    setup: server.address,
    together: 1,
    prompt: (keywords) => promptOf(keywords, tokensAtMost),
    detectLanguage: async (samples) => (await transcribe(connection, { samples })).language ?? 'und',
    decode: async (windows, language, prompt) => {
      const decoded = []
      for (const samples of windows) {
        const { pieces, words, doubtful } = await transcribe(connection, { samples, language, prompt })
        decoded.push({ pieces, words, ...(doubtful ? { doubtful } : {}) })
      }
      return decoded
    },
  }
  return { name, open: () => Promise.resolve(decoder) }
}

const hostOf = ({ address }: Server): string => new URL(address).host

const tokensAtMost = (text: string): number[] =>
  Array.from({ length: Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN) }, () => 0)

interface Sound {
  readonly samples: Float32Array
  /** Absent or `und`: the server detects it. */
  readonly language?: string
  readonly prompt?: Prompt
}

async function transcribe(connection: Connection, sound: Sound): Promise<ServerAnswer> {
  const { server } = connection
  for (;;) {
    const reply = await sendPatiently(connection, sound)
    if (reply.status === 200) {
      const answer = parseAnswer(reply.text, sound.samples.length / RATE)
      if (typeof answer === 'string') throw problem(server, answer)
      connection.proven = true
      return answer
    }
    const next = connection.form + 1
    if (connection.proven || next >= FORMS.length || !ABOUT_THE_FORM.has(reply.status))
      throw refusal(server, reply.status)
    connection.form = next
  }
}

interface Reply {
  /** Zero: the connection broke. */
  readonly status: number
  readonly text: string
  /** How long the server asks to be left alone. */
  readonly pauseMs: number
}

/** Sends again after a pause while the server is busy or breaks off; the last reply is returned as it is. */
async function sendPatiently(connection: Connection, sound: Sound): Promise<Reply> {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await send(connection, sound)
    const pauseMs = connection.pausesMs[attempt]
    if (pauseMs === undefined || (reply.status !== 0 && !PASSING.has(reply.status))) return reply
    const longer = Math.min(LONGEST_PAUSE_MS, Math.max(pauseMs, reply.pauseMs))
    await pause(longer, undefined, { signal: connection.signal }).catch(() => {
      throw new AppError('CANCELLED')
    })
  }
}

async function send({ server, signal, form }: Connection, sound: Sound): Promise<Reply> {
  const dispatcher = guardedAgent(server.addresses, Math.min(CONNECT_SECONDS, server.timeoutSeconds))
  const limit = limitTime(server.timeoutSeconds, [signal])
  try {
    // Redirects are not followed: the key and the sound are for this server only.
    const { statusCode, headers, body } = await request(`${server.address}/audio/transcriptions`, {
      dispatcher,
      method: 'POST',
      signal: limit.signal,
      headers: {
        accept: 'application/json',
        ...(server.key === null ? {} : { authorization: `Bearer ${server.key}` }),
      },
      body: formOf(server, sound, FORMS[form] ?? []),
    })
    if (statusCode !== 200) {
      await body.dump({ limit: MAX_BYTES, signal: limit.signal })
      const seconds = Number(headers['retry-after'])
      return { status: statusCode, text: '', pauseMs: Number.isFinite(seconds) ? seconds * 1000 : 0 }
    }
    const content = await readBounded(body, MAX_BYTES)
    if (content === null) throw problem(server, 'answered with far too much for one part.')
    return { status: statusCode, text: content.toString(), pauseMs: 0 }
  } catch (error) {
    if (signal.aborted) throw new AppError('CANCELLED')
    if (limit.isOver())
      throw problem(
        server,
        `did not answer within ${server.timeoutSeconds} s for one part; a slow one needs a longer CUTROOM_ASR_TIMEOUT.`,
      )
    const cause = rootCause(error)
    if (BROKEN.has((cause as NodeJS.ErrnoException).code ?? '')) return { status: 0, text: '', pauseMs: 0 }
    throw explain(server, cause)
  } finally {
    limit.end()
    await dispatcher.destroy()
  }
}

function formOf(server: Server, sound: Sound, fields: readonly (readonly [string, string])[]): FormData {
  const { samples, language = 'und', prompt } = sound
  const pcm = Int16Array.from(samples, (sample) => Math.round(sample * 32_768))
  const form = new FormData()
  const parts = [wavHeader(RATE, pcm.byteLength), new Uint8Array(pcm.buffer)]
  form.append('file', new Blob(parts, { type: 'audio/wav' }), 'part.wav')
  form.append('model', server.model)
  for (const [name, value] of fields) form.append(name, value)
  if (language !== 'und') form.append('language', language)
  if (prompt !== undefined && prompt.used.length > 0) form.append('prompt', `${prompt.used.join(', ')}.`)
  return form
}

/** `what`: the rest of a sentence that begins with the server. */
function problem(server: Server, what: string, code: ErrorCode = 'STAGE_FAILED'): AppError {
  return new AppError(code, { message: `The speech server at ${hostOf(server)} ${what}` })
}

function refusal(server: Server, status: number): AppError {
  if (status === 0) return problem(server, 'broke off the connection each time; its own log may say why.')
  const wrong = (what: string) => problem(server, what, 'INVALID_CONFIGURATION')
  if (status === 401 || status === 403)
    return wrong(`refuses the key (HTTP ${status}); check CUTROOM_ASR_KEY.`)
  if (status === 404 || status === 405)
    return wrong(
      `knows the model ${server.model} or the address /audio/transcriptions not (HTTP ${status}); check CUTROOM_ASR_MODEL and CUTROOM_ASR_URL.`,
    )
  if (status >= 300 && status < 400)
    return wrong(
      `redirects to another address (HTTP ${status}), which is not followed; set CUTROOM_ASR_URL to that one.`,
    )
  if (status === 429)
    return problem(
      server,
      'has too much to do (HTTP 429), at the last of several tries, too; try again later.',
    )
  if (PASSING.has(status))
    return problem(
      server,
      `answered with an error (HTTP ${status}) at each of several tries; its own log may say why.`,
    )
  return problem(server, `does not take the request (HTTP ${status}); its own log may say why.`)
}

function explain(server: Server, cause: Error): AppError {
  if (!(cause instanceof AppError)) {
    const why = networkSentence((cause as NodeJS.ErrnoException).code ?? '', hostOf(server))
    const message = `The speech server cannot be reached: ${why} Check CUTROOM_ASR_URL, and that it runs.`
    return new AppError('STAGE_FAILED', { message })
  }
  if (cause.code !== 'SOURCE_FORBIDDEN') return cause
  return server.addresses === 'loopback'
    ? problem(
        server,
        'is not on this machine, and the network is off (CUTROOM_NETWORK).',
        'INVALID_CONFIGURATION',
      )
    : new AppError('INVALID_CONFIGURATION', `${cause.message} Check CUTROOM_ASR_URL.`)
}
