/**
 * The items of several pages, each once: an item that moved to a later page while they were read is taken from the
 * later one. PURE.
 */
export function newestOfEach<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  const last = new Map(items.map((item, at) => [idOf(item), at]))
  return items.filter((item, at) => last.get(idOf(item)) === at)
}
