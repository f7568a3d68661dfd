/** Deep merging of JSON values. Safe with hostile keys: nothing is read from or written to a prototype. */
import type { JsonObject } from './declare.ts'

/** An object as JSON makes them; lists, null and class instances are not. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Own property only: `constructor` and the like of the prototype are not values. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets an own property, whatever its name; assigning `__proto__` would change the prototype instead. */
export function setOwn(object: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** `over` on top of `base`: plain objects merge key by key, everything else is replaced. Neither is changed. */
export function deepMerge(base: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = {}
  for (const [key, value] of Object.entries(base)) setOwn(merged, key, copyJson(value))
  for (const [key, value] of Object.entries(over)) {
    const before = own(merged, key)
    const both = isPlainObject(before) && isPlainObject(value)
    setOwn(merged, key, both ? deepMerge(before, value) : copyJson(value))
  }
  return merged
}

/** A copy that shares nothing with its origin. */
function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson)
  return isPlainObject(value) ? deepMerge({}, value) : value
}

/** Without some keys. */
export function omit(object: JsonObject, ...keys: string[]): JsonObject {
  const rest: JsonObject = {}
  for (const [key, value] of Object.entries(object)) if (!keys.includes(key)) setOwn(rest, key, value)
  return rest
}

export type DocumentConfigField =
  | 'subtitleConfig'
  | 'titleConfig'
  | 'watermarkConfig'
  | 'backgroundMusicOption'
  | 'endCardOption'
  | 'motionConfig'
  | 'deliveryConfig'
  | 'soundConfig'

/** By the name that the config has in its node and in a clip: what of it describes the file at its `url`. */
const DESCRIBES: Readonly<Partial<Record<DocumentConfigField, readonly string[]>>> = {
  backgroundMusicOption: ['id', 'name', 'thumbnailUrl', 'duration'],
  endCardOption: ['isVideo', 'videoDuration'],
}

/** `merged` (`change` over `base`), without what describes the file of `base` where `change` names another. */
export function withoutOldFile(
  field: DocumentConfigField,
  { base, change, merged }: { base: JsonObject; change: JsonObject; merged: JsonObject },
): JsonObject {
  const url = own(change, 'url')
  if (url === undefined || url === own(base, 'url')) return merged
  const stale = DESCRIBES[field]?.filter((name) => own(change, name) === undefined) ?? []
  return omit(merged, ...stale)
}

/** The same for a node's config in which `key` holds the config. */
export function withoutOldFileIn(
  key: string,
  field: DocumentConfigField,
  { base, layer, merged }: { base: JsonObject; layer: JsonObject; merged: JsonObject },
): JsonObject {
  const [before, change, after] = [base, layer, merged].map((config) => own(config, key))
  if (!isPlainObject(change) || !isPlainObject(after)) return merged
  const parts = { base: isPlainObject(before) ? before : {}, change, merged: after }
  return { ...merged, [key]: withoutOldFile(field, parts) }
}
