/** Pictures of video files in the browser: one player for each use of a file, seeked to the moment that is wanted. */
import type { VideoPicture } from '../../workers/compositor/layers/layer.ts'
import { preview } from '../messages/picture.ts'
import { statusOf } from '../state/outage.ts'

/** A picture that a frame needs: which use of a file (`slot`), the file, and the moment, seconds from its start. */
export interface WantedMoment {
  readonly slot: string
  readonly digest: string
  readonly seconds: number
}

export type VideoPlayers = ReturnType<typeof openVideos>

/** Further away than this, seconds, a player is sent to the moment instead of being left to run. */
const MAX_APART = 0.12
/** How long to wait for a player, milliseconds. */
const PATIENCE = 15_000
/** Hidden pages get no frame callbacks, so that waiting for one ends after this time, milliseconds. */
const HIDDEN_MS = 250
/** Times of pictures are rounded to microseconds. */
const LATER_SECONDS = 0.001

export function openVideos(videoUrl: (digest: string) => string) {
  const players = new Map<string, HTMLVideoElement>()
  const unreadable = new Set<string>()
  const playerOf = ({ slot, digest }: Pick<WantedMoment, 'slot' | 'digest'>): HTMLVideoElement => {
    const before = players.get(slot)
    if (before !== undefined) return before
    const player = document.createElement('video')
    player.muted = true
    player.preload = 'auto'
    player.crossOrigin = 'anonymous'
    player.src = videoUrl(digest)
    players.set(slot, player)
    return player
  }
  async function showOne(one: WantedMoment): Promise<void> {
    if (unreadable.has(one.digest)) return
    const player = playerOf(one)
    try {
      await seekTo(player, one.seconds)
    } catch (error) {
      // Its connection may be lost: without an appliance this rejects, otherwise the file is loaded once more.
      await statusOf(player.src)
      player.load()
      await seekTo(player, one.seconds).catch(async () => {
        if (player.error === null) throw error
        await statusOf(player.src)
        unreadable.add(one.digest)
      })
    }
  }
  return {
    /**
     * Shows exactly these moments: resolves when every player has come to its own, or its file cannot be read. Rejects
     * where one does not come, and where the appliance does not answer.
     */
    show: async (wanted: readonly WantedMoment[]): Promise<void> => {
      await Promise.all(wanted.map(showOne))
    },
    /** Digests of files that the browser cannot read. */
    unreadable: unreadable as ReadonlySet<string>,
    /** Sends the players on without waiting; what they show meanwhile is what `picture` gives. */
    follow: (wanted: readonly WantedMoment[]): void => {
      for (const one of wanted) {
        const player = playerOf(one)
        const apart = Math.abs(player.currentTime - one.seconds)
        if (!player.seeking && apart > MAX_APART) player.currentTime = one.seconds
      }
    },
    /** The player of a slot, made if there is none yet. */
    player: playerOf,
    /** What a slot shows; null while there is nothing yet. */
    picture: (slot: string): VideoPicture | null => {
      const player = players.get(slot)
      if (player === undefined || player.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null
      const { videoWidth: width, videoHeight: height } = player
      return { image: sized(player, width, height), width, height }
    },
    close: (): void => {
      for (const player of players.values()) {
        player.removeAttribute('src')
        player.load()
      }
      players.clear()
    },
  }
}

/** An element's `width` is that on the page; a canvas draws the file's own picture whatever it says. */
function sized(player: HTMLVideoElement, width: number, height: number): HTMLVideoElement {
  player.width = width
  player.height = height
  return player
}

async function seekTo(player: HTMLVideoElement, seconds: number): Promise<void> {
  if (player.readyState < HTMLMediaElement.HAVE_METADATA) await once(player, 'loadedmetadata')
  const last = Math.max(0, player.duration - 0.001)
  const moment = Number.isFinite(last) ? Math.min(seconds, last) : seconds
  const there = Math.abs(player.currentTime - moment) < 1e-4 && !player.seeking
  if (!there || player.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
    const arrived = once(player, 'seeked')
    const picture = pictureAt(player, moment)
    player.currentTime = moment
    await arrived
    await Promise.race([picture, new Promise((resolve) => setTimeout(resolve, HIDDEN_MS))])
  }
  if (player.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await once(player, 'loadeddata')
}

/**
 * Resolves when the picture of the moment can be drawn. On a busy machine a seek has ended before: what is drawn until then
 * is the picture of the moment before it. https://wicg.github.io/video-rvfc/
 */
async function pictureAt(player: HTMLVideoElement, moment: number): Promise<void> {
  const shown = (): Promise<number> =>
    new Promise((resolve) => {
      player.requestVideoFrameCallback((_now, { mediaTime }) => resolve(mediaTime))
    })
  // One of a later moment is left from before the seek.
  while ((await shown()) > moment + LATER_SECONDS);
}

function once(player: HTMLVideoElement, event: string): Promise<void> {
  const cannot = () => new Error(preview.noVideo(player.error?.message))
  if (player.error !== null) return Promise.reject(cannot())
  return new Promise<void>((resolve, reject) => {
    const done = new AbortController()
    const late = setTimeout(() => settle(() => reject(cannot())), PATIENCE)
    const settle = (how: () => void): void => {
      clearTimeout(late)
      done.abort()
      how()
    }
    player.addEventListener(event, () => settle(resolve), { signal: done.signal })
    player.addEventListener('error', () => settle(() => reject(cannot())), { signal: done.signal })
  })
}
