/** Merges two people's edits of one clip, field by field. PURE. */
import { EDIT_FIELDS, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import {
  eachSide,
  mergeWhole,
  type Side,
  mergeApart,
  mergeItems,
  mergeLayouts,
  mergeMembers,
  type Merged,
  type ThreeWay,
} from './merge-lists.ts'
import type { ManualOverrides } from '../../server/contract/manual-overrides.ts'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { automaticZooms } from './timeline/automatic-zooms.ts'
import { speakersIn } from '../../server/nodes/editing/speakers.ts'

/** Whose value is taken of what both changed: of everything alike, or by field. */
export type Preferred = Side | Readonly<Partial<Record<EditField, Side>>>
export type EditField = (typeof EDIT_FIELDS)[number]['name']

/**
 * Merges our edits and theirs, both made on `base`: a field that only one side changed is taken from it; of manual lists,
 * each item. What both changed differently is a conflict, and ours unless `prefer` is theirs. `automatic`: the values of
 * parts that `base` leaves to the nodes; without them such a part is taken whole.
 */
export function mergeEdits(given: {
  readonly base: ClipEdit
  readonly ours: ClipEdit
  readonly theirs: ClipEdit
  readonly prefer?: Preferred
  readonly automatic?: Automatic
}): { readonly edit: ClipEdit; readonly conflicts: readonly string[] } {
  const { base, ours, theirs, prefer: preferred = 'ours', automatic = {} } = given
  const conflicts: string[] = []
  const taken = EDIT_FIELDS.map(({ name, label, kind }) => {
    const prefer = typeof preferred === 'string' ? preferred : (preferred[name] ?? 'ours')
    const edits = { base, ours, theirs, prefer }
    const merged =
      kind === 'overrides'
        ? mergePart(name, edits, automatic)
        : mergeWhole(eachSide<ClipEdit, unknown>(edits, (side) => side[name]))
    if (merged.conflict) conflicts.push(label)
    return [name, merged.value]
  })
  return { edit: Object.fromEntries(taken) as ClipEdit, conflicts }
}

type PartName = keyof ManualOverrides
/** The parts of one edit; null: left to the nodes. */
export type Parts = { readonly [Name in PartName]: ManualOverrides[Name] | null }

/** The automatic values in the form of manual overrides; absent: unknown. */
export type Automatic = Partial<Pick<ManualOverrides, 'zooms' | 'broll' | 'speakers'>>

/** The automatic values of the saved clip. */
export const automaticOf = ({ overrides, preview, broll, words, speakers }: StudioEditor): Automatic => ({
  broll,
  speakers: speakersIn(words, speakers).map(({ name }) => name),
  ...(overrides.zooms === undefined ? { zooms: automaticZooms(preview.composition) } : {}),
})

/** Null: left to the nodes. */
type Value<Name extends PartName> = NonNullable<ManualOverrides[Name]> | null
type Part<Name extends PartName> = ThreeWay<Value<Name>>

/** A list of which none is set where it is null. */
function mergeSet<T>(
  given: ThreeWay<readonly T[] | null>,
  merge: (lists: ThreeWay<readonly T[]>) => Merged<T[]>,
): Merged<T[] | null> {
  const { value, conflict } = merge(eachSide(given, (side) => side ?? []))
  return { value: value.length === 0 ? null : value, conflict }
}

/** A list that replaces automatic values: where one side returned to automatic, it is merged as a whole. */
function mergeOver<T>(
  given: ThreeWay<T[] | null>,
  automatic: T[] | undefined,
  merge: (lists: ThreeWay<readonly T[]>) => Merged<T[]>,
): Merged<T[] | null> {
  const { ours, theirs, prefer } = given
  const base = given.base ?? automatic
  if (base === undefined || ours === null || theirs === null) return mergeWhole(given)
  return merge({ base, ours, theirs, prefer })
}

function mergeNodes(given: Part<'nodes'>): Merged<Value<'nodes'>> {
  const { value, conflict } = mergeMembers(eachSide(given, (side) => side ?? {}))
  return { value: Object.keys(value).length === 0 ? null : value, conflict }
}

/** Names in the order of those who have them: each for itself where all three are of as many people. */
function mergeNames(given: Part<'speakers'>, automatic: Automatic): Merged<Value<'speakers'>> {
  const { ours, theirs, prefer } = given
  const base = given.base ?? automatic.speakers
  if (base === undefined || ours === null || theirs === null) return mergeWhole(given)
  if (ours.length !== base.length || theirs.length !== base.length) return mergeWhole(given)
  const names = base.map((name, at) =>
    mergeWhole({ base: name, ours: ours[at] ?? name, theirs: theirs[at] ?? name, prefer }),
  )
  return { value: names.map(({ value }) => value), conflict: names.some(({ conflict }) => conflict) }
}

function mergeThumbnail(given: Part<'thumbnail'>): Merged<Value<'thumbnail'>> {
  const { base, ours, theirs, prefer } = given
  if (base === null || ours === null || theirs === null) return mergeWhole(given)
  const of = <Name extends keyof typeof base>(name: Name) =>
    eachSide({ base, ours, theirs, prefer }, (side) => side[name])
  const moment = mergeWhole(of('moment'))
  const clipLayers = mergeWhole(of('clipLayers'))
  const items = mergeItems(of('items'))
  return {
    value: { moment: moment.value, clipLayers: clipLayers.value, items: items.value },
    conflict: moment.conflict || clipLayers.conflict || items.conflict,
  }
}

const MERGES: {
  readonly [Name in PartName]: (given: Part<Name>, automatic: Automatic) => Merged<Value<Name>>
} = {
  layouts: (given) => mergeSet(given, mergeLayouts),
  zooms: (given, { zooms }) => mergeOver(given, zooms, mergeApart),
  overlays: (given) => mergeSet(given, mergeItems),
  broll: (given, { broll }) => mergeOver(given, broll, mergeApart),
  nodes: mergeNodes,
  speakers: mergeNames,
  thumbnail: mergeThumbnail,
}

/** One part of three edits. */
function mergePart<Name extends PartName>(
  name: Name,
  edits: ThreeWay<Parts>,
  automatic: Automatic,
): Merged<Value<Name>> {
  const given: Part<Name> = eachSide(edits, (side) => side[name] ?? null)
  // Where only one side changed the part, it is taken unchanged.
  const whole = mergeWhole(given)
  return whole.conflict ? MERGES[name](given, automatic) : whole
}
