import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openCheckpoints } from '../../checkpoints.ts'
import { detectVoice, type VoicePage } from '../../inference/voice-activity.ts'
import { openWav } from '../../inference/wav-file.ts'
import type { StageHandler } from '../context.ts'
import { readResult } from '../read-results.ts'

const FILE = 'voice.json'

export const runVoice: StageHandler<'voice'> = async (context) => {
  const sound = await readResult(context, 'audio')
  await using wav = await openWav(join(context.input('audio'), sound.speechFile))
  const once = await openCheckpoints(context).resumeValues<VoicePage>('pages', 0, 0)
  const stretches = sound.silent
    ? []
    : await detectVoice(context, wav, (fraction, note) => context.progress(fraction, note), once)
  await writeFile(join(context.folder, FILE), JSON.stringify(stretches))
  return { voiceFile: FILE, stretches: stretches.length }
}
