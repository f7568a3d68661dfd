/** Draws what a workflow makes of a clip on canvases: composed by the appliance, drawn by the compositor. */
import type { StudioWorkflowDraft, StudioWorkflowPreview } from '../../server/contract/studio-workflow.ts'
import { fontUrl } from '../clip-editor/captions/fonts.ts'
import { createPreview, type Preview } from '../preview/preview.ts'
import { openVideos, type VideoPlayers } from '../preview/videos.ts'
import { call, json } from '../state/api.ts'

interface Opened {
  readonly key: string
  readonly videos: VideoPlayers
}

/** What is drawn of one clip after another; of calls that overlap, the last one is drawn. */
export function createSampleDrawing() {
  let given: StudioWorkflowPreview | null = null
  let opened: Opened | null = null
  let preview: Preview | null = null
  let latest = 0
  let closed = false

  /** Players are kept as long as the file is the same: they have it loaded. */
  function videosOf({ source, composition }: StudioWorkflowPreview): VideoPlayers {
    const key = source.url ?? ''
    if (opened?.key === key) return opened.videos
    opened?.videos.close()
    const address = (digest: string) =>
      digest === composition.source.digest ? key : (given?.files[digest] ?? '')
    opened = { key, videos: openVideos(address) }
    return opened.videos
  }

  return {
    /** Composes the workflow; null where a later call has overtaken this one. Throws RequestRefused. */
    async compose(draft: StudioWorkflowDraft): Promise<StudioWorkflowPreview | null> {
      const mine = ++latest
      const made = await call<StudioWorkflowPreview>('/studio/workflow-preview', json('POST', draft))
      if (mine !== latest || closed) return null
      given = made
      const next = await createPreview(document.createElement('canvas'), made.composition, {
        pictureUrl: (digest) => made.files[digest] ?? '',
        fontUrl,
        fontFileUrl: (digest) => made.files[digest] ?? '',
        videos: videosOf(made),
        withSource: made.source.url !== null,
        sourceStart: made.source.startSeconds,
      })
      if (mine !== latest || closed) {
        next.close()
        return null
      }
      preview?.close()
      preview = next
      return made
    },
    /** Draws a frame of what was composed last, as wide as the canvas is. */
    async draw(canvas: HTMLCanvasElement, frame: number): Promise<void> {
      const shown = preview
      if (shown === null) return
      await shown.drawAt(frame)
      const context = canvas.getContext('2d')
      if (shown !== preview || context === null) return
      canvas.height = Math.round((canvas.width * shown.canvas.height) / shown.canvas.width)
      context.imageSmoothingQuality = 'high'
      context.drawImage(shown.canvas, 0, 0, canvas.width, canvas.height)
    },
    close(): void {
      closed = true
      preview?.close()
      opened?.videos.close()
    },
  }
}
