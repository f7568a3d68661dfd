/** What the library shows of its items, and the shape of a sound. PURE. */
import type { LibraryItem, LibraryKind } from '../../server/contract/library.ts'

export interface Wanted {
  /** Null: every kind. */
  readonly kind: LibraryKind | null
  readonly search: string
}

/** The items of this kind whose name or tags have every word, or a part of one. */
export function shownOf(items: readonly LibraryItem[], { kind, search }: Wanted): readonly LibraryItem[] {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean)
  return items.filter((item) => {
    const text = [item.name, ...item.tags].join(' ').toLowerCase()
    return (kind === null || item.kind === kind) && words.every((word) => text.includes(word))
  })
}

/** How many items there are of each kind. */
export const countsOf = (items: readonly LibraryItem[]): Readonly<Record<LibraryKind, number>> => {
  const counts = { image: 0, video: 0, audio: 0, font: 0 }
  for (const { kind } of items) counts[kind] += 1
  return counts
}

/** The loudest sample of each of so many equal parts, 0 to 1, such that the loudest of all is 1. */
export function peaksOf(samples: Float32Array, parts: number): number[] {
  const size = samples.length / parts
  const peaks = Array.from({ length: parts }, (_none, at) => {
    let most = 0
    for (let index = Math.floor(at * size); index < Math.floor((at + 1) * size); index++)
      most = Math.max(most, Math.abs(samples[index] ?? 0))
    return most
  })
  const loudest = Math.max(...peaks)
  return loudest === 0 ? peaks : peaks.map((peak) => peak / loudest)
}
