/** What each lane of the timeline gets. */
import type { Scrub } from './scrub.svelte.ts'
import type { Timeline } from './timeline.svelte.ts'

export interface LaneProps {
  readonly timeline: Timeline
  readonly scrub: Scrub
}
