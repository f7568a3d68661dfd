/** Components whose code is fetched when they are first shown: pages, panels, and what is large and seldom needed. */
import type { Component } from 'svelte'
import { throughOutages } from '../state/outage.ts'

export interface LazyComponent<Props extends object> {
  /** Undefined until its code has arrived. */
  readonly component: Component<Props> | undefined
  /** The last attempt to fetch its code has failed. */
  readonly failed: boolean
  /** Fetches the code, unless it is here or on its way. Never throws. */
  readonly load: () => Promise<void>
}

/** `fetchModule` is an `import()` of a Svelte file: the build makes a chunk of what only it needs. */
export function lazyComponent<Props extends object>(
  fetchModule: () => Promise<{ readonly default: Component<Props> }>,
): LazyComponent<Props> {
  let component = $state.raw<Component<Props> | undefined>()
  let failed = $state(false)
  let pending: Promise<void> | null = null

  async function fetchOnce(): Promise<void> {
    try {
      component = (await throughOutages(fetchModule, { onAway: () => (failed = true) })).default
      failed = false
    } catch {
      // The appliance was upgraded, and its new build has no chunk of this name.
      failed = true
    } finally {
      pending = null
    }
  }

  return {
    get component() {
      return component
    },
    get failed() {
      return failed
    },
    load: () => {
      if (component !== undefined) return Promise.resolve()
      pending ??= fetchOnce()
      return pending
    },
  }
}
