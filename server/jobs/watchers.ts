/** Waiting for operations to settle. */
import type { SettledOperation } from './jobs.ts'

export interface Watchers {
  /** Resolves with the result of `look` or of a later `notify`; null after `timeoutMs`. */
  wait(id: string, timeoutMs: number, look: () => SettledOperation | null): Promise<SettledOperation | null>
  /** Resolves every wait for this operation. */
  notify(id: string, settled: SettledOperation): void
  has(id: string): boolean
  ids(): string[]
}

export function createWatchers(): Watchers {
  const waiting = new Map<string, Set<(settled: SettledOperation | null) => void>>()
  return {
    wait: (id, timeoutMs, look) => {
      const now = look()
      if (now !== null) return Promise.resolve(now)
      return new Promise((resolve) => {
        const others = waiting.get(id) ?? new Set()
        waiting.set(id, others)
        const end = (settled: SettledOperation | null): void => {
          clearTimeout(timer)
          others.delete(end)
          if (others.size === 0) waiting.delete(id)
          resolve(settled)
        }
        const timer = setTimeout(() => end(null), timeoutMs)
        others.add(end)
      })
    },
    notify: (id, settled) => {
      for (const end of [...(waiting.get(id) ?? [])]) end(settled)
    },
    has: (id) => waiting.has(id),
    ids: () => [...waiting.keys()],
  }
}
