/** Requests a scrubbing proxy of the cut and its surroundings; the player switches to it. */
import { sentence } from '../../ui/attempt.svelte.ts'
import type { StudioScrub } from '../../../server/contract/studio-footage.ts'
import { call } from '../../state/api.ts'
import { throughOutages } from '../../state/outage.ts'
import { commonMessages } from '../../messages/common.ts'
import type { OpenClip } from '../open-clip.svelte.ts'
import type { Player } from '../player.svelte.ts'

const AGAIN_MS = 250

export type Scrub = ReturnType<typeof openScrub>

export function openScrub(clip: OpenClip, player: Player) {
  const { source } = clip.view.editor
  let progress = $state<number | null>(null)
  let ready = $state.raw(source.url === null ? null : source.range)
  let problem = $state<string | null>(null)
  let calls = 0
  let made = ''

  async function have(own: number, name: string): Promise<void> {
    const path = `/studio/clips/${encodeURIComponent(clip.view.editor.id)}/scrub`
    const during = {
      isWanted: () => own === calls,
      onAway: () => (problem = commonMessages.applianceUnreachable),
    }
    while (own === calls) {
      const scrub = await throughOutages(() => call<StudioScrub>(path), during)
      problem = null
      if (own !== calls) return
      if (scrub.state === 'making') {
        progress = scrub.progress
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        continue
      }
      progress = null
      if (scrub.state === 'failed') problem = scrub.message
      if (scrub.state !== 'ready') return
      made = name
      const file = { url: scrub.url, startSeconds: scrub.startSeconds }
      await throughOutages(() => player.playFile(file), during)
      problem = null
      ready = scrub.range
      return
    }
  }

  return {
    /** 0 to 1 while it is being made; null: it is not. */
    get progress() {
      return progress
    },
    /** Source seconds that can be looked at by now. */
    get ready() {
      return ready
    },
    get problem() {
      return problem
    },
    /** Call when the extended cut has changed. */
    follow() {
      const { start, end } = clip.view.editor.source.range
      const name = `${start} ${end}`
      if (name === made) return
      const own = ++calls
      have(own, name).catch((error: unknown) => {
        if (own !== calls) return
        progress = null
        problem = sentence(error)
      })
    },
    close() {
      calls += 1
    },
  }
}
