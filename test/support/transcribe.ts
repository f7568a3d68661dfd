/** Runs the voice stage and then the speech stage on the result of the audio stage, as a run does. */
import { join } from 'node:path'
import { runSpeech } from '../../workers/stages/speech/stage.ts'
import { runVoice } from '../../workers/stages/voice/stage.ts'
import { runStageForTest, type HarnessOptions } from './stage-harness.ts'

type Options = HarnessOptions & { readonly root: string; readonly inputs: { readonly audio: string } }

/** Warnings are those of both stages. The caller removes `root`. */
export async function transcribeForTest(params: Parameters<typeof runSpeech>[1], options: Options) {
  const voice = await runStageForTest(runVoice, {}, { ...options, root: join(options.root, 'voice') })
  const run = await runStageForTest(runSpeech, params, {
    ...options,
    inputs: { ...options.inputs, voice: voice.folder },
    results: { ...options.results, voice: voice.output },
  })
  return { ...run, warnings: [...voice.warnings, ...run.warnings] }
}
