/** Classifies sounds with YAMNet through ONNX. */
import '../../models/no-telemetry.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Tensor } from 'onnxruntime-node'
import type { InstalledModel } from '../../models/installed.ts'
import { BANDS, PATCH_FRAMES } from '../stages/sound-events/pure/log-mel.ts'
import { classNames } from '../stages/sound-events/pure/events.ts'
import type { Inference } from './providers.ts'
import { openSession } from './session.ts'

export type SoundClassifier = Awaited<ReturnType<typeof loadSoundClassifier>>

export async function loadSoundClassifier(model: InstalledModel, preference: Inference) {
  const file = (ending: string): string =>
    join(model.folder, model.files.find(({ path }) => path.endsWith(ending))?.path ?? '')
  const [csv, { session, provider }] = await Promise.all([
    readFile(file('.csv'), 'utf8'),
    openSession(file('.onnx'), preference),
  ])
  const [input = 'features'] = session.inputNames
  return {
    /** Names of the classes, in the order of the scores. */
    classes: classNames(csv),
    /** `patches`: as log-mel.ts makes them. One row of scores (0 to 1) per patch, one value per class. */
    classify: async (patches: Float32Array) => {
      const count = patches.length / (PATCH_FRAMES * BANDS)
      const answer = await session.run({
        [input]: new Tensor('float32', patches, [count, PATCH_FRAMES, BANDS]),
      })
      return answer['scores']?.data as Float32Array
    },
    [Symbol.asyncDispose]: () => session.release(),
    /** The execution provider that the model runs on. */
    provider,
  }
}
