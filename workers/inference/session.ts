/** The one place that opens ONNX sessions, with the options of all of them. */
import '../../models/no-telemetry.ts'
import { InferenceSession } from 'onnxruntime-node'
import type { Provider } from '../../server/contract/inference.ts'
import { openOnFirstProvider, type Inference, type ProviderSource } from './providers.ts'

export interface OpenSession {
  readonly session: InferenceSession
  readonly provider: Provider
}

export interface SessionWish {
  /**
   * The model is run for a moment's work many times a second, each time with what the last one left: the way to a
   * graphics card and back takes longer than the work. `auto` then means the processor.
   */
  readonly manySmallSteps?: true
}

/** Options of a session: one thread each, because several stages work side by side. */
export function sessionOptions(provider: Provider): InferenceSession.SessionOptions {
  return {
    executionProviders: [provider],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
  }
}

/** Opens the model (a file, or its bytes) where it runs best. The caller releases the session. */
export async function openSession(
  model: string | Uint8Array,
  wish: Inference,
  { manySmallSteps }: SessionWish = {},
  source?: ProviderSource,
): Promise<OpenSession> {
  const setting = wish.inference ?? 'auto'
  const asked: Inference = {
    inference: setting === 'auto' && manySmallSteps === true ? 'cpu' : setting,
    warn: (message) => wish.warn(message),
  }
  const { made, provider } = await openOnFirstProvider(
    asked,
    (on) =>
      typeof model === 'string'
        ? InferenceSession.create(model, sessionOptions(on))
        : InferenceSession.create(model, sessionOptions(on)),
    source,
  )
  return { session: made, provider }
}
