/** Reads the transcript that an earlier stage made. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { Transcript } from '../../server/contract/transcript.ts'
import { stageError, type StageContext } from './context.ts'

/**
 * The transcript that this thread read last, as long as the memory is not needed elsewhere. Every clip of a video needs the
 * same one, and parsing the words of three hours for each clip produced tens of megabytes of garbage.
 */
let lastRead: { readonly version: string; readonly transcript: WeakRef<Transcript> } | null = null

/** The result is frozen because it is shared. Throws STAGE_FAILED when the file is not a transcript. */
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
    throw stageError(
      'STAGE_FAILED',
      'The transcript of an earlier step cannot be read. Run the workflow again.',
    )
  }
  for (const word of transcript.words) Object.freeze(word)
  Object.freeze(transcript.words)
  lastRead = { version, transcript: new WeakRef(Object.freeze(transcript)) }
  return transcript
}
