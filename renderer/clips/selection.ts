/**
 * The clips page: the grid with its filters (ClipGrid.svelte), what is selected in it (this file, PURE), and
 * what is done to many clips at once (bulk.svelte.ts).
 */
export interface Selection {
  readonly ids: ReadonlySet<string>
  /** Where a range begins: the clip that was selected last without Shift. */
  readonly anchor: string | null
}

export const NOTHING: Selection = { ids: new Set(), anchor: null }

/** Adds or removes one clip. */
export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** Adds everything from the anchor to `id`, in the shown order. */
export function extend({ ids, anchor }: Selection, id: string, shown: readonly string[]): Selection {
  const a = shown.indexOf(anchor ?? id)
  const b = shown.indexOf(id)
  if (a < 0 || b < 0) return { ids: new Set([...ids, id]), anchor: id }
  return { ids: new Set([...ids, ...shown.slice(Math.min(a, b), Math.max(a, b) + 1)]), anchor }
}

export const all = (shown: readonly string[]): Selection => ({
  ids: new Set(shown),
  anchor: shown[0] ?? null,
})

/** Drops clips that are no longer shown. */
export function among({ ids, anchor }: Selection, shown: readonly string[]): Selection {
  const there = new Set(shown)
  return {
    ids: new Set([...ids].filter((id) => there.has(id))),
    anchor: anchor !== null && there.has(anchor) ? anchor : null,
  }
}

/** The index that a key moves to in a grid; unchanged where it leads nowhere. */
export function placeAfter(
  key: string,
  at: number,
  { columns, count }: { readonly columns: number; readonly count: number },
): number {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -at,
    End: count - 1 - at,
  }
  const next = at + (steps[key] ?? 0)
  return next >= 0 && next < count ? next : at
}
