/** Decodes the windows of one part of a long source. */
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StageHandler } from '../context.ts'
import { decodeEach } from '../speech/decode-each.ts'
import { findLocalDecoder } from '../speech/local-decoder.ts'
import { partOf } from '../speech/pure/plan-windows.ts'
import {
  decodedBefore,
  openSpeech,
  prepareDecoder,
  scratchFile,
  WINDOWS_FILE,
} from '../speech/speech-work.ts'

export const runSpeechPart: StageHandler<'speech-part'> = async (context, params) => {
  const source = await findLocalDecoder(context, params.model)
  await using sound = await openSpeech(context)
  const windows = sound.windows.filter((window) => partOf(window) === params.part)
  const windowsFile = join(context.folder, WINDOWS_FILE)
  if (windows.length === 0) await writeFile(windowsFile, '')
  else {
    const prepared = await prepareDecoder(context, params, { source, sound })
    const scratch = scratchFile(context)
    const onDone = (count: number): void => context.progress(count / windows.length)
    const work = { ...prepared, wav: sound.wav, windows }
    await decodeEach(work, { scratch, decodedParts: decodedBefore(context), context, onDone })
    await copyFile(scratch, windowsFile)
  }
  return { windowsFile: WINDOWS_FILE, windowCount: windows.length }
}
