/** Which of a stream's forms is recorded. PURE. */
import type { MasterPlaylist, Variant } from './playlist.ts'

/** Clips are at most this high; more would be fetched and thrown away. */
const ENOUGH_LINES = 1080

const VIDEO_CODEC = /^(avc|hvc|hev|dvh|vp0?9|av01|mp4v|vvc)/i

export interface ChosenVariant {
  readonly uri: string
  /** The sound, where it is a playlist of its own. */
  readonly audioUri: string | null
}

/**
 * Forms from the best to the worst: with a picture before sound alone; up to 1080 lines the more the better, above that
 * the fewer; then the higher bit rate. Lines that are not said count as none.
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

/** Above what is enough, less is better and still better than nothing. */
function rank({ height }: Variant): number {
  if (height === null) return 0
  return height <= ENOUGH_LINES ? height : ENOUGH_LINES / (height / ENOUGH_LINES) / 10_000 + 0.5
}
