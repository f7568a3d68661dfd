/** What a browser keeps as JSON: this window's (`sessionStorage`) or everybody's who uses the browser (`localStorage`). */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Keeps `value` in the place of what was there; null: nothing is kept any more. False where the browser has no room: what
 * was there is gone as well, for an older state would bring back what has been undone since.
 */
export function keepJson(store: Store, key: string, value: unknown): boolean {
  try {
    if (value === null) store.removeItem(key)
    else store.setItem(key, JSON.stringify(value))
    return true
  } catch {
    store.removeItem(key)
    return false
  }
}

/** Null where nothing is kept, or what a browser that was killed has half-written. The caller knows its shape. */
export function keptJson(store: Pick<Store, 'getItem'>, key: string): unknown {
  try {
    return JSON.parse(store.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
