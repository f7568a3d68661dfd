/** Merges two people's edits of one clip, field by field. PURE. */
import { EDIT_FIELDS, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import { mergePart, type Automatic } from './merge-overrides.ts'
import { mergeWhole, type Side } from './merge-lists.ts'

/**
 * Our edits and theirs, both made on `base`. A field that only one of both has changed is theirs or ours; of one that is a
 * list by hand, each item. What both have changed differently is a conflict, and ours unless `prefer` says otherwise.
 * `automatic`: what was there by itself where `base` leaves a part to the nodes; without it such a part is taken whole.
 */
export function mergeEdits(given: {
  readonly base: ClipEdit
  readonly ours: ClipEdit
  readonly theirs: ClipEdit
  readonly prefer?: Side
  readonly automatic?: Automatic
}): { readonly edit: ClipEdit; readonly conflicts: readonly string[] } {
  const { base, ours, theirs, prefer = 'ours', automatic = {} } = given
  const conflicts: string[] = []
  const taken = EDIT_FIELDS.map(({ name, label, kind }) => {
    const sides = { base: base[name], ours: ours[name], theirs: theirs[name], prefer }
    const merged =
      kind === 'overrides' ? mergePart(name, { base, ours, theirs, prefer }, automatic) : mergeWhole(sides)
    if (merged.conflict) conflicts.push(label)
    return [name, merged.value]
  })
  return { edit: Object.fromEntries(taken) as ClipEdit, conflicts }
}
