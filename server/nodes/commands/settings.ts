/** What commands set of a clip: fields of its captions, and nodes for this clip alone. PURE. */
import type { ClipEdit } from '../editing/clip-edit.ts'
import { deepMerge, isPlainObject, omit } from '../merge.ts'
import { CAPTION_PRESETS, type CaptionPreset } from '../presets/captions.ts'
import type { CommandContext } from './context.ts'
import { refuse } from './declare.ts'

type Config = Record<string, unknown>
type Nodes = Pick<CommandContext, 'nodes'>

/**
 * Sets fields for all speakers: a speaker's own values of these fields are removed. `null` returns a field to the
 * preset, undefined leaves it.
 */
export function withCaptions({ subtitleConfig }: ClipEdit, fields: Config): Pick<ClipEdit, 'subtitleConfig'> {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined)
  const without = (config: Config): Config => omit(config, ...set.map(([name]) => name))
  const values = Object.fromEntries(set.filter(([, value]) => value !== null))
  const next = { ...without(subtitleConfig), ...values }
  const { speakerStyles } = subtitleConfig
  if (!isPlainObject(speakerStyles)) return { subtitleConfig: next }
  const styles = Object.entries(speakerStyles).map(
    ([speaker, style]) => [speaker, isPlainObject(style) ? without(style) : style] as const,
  )
  return { subtitleConfig: { ...next, speakerStyles: Object.fromEntries(styles) } }
}

export const presetOf = ({ subtitleConfig: { styleId } }: ClipEdit): CaptionPreset | undefined =>
  CAPTION_PRESETS.find(({ id }) => id === styleId) ?? CAPTION_PRESETS[0]

/** A field that is a number, sent as a number or as text. */
export function numberField(config: ClipEdit['subtitleConfig'], name: string, fallback: number): number {
  const number = Number.parseFloat(String(config[name]))
  return Number.isFinite(number) ? number : fallback
}

/** Refuses where a part of the clip has no file. */
export const hasFile =
  (field: 'watermarkConfig' | 'backgroundMusicOption' | 'endCardOption', name: string) =>
  ({ [field]: { url } }: ClipEdit): string | null =>
    typeof url === 'string' && url.trim() !== '' ? null : `This clip has no ${name}.`

interface Named {
  readonly id: string
  readonly name: string
}
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')

/** The one of a list that is called so, by id or by name, or by the beginning or a word of its name; `missing`: what is refused. */
export function named<T extends Named>(
  list: readonly T[],
  text: string,
  missing: string,
  others = 'there are',
): T {
  const wanted = plain(text)
  const tests: ((one: T) => boolean)[] = [
    ({ id, name }) => plain(id) === wanted || plain(name) === wanted,
    ({ name }) => plain(name).startsWith(wanted),
    ({ name }) => name.toLowerCase().split(/\s+/u).includes(text.trim().toLowerCase()),
  ]
  const found = wanted === '' ? [] : tests.flatMap((test) => list.find(test) ?? [])
  return found[0] ?? refuse(`${missing} “${text}”; ${others} ${list.map(({ name }) => name).join(', ')}.`)
}

/** Those of a list as parameters take them: by id or name, and what is passed on. */
export const namesOf = (list: readonly Named[], key: 'id' | 'name') =>
  list.map((one) => [`${one.id}|${one.name}`, one[key]] as const)

/** A node as the clip has it now: set for it alone, else of its run; its config without the node's own switch. */
function nodeOf({ nodes }: ClipEdit, context: Nodes, type: string): { enabled: boolean; config: Config } {
  const own = nodes?.[type]
  const ofRun = context.nodes.filter((node) => node.type === type && node.enabled)
  const config = own?.config ?? ofRun.reduce<Config>((all, one) => ({ ...all, ...one.config }), {})
  return { enabled: own?.enabled ?? ofRun.length > 0, config: omit(config, 'enabled') }
}

export const isOn = (edit: ClipEdit, context: Nodes, type: string): boolean =>
  nodeOf(edit, context, type).enabled

/** Switches a node for this clip; `config` is merged into what it is set to. */
export function withNode(
  edit: ClipEdit,
  context: Nodes,
  type: string,
  enabled: boolean,
  config: Config = {},
): Pick<ClipEdit, 'nodes'> {
  const before = nodeOf(edit, context, type).config
  return { nodes: { ...edit.nodes, [type]: { enabled, config: deepMerge(before, config) } } }
}
