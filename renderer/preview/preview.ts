/**
 * The studio's preview: a clip's picture and everything that is drawn over it, on a canvas of the page. The layers are
 * drawn by the very code that draws them into the finished file (workers/compositor), the picture by the same places and
 * moments. test/e2e/preview.test.ts holds both against each other.
 *
 *   const preview = await createPreview(canvas, composition, { pictureUrl, fontUrl, videoUrl })
 *   await preview.drawAt(frame)   // exactly this frame: videos are seeked to it first
 *   preview.drawPlaying(frame)    // while it plays: with the pictures that the videos show by now
 */
import type { Composition } from '../../server/contract/composition.ts'
import { SOURCE_FRAME } from '../../server/contract/composition-pictures.ts'
import { drawFrame, picturesOf, prepare, videoLayersOf } from '../../workers/compositor/compositor.ts'
import type { PreparedLayer, TextBlock, Videos } from '../../workers/compositor/layers/layer.ts'
import { sourceMoment } from '../../server/contract/time-map/frames.ts'
import { besideMoment, transitionFrames } from '../../server/contract/time-map/transitions.ts'
import { rationalToNumber } from '../../server/contract/time.ts'
import { cutOutLayers } from '../../workers/compositor/cutout/cut-out-job.ts'
import { shownFrames, videoMoment } from '../../workers/compositor/video-place.ts'
import { preview } from '../messages/picture.ts'
import { openContext } from './canvas.ts'
import type { CutOuts } from './cut-outs.ts'
import { loadFonts, type FontAddresses } from './fonts.ts'
import { sourcePainter } from './source.ts'
import { openVideos, type VideoPlayers, type WantedMoment } from './videos.ts'
import { sentencesOf } from '../../server/contract/render-remarks.ts'

export interface PreviewFiles extends FontAddresses {
  /** Address of a picture that was fetched for the clip, by the SHA-256 of its file. */
  readonly pictureUrl: (digest: string) => string
  /** Address of a video that was fetched for the clip, or of its source; absent: layers without videos are drawn. */
  readonly videoUrl?: (digest: string) => string
  /** Existing players, when the composition of the same clip changes; their maker closes them. */
  readonly videos?: VideoPlayers
  /** Second of the source at which the file begins that `videoUrl` gives for it (an extract); 0 when left out. */
  readonly sourceStart?: number
  /** Cuts people out of the source's picture; absent: layers that show one are drawn whole. */
  readonly cutOuts?: CutOuts
  /** Draws the source's picture under the layers; otherwise the canvas is transparent there. Needs `videoUrl`. */
  readonly withSource?: boolean
}

export type Preview = Awaited<ReturnType<typeof createPreview>>

/** The use of the clip's own file, among the uses of videos. */
export const SOURCE_SLOT = ':source'
/** The same file once more: what a transition shows beside a cut. */
const BESIDE_SLOT = ':beside'
/** So long before a transition its other picture is sought, while the clip plays. */
const AHEAD_SECONDS = 1

/**
 * Loads fonts and pictures, lays the composition out and gives the canvas the output's size in pixels (its size on the
 * page is for CSS). Rejects when a font or a picture cannot be loaded; what the browser cannot read is left out.
 */
