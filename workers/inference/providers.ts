/** Runs models on the graphics card if one works and on the processor otherwise. Only trying shows whether it works. */
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

/** The execution providers that the runtime was built with. */
export function runtimeBackends(): Backends {
  return listSupportedBackends().map(({ name, bundled }) => ({
    name,
    complete: bundled || (name === 'cuda' && hasCudaLibrary()),
  }))
}

/** How a stage wants to run models. A stage context has this shape. */
export interface Inference {
  /** Absent: `auto`. */
  readonly inference?: ProviderSetting
  warn(message: string): void
}

/** Replaces the real runtime in tests. */
export interface ProviderSource {
  readonly platform: string
  readonly backends: () => Backends
  /** Error by provider that failed before; it is not tried again in this thread. */
  readonly failures: Map<Provider, string>
}

const HERE: ProviderSource = { platform: process.platform, backends: runtimeBackends, failures: new Map() }

/**
 * Opens something on the first provider that works, and reports which. A provider that fails is named in a warning and not
 * tried again in this thread. An error on the processor is thrown unchanged.
 */
export async function openOnFirstProvider<T>(
  preference: Inference,
  make: (provider: Provider) => Promise<T>,
  source: ProviderSource = HERE,
): Promise<{ made: T; provider: Provider }> {
  const setting = preference.inference ?? 'auto'
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
    preference.warn(
      `${PROVIDER_TITLES[provider]} does not work here, so models run on the processor: ${reason}`,
    )
  }
  return { made: await make('cpu'), provider: 'cpu' }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\n')[0] ?? '').slice(0, 200)
}
