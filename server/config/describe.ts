/** The settings of the environment and of config.json as they are in force, for the page that shows them. */
import type { EnvironmentSetting } from '../contract/settings.ts'
import type { Config } from './config.ts'
import type { Setting } from './settings.ts'
import { SETTINGS } from './table.ts'

interface Named {
  readonly setting: Setting<unknown>
  /** Where its value is in a Config. */
  readonly path: readonly string[]
}

function namedIn(table: object, path: readonly string[] = []): Named[] {
  return Object.entries(table).flatMap(([name, entry]: [string, object]) =>
    'parse' in entry
      ? [{ setting: entry as Setting<unknown>, path: [...path, name] }]
      : namedIn(entry, [...path, name]),
  )
}

/** A folder of models has no member of its own: it comes before the home's. */
function valueAt(config: Config, path: readonly string[]): unknown {
  if (path[0] === 'models') return config.modelFolders.length > 1 ? config.modelFolders[0] : null
  return path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>>)[name], config)
}

function shownValue(value: unknown): EnvironmentSetting['value'] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (!Array.isArray(value) || value.length === 0) return null
  const texts = value.map((one: unknown) =>
    typeof one === 'string' ? one : (one as { readonly issuer: string }).issuer,
  )
  return texts.join(', ')
}

/** Every setting once, in the order of the table. Of what may hold a secret only whether it is set. */
export function describeEnvironment(config: Config): EnvironmentSetting[] {
  const named = namedIn(SETTINGS)
  const once = named.filter(
    ({ setting }, index) => named.findIndex((one) => one.setting.key === setting.key) === index,
  )
  return once.map(({ setting: { env, key, fallback, secret = false }, path }) => {
    const value = valueAt(config, path)
    const isSet = JSON.stringify(value) !== JSON.stringify(fallback)
    return { env, key, isSet, secret, value: secret ? null : shownValue(value), usual: shownValue(fallback) }
  })
}
