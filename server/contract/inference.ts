/** What models run on: the graphics card where one works, else the processor. */
import type { Static } from '@sinclair/typebox'
import { choice } from './config-fields.ts'

/** As the runtime names them: NVIDIA cards under Linux, DirectML under Windows, CoreML on a Mac, the processor. */
const PROVIDERS = ['cuda', 'dml', 'coreml', 'cpu'] as const
export const Provider = choice(PROVIDERS)
export type Provider = Static<typeof Provider>

/** `auto`: the graphics card if there is one. A name: that one, and the processor when it does not work. */
export const PROVIDER_SETTINGS = ['auto', ...PROVIDERS] as const
export type ProviderSetting = (typeof PROVIDER_SETTINGS)[number]

export const PROVIDER_TITLES: Readonly<Record<Provider, string>> = {
  cuda: 'CUDA',
  dml: 'DirectML',
  coreml: 'CoreML',
  cpu: 'the processor',
}

/** What the runtime reports: the providers it knows, and whether each is complete. */
export type Backends = readonly { readonly name: string; readonly complete: boolean }[]

/** The card of each platform, as the runtime's published builds have it. */
const OF_PLATFORM: Readonly<Record<string, Provider>> = { linux: 'cuda', win32: 'dml', darwin: 'coreml' }

/** The providers to try in order; the processor is always the last. */
export function providersToTry(setting: ProviderSetting, platform: string, backends: Backends): Provider[] {
  if (setting === 'cpu') return ['cpu']
  if (setting !== 'auto') return [setting, 'cpu']
  const usual = OF_PLATFORM[platform]
  // Without its library a provider is only known by name: nothing is missed on a machine that never had a card.
  const there = backends.some(({ name, complete }) => name === usual && complete)
  return usual !== undefined && there ? [usual, 'cpu'] : ['cpu']
}
