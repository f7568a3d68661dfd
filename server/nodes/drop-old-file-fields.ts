/** PURE: configs that name a file and describe it. With another file, what described the one before is wrong. */
import type { JsonObject } from './declare.ts'
import { isPlainObject, omit, own } from './merge.ts'

export type DocumentConfigField =
  'subtitleConfig' | 'titleConfig' | 'watermarkConfig' | 'backgroundMusicOption' | 'endCardOption'

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
