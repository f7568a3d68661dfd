/** JSON in the browser's storage: of this window (`sessionStorage`) or of all windows (`localStorage`). */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Stores `value`; null removes it. False where the storage is full: the older value is removed as well, because it would
 * bring back what has been undone since.
 */
export function storeJson(store: Store, key: string, value: unknown): boolean {
  try {
    if (value === null) store.removeItem(key)
    else store.setItem(key, JSON.stringify(value))
    return true
  } catch {
    store.removeItem(key)
    return false
  }
}

/** Null where nothing is stored or it is damaged, as after a browser crash. The caller knows its shape. */
export function loadJson(store: Pick<Store, 'getItem'>, key: string): unknown {
  try {
    return JSON.parse(store.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
