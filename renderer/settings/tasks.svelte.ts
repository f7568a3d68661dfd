/** Tasks that were started in the settings, read every second while one is running. */
import { onMount } from 'svelte'
import type { SettingsTask } from '../../server/contract/settings.ts'
import { loadTasks } from './api.ts'

const EVERY_MS = 1000

/** In a component. `onended` is called with each task that has ended since the component is there. */
export function createTasks(onended: (task: SettingsTask) => void) {
  let all = $state.raw<readonly SettingsTask[]>([])
  let timer: ReturnType<typeof setTimeout> | undefined
  let gone = false
  /** Ids of the tasks that had ended at the last reading; null before the first. */
  let endedBefore: ReadonlySet<string> | null = null

  async function poll(): Promise<void> {
    clearTimeout(timer)
    try {
      const { tasks } = await loadTasks()
      if (gone) return
      const ended = tasks.filter(({ state }) => state !== 'running')
      // A task that was started since may have ended between two readings.
      const finished = ended.filter(({ id }) => endedBefore !== null && !endedBefore.has(id))
      endedBefore = new Set(ended.map(({ id }) => id))
      all = tasks
      finished.forEach(onended)
    } catch {
      // The appliance does not answer for a moment; the next reading tries again.
    }
    if (!gone && all.some(({ state }) => state === 'running')) timer = setTimeout(() => void poll(), EVERY_MS)
  }

  onMount(() => {
    void poll()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  })
  return {
    /** The newest of a kind, and of a subject where one is given. */
    find: (kind: SettingsTask['kind'], subject?: string) =>
      all.find((task) => task.kind === kind && (subject === undefined || task.subject === subject)),
    /** Reads the tasks now, and repeatedly while one is running. */
    watch: () => void poll(),
  }
}
