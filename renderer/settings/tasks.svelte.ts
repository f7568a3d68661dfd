/** What was started in the settings, as it goes on: asked for every second while something does. */
import { onMount } from 'svelte'
import type { SettingsTask } from '../../server/contract/settings.ts'
import { loadTasks } from './api.ts'

const EVERY_MS = 1000

export interface Tasks {
  readonly all: readonly SettingsTask[]
  /** The newest of a kind, and of a subject where one is given. */
  find(kind: SettingsTask['kind'], subject?: string): SettingsTask | undefined
  /** Asks now, and goes on asking while something is going on. */
  watch(): void
}

/** In a component. `onended` is called with each task that was seen to go on and has ended. */
export function createTasks(onended: (task: SettingsTask) => void): Tasks {
  let all = $state.raw<readonly SettingsTask[]>([])
  let timer: ReturnType<typeof setTimeout> | undefined
  let gone = false

  async function ask(): Promise<void> {
    clearTimeout(timer)
    try {
      const { tasks } = await loadTasks()
      if (gone) return
      const running = new Set(all.filter(({ state }) => state === 'running').map(({ id }) => id))
      all = tasks
      for (const task of tasks) if (running.has(task.id) && task.state !== 'running') onended(task)
    } catch {
      // The appliance is away for a moment: what goes on there is asked for again.
    }
    if (!gone && all.some(({ state }) => state === 'running')) timer = setTimeout(() => void ask(), EVERY_MS)
  }

  onMount(() => {
    void ask()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  })
  return {
    get all() {
      return all
    },
    find: (kind, subject) =>
      all.find((task) => task.kind === kind && (subject === undefined || task.subject === subject)),
    watch: () => void ask(),
  }
}
