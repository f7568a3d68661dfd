/** The words of a source, loaded page by page while they are shown. */
import { RequestRefused } from '../state/request-refused.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import { loadWords } from './api.ts'
import type { SourceWord } from './source-words.ts'

export type SourceText = ReturnType<typeof openSourceText>

export function openSourceText(runId: string) {
  let words = $state.raw<readonly SourceWord[]>([])
  let speakers = $state.raw<readonly string[]>([])
  let state = $state<'waiting' | 'loading' | 'ready' | 'failed'>('waiting')
  let problem = $state<string | null>(null)
  let closed = false

  async function loadAll(): Promise<void> {
    for (let count = 1; words.length < count && !closed;) {
      const page = await loadWords(runId, words.length)
      words = [...words, ...page.words]
      ;({ speakers, count } = page)
      if (page.words.length === 0) break
    }
  }

  return {
    get words() {
      return words
    },
    get speakers() {
      return speakers
    },
    get state() {
      return state
    },
    get problem() {
      return problem
    },
    /** Loads the words, unless they are here or on their way. Never throws. */
    async load(): Promise<void> {
      if (state === 'loading' || state === 'ready') return
      state = 'loading'
      try {
        await loadAll()
        state = 'ready'
      } catch (error) {
        const isNotThere = error instanceof RequestRefused && error.status === 409
        state = isNotThere ? 'waiting' : 'failed'
        problem = isNotThere ? null : sentence(error)
      }
    },
    close: () => void (closed = true),
  }
}
