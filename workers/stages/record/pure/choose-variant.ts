/** Chooses which variant of a stream is recorded. PURE. */
import type { MasterPlaylist, Variant } from './playlist.ts'

/** Clips have at most this height, so more would be fetched in vain. */
const ENOUGH_LINES = 1080

const VIDEO_CODEC = /^(avc|hvc|hev|dvh|vp0?9|av01|mp4v|vvc)/i

export interface ChosenVariant {
  readonly uri: string
  /** The sound, if it is a playlist of its own. */
  readonly audioUri: string | null
}

/**
 * Variants from best to worst: those with a picture come before sound alone; up to 1080 lines more is better, above that less is
 * better; then by bit rate. A missing height counts as 0.
 */
export function variantsByRank(playlist: MasterPlaylist): ChosenVariant[] {
  const ranked = playlist.variants.toSorted(
    (a, b) => Number(soundOnly(a)) - Number(soundOnly(b)) || rank(b) - rank(a) || b.bandwidth - a.bandwidth,
  )
  return ranked.map(({ uri, audio }) => {
    const group = playlist.audio.filter((rendition) => rendition.group === audio)
    const rendition = group.find(({ isDefault }) => isDefault) ?? group[0]
    return { uri, audioUri: rendition?.uri === uri ? null : (rendition?.uri ?? null) }
  })
}

const soundOnly = ({ codecs, height }: Variant): boolean =>
  height === null && codecs.length > 0 && !codecs.some((codec) => VIDEO_CODEC.test(codec))

/** Above 1080 lines less is better, but still better than no picture. */
function rank({ height }: Variant): number {
  if (height === null) return 0
  return height <= ENOUGH_LINES ? height : ENOUGH_LINES / (height / ENOUGH_LINES) / 10_000 + 0.5
}
