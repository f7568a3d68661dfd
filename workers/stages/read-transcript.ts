/** The transcript that an earlier stage made, whichever it was. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { Transcript } from '../../server/contract/transcript.ts'
import { stageError, type StageContext } from './context.ts'

/**
 * What this thread has read last, while nothing else needs the memory: every clip of a video asks for the same words,
 * and reading those of three hours anew for each left tens of megabytes to be collected.
 */
let lastRead: { readonly version: string; readonly transcript: WeakRef<Transcript> } | null = null

/** Frozen, since others are given the same one. Throws STAGE_FAILED when it is not a transcript. */
export async function readTranscript(
  context: Pick<StageContext<'transcript'>, 'input' | 'inputResult'>,
): Promise<Transcript> {
  const made = (await context.inputResult('transcript')) as { transcriptFile: string }
  const path = join(context.input('transcript'), made.transcriptFile)
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const version = `${path} ${size} ${mtimeNs}`
  const known = lastRead?.version === version ? lastRead.transcript.deref() : undefined
  if (known !== undefined) return known
  const transcript: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (!Value.Check(Transcript, transcript)) {
    throw stageError('STAGE_FAILED', 'The transcript that an earlier step made is not readable.')
  }
  for (const word of transcript.words) Object.freeze(word)
  Object.freeze(transcript.words)
  lastRead = { version, transcript: new WeakRef(Object.freeze(transcript)) }
  return transcript
}
