/** Which control a field of a node's config gets, by its schema. PURE. */
import type { TSchema } from '@sinclair/typebox'
import { isMediaAddress } from '../../server/contract/config-fields.ts'
import type { LibraryKind } from '../../server/contract/library.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { SHAPE_RATIOS } from '../../server/contract/shapes/registry.ts'
import { CAPTION_PRESETS, TITLE_PRESETS } from '../../server/nodes/index.ts'
import { field as messages, labels } from '../messages/workflows.ts'

type FileKind = LibraryKind
export interface Choice {
  readonly value: string
  readonly label: string
}

export type FieldKind =
  | { readonly kind: 'check' }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly whole: boolean }
  /** `open`: other texts are allowed, and one that is set stays in the list. */
  | { readonly kind: 'choice'; readonly choices: readonly Choice[]; readonly open: boolean }
  | { readonly kind: 'text'; readonly long: boolean }
  /** A number, which files may also write as a text such as `64px`. */
  | { readonly kind: 'length' }
  /** On, off, or a text of one's own. */
  | { readonly kind: 'switch' }
  | { readonly kind: 'colour' }
  /** A file of the library, or an address. */
  | { readonly kind: 'file'; readonly files: readonly FileKind[] }
  | { readonly kind: 'folders' }
  /** One of the company's brand kits. */
  | { readonly kind: 'brand-kit' }
  /** Some of a few values. */
  | { readonly kind: 'several'; readonly choices: readonly Choice[] }
  /** One text per line. */
  | { readonly kind: 'lines' }
  | { readonly kind: 'group'; readonly schema: TSchema }
  /** A form for each entry. `keyed`: files may also write it as a map with numeric keys. */
  | { readonly kind: 'rows'; readonly item: TSchema; readonly keyed: boolean }

/** Texts that may be this long get several lines. */
const LONG = 1000

const fieldsOf = (schema: TSchema): Readonly<Record<string, TSchema>> =>
  (schema['properties'] ?? {}) as Record<string, TSchema>
const branchesOf = (schema: TSchema): readonly TSchema[] => (schema['anyOf'] ?? []) as TSchema[]
const isText = (value: unknown): value is string => typeof value === 'string'

/** `search_within` → `Search within`; `16:9` stays. */
function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}
const choicesOf = (values: readonly string[]): Choice[] =>
  values.map((value) => ({ value, label: wordsOf(value) }))

/** The values of a closed list. */
function closedChoices(schema: TSchema): Choice[] | null {
  const branches = branchesOf(schema).map((one): unknown => one['const'])
  const values = (schema['enum'] as unknown[] | undefined) ?? branches
  return values.length > 0 && values.every(isText) ? choicesOf(values) : null
}

const named = (presets: readonly { readonly id: string; readonly name: string }[]): Choice[] =>
  presets.map(({ id, name }) => ({ value: id, label: name }))
const palettes = TITLE_PRESETS.flatMap((preset) => preset.palettes)

/** Values of texts that more than their schema knows. */
const KNOWN: Readonly<Record<string, readonly Choice[]>> = {
  aspect_ratio: choicesOf(SHAPE_RATIOS),
  styleId: named(CAPTION_PRESETS),
  titlePresetId: named(TITLE_PRESETS),
  titlePaletteId: named([...new Map(palettes.map((palette) => [palette.id, palette])).values()]),
  fontWeight: choicesOf(['400', '500', '600', '700', '800', '900']),
}

/** `Letter case: none, uppercase` or `How it goes: fade, zoomOut and the like`: the values that a description lists. */
const LISTED = /: ((?:[a-z]\w*, )+[a-z]\w*)(?: and the like)?(?=$|;)/

const descriptionOf = ({ description }: TSchema): string => description ?? ''

function openChoices(name: string, schema: TSchema): readonly Choice[] | null {
  const listed = LISTED.exec(descriptionOf(schema))?.[1]
  return KNOWN[name] ?? (listed === undefined ? null : choicesOf(listed.split(', ')))
}

/** What files a text names, by what it is called and described as; null: it names none. */
function filesOf(name: string, schema: TSchema): readonly FileKind[] | null {
  if (!isMediaAddress(schema) && !/(?:^|[a-z_])url$/i.test(name)) return null
  const words = `${name} ${descriptionOf(schema)}`.toLowerCase()
  if (/font/.test(words)) return ['font']
  if (/audio|music/.test(words)) return ['audio']
  if (/picture or video/.test(words)) return ['image', 'video']
  return /video/.test(words) ? ['video'] : ['image']
}

function textKind(name: string, schema: TSchema): FieldKind {
  if (name === 'brand_kit_id') return { kind: 'brand-kit' }
  const choices = openChoices(name, schema)
  if (choices !== null) return { kind: 'choice', choices, open: true }
  if (descriptionOf(schema).endsWith('(CSS colour)')) return { kind: 'colour' }
  const files = filesOf(name, schema)
  if (files !== null && files.length > 0) return { kind: 'file', files }
  return { kind: 'text', long: Number(schema['maxLength'] ?? 0) >= LONG && files === null }
}

function unionKind(name: string, schema: TSchema): FieldKind | null {
  const types = new Set(branchesOf(schema).map(({ type }): unknown => type))
  const list = branchesOf(schema).find(({ type }) => type === 'array')
  if (list !== undefined) return { kind: 'rows', item: itemOf(list), keyed: types.has('object') }
  if (types.has('boolean')) return { kind: 'switch' }
  const choices = KNOWN[name]
  if (choices !== undefined) return { kind: 'choice', choices, open: true }
  return types.has('number') ? { kind: 'length' } : null
}

