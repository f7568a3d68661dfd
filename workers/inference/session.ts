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

/** An ONNX file in memory with input `x` and output `y`: float32, one element. */
export function tinyModel(): Uint8Array {
  const shape = field(2, field(1, number(1, 1)))
  const value = (name: string): number[] => [
    ...field(1, text(name)),
    ...field(2, field(1, [...number(1, FLOAT), ...shape])),
  ]
  const node = [...field(1, text('x')), ...field(2, text('y')), ...field(4, text('Identity'))]
  const graph = [
    ...field(1, node),
    ...field(2, text('tiny')),
    ...field(11, value('x')),
    ...field(12, value('y')),
  ]
  return Uint8Array.from([...number(1, IR_VERSION), ...field(7, graph), ...field(8, number(2, OPERATORS))])
}

const FLOAT = 1
const IR_VERSION = 8
const OPERATORS = 13

/** A length-delimited protocol buffer field. All of them here are shorter than 128 bytes. */
function field(id: number, content: readonly number[]): number[] {
  return [(id << 3) | 2, content.length, ...content]
}

function number(id: number, value: number): number[] {
  return [id << 3, value]
}

function text(content: string): number[] {
  return [...new TextEncoder().encode(content)]
}
