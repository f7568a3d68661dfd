/** Makes models run on the graphics card where one works, else on the processor; whether one works only trying tells. */
import '../../models/no-telemetry.ts'
import { listSupportedBackends } from 'onnxruntime-node'
import { hasCudaLibrary } from '../../models/machine.ts'
import {
  PROVIDER_TITLES,
  providersToTry,
  type Backends,
  type Provider,
  type ProviderSetting,
} from '../../server/contract/inference.ts'

/** The runtime's providers. */
export function runtimeBackends(): Backends {
  return listSupportedBackends().map(({ name, bundled }) => ({
    name,
    complete: bundled || (name === 'cuda' && hasCudaLibrary()),
  }))
}

/** What a stage says about how it wants to infer. Its context is one. */
export interface Inference {
  /** Absent: `auto`. */
  readonly inference?: ProviderSetting
  warn(message: string): void
}

/** For tests: what else than the real runtime may be asked. */
export interface ProviderSource {
  readonly platform: string
  readonly backends: () => Backends
  /** Why a provider failed before, by provider: it is not tried again in this thread. */
  readonly failures: Map<Provider, string>
}

const HERE: ProviderSource = { platform: process.platform, backends: runtimeBackends, failures: new Map() }

/**
 * Makes something on the first provider that can make it, and says which. One that fails is named in a warning and not
 * tried again in this thread. What fails on the processor is thrown as it came.
 */
export async function openOnFirstProvider<T>(
  wish: Inference,
  make: (provider: Provider) => Promise<T>,
  source: ProviderSource = HERE,
): Promise<{ made: T; provider: Provider }> {
  const setting = wish.inference ?? 'auto'
  const backends = setting === 'auto' ? source.backends() : []
  for (const provider of providersToTry(setting, source.platform, backends)) {
    if (provider === 'cpu') break
    let reason = source.failures.get(provider)
    if (reason === undefined) {
      try {
        return { made: await make(provider), provider }
      } catch (error) {
        reason = firstLine(error)
        source.failures.set(provider, reason)
      }
    }
    wish.warn(`${PROVIDER_TITLES[provider]} does not work here, so models run on the processor: ${reason}`)
  }
  return { made: await make('cpu'), provider: 'cpu' }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\n')[0] ?? '').slice(0, 200)
}
