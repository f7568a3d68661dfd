/**
 * What a list that was read page by page has, each thing once: one that has moved on to a later page while somebody was
 * reading is where it was seen last, as it was then. PURE.
 */
export function newestOfEach<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  const last = new Map(items.map((item, at) => [idOf(item), at]))
  return items.filter((item, at) => last.get(idOf(item)) === at)
}
