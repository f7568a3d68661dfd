/** PURE: configs that name a file and describe it. With another file, what described the one before is wrong. */
import type { JsonObject } from './declare.ts'
import { isPlainObject, omit, own } from './merge.ts'

/** By the name that the config has in its node and in a clip: what of it describes the file at its `url`. */
const DESCRIBES = {
  backgroundMusicOption: ['id', 'name', 'thumbnailUrl', 'duration'],
  endCardOption: ['isVideo', 'videoDuration'],
} as const
type Described = keyof typeof DESCRIBES

/** Configs that name a file and describe it, as a clip names them. */
export const isDescribed = (field: string): field is Described => Object.hasOwn(DESCRIBES, field)

/** `merged` (`change` over `base`), without what describes the file of `base` where `change` names another. */
export function withoutOldFile(
  field: Described,
  { base, change, merged }: { base: JsonObject; change: JsonObject; merged: JsonObject },
): JsonObject {
  const url = own(change, 'url')
  if (url === undefined || url === own(base, 'url')) return merged
  return omit(merged, ...DESCRIBES[field].filter((name) => own(change, name) === undefined))
}

/** The same for a node's config in which `key` holds the config. */
export function withoutOldFileIn(
  key: string,
  field: Described,
  { base, layer, merged }: { base: JsonObject; layer: JsonObject; merged: JsonObject },
): JsonObject {
  const [before, change, after] = [base, layer, merged].map((config) => own(config, key))
  if (!isPlainObject(change) || !isPlainObject(after)) return merged
  const parts = { base: isPlainObject(before) ? before : {}, change, merged: after }
  return { ...merged, [key]: withoutOldFile(field, parts) }
}
