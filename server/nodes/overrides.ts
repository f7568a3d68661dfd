/**
 * Overrides of a saved workflow for one run. Precedence, lowest first: template, flat fields, nodeConfigs,
 * nodeConfigOverrides, actionConfigs. Each is stored as given and in order; resolve.ts merges them into the nodes.
 */
import { AppError } from '../contract/errors.ts'
import type { JsonObject } from './declare.ts'
import { FLAT_FIELDS, flatOverride } from './legacy-fields.ts'
import { isPlainObject, own } from './merge.ts'

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

/**
 * Every override in a trigger body. Throws INVALID_REQUEST for a flat field of the wrong type and for a structured
 * override that is neither a map by node type nor a list of `{nodeType, config}`.
 */
export function overridesFromBody(body: JsonObject): NodeOverrides {
  const flat = Object.keys(FLAT_FIELDS).flatMap((field) => {
    const override = flatOverride(body, field)
    return override === null ? [] : [{ origin: field, ...override }]
  })
  return [...flat, ...STRUCTURED.flatMap((field) => structuredOverrides(own(body, field), field))]
}

/** One structured override in either form. */
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