export async function createPreview(
  canvas: HTMLCanvasElement,
  composition: Composition,
  files: PreviewFiles,
) {
  const [{ pictures, unreadable }, fonts] = await Promise.all([
    loadPictures(composition, files.pictureUrl),
    loadFonts(composition, files),
  ])
  const context = drawingContext(canvas, composition.output)
  const overlay = drawingContext(document.createElement('canvas'), composition.output)
  const own =
    files.videoUrl === undefined ? null : files.videos === undefined ? openVideos(files.videoUrl) : null
  const players = files.videos ?? own
  const withSource = files.withSource === true && players !== null
  const sourceStart = withSource ? (files.sourceStart ?? 0) : null
  const paintSource = withSource ? sourcePainter(composition) : null
  let wanted: WantedMoment[] = []
  const shifts = new Map<string, Offset>()
  let cuts: CutPictures = new Map()
  const videos = picturesNow(players, () => ({ wanted, cuts }))
  const prepared = prepare(composition, context, fonts.table, pictures, videos)
  const moved = { ...prepared, layers: prepared.layers.map((layer) => shifted(layer, shifts)) }
  const draw = (frame: number): void => {
    if (paintSource === null) drawFrame(context, moved, frame)
    else {
      const plays = frame >= (composition.headFrames ?? 0)
      const source = plays ? (players?.picture(SOURCE_SLOT) ?? null) : null
      const besides = wanted.some(({ slot }) => slot === BESIDE_SLOT)
      const beside = besides ? (players?.picture(BESIDE_SLOT) ?? null) : null
      paintUnder(context, frame, { paintSource, source, beside })
      drawFrame(overlay, moved, frame)
      context.drawImage(overlay.canvas, 0, 0)
    }
  }
  let call = 0
  let shown: string | null = null
  return {
    canvas,
    /** What could not be drawn. */
    warnings: [...sentencesOf(prepared.warnings), ...(withSource ? sourceWarnings(composition) : [])],
    /** Digests of the files that the browser cannot read; those of videos once they have been tried. */
    unreadable: (): readonly string[] => [...unreadable, ...fonts.unreadable, ...(players?.unreadable ?? [])],
    /** Draws exactly this output frame; resolves when it is there. Of calls that overlap, the last one is drawn. */
    drawAt: async (frame: number): Promise<void> => {
      const mine = ++call
      const moments = players === null ? [] : momentsOf(composition, frame, sourceStart)
      const state = `${JSON.stringify(moments)}${prepared.layers.map((layer) => layer.stateAt(frame)).join('\n')}`
      // A video layer's moves are no part of its state, nor is a layout's or a zoom's.
      if (state === shown && moments.length === 0) return
      await players?.show(moments)
      if (mine !== call) return
      const found = await cutOutsOf(composition, files.cutOuts, players, moments)
      if (mine !== call) return
      cuts = found
      wanted = moments
      shown = state
      draw(frame)
    },
    /**
     * The player of the source's own file, to play it with its sound; null where the source is not drawn. `drawPlaying`
     * draws what it shows without seeking it.
     */
    sourcePlayer:
      sourceStart === null || !composition.source.hasVideo
        ? null
        : (players?.player({ slot: SOURCE_SLOT, digest: composition.source.digest }) ?? null),
    /** Draws the frame with the picture that the source's player shows by now. */
    drawPlaying: (frame: number): void => {
      call += 1
      wanted = momentsOf(composition, frame, sourceStart)
      const others = wanted.filter(({ slot }) => slot !== SOURCE_SLOT)
      players?.follow([...others, ...comingBeside(composition, frame, sourceStart)])
      shown = null
      draw(frame)
    },
    /** The text of a layer as it is laid out, nearest to a frame; output pixels. Null for a layer without text. */
    blockAt: (id: string, frame: number): TextBlock | null =>
      prepared.layers.find((layer) => layer.id === id)?.blockAt?.(frame) ?? null,
    /** Draws a layer so many output pixels away from its place, from the next drawing on: while it is dragged. */
    shift: (id: string, by: Offset): void => {
      shifts.set(id, by)
      shown = null
    },
    /** Frees the decoded pictures and the players. The canvas keeps what was drawn last. */
    close: (): void => {
      call += 1
      own?.close()
      for (const picture of pictures.values()) picture.close()
    },
  }
}

type SourcePainter = ReturnType<typeof sourcePainter>

/** The source's own picture on black, below the layers; black alone while there is none. */
function paintUnder(
  context: ReturnType<typeof drawingContext>,
  frame: number,
  {
    paintSource,
    source,
    beside,
  }: Record<'source' | 'beside', Parameters<SourcePainter>[3]> & { paintSource: SourcePainter },
): void {
  context.fillStyle = '#000000'
  context.fillRect(0, 0, context.canvas.width, context.canvas.height)
  if (source !== null) paintSource(context, frame, source, beside)
}

type CutPictures = ReadonlyMap<string, HTMLCanvasElement>

/** What the players show by now, and what was cut out of it. */
const picturesNow =
  (
    players: VideoPlayers | null,
    now: () => { readonly wanted: readonly WantedMoment[]; readonly cuts: CutPictures },
  ): Videos =>
  (digest, seconds) => {
    const { wanted, cuts } = now()
    const cut = cuts.get(digest)
    if (cut !== undefined) return { image: cut, width: cut.width, height: cut.height }
    const slot = slotOf(wanted, digest, seconds)
    return slot === undefined ? null : (players?.picture(slot) ?? null)
  }

