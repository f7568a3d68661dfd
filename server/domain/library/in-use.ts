/** Who works with a thing in this process, so that no sweep takes it from them meanwhile. */

export interface InUse {
  readonly has: (id: string) => boolean
  /** These are in use until the work has ended. Several may use one at once. */
  readonly during: <T>(ids: readonly string[], work: () => Promise<T>) => Promise<T>
}

export function createInUse(): InUse {
  const users = new Map<string, number>()
  const change = (id: string, by: number): void => {
    const count = (users.get(id) ?? 0) + by
    if (count > 0) users.set(id, count)
    else users.delete(id)
  }
  return {
    has: (id) => users.has(id),
    async during(ids, work) {
      for (const id of ids) change(id, 1)
      try {
        return await work()
      } finally {
        for (const id of ids) change(id, -1)
      }
    },
  }
}
