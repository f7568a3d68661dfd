/** Reads what earlier stages made. */
import { readFile, stat, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Transcript } from '../../server/contract/transcript.ts'
import type { Stages } from './catalog.ts'
import { stageError, type StageContext } from './context.ts'
import type { OutputOf } from './declare.ts'

/** Outputs of the stages that make inputs, by the input's name. */
interface InputResults {
  readonly audio: OutputOf<Stages['audio']>
  readonly before: OutputOf<Stages['speech-ahead']>
  readonly events: OutputOf<Stages['sound-events']>
  readonly faces: OutputOf<Stages['faces']>
  readonly picture: OutputOf<Stages['look-over']>
  readonly probe: OutputOf<Stages['probe']>
  readonly speakers: OutputOf<Stages['speakers']>
  readonly transcript: { readonly transcriptFile: string }
  readonly voice: OutputOf<Stages['voice']>
  readonly voices: OutputOf<Stages['speakers']>
}

/** The output of the stage that made an input. */
export async function readResult<Name extends keyof InputResults>(
  context: Pick<StageContext<NoInfer<Name>>, 'inputResult'>,
  name: Name,
): Promise<InputResults[Name]> {
  return (await context.inputResult(name)) as InputResults[Name]
}

/** A JSON file of an earlier stage. Throws STAGE_FAILED when it does not match; `what` is its name for people. */
export async function readJson<Schema extends TSchema>(
  path: string,
  schema: Schema,
  what: string,
): Promise<Static<Schema>> {
  const value: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (Value.Check(schema, value)) return value
  throw stageError('STAGE_FAILED', `${what} of an earlier step cannot be read. Run the workflow again.`)
}

/**
 * The transcript that this thread read last, as long as memory permits. Every clip of a video needs the
 * same one, and parsing the words of three hours for each clip produced tens of megabytes of garbage.
 */
let lastRead: { readonly version: string; readonly transcript: WeakRef<Transcript> } | null = null

/** The result is frozen because it is shared. Throws STAGE_FAILED when the file is not a transcript. */
export async function readTranscript(
  context: Pick<StageContext<'transcript'>, 'input' | 'inputResult'>,
): Promise<Transcript> {
  const made = await readResult(context, 'transcript')
  const path = join(context.input('transcript'), made.transcriptFile)
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const version = `${path} ${size} ${mtimeNs}`
  const known = lastRead?.version === version ? lastRead.transcript.deref() : undefined
  if (known !== undefined) return known
  const transcript = await readJson(path, Transcript, 'The transcript')
  for (const word of transcript.words) Object.freeze(word)
  Object.freeze(transcript.words)
  lastRead = { version, transcript: new WeakRef(Object.freeze(transcript)) }
  return transcript
}

const BYTES = Float32Array.BYTES_PER_ELEMENT

/** Reads up to `count` values from index `first` on; fewer at the end of the file. Reads only that part of the file. */
export async function readEnvelope(path: string, first: number, count: number): Promise<Float32Array> {
  await using file = await open(path, 'r')
  const bytes = new Uint8Array(Math.max(0, count) * BYTES)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, first * BYTES)
  return new Float32Array(bytes.buffer, 0, Math.floor(bytesRead / BYTES))
}
