/** The file of the source that is played. Another one replaces it once it shows the same picture. */
import type { StudioClipSource } from '../../server/contract/studio-editor.ts'
import { SOURCE_SLOT } from '../preview/preview.ts'
import { openVideos, type VideoPlayers } from '../preview/videos.ts'

/** A file of the source. */
export interface PlayedFile {
  /** Null: there is none yet. */
  readonly url: string | null
  /** Source second of its first picture. */
  readonly startSeconds: number
}

/** Pending requests to the old file end within this time. */
const OLD_FILE_MS = 3000

export type SourceFile = ReturnType<typeof openSourceFile>

export function openSourceFile(
  source: Pick<StudioClipSource, 'url' | 'startSeconds'>,
  player: {
    /** SHA-256 of the source. */
    readonly digest: string
    readonly addressOf: (digest: string) => string
    readonly playing: () => boolean
    /** Second of the source that is shown; null where it has no picture. */
    readonly moment: () => number | null
    /** Shows the current frame again with the new file. */
    readonly showAgain: () => Promise<void>
    readonly fail: (error: unknown) => void
  },
) {
  const open = (url: string | null): VideoPlayers =>
    openVideos((one) => (one === player.digest ? url : player.addressOf(one)) ?? '')
  let file: PlayedFile = { url: source.url, startSeconds: source.startSeconds }
  let videos = open(file.url)
  let later: PlayedFile | null = null
  let closed = false

  async function take(next: PlayedFile): Promise<void> {
    later = player.playing() ? next : null
    if (later !== null) return
    const opened = open(next.url)
    const moment = player.moment()
    const seconds = Math.max(0, (moment ?? 0) - next.startSeconds)
    try {
      if (moment !== null) await opened.show([{ slot: SOURCE_SLOT, digest: player.digest, seconds }])
    } catch (error) {
      opened.close()
      throw error
    }
    if (closed || player.playing()) {
      opened.close()
      later = closed ? null : next
      return
    }
    const before = videos
    ;[file, videos] = [next, opened]
    await player.showAgain()
    setTimeout(before.close, OLD_FILE_MS)
  }

  return {
    get file() {
      return file
    },
    get videos() {
      return videos
    },
    /** Switches to another file, at once or when playing ends. */
    take,
    /** Call when playing has ended. */
    rest(): void {
      const next = later
      later = null
      if (next !== null && !closed) take(next).catch(player.fail)
    },
    close(): void {
      closed = true
      videos.close()
    },
  }
}
