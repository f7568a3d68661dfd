/** The sound of a clip as the export will have it: its files are fetched and decoded, and mixed in a worker. */
import type { Composition } from '../../../server/contract/composition.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'
import { ticksToSeconds } from '../../../server/contract/time.ts'
import { SAMPLE_RATE } from '../../../workers/stages/render/pure/mix/mix.ts'
import type { Stereo } from '../../../workers/stages/render/pure/mix/stereo.ts'
import { preview as messages } from '../../messages/picture.ts'
import { ConnectionLost } from '../../state/outage.ts'
import type { SoundAnswer, SoundProgress, SoundQuestion } from './sound-thread.ts'

/** What is mixed. */
export interface Mixed {
  readonly composition: Composition
  /** The file of the source that is played; null: there is none yet. */
  readonly own: { readonly url: string; readonly startSeconds: number } | null
  /** Address of a file of the clip by its SHA-256; empty: it is not here. */
  readonly addressOf: (digest: string) => string
}

export interface Mixing {
  readonly wav: ArrayBuffer
  /** Sounds that are not in it. */
  readonly warnings: readonly string[]
}

/** Longer clips would take too much memory, seconds. */
const MAX_SECONDS = 1200
/** A file that is mono is as loud on each side as ffmpeg makes it. */
const MONO_GAIN = Math.SQRT1_2
/** A file may end so many seconds before what is played of it. */
const SPARE_SECONDS = 0.5

interface OwnFile {
  readonly key: string
  readonly startSeconds: number
  readonly endSeconds: number
}

export function openMixer() {
  const stop = new AbortController()
  let thread: Thread | null = null
  /** Files that the worker has, or that the browser cannot read (false). */
  const files = new Map<string, Promise<boolean>>()
  let own: OwnFile | null = null

  /** A worker that has failed is replaced by a new one, which has no files. */
  const ask = (): Thread =>
    (thread ??= openThread(() => {
      thread = null
      own = null
      files.clear()
    }))

  /** Seconds of the file; the worker has it then. */
  async function load(key: string, url: string): Promise<number> {
    const response = await fetch(url, { signal: stop.signal })
    if (!response.ok) throw new Error(messages.noSound(response.status))
    const decoded = await new OfflineAudioContext(2, 1, SAMPLE_RATE).decodeAudioData(
      await response.arrayBuffer(),
    )
    await ask().file(key, stereoOf(decoded))
    return decoded.duration
  }

  /** Whether the worker has the file of a track now. */
  async function loadTrack(digest: string, url: string): Promise<boolean> {
    if (url === '') return false
    const known = files.get(digest) ?? load(digest, url).then(() => true, unlessUnreadable)
    files.set(digest, known)
    known.catch(() => files.delete(digest))
    return known
  }

  /** The file with the own sound: the one that the worker has, if it covers what is played. */
  async function loadOwn({ composition, own: wanted }: Mixed): Promise<OwnFile | null> {
    if (!composition.source.hasAudio) return null
    const starts = composition.timeMap.map(({ sourceStart }) => ticksToSeconds(sourceStart))
    const ends = composition.timeMap.map(({ sourceEnd }) => ticksToSeconds(sourceEnd))
    const covers =
      own !== null &&
      own.startSeconds <= Math.min(...starts) &&
      own.endSeconds >= Math.max(...ends) - SPARE_SECONDS
    if (covers) return own
    if (wanted === null) throw new Error(messages.soundLater)
    const key = `own ${wanted.url}`
    const seconds = await load(key, wanted.url)
    if (own !== null && own.key !== key) await ask().file(own.key, null)
    own = { key, startSeconds: wanted.startSeconds, endSeconds: wanted.startSeconds + seconds }
    return own
  }

  return {
    /**
     * Mixes the clip. Rejects where its own sound cannot be decoded, it is too long, or another mix was asked for before this one
     * was ready. `onCleaned`: told how much of the sound is cleaned, 0 to 1.
     */
    async mix(wanted: Mixed, onCleaned: (share: number) => void): Promise<Mixing> {
      const { composition, addressOf } = wanted
      const { frameRate } = composition.output
      const seconds = (composition.durationFrames * frameRate.denominator) / frameRate.numerator
      if (seconds > MAX_SECONDS) throw new Error(messages.soundTooLong)
      const digests = [...new Set((composition.audio.tracks ?? []).map(({ asset }) => asset.digest))]
      const present = await Promise.all(digests.map((digest) => loadTrack(digest, addressOf(digest))))
      const file = await loadOwn(wanted)
      const wav = await ask().mix(composition, file, onCleaned)
      return { wav, warnings: present.includes(false) ? [messages.trackNotHeard] : [] }
    },
    close(): void {
      stop.abort()
      thread?.close()
      thread = null
    },
  }
}

/** False for a file that the browser cannot decode; otherwise throws. */
function unlessUnreadable(error: unknown): false {
  if (error instanceof DOMException && error.name === 'EncodingError') return false
  throw error
}

/** The first two channels, as the export takes them. */
function stereoOf(decoded: AudioBuffer): Stereo {
  const left = decoded.getChannelData(0)
  if (decoded.numberOfChannels > 1) return { left, right: decoded.getChannelData(1) }
  const mono = left.map((value) => value * MONO_GAIN)
  return { left: mono, right: mono.slice() }
}

type Thread = ReturnType<typeof openThread>

function openThread(onFailed: () => void) {
  const worker = new Worker(new URL('./sound-thread.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<
    number,
    {
      resolve: (wav: ArrayBuffer | null) => void
      reject: (why: Error) => void
      onCleaned?: (share: number) => void
    }
  >()
  let last = 0
  const fail = (why = new Error(messages.noMix)): void => {
    for (const { reject } of waiting.values()) reject(why)
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<SoundAnswer | SoundProgress>) => {
    if ('cleaned' in data) {
      waiting.get(data.id)?.onCleaned?.(data.cleaned)
      return
    }
    waiting.get(data.id)?.resolve(data.wav)
    waiting.delete(data.id)
  })
  worker.addEventListener('error', (event) => {
    worker.terminate()
    onFailed()
    // A script that was not loaded has no message.
    fail(event instanceof ErrorEvent ? undefined : new ConnectionLost(messages.noMix))
  })
  worker.addEventListener('messageerror', () => fail())
  const ask = (
    question: SoundQuestion,
    { transfer = [], onCleaned }: { transfer?: Transferable[]; onCleaned?: (share: number) => void } = {},
  ): Promise<ArrayBuffer | null> =>
    new Promise((resolve, reject) => {
      waiting.set(question.id, { resolve, reject, ...omitUndefined({ onCleaned }) })
      worker.postMessage(question, transfer)
    })
  return {
    file: (key: string, sound: Stereo | null) =>
      ask(
        { id: ++last, kind: 'file', key, sound },
        { transfer: sound === null ? [] : [sound.left.buffer, sound.right.buffer] },
      ),
    async mix(
      composition: Composition,
      own: OwnFile | null,
      onCleaned: (share: number) => void,
    ): Promise<ArrayBuffer> {
      const wav = await ask({ id: ++last, kind: 'mix', composition, own }, { onCleaned })
      if (wav === null) throw new Error(messages.noMix)
      return wav
    },
    close(): void {
      fail()
      worker.terminate()
    },
  }
}
