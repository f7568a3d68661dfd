/**
 * Overrides of a saved workflow for one run. Precedence, lowest first: template, flat fields, nodeConfigs,
 * nodeConfigOverrides, actionConfigs. Each is stored as given and in order; resolve.ts merges them into the nodes.
 */
import { AppError } from '../contract/errors.ts'
import type { JsonObject } from './declare.ts'
import { isPlainObject, own, omit } from './merge.ts'
import type { NodeType } from './registry.ts'

export interface NodeOverride {
  /** Field of the trigger body it came from: `minLengthTarget`, `nodeConfigs`, ... */
  readonly origin: string
  /** As the caller wrote it; need not be a type that exists. */
  readonly nodeType: string
  /** As the caller sent it; the node's schema judges it. */
  readonly config: unknown
}

/** In ascending precedence. */
export type NodeOverrides = readonly NodeOverride[]

const STRUCTURED = ['nodeConfigs', 'nodeConfigOverrides', 'actionConfigs'] as const

/** Those of the flat fields are one layer; each of the others is a layer of its own. */
export const isFlat = ({ origin }: NodeOverride): boolean => Object.hasOwn(FLAT_FIELDS, origin)

/** Throws INVALID_REQUEST for a flat field of the wrong type and a structured override of another form. */
export function overridesFromBody(body: JsonObject): NodeOverrides {
  const flat = Object.keys(FLAT_FIELDS).flatMap((field) => {
    const override = flatOverride(body, field)
    return override === null ? [] : [{ origin: field, ...override }]
  })
  return [...flat, ...STRUCTURED.flatMap((field) => structuredOverrides(own(body, field), field))]
}

function structuredOverrides(value: unknown, origin: string): NodeOverrides {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map((entry, index) => listEntry(entry, origin, index))
  if (!isPlainObject(value)) throw malformed(origin, 'a map by node type, or a list of {nodeType, config}')
  return Object.entries(value).map(([nodeType, config]) => ({ origin, nodeType, config }))
}

function listEntry(entry: unknown, origin: string, index: number): NodeOverride {
  const path = `${origin}.${index}`
  if (!isPlainObject(entry)) throw malformed(path, 'an object {nodeType, config}')
  const nodeType = own(entry, 'nodeType')
  const config = own(entry, 'config')
  if (typeof nodeType !== 'string' || nodeType === '') throw malformed(`${path}.nodeType`, 'a node type')
  return { origin, nodeType, config: config === undefined ? {} : config }
}

function malformed(field: string, expected: string): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `"${field}" should be ${expected}.`,
    details: { field, expected },
  })
}

interface FlatField {
  readonly node: NodeType
  /** What the field must be, in words, when `config` gives null. */
  readonly expected: string
  /** The override, or null when the value is of the wrong type. */
  readonly config: (value: unknown) => JsonObject | null
}

const number = (node: NodeType, make: (value: number) => JsonObject): FlatField => ({
  node,
  expected: 'a number',
  config: (value) => (typeof value === 'number' ? make(value) : null),
})
const text = (node: NodeType, make: (value: string) => JsonObject): FlatField => ({
  node,
  expected: 'a string',
  config: (value) => (typeof value === 'string' ? make(value) : null),
})
const flag = (node: NodeType, make: (value: boolean) => JsonObject): FlatField => ({
  node,
  expected: 'true or false',
  config: (value) => (typeof value === 'boolean' ? make(value) : null),
})
const object = (node: NodeType, make: (value: JsonObject) => JsonObject): FlatField => ({
  node,
  expected: 'an object',
  config: (value) => (isPlainObject(value) ? make(value) : null),
})

/** In the order in which they merge; no two set the same value. */
export const FLAT_FIELDS: Readonly<Record<string, FlatField>> = {
  minLengthTarget: number('find_clips', (min_length) => ({ min_length })),
  maxLengthTarget: number('find_clips', (max_length) => ({ max_length })),
  promptAdjustment: text('find_clips', (promptAdjustment) => ({ promptAdjustment })),
  pinnedTimestamps: {
    node: 'find_clips',
    expected: 'a list of {start, end} in seconds',
    config: (value) => (Array.isArray(value) ? { pinnedTimestamps: value } : null),
  },
  pinnedTimestampsOnly: flag('find_clips', (pinnedTimestampsOnly) => ({ pinnedTimestampsOnly })),
  pinnedTimestampMode: text('find_clips', (pinnedTimestampMode) => ({ pinnedTimestampMode })),
  orientation: {
    node: 'convert_to_vertical',
    expected: '"horizontal" or "vertical"',
    config: (value) =>
      value === 'horizontal' || value === 'vertical' ? { enabled: value === 'vertical' } : null,
  },
  broll: {
    node: 'add_broll',
    expected: 'true, false or an object',
    config: (value) =>
      typeof value === 'boolean' ? { enabled: value } : isPlainObject(value) ? value : null,
  },
  musicUrl: text('add_music', (url) => ({ background_music_option: { url } })),
  removeFillerWords: flag('filler_words', (enabled) => ({ filler_words_config: { enabled } })),
  removeStutteredWords: flag('filler_words', (stutteredWordsEnabled) => ({
    filler_words_config: { stutteredWordsEnabled },
  })),
  removeSilences: flag('filler_words', (silencesEnabled) => ({ filler_words_config: { silencesEnabled } })),
  subtitles: flag('add_subtitles', (enabled) => ({ enabled })),
  subtitleConfig: object('add_subtitles', (subtitle) => ({
    subtitle_config: withFirstSpeaker(subtitle),
  })),
  titleOverlay: flag('add_title_overlay', (enabled) => ({ enabled })),
  titleConfig: object('add_title_overlay', (title_config) => ({ title_config })),
  watermarkUrl: text('add_watermark', (url) => ({ watermark_config: { url } })),
  outroImageUrl: text('add_outro', (url) => ({ end_card_option: { url } })),
  outroMusicUrl: text('add_music', (url) => ({ outro_music_option: { url } })),
}

/** The override that a flat field of a trigger body maps to; null when it was not sent. Throws INVALID_REQUEST. */
function flatOverride(body: JsonObject, field: string): { nodeType: NodeType; config: JsonObject } | null {
  const rule = FLAT_FIELDS[field]
  const value = own(body, field)
  if (rule === undefined || value === undefined || value === null) return null
  const config = rule.config(value)
  if (config === null) {
    throw new AppError('INVALID_REQUEST', {
      message: `"${field}" should be ${rule.expected}.`,
      details: { field, expected: rule.expected },
    })
  }
  return { nodeType: rule.node, config }
}

/**
 * The flat subtitle styling is the config itself and its entry 0; entries that it carries itself stay on top. `enabled` is
 * of all captions, and of no speaker.
 */
function withFirstSpeaker(subtitle: JsonObject): JsonObject {
  const whole = omit(subtitle, 'speakerStyles')
  const style = omit(whole, 'enabled')
  const given = own(subtitle, 'speakerStyles')
  if (Array.isArray(given)) {
    const [first, ...others] = given as unknown[]
    if (first !== undefined && first !== null && !isPlainObject(first)) return subtitle
    return { ...whole, speakerStyles: [isPlainObject(first) ? { ...style, ...first } : style, ...others] }
  }
  if (given !== undefined && !isPlainObject(given)) return subtitle
  const first = given === undefined ? undefined : own(given, '0')
  if (first !== undefined && !isPlainObject(first)) return subtitle
  return { ...whole, speakerStyles: { ...given, '0': { ...style, ...first } } }
}
