/** Decodes speech by an installed Whisper. */
import { findSpeechModel } from '../../inference/find-model.ts'
import { loadWhisper } from '../../inference/whisper.ts'
import type { StageContext } from '../context.ts'
import type { DecoderSource } from './decoder.ts'

/** `model`: its name; empty: the best one that is installed. Throws MODEL_NOT_INSTALLED. */
export async function findLocalDecoder(
  context: Pick<StageContext, 'modelFolders' | 'warn' | 'inference' | 'signal'>,
  model: string,
): Promise<DecoderSource> {
  const found = await findSpeechModel(context.modelFolders, model)
  if (found.development)
    context.warn(
      `${found.name} is a model for tests: its words are meaningless. Install a real speech model.`,
    )
  return {
    name: found.name,
    open: async () => {
      const whisper = await loadWhisper(found, context)
      return {
        name: found.name,
        setup: JSON.stringify(found.dtype),
        provider: whisper.provider,
        together: whisper.together,
        prompt: (keywords) => whisper.prompt(keywords),
        decode: (windows, language, prompt) => whisper.decode(windows, language, prompt),
        detectLanguage: (samples) =>
          whisper.multilingual ? whisper.detectLanguage(samples) : Promise.resolve('en'),
      }
    },
  }
}
