/** Draws frames of a video on request, one after the other, from a hidden player. */
import { statusOf, throughOutages } from '../../state/outage.ts'

/** In a row: the browser cannot read it. */
const MAX_FAILURES = 3

export type Stills = ReturnType<typeof openStills>

type StillRequest = { readonly second: number; readonly how: (video: HTMLVideoElement) => void }

/** `startSeconds`: source second of the file's first picture. */
export function openStills(url: string, startSeconds: number) {
  const video = document.createElement('video')
  video.muted = true
  video.preload = 'auto'
  video.src = url
  let requests: StillRequest[] = []
  let now: StillRequest | null = null

  function next(): void {
    if (now !== null || video.readyState < HTMLMediaElement.HAVE_METADATA) return
    now = requests.shift() ?? null
    if (now !== null) video.currentTime = Math.max(0, now.second - startSeconds)
  }
  function arrived(): void {
    if (now === null || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return
    const { how } = now
    now = null
    how(video)
    next()
  }
  let closed = false
  let failures = 0
  /** The appliance was away, if it is read at the next attempts. */
  function failed(): void {
    if (closed || ++failures > MAX_FAILURES) return
    if (now !== null) requests.unshift(now)
    now = null
    throughOutages(() => statusOf(url), { isWanted: () => !closed }).then(
      () => closed || video.load(),
      () => undefined,
    )
  }
  const loaded = (): void => {
    failures = 0
    next()
  }
  video.addEventListener('loadedmetadata', loaded)
  video.addEventListener('seeked', arrived)
  video.addEventListener('error', failed)
  return {
    /** Draws the picture of a source second as soon as it is there; never where the video cannot be read. */
    draw(second: number, how: StillRequest['how']): void {
      requests.push({ second, how })
      next()
    },
    /** Cancels a request. */
    forget: (how: StillRequest['how']) => void (requests = requests.filter((request) => request.how !== how)),
    close(): void {
      closed = true
      requests = []
      now = null
      video.removeEventListener('loadedmetadata', loaded)
      video.removeEventListener('seeked', arrived)
      video.removeEventListener('error', failed)
      video.removeAttribute('src')
      video.load()
    },
  }
}
