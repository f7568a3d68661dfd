/**
 * PURE: counters of Snapchat's stats by asset. Its documentation names the metrics and leaves open how deep they lie in an
 * answer, so they are looked for: in whatever has an asset's id, and in what is inside of that.
 */

type Counters = Record<string, number>

/** `{views, favorites, ...}` by asset id, names in lower case. */
export function snapStats(answer: unknown): Map<string, Counters> {
  const found = new Map<string, Counters>()
  walk(answer, null, found)
  return found
}

function walk(value: unknown, owner: string | null, found: Map<string, Counters>): void {
  if (Array.isArray(value)) {
    for (const one of value) walk(one, owner, found)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const entry = value as Record<string, unknown>
  const id = [entry['asset_id'], entry['id']].find((one) => typeof one === 'string') ?? owner
  if (typeof id === 'string') collectCounters(entry, id, found)
  for (const inner of Object.values(entry)) walk(inner, typeof id === 'string' ? id : null, found)
}

/** Both ways of telling a counter: `{views: 5}`, and `{field: 'VIEWS', value: 5}`. */
function collectCounters(entry: Record<string, unknown>, id: string, found: Map<string, Counters>): void {
  const counters = found.get(id) ?? {}
  const named = [entry['field'], entry['name'], entry['metric']].find((one) => typeof one === 'string')
  const entries: [string, unknown][] =
    typeof named === 'string' && 'value' in entry ? [[named, entry['value']]] : Object.entries(entry)
  for (const [name, value] of entries) {
    const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    if (typeof count === 'number' && Number.isFinite(count) && count >= 0)
      counters[name.toLowerCase()] = Math.floor(count)
  }
  if (Object.keys(counters).length > 0) found.set(id, counters)
}
