/** Which voices speak when in windows of sound, by the pyannote segmentation model through ONNX. */
import '../../models/no-telemetry.ts'
import { join } from 'node:path'
import { Tensor } from 'onnxruntime-node'
import type { InstalledModel } from '../../models/installed.ts'
import { parseSegmentedWindow, WINDOW_SECONDS } from '../stages/speakers/pure/chains.ts'
import type { Inference } from './providers.ts'
import { openSession } from './session.ts'

const RATE = 16_000

export async function loadSpeakerSegmentation(model: InstalledModel, preference: Inference) {
  const { session, provider } = await openSession(join(model.folder, model.files[0]?.path ?? ''), preference)
  const [input = 'x'] = session.inputNames
  const [output = 'y'] = session.outputNames
  const window = new Float32Array(WINDOW_SECONDS * RATE)
  return {
    /** `samples`: 16 kHz, -1 to 1, up to ten seconds, starting at `startSeconds`. */
    segment: async (samples: Float32Array, startSeconds: number) => {
      window.fill(0)
      window.set(samples)
      const answer = await session.run({ [input]: new Tensor('float32', window, [1, 1, window.length]) })
      return parseSegmentedWindow(answer[output]?.data as Float32Array, startSeconds)
    },
    [Symbol.asyncDispose]: () => session.release(),
    /** The execution provider that the model runs on. */
    provider,
  }
}
