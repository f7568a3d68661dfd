/** Classifies sounds with YAMNet through ONNX. */
import '../../models/no-telemetry.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Tensor } from 'onnxruntime-node'
import type { InstalledModel } from '../../models/installed.ts'
import type { Provider } from '../../server/contract/inference.ts'
import { BANDS, PATCH_FRAMES } from '../stages/sound-events/pure/log-mel.ts'
import { classNames } from '../stages/sound-events/pure/events.ts'
import type { Inference } from './providers.ts'
import { openSession } from './session.ts'

export interface SoundClassifier {
  /** Names of the classes, in the order of the scores. */
  readonly classes: readonly string[]
  /** `patches`: as log-mel.ts makes them. One row of scores (0 to 1) per patch, one value per class. */
  classify(patches: Float32Array): Promise<Float32Array>
  close(): Promise<void>
  /** The execution provider that the model runs on. */
  readonly provider: Provider
}

export async function loadSoundClassifier(
  model: InstalledModel,
  preference: Inference,
): Promise<SoundClassifier> {
  const file = (ending: string): string =>
    join(model.folder, model.files.find(({ path }) => path.endsWith(ending))?.path ?? '')
  const [csv, { session, provider }] = await Promise.all([
    readFile(file('.csv'), 'utf8'),
    openSession(file('.onnx'), preference),
  ])
  const [input = 'features'] = session.inputNames
  return {
    classes: classNames(csv),
    classify: async (patches) => {
      const count = patches.length / (PATCH_FRAMES * BANDS)
      const answer = await session.run({
        [input]: new Tensor('float32', patches, [count, PATCH_FRAMES, BANDS]),
      })
      return answer['scores']?.data as Float32Array
    },
    close: () => session.release(),
    provider,
  }
}
