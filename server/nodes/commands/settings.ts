/** What commands set of a clip: fields of its captions, and nodes for this clip alone. PURE. */
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { ClipEdit } from '../editing/clip-edit.ts'
import { CAPTION_PRESETS, type CaptionPreset } from '../presets/captions.ts'
import type { CommandContext } from './context.ts'

type Config = Readonly<Record<string, unknown>>
type Nodes = Pick<CommandContext, 'nodes'>

const isConfig = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const without = (config: Config, names: readonly string[]): Config =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)))

/**
 * Sets fields for all speakers: a speaker's own values of these fields are removed. `null` returns a field to the
 * preset.
 */
export function withCaptions(edit: ClipEdit, fields: Config): ClipEdit {
  const names = Object.keys(fields)
  const { speakerStyles, ...own } = edit.subtitleConfig
  const set = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  )
  const styles = isConfig(speakerStyles)
    ? Object.fromEntries(
        Object.entries(speakerStyles).map(([speaker, style]) => [
          speaker,
          isConfig(style) ? without(style, names) : style,
        ]),
      )
    : speakerStyles
  return {
    ...edit,
    subtitleConfig: { ...without(own, names), ...set, ...omitUndefined({ speakerStyles: styles }) },
  }
}

export const presetOf = ({ subtitleConfig: { styleId } }: ClipEdit): CaptionPreset | undefined =>
  CAPTION_PRESETS.find(({ id }) => id === styleId) ?? CAPTION_PRESETS[0]

/** A field that is a number, sent as a number or as text. */
export function numberField(config: Config, name: string, fallback: number): number {
  const value = config[name]
  const number = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback
}

export const hasUrl = ({ url }: Config): boolean => typeof url === 'string' && url.trim() !== ''

interface Named {
  readonly id: string
  readonly name: string
}
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')

/** The one of a list that is called so, by id or by name, or by the beginning or a word of its name. */
export function named<T extends Named>(list: readonly T[], text: string): T | undefined {
  const wanted = plain(text)
  if (wanted === '') return undefined
  return (
    list.find(({ id, name }) => plain(id) === wanted || plain(name) === wanted) ??
    list.find(({ name }) => plain(name).startsWith(wanted)) ??
    list.find(({ name }) => name.toLowerCase().split(/\s+/u).includes(text.trim().toLowerCase()))
  )
}

/** Those of a list as parameters take them: by id or name, and what is passed on. */
export const namesOf = (list: readonly Named[], key: 'id' | 'name') =>
  list.map((one) => [`${one.id}|${one.name}`, one[key]] as const)

export const listed = (list: readonly Named[]): string => list.map(({ name }) => name).join(', ')

const configsOf = ({ nodes }: Nodes, type: string): Config[] =>
  nodes.filter((node) => node.type === type && node.enabled).map(({ config }) => config)

/** As the clip has it now: set for it alone, else of its run; without the node's own switch. */
function nodeConfig(edit: ClipEdit, context: Nodes, type: string): Config {
  const own = edit.nodes?.[type]?.config
  return without(own ?? configsOf(context, type).reduce<Config>((all, one) => ({ ...all, ...one }), {}), [
    'enabled',
  ])
}

export const isOn = (edit: ClipEdit, context: Nodes, type: string): boolean =>
  edit.nodes?.[type]?.enabled ?? configsOf(context, type).length > 0

/** Switches a node for this clip; `config` changes fields of what it is set to, `inner` fields of one of them. */
export function withNode(
  edit: ClipEdit,
  context: Nodes,
  type: string,
  {
    on,
    config = {},
    inner,
  }: { readonly on: boolean; readonly config?: Config; readonly inner?: readonly [string, Config] },
): ClipEdit {
  const before = nodeConfig(edit, context, type)
  const [name, fields] = inner ?? ['', {}]
  const old = before[name]
  const within =
    inner === undefined ? {} : { [name]: { ...(isConfig(old) ? old : {}), enabled: true, ...fields } }
  return {
    ...edit,
    nodes: { ...edit.nodes, [type]: { enabled: on, config: { ...before, ...config, ...within } } },
  }
}
