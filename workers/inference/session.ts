/** Opens all ONNX sessions, with the same options for all of them. */
import '../../models/no-telemetry.ts'
import { InferenceSession } from 'onnxruntime-node'
import type { Provider } from '../../server/contract/inference.ts'
import { openOnFirstProvider, type Inference, type ProviderSource } from './providers.ts'

export interface OpenSession {
  readonly session: InferenceSession
  readonly provider: Provider
}

export interface SessionOptions {
  /**
   * Set for a model that runs many short steps a second, each with the state of the one before: copying to a graphics card
   * and back takes longer than a step. `auto` then means the processor.
   */
  readonly manySmallSteps?: true
}

/** One thread per session, because several stages run in parallel. */
export function sessionOptions(provider: Provider): InferenceSession.SessionOptions {
  return {
    executionProviders: [provider],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
  }
}

/** Opens the model (a file or its bytes) on the best provider. The caller releases the session. */
export async function openSession(
  model: string | Uint8Array,
  preference: Inference,
  { manySmallSteps }: SessionOptions = {},
  source?: ProviderSource,
): Promise<OpenSession> {
  const setting = preference.inference ?? 'auto'
  const chosen: Inference = {
    inference: setting === 'auto' && manySmallSteps === true ? 'cpu' : setting,
    warn: (message) => preference.warn(message),
  }
  const { made, provider } = await openOnFirstProvider(
    chosen,
    (on) =>
      typeof model === 'string'
        ? InferenceSession.create(model, sessionOptions(on))
        : InferenceSession.create(model, sessionOptions(on)),
    source,
  )
  return { session: made, provider }
}