/** The form of an entry; one that may also be null counts as empty there. */
function itemOf(list: TSchema): TSchema {
  const item = list['items'] as TSchema
  return branchesOf(item).find(({ type }) => type === 'object') ?? item
}

function listKind(name: string, schema: TSchema): FieldKind | null {
  const item = itemOf(schema)
  const choices = closedChoices(item)
  if (choices !== null) return { kind: 'several', choices }
  if (name.endsWith('folder_ids')) return { kind: 'folders' }
  if (item['type'] === 'string') return { kind: 'lines' }
  return item['type'] === 'object' ? { kind: 'rows', item, keyed: false } : null
}

function numberKind(schema: TSchema): FieldKind {
  const min = schema['minimum'] as number | undefined
  const max = schema['maximum'] as number | undefined
  return { kind: 'number', whole: schema['type'] === 'integer', ...omitUndefined({ min, max }) }
}

/** Throws for a schema that no control is for: a new kind of field needs one. */
export function fieldKind(name: string, schema: TSchema): FieldKind {
  const choices = closedChoices(schema)
  if (choices !== null) return { kind: 'choice', choices, open: false }
  const found = branchesOf(schema).length > 0 ? unionKind(name, schema) : typeKind(name, schema)
  if (found === null) throw new Error(`There is no control for the field ${name}.`)
  return found
}

function typeKind(name: string, schema: TSchema): FieldKind | null {
  switch (schema['type']) {
    case 'boolean':
      return { kind: 'check' }
    case 'number':
    case 'integer':
      return numberKind(schema)
    case 'string':
      return textKind(name, schema)
    case 'array':
      return listKind(name, schema)
    case 'object':
      return schema['properties'] === undefined ? null : { kind: 'group', schema }
    default:
      return null
  }
}

/** `12` → 12, ` 64px ` → `64px`; undefined where nothing is written. */
export function lengthOf(written: string): string | number | undefined {
  const text = written.trim()
  if (text === '') return undefined
  return Number.isFinite(Number(text)) ? Number(text) : text
}

/** The entries of a list, whichever way a file writes it: `{ 1: a }` → [{}, a]. */
export function rowsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value).map(([at, row]): [number, unknown] => [Number(at), row])
  const length = Math.max(0, ...entries.map(([at]) => at + 1))
  const rows = new Map(entries)
  return Array.from({ length }, (_none, at) => (rows.get(at) ?? {}) as Record<string, unknown>)
}

export interface FieldWords {
  readonly label: string
  /** What else is to be known; empty: nothing. */
  readonly hint: string
}

/** The label and hint of a field: its description's first part, and the rest; its name in words where it has none. */
export function fieldWords(name: string, schema: TSchema): FieldWords {
  const own = labels[name]
  if (own !== undefined) return { label: own, hint: '' }
  const plain = descriptionOf(schema)
    .replace(/ \(CSS colour\)$/, '')
    .replace(LISTED, '')
    .replaceAll(/`([^`]+)`/g, (_all, value: string) => `“${wordsOf(value)}”`)
  if (plain === '') return { label: wordsOf(name), hint: '' }
  const [, label = plain, rest = ''] = /^([^;:.]+(?:[:.]\d[^;:.]*)*)(?:[;:.]\s*(.*))?$/s.exec(plain) ?? []
  const hint = rest.trim()
  return { label, hint: hint.charAt(0).toUpperCase() + hint.slice(1) }
}

/** The config with a field set, or without it where the value is nothing. */
export function withField(
  config: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const { [name]: _before, ...rest } = config
  const nothing =
    value === undefined ||
    value === '' ||
    (typeof value === 'number' && Number.isNaN(value)) ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return nothing ? rest : { ...rest, [name]: value }
}

/** What a node is set to, for its card: at most `most` of its fields in its order. */
export function summaryOf(schema: TSchema, config: Readonly<Record<string, unknown>>, most = 2): string[] {
  const found: string[] = []
  for (const [name, value] of Object.entries(config)) {
    const own = fieldsOf(schema)[name]
    if (name === 'enabled' || own === undefined || found.length >= most) continue
    const kind = fieldKind(name, own)
    if (kind.kind === 'group') {
      found.push(...summaryOf(own, value as Readonly<Record<string, unknown>>, most - found.length))
      continue
    }
    found.push(cardLine(fieldWords(name, own).label, valueWords(kind, value)))
  }
  return found
}

/** `Longest clip, seconds` and `60` → `Longest clip: 60 s`: a card has room for what it is, not for how it is used. */
function cardLine(label: string, words: string): string {
  const unit = / seconds$/.test(label) && words !== '' ? ' s' : ''
  const short = label.replace(/(?:,| that | which ).*$/s, '')
  return words === '' ? short : `${short}: ${words}${unit}`
}

function valueWords(kind: FieldKind, value: unknown): string {
  if (typeof value === 'boolean') return value ? messages.on : messages.off
  if (typeof value === 'object' && value !== null) return String(Object.keys(value).length)
  if (kind.kind === 'brand-kit') return ''
  if (kind.kind === 'file') return String(value).split('/').at(-1) ?? ''
  const written = typeof value === 'string' ? value : String(value)
  return kind.kind === 'choice'
    ? (kind.choices.find((one) => one.value === written)?.label ?? written)
    : written.slice(0, 60)
}