/** The people that its layers show, cut out of the picture that the source's player has come to. */
async function cutOutsOf(
  { layers, output }: Composition,
  cutOuts: CutOuts | undefined,
  players: VideoPlayers | null,
  moments: readonly WantedMoment[],
): Promise<CutPictures> {
  const picture = players?.picture(SOURCE_SLOT) ?? null
  const source = moments.find(({ slot }) => slot === SOURCE_SLOT)
  if (cutOuts === undefined || picture === null || source === undefined) return new Map()
  return cutOuts.of({
    layers: cutOutLayers(layers),
    picture,
    moment: `${source.digest} ${source.seconds}`,
    unit: Math.min(output.width, output.height) / 1080,
  })
}

/** The slot of a layer's picture; a cut-out is of the source's own picture. */
const slotOf = (wanted: readonly WantedMoment[], digest: string, seconds: number): string | undefined =>
  digest === SOURCE_FRAME
    ? SOURCE_SLOT
    : wanted.find((one) => one.digest === digest && one.seconds === seconds)?.slot

interface Offset {
  readonly x: number
  readonly y: number
}

/** The layer where it is dragged to. */
function shifted(layer: PreparedLayer, shifts: ReadonlyMap<string, Offset>): PreparedLayer {
  return {
    ...layer,
    draw: (canvas, frame) => {
      const by = shifts.get(layer.id)
      if (by === undefined) return layer.draw(canvas, frame)
      canvas.save()
      canvas.translate(by.x, by.y)
      layer.draw(canvas, frame)
      canvas.restore()
    },
  }
}

function drawingContext(
  canvas: HTMLCanvasElement,
  size?: { readonly width: number; readonly height: number },
): CanvasRenderingContext2D {
  if (size !== undefined) {
    canvas.width = size.width
    canvas.height = size.height
  }
  const context = openContext(canvas)
  // Letters at their exact places and widths; otherwise the browser moves them to whole pixels.
  context.textRendering = 'geometricPrecision'
  return context
}

/** The pictures of videos that a frame shows: of each layer, and of the source, whose file begins at `start`. */
function momentsOf(composition: Composition, frame: number, start: number | null): WantedMoment[] {
  const { source, output, durationFrames } = composition
  const layers = videoLayersOf(composition).flatMap((layer) => {
    const range = shownFrames(layer, durationFrames)
    if (range === null || frame < range.startFrame || frame >= range.endFrame) return []
    const seconds = videoMoment(layer, frame, output.frameRate)
    return [{ slot: layer.id, digest: layer.asset.digest, seconds }]
  })
  if (start === null || !source.hasVideo) return layers
  const seconds = Math.max(0, sourceMoment(composition, frame) - start)
  return [
    { slot: SOURCE_SLOT, digest: source.digest, seconds },
    ...besideOf(composition, frame, start),
    ...layers,
  ]
}

function besideOf(composition: Composition, frame: number, start: number): WantedMoment[] {
  const moment = besideMoment(composition, frame)
  if (moment === null) return []
  const { digest } = composition.source
  return [{ slot: BESIDE_SLOT, digest, seconds: Math.max(0, moment - start) }]
}

/** What the next transition will show first besides the clip's own picture, if it comes soon. */
function comingBeside(composition: Composition, frame: number, start: number | null): WantedMoment[] {
  const { transitions = [], output, source } = composition
  if (start === null || !source.hasVideo) return []
  const firsts = transitions.map((one) => transitionFrames(one).startFrame)
  const next = firsts.find((first) => first > frame)
  const isSoon = next !== undefined && next - frame <= AHEAD_SECONDS * rationalToNumber(output.frameRate)
  return isSoon && besideMoment(composition, frame) === null ? besideOf(composition, next, start) : []
}

function sourceWarnings({ source }: Composition): string[] {
  return source.hdr ? [preview.hdr] : []
}

/** A transparent point is in the place of those that the browser cannot read. */
async function loadPictures(composition: Composition, pictureUrl: PreviewFiles['pictureUrl']) {
  const unreadable: string[] = []
  const load = async (digest: string): Promise<readonly [string, ImageBitmap]> => {
    const response = await fetch(pictureUrl(digest))
    if (!response.ok) throw new Error(preview.noPicture(response.status))
    const file = await response.blob()
    const picture = await createImageBitmap(file).catch(() => {
      unreadable.push(digest)
      return createImageBitmap(new ImageData(1, 1))
    })
    return [digest, picture]
  }
  const pictures = new Map(await Promise.all(picturesOf(composition).map(load)))
  return { pictures, unreadable }
}
