/** Which voices speak when in windows of sound, by the pyannote segmentation model through ONNX. */
import '../../models/no-telemetry.ts'
import { join } from 'node:path'
import { Tensor } from 'onnxruntime-node'
import type { InstalledModel } from '../../models/installed.ts'
import type { Provider } from '../../server/contract/inference.ts'
import { parseSegmentedWindow, WINDOW_SECONDS, type SegmentedWindow } from '../stages/speakers/pure/chains.ts'
import type { Inference } from './providers.ts'
import { openSession } from './session.ts'

export interface SpeakerSegmentation {
  /** `samples`: 16 kHz, up to ten seconds, starting at `startSeconds`. */
  segment(samples: Int16Array, startSeconds: number): Promise<SegmentedWindow>
  close(): Promise<void>
  /** The execution provider that the model runs on. */
  readonly provider: Provider
}

const RATE = 16_000

export async function loadSpeakerSegmentation(
  model: InstalledModel,
  preference: Inference,
): Promise<SpeakerSegmentation> {
  const { session, provider } = await openSession(join(model.folder, model.files[0]?.path ?? ''), preference)
  const [input = 'x'] = session.inputNames
  const [output = 'y'] = session.outputNames
  const window = new Float32Array(WINDOW_SECONDS * RATE)
  return {
    segment: async (samples, startSeconds) => {
      for (let at = 0; at < window.length; at += 1) window[at] = (samples[at] ?? 0) / 32768
      const answer = await session.run({ [input]: new Tensor('float32', window, [1, 1, window.length]) })
      return parseSegmentedWindow(answer[output]?.data as Float32Array, startSeconds)
    },
    close: () => session.release(),
    provider,
  }
}
