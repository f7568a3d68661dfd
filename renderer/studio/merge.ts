/** What an edit changes, and how two people's edits of one clip go together: field by field. PURE. */
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import type { ClipCut } from './cut.ts'

/** What can be edited, as one value. */
export interface ClipEdit {
  readonly cut: ClipCut
  readonly title: string
  readonly subtitleConfig: Readonly<Record<string, unknown>>
  readonly titleConfig: Readonly<Record<string, unknown>>
}

/** The clip as the appliance has it. */
export const editOf = (editor: StudioEditor): ClipEdit => ({
  cut: {
    startTimestamp: editor.startTimestamp,
    endTimestamp: editor.endTimestamp,
    segments: editor.segments,
  },
  title: editor.title,
  subtitleConfig: editor.subtitleConfig,
  titleConfig: editor.titleConfig,
})

/** Fields as people call them, in the order in which they are named. */
const FIELDS: readonly { readonly name: keyof ClipEdit; readonly label: string }[] = [
  { name: 'cut', label: 'the cut' },
  { name: 'title', label: 'the title' },
  { name: 'subtitleConfig', label: 'the captions' },
  { name: 'titleConfig', label: 'the title card' },
]

const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** The same value with the members of its objects in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}

/** The members of a config that differ: a config is saved member by member. */
function changedMembers(
  base: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => !same(base[name], value)))
}

/** The updates that make `next` of `base`, as the API takes them; nothing for nothing. */
export function changesOf(base: ClipEdit, next: ClipEdit): Record<string, unknown> {
  const subtitleConfig = changedMembers(base.subtitleConfig, next.subtitleConfig)
  const titleConfig = changedMembers(base.titleConfig, next.titleConfig)
  const { startTimestamp, endTimestamp, segments } = next.cut
  return {
    ...(same(base.cut, next.cut) ? {} : { startTimestamp, endTimestamp, segments: [...segments] }),
    ...(base.title === next.title ? {} : { title: next.title }),
    ...(Object.keys(subtitleConfig).length === 0 ? {} : { subtitleConfig }),
    ...(Object.keys(titleConfig).length === 0 ? {} : { titleConfig }),
  }
}

/**
 * Our edits and theirs, both made on `base`. A field that only one of both has changed is theirs or ours; one that both
 * have changed differently is a conflict, and ours unless `prefer` says otherwise.
 */
export function mergeEdits(given: {
  readonly base: ClipEdit
  readonly ours: ClipEdit
  readonly theirs: ClipEdit
  readonly prefer?: 'ours' | 'theirs'
}): { readonly edit: ClipEdit; readonly conflicts: readonly string[] } {
  const { base, ours, theirs, prefer = 'ours' } = given
  const conflicts: string[] = []
  const taken = FIELDS.map(({ name, label }) => {
    if (same(base[name], ours[name])) return [name, theirs[name]]
    if (same(base[name], theirs[name]) || same(ours[name], theirs[name])) return [name, ours[name]]
    conflicts.push(label)
    return [name, prefer === 'ours' ? ours[name] : theirs[name]]
  })
  return { edit: Object.fromEntries(taken) as ClipEdit, conflicts }
}
