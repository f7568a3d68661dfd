/**
 * Plays one card at a time, and draws stills of the others one after the other: each as the finished file will be, by the
 * preview of the clip editor.
 */
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { fontUrl } from '../clip-editor/captions/fonts.ts'
import { createPlayer, type Player } from '../clip-editor/player.svelte.ts'
import { createPreview } from '../preview/preview.ts'
import { openEditor } from '../state/api.ts'
import { sentence } from '../ui/attempt.svelte.ts'

export type CardPlayer = ReturnType<typeof createCardPlayer>

interface Playing {
  readonly clipId: string
  readonly muted: boolean
}

/** Clips that are remembered: what a wall shows without being scrolled, some kilobytes each. */
const MAX_REMEMBERED = 120
/** Second of the clip, after its head, that its still shows: captions and title are there. */
const STILL_SECONDS = 1

/** Editors by clip and version; the oldest are forgotten. */
function createMemory() {
  const known = new Map<string, Promise<StudioEditor>>()
  return (clipId: string, version: string): Promise<StudioEditor> => {
    const key = `${clipId} ${version}`
    const before = known.get(key)
    if (before !== undefined) return before
    const opened = openEditor(clipId)
    known.set(key, opened)
    const forget = (): void => void known.delete(key)
    opened.then(({ source }) => {
      // Its own file is being made: it has another address later.
      if (source.url === null) forget()
    }, forget)
    for (const oldest of known.keys()) {
      if (known.size <= MAX_REMEMBERED) break
      known.delete(oldest)
    }
    return opened
  }
}

/** With its intro. */
function playFromStart(player: Player): void {
  player.seekFrame(0)
  player.toggle()
}

export function createCardPlayer() {
  const read = createMemory()
  let playing = $state.raw<Playing | null>(null)
  let player = $state.raw<Player | null>(null)
  let problem = $state<string | null>(null)
  let starts = 0
  let closed = false
  const waiting = new Map<HTMLCanvasElement, () => Promise<void>>()
  let drawing = false

  function stop(): void {
    starts += 1
    player?.close()
    player = null
    playing = null
    problem = null
  }

  async function begin(
    canvas: HTMLCanvasElement,
    editing: Promise<StudioEditor>,
    own: number,
  ): Promise<void> {
    const editor = await editing
    if (own !== starts) return
    const made = createPlayer(canvas, editor.source, editor.preview, { muted: () => playing?.muted ?? true })
    player = made
    await made.show(editor.preview)
    if (own === starts) playFromStart(made)
  }

  /** Draws one still at a time, none while a card plays: seeking and laying out text take the processor. */
  async function drawWaiting(): Promise<void> {
    if (drawing) return
    drawing = true
    for (let next = takeNext(); next !== null; next = takeNext()) await next().catch(() => undefined)
    drawing = false
  }

  function takeNext(): (() => Promise<void>) | null {
    const [entry] = waiting
    if (entry === undefined || playing !== null || closed) return null
    waiting.delete(entry[0])
    return entry[1]
  }

  return {
    /** Null: none plays, or is about to. */
    get playing() {
      return playing
    },
    /** Where it is, 0 to 1. */
    get fraction() {
      return player === null ? 0 : player.view.frame / Math.max(1, player.view.frames - 1)
    },
    /** It has begun and has come to its end, or was paused. */
    get rests() {
      return player !== null && !player.view.playing
    },
    get problem() {
      return problem ?? player?.view.problem ?? null
    },
    /** Plays a clip on a canvas, in place of what plays. `version`: what changes with its edits. */
    start(clip: { id: string; version: string }, canvas: HTMLCanvasElement, muted: boolean): void {
      stop()
      playing = { clipId: clip.id, muted }
      const own = starts
      begin(canvas, read(clip.id, clip.version), own).catch((error: unknown) => {
        if (own === starts) problem = sentence(error)
      })
    },
    stop(): void {
      stop()
      void drawWaiting()
    },
    /** Draws a still of a clip on a canvas of a card, when it is its turn. Returns what calls it off. */
    still(clip: { id: string; version: string }, canvas: HTMLCanvasElement, onDrawn: () => void): () => void {
      waiting.set(canvas, async () => {
        await drawStill(await read(clip.id, clip.version), canvas)
        onDrawn()
      })
      void drawWaiting()
      return () => void waiting.delete(canvas)
    },
    close(): void {
      closed = true
      waiting.clear()
      stop()
    },
  }
}

/** The clip at its still's moment, as small as the card's canvas. Throws where there is no file to draw from yet. */
async function drawStill({ source, preview }: StudioEditor, canvas: HTMLCanvasElement): Promise<void> {
  const { url, startSeconds } = source
  if (url === null) throw new Error('its file is not there yet')
  const { composition, files } = preview
  const whole = document.createElement('canvas')
  const drawn = await createPreview(whole, composition, {
    pictureUrl: (digest) => files[digest] ?? '',
    fontUrl,
    fontFileUrl: (digest) => files[digest] ?? '',
    videoUrl: (digest) => (digest === composition.source.digest ? url : (files[digest] ?? '')),
    sourceStart: startSeconds,
    withSource: true,
  })
  try {
    const { numerator, denominator } = composition.output.frameRate
    const frame = (composition.headFrames ?? 0) + Math.round((STILL_SECONDS * numerator) / denominator)
    await drawn.drawAt(Math.min(frame, composition.durationFrames - 1))
    const context = canvas.getContext('2d')
    if (context === null) return
    canvas.height = Math.round((canvas.width * whole.height) / whole.width)
    context.imageSmoothingQuality = 'high'
    context.drawImage(whole, 0, 0, canvas.width, canvas.height)
  } finally {
    drawn.close()
  }
}
