/**
 * KiB of pages that a connection caches. The system caches them as well; better-sqlite3's default of 16 MB is dropped
 * whenever another process writes. https://www.sqlite.org/pragma.html#pragma_cache_size
 */
export const CACHE_KIB = 4096

/** Creates a cache that makes what it lacks, and forgets the least recently used beyond `most`. */
export function createCache<Value>(most: number): (key: string, make: () => Value) => Value {
  const cached = new Map<string, { readonly value: Value }>()
  return (key, make) => {
    const entry = cached.get(key) ?? { value: make() }
    cached.delete(key)
    cached.set(key, entry)
    const [oldest] = cached.size > most ? cached.keys() : []
    if (oldest !== undefined) cached.delete(oldest)
    return entry.value
  }
}
