/** Turns a music option into a music request: file, level, ducking. */
import type { NodeEdits, ComposeContext, MusicRequest } from '../declare.ts'
import { soundAt } from '../pictures/asset.ts'
import { DUCKED_BY, musicLevel } from './place-music.ts'

interface MusicOption {
  readonly url?: string
  readonly volume?: number
}

/** One option as edits of a node; nothing for an option without an address, or with a volume of 0. */
export function musicEdits(
  option: MusicOption | undefined,
  placement: { readonly place: MusicRequest['place']; readonly label: string; readonly ducking: boolean },
  context: Pick<ComposeContext, 'assets'>,
): Required<Pick<NodeEdits, 'music' | 'warnings'>> {
  const warnings: string[] = []
  const { place, label, ducking } = placement
  const levelDb = musicLevel(option?.volume, place)
  if ((option?.url?.trim() ?? '') === '' || levelDb === null) return { music: [], warnings }
  const asset = soundAt(context.assets, option?.url, label, (message) => void warnings.push(message))
  const duckDb = ducking ? DUCKED_BY : 0
  return { music: asset === null ? [] : [{ place, label, asset, levelDb, duckDb }], warnings }
}
