/**
 * The registry of b-roll providers. The library is part of the appliance and always available. Every other provider is a
 * stock service: it is searched only when a node allows it, with the user's own keys, and not when the network is off.
 */
import type { Static } from '@sinclair/typebox'
import type { Config } from '../../../config/config.ts'
import type { BrollProvider } from '../../../contract/clip-broll.ts'
import { reachable } from '../../../reachable.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { ParamsOf } from '../../../../workers/stages/declare.ts'

export type ServiceName = Exclude<BrollProvider, 'library'>
type ServiceAccess = ParamsOf<Stages['search-broll']>['access']

/** One setting of a service: its name among the keys, in the environment, and in config.json. */
interface ServiceSetting {
  readonly key: string
  readonly env: string
  readonly file: string
}

interface Service {
  /** Shown to people. */
  readonly label: string
  /** Without these it is not searched. */
  readonly needs: readonly ServiceSetting[]
}

const setting = (key: string, env: string, file: string): ServiceSetting => ({ key, env, file })

export const BROLL_SERVICES: Readonly<Record<ServiceName, Service>> = {
  google_images: {
    label: 'Google Images',
    needs: [
      setting('key', 'CUTROOM_GOOGLE_IMAGES_KEY', 'googleImagesKey'),
      setting('engine', 'CUTROOM_GOOGLE_IMAGES_ENGINE', 'googleImagesEngine'),
    ],
  },
  youtube: {
    label: 'YouTube',
    needs: [setting('key', 'CUTROOM_YOUTUBE_KEY', 'youtubeKey'), setting('ytDlp', 'CUTROOM_YT_DLP', 'ytDlp')],
  },
  getty: {
    label: 'Getty Images',
    needs: [
      setting('key', 'CUTROOM_GETTY_KEY', 'gettyKey'),
      setting('secret', 'CUTROOM_GETTY_SECRET', 'gettySecret'),
    ],
  },
}

/** Whether a service can be searched; `why` is a sentence that names the missing setting. */
export type ServiceState =
  | { readonly state: 'ready'; readonly access: Static<Stages['search-broll']['params']>['access'] }
  | { readonly state: 'refused'; readonly why: string }

export type ServiceStates = Readonly<Record<ServiceName, ServiceState>>

/** The state of every service under this configuration. */
export function serviceStates(
  config: Pick<Config, 'network' | 'pictureServices' | 'sources' | 'sourceIdleTimeoutSeconds'>,
): ServiceStates {
  return {
    google_images: stateOf(config, 'google_images'),
    youtube: stateOf(config, 'youtube'),
    getty: stateOf(config, 'getty'),
  }
}

function stateOf(config: Parameters<typeof serviceStates>[0], name: ServiceName): ServiceState {
  const { label, needs } = BROLL_SERVICES[name]
  if (config.network === 'off')
    return { state: 'refused', why: `${label} is not asked: the network is off (CUTROOM_NETWORK).` }
  const { address, ...settings } = config.pictureServices[name]
  const keys = Object.fromEntries(
    Object.entries(settings as Readonly<Record<string, string | null>>).flatMap(([key, value]) =>
      value === null ? [] : [[key, value]],
    ),
  )
  const missing = needs.filter(({ key }) => keys[key] === undefined)
  if (missing.length > 0) {
    const named = missing.map(({ env, file }) => `${env} ("${file}" in config.json)`).join(' and ')
    return { state: 'refused', why: `${label} is not asked: it needs your own ${named}.` }
  }
  const access: ServiceAccess = {
    address,
    keys,
    addresses: reachable(config),
    idleTimeoutSeconds: Math.min(20, config.sourceIdleTimeoutSeconds),
  }
  return { state: 'ready', access }
}
