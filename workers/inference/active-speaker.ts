/** Whether a visible face speaks the sound, with LR-ASD or Light-ASD through ONNX. */
import '../../models/no-telemetry.ts'
import { join } from 'node:path'
import { Tensor } from 'onnxruntime-node'
import type { InstalledModel } from '../../models/installed.ts'
import { CROP } from '../stages/active-speaker/pure/crops.ts'
import { CEPSTRA } from '../stages/active-speaker/pure/mfcc.ts'
import type { Inference } from './providers.ts'
import { openSession } from './session.ts'

export type ActiveSpeakerModel = Awaited<ReturnType<typeof loadActiveSpeaker>>

export async function loadActiveSpeaker(model: InstalledModel, preference: Inference) {
  const { session, provider } = await openSession(join(model.folder, model.files[0]?.path ?? ''), preference)
  let pixels = new Float32Array(0)
  return {
    /**
     * One number per picture, above 0: speaks. `faces`: pictures of 112 x 112 grey values, 25 a second. `sound`: four rows of
     * cepstra per picture.
     */
    score: async (faces: Uint8Array, sound: Float32Array): Promise<Float32Array> => {
      const pictures = faces.length / CROP ** 2
      if (pixels.length !== faces.length) pixels = new Float32Array(faces.length)
      pixels.set(faces)
      const answer = await session.run({
        audio: new Tensor('float32', sound, [1, 4 * pictures, CEPSTRA]),
        visual: new Tensor('float32', pixels, [1, pictures, CROP, CROP]),
      })
      return answer['score']?.data as Float32Array
    },
    [Symbol.asyncDispose]: () => session.release(),
    /** The execution provider that the model runs on. */
    provider,
  }
}
