/**
 * The sound of a long video while it is still being downloaded: pieces of ten minutes are handed out as they become whole,
 * so that their speech is transcribed before the last byte is here. It only saves time: what cannot be heard ahead (the index
 * of the file is at its end, its words may be in captions, the disk is full) is heard when all of it is here.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { manyChannels } from '../../../server/contract/source-facts.ts'
import { growingSpeechAudioArguments, SPEECH_RATE } from '../../media/arguments/audio.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import { createWav } from '../../media/wav-writer.ts'
import type { StageContext } from '../context.ts'
import { readFacts } from '../probe/look.ts'
import { chooseStreams } from '../probe/pure/facts.ts'
import { numberOf } from '../probe/pure/probe-json.ts'
import { PART_SECONDS } from '../speech/pure/plan-windows.ts'
import { PIECE_SECONDS, type SoundPiece } from '../speech-ahead/declaration.ts'
import { storeFinishedFile } from './keep.ts'

const BYTES_A_SECOND = 2 * SPEECH_RATE
/** When so many bytes are there, it is looked what the file is: the index of a long one may take megabytes. */
const LOOKS_AT_BYTES = [1e6, 8e6, 32e6]
/** A source of fewer parts is heard soon enough. */
const MIN_PARTS = 2

export interface Listening {
  /** So many bytes of the file are there. */
  readonly grow: (bytes: number) => void
  /** Ends it, and closes the file. */
  readonly stop: () => Promise<void>
}

type Context = Pick<StageContext, 'tools' | 'signal' | 'sources' | 'temporary' | 'part'>

/** Listens to the file at `path` while bytes are appended to it, for as long as the download may take. */
export function hearAhead(context: Context, path: string, timeoutSeconds: number): Listening {
  const ending = new AbortController()
  const signal = AbortSignal.any([context.signal, ending.signal])
  const looks = [...LOOKS_AT_BYTES]
  /** False: nothing could be heard by now. */
  let heard: Promise<boolean> = Promise.resolve(false)
  let bytes = 0
  return {
    grow: (now) => {
      // The download began anew: what is heard by now may be of another file.
      if (now < bytes) ending.abort()
      bytes = now
      if (now < (looks[0] ?? Infinity)) return
      while (now >= (looks[0] ?? Infinity)) looks.shift()
      heard = heard.then(
        (isOver) => isOver || hear({ ...context, signal, timeoutSeconds }, path).catch(() => false),
      )
    },
    stop: async () => {
      ending.abort()
      await heard
    },
  }
}

/** Whether there is nothing more to try. */
async function hear(context: Context & { readonly timeoutSeconds: number }, path: string): Promise<boolean> {
  const facts = await readFacts(context, path)
  const { audio } = chooseStreams(facts)
  const seconds = numberOf(facts.format?.duration) ?? 0
  const mayHaveCaptions = (facts.streams ?? []).some((stream) => stream.codec_type === 'subtitle')
  if (audio === null) return false
  if (mayHaveCaptions || seconds < MIN_PARTS * PART_SECONDS) return true
  const stream = { streamIndex: audio.index, ...manyChannels({ channels: audio.channels ?? 1 }) }
  const cut = createPieceCutter(PIECE_SECONDS * BYTES_A_SECOND, PART_SECONDS * BYTES_A_SECOND)
  let part = 0
  await runFfmpeg(context, growingSpeechAudioArguments(path, stream), {
    timeoutSeconds: context.timeoutSeconds,
    onStdout: async (chunk) => {
      for (const piece of cut(chunk)) {
        context.part?.(await keepPiece(context, part, piece))
        part += 1
      }
    },
  })
  return true
}

async function keepPiece(context: Context, part: number, samples: Buffer): Promise<SoundPiece> {
  const path = join(context.temporary, `heard-ahead-${part}.wav`)
  const wav = await createWav(path, SPEECH_RATE)
  await wav.write(samples)
  await wav.finish()
  const { size } = await stat(path)
  return { part, digest: await storeFinishedFile(context.sources, path, size, context.signal), bytes: size }
}

/** Cuts a stream of bytes into pieces of one length, each of which begins `step` bytes after the one before it. */
export function createPieceCutter(length: number, step: number): (chunk: Buffer) => Generator<Buffer> {
  const piece = Buffer.alloc(length)
  let filled = 0
  return function* (chunk) {
    let taken = 0
    while (taken < chunk.length) {
      const room = Math.min(length - filled, chunk.length - taken)
      chunk.copy(piece, filled, taken, taken + room)
      filled += room
      taken += room
      if (filled < length) return
      yield Buffer.from(piece)
      piece.copyWithin(0, step)
      filled = length - step
    }
  }
}
