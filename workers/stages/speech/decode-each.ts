/** Decodes every window, as many at once as suits the machine. Decoded windows survive an interruption. */
import { createHash } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import { Value } from '@sinclair/typebox/value'
import { throwIfCancelled } from '../../inference/cancel.ts'
import type { WavFile } from '../../inference/wav-file.ts'
import { digestOf } from '../../artefacts.ts'
import type { StageContext } from '../context.ts'
import type { SpeechDecoder } from './decoder.ts'
import { DecodedWindow } from './pure/decoded.ts'
import { partOf, type SpeechWindow } from './pure/plan-windows.ts'
import type { Prompt } from './pure/prompt.ts'

export interface Work {
  readonly decoder: Pick<SpeechDecoder, 'name' | 'setup' | 'decode' | 'together'>
  readonly windows: readonly SpeechWindow[]
  readonly wav: Pick<WavFile, 'read' | 'features'>
  readonly language: string
  readonly prompt: Prompt
}

export interface Decoding {
  /** File with the windows decoded so far, one per line, including those of an earlier attempt at the same work. */
  readonly scratch: string
  /** Such files of parts that were decoded elsewhere, or before all of the source was here. */
  readonly decodedParts?: readonly string[]
  readonly context: Pick<StageContext, 'signal' | 'warn' | 'checkpoint'>
  /** Called before each batch and after the last one with the number of windows that are done. */
  readonly onDone: (count: number) => void
}

/** All windows by `keyOf`. Rejects with the model's error, and with CANCELLED between batches. */
export async function decodeEach(work: Work, decoding: Decoding): Promise<Map<string, DecodedWindow>> {
  const { scratch, context, onDone, decodedParts = [] } = decoding
  const done = new Map<string, DecodedWindow>()
  for (const file of [...decodedParts, scratch])
    for (const [key, window] of await readDecoded(file, work)) done.set(key, window)
  const by = buildSignature(work)
  let together = work.decoder.together
  let rest = work.windows.filter((window) => !done.has(keyOf(window)))
  while (rest.length > 0) {
    throwIfCancelled(context.signal)
    onDone(work.windows.length - rest.length)
    // What is decoded together does not depend on who decodes the part.
    const part = partOf(rest[0] ?? { start: 0 })
    const batch = rest.slice(0, together).filter((window) => partOf(window) === part)
    const sounds = await Promise.all(batch.map(({ start, end }) => work.wav.read(start, end)))
    const decoded = await decodeSome(work, batch, sounds).catch((error: unknown) => {
      // The error may come from one window only, which shows when windows are decoded alone.
      if (batch.length === 1) throw error
      return null
    })
    if (decoded === null) {
      context.warn(
        `Transcribing ${batch.length} parts at once failed on this machine; the rest was transcribed part by part.`,
      )
      together = 1
      continue
    }
    await appendFile(
      scratch,
      decoded.map((window, at) => lineOf({ by, sound: soundOf(sounds[at]), decoded: window })).join(''),
      { flush: true },
    )
    for (const window of decoded) done.set(keyOf(window), window)
    context.checkpoint?.(done.size)
    rest = rest.slice(batch.length)
  }
  onDone(work.windows.length)
  return done
}

async function decodeSome(
  work: Work,
  windows: readonly SpeechWindow[],
  sounds: readonly Int16Array[],
): Promise<DecodedWindow[]> {
  const decoded = await work.decoder.decode(sounds.map(toFloats), work.language, work.prompt)
  return windows.map((window, at) => {
    const own = decoded[at]
    if (own === undefined) throw new Error('the decoder has left out a window')
    return { ...window, ...own }
  })
}

const toFloats = (samples: Int16Array): Float32Array => Float32Array.from(samples, (sample) => sample / 32768)

/** Samples between -1 and 1. */
export async function samplesOf(wav: Pick<WavFile, 'read'>, window: SpeechWindow): Promise<Float32Array> {
  return toFloats(await wav.read(window.start, window.end))
}

/** Windows of this very sound that an earlier, interrupted attempt or a part of the same work has decoded. */
async function readDecoded(scratch: string, work: Work): Promise<Map<string, DecodedWindow>> {
  const text = await readFile(scratch, 'utf8').catch(() => '')
  const done = new Map<string, DecodedWindow>()
  for (const line of text.split('\n')) {
    const stored = parseLine(line)
    if (stored?.by !== buildSignature(work) || !Value.Check(DecodedWindow, stored.decoded)) continue
    const { decoded, sound } = stored
    const { start, end } = decoded
    if (stored.sum === sumOf(decoded, sound) && sound === soundOf(await work.wav.read(start, end)))
      done.set(keyOf(decoded), decoded)
  }
  return done
}

interface Line {
  readonly by: string
  /** What was decoded: of a file that was not wholly here yet, other samples may have come. */
  readonly sound: string
  readonly decoded: DecodedWindow
}

const lineOf = (line: Line): string =>
  `${JSON.stringify({ ...line, sum: sumOf(line.decoded, line.sound) })}\n`

const soundOf = (samples: Int16Array | undefined): string =>
  createHash('sha256')
    .update(samples ?? new Int16Array(0))
    .digest('hex')

/** A window whose line was changed on the disk is decoded again. */
function sumOf(decoded: DecodedWindow, sound: unknown): string {
  return digestOf(JSON.parse(JSON.stringify({ decoded, sound: String(sound) })))
}

type StoredLine = Readonly<Record<'by' | 'sum' | 'sound' | 'decoded', unknown>>

function parseLine(line: string): StoredLine | null {
  try {
    return line === '' ? null : (JSON.parse(line) as StoredLine)
  } catch {
    // The last line of a killed attempt may be incomplete; that window is decoded again.
    return null
  }
}

function buildSignature(work: Work): string {
  const prompt = work.prompt.used.length === 0 ? '' : `/${JSON.stringify(work.prompt.used)}`
  return `${work.decoder.name}/${work.language}/${work.decoder.setup}${prompt}`
}

/** The key of a window among those of one sound. */
export function keyOf(window: { readonly start: number; readonly end: number }): string {
  return `${window.start}-${window.end}`
}
