/** What each panel beside the picture, and what it lays over the picture, gets. */
import type { OpenClip } from './open-clip.svelte.ts'
import type { Player } from './player.svelte.ts'

export interface PanelProps {
  readonly clip: OpenClip
  readonly player: Player
}
