import { Type, type Static } from '@sinclair/typebox'
import {
  booleanField,
  closedObject,
  describedObject,
  numberField,
  textField,
  urlField,
} from '../../contract/config-fields.ts'
import type { LayoutSpan, Rect, VideoLayer } from '../../contract/composition.ts'
import { rationalToNumber } from '../../contract/time.ts'
import type { PickedVideo } from '../../contract/clip-broll.ts'
import { referenceSize } from '../compose/read-config.ts'
import { sourceSize } from '../compose/layout.ts'
import { declareNode, type ComposeContext, type NodeEdits } from '../declare.ts'
import { framePeople } from '../layout/frame-people.ts'
import { assetNeed, readyAt } from '../pictures/asset.ts'
import type { Size } from '../layout/seen.ts'
import { remark, warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

const SecondVideo = describedObject('Which video, and where', {
  category: textField(
    'Folder or tag of the library from which a video is picked for each clip, unless videoUrl names one',
    100,
  ),
  cropPosition: textField('Part of the video that is shown: left, right, top, bottom, center', 100),
  /** Clients send either a switch or the address that was drawn. */
  randomVideoUrl: Type.Optional(
    Type.Union([Type.Boolean(), Type.String({ maxLength: 8192 })], {
      description:
        'true: pick a video of the library, from the category, or else from a folder named brainrot or gameplay; or the address of one that was drawn',
    }),
  ),
  verticalY: numberField(
    'Centre of the second video, percent of the height, usually 75: it fills the picture from there to the nearer edge and as far the other way',
  ),
  videoUrl: urlField('The video'),
})
type SecondVideo = Static<typeof SecondVideo>

/** Plays an unrelated, busy video in half of the picture. */
export const addBrainrot = declareNode({
  type: 'add_brainrot',
  label: 'Add second video',
  config: closedObject({
    enabled: booleanField('Add the second video', true),
    brainrot_config: Type.Optional(SecondVideo),
  }),
  assets: (config, { secondVideos = [] }) =>
    assetNeed(secondVideoUrl(config.brainrot_config ?? {}, secondVideos), 'video'),
  compile: (config, context) => compileSecondVideo(config.brainrot_config ?? {}, context),
})

/** Percent of the height. */
const DEFAULT_CENTRE = 75
/** Neither picture is made smaller than this, percent of the height. */
const MIN_SHARE = 20

/** The address that was set, or the one that was drawn for the caller; empty when neither is. */
function givenUrl({ videoUrl, randomVideoUrl }: SecondVideo): string {
  const set = videoUrl?.trim() ?? ''
  return set === '' && typeof randomVideoUrl === 'string' ? randomVideoUrl.trim() : set
}

/** The category from which a video is to be picked, `''` for any; null where the choice is not left to us. */
export function categoryToPick(config: SecondVideo): string | null {
  if (givenUrl(config) !== '') return null
  const category = config.category?.trim().toLowerCase() ?? ''
  return category === '' && config.randomVideoUrl !== true ? null : category
}

/** The address of the video: the named one, else the one that was picked for the clip; empty when there is none. */
function secondVideoUrl(config: SecondVideo, picked: readonly PickedVideo[]): string {
  const address = givenUrl(config)
  const wantedCategory = categoryToPick(config)
  return address === '' ? (picked.find(({ category }) => category === wantedCategory)?.url ?? '') : address
}

/** What is missing, and how it is added. */
function nothingToShow(config: SecondVideo): string {
  const wantedCategory = categoryToPick(config)
  if (wantedCategory === null) {
    return 'brainrot_config names no video, so there is none: set videoUrl, or a category or randomVideoUrl: true to have one of the library picked.'
  }
  const of =
    wantedCategory === ''
      ? 'in a folder named "brainrot" or "gameplay"'
      : `of the category "${wantedCategory}"`
  const folder = wantedCategory === '' ? 'brainrot' : wantedCategory.replaceAll(/["\\$`]/gu, '')
  return `brainrot_config: when this clip was made the library had no video ${of}, so there is none. Add one, and run the video again: cutroom library add FILE --folder "${folder}"`
}

function compileSecondVideo(config: SecondVideo, context: ComposeContext): NodeEdits {
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  const url = secondVideoUrl(config, context.document.secondVideos ?? [])
  if (url === '') return { warnings: [remark('FILE_NOT_NAMED', 'brainrot_config', nothingToShow(config))] }
  const need = { label: 'brainrot_config.videoUrl', wanted: ['video'], noun: 'video to show' } as const
  const ready = readyAt(context.assets, url, need, warn)
  if (ready?.kind !== 'video') return { warnings }
  const { own, second } = halves(config.verticalY ?? DEFAULT_CENTRE, context)
  const focus = focusOf(config.cropPosition, warn)
  const layer: VideoLayer = {
    kind: 'video',
    id: 'second-video',
    asset: ready.video,
    sourceStart: 0,
    loop: true,
    rect: second,
    fit: 'cover',
    ...focus,
    background: null,
    opacity: 1,
    startFrame: 0,
    endFrame: context.durationFrames,
    intro: { kind: 'none', frames: 0 },
    outro: { kind: 'none', frames: 0 },
  }
  const layout = context.facts.video === null ? {} : { layout: ownLayout(own, context) }
  return { ...layout, layers: [layer], extendIntoEndCard: [layer.id], warnings }
}

/**
 * Two rectangles that fill the picture. The second video reaches as far to either side of its centre as the nearer
 * edge.
 */
function halves(verticalY: number, context: ComposeContext): { own: Rect; second: Rect } {
  const { width, height } = referenceSize(context.output)
  const centre = Math.min(100, Math.max(0, verticalY))
  const below = centre >= 50
  const share = Math.min(100 - MIN_SHARE, Math.max(MIN_SHARE, 2 * (below ? 100 - centre : centre))) / 100
  const tall = share * height
  const upper = { x: 0, y: 0, width, height: below ? height - tall : tall }
  const lower = { x: 0, y: upper.height, width, height: height - upper.height }
  return below ? { own: upper, second: lower } : { own: lower, second: upper }
}

/** The clip's picture in its part: around the active speaker where faces were measured, else the centre. */
function ownLayout(rect: Rect, context: ComposeContext): LayoutSpan[] {
  const { output, durationFrames, timeMap } = context
  const source = sourceSize(context)
  const canvas = referenceSize(output)
  const faces = context.document.faces
  const middle: LayoutSpan[] = [
    { kind: 'crop', startFrame: 0, endFrame: durationFrames, crop: middleOf(source, rect) },
  ]
  const pane = { ...output, height: Math.round((output.height * rect.height) / canvas.height) }
  const framed =
    faces === undefined
      ? middle
      : framePeople({
          faces,
          timeMap,
          source,
          output: pane,
          framesPerSecond: rationalToNumber(output.frameRate),
          limits: { maxPeople: 1, adaptive: false, forceSplit: false, ignoreScreens: true },
        })
  return framed.flatMap((span): LayoutSpan[] => {
    const { startFrame, endFrame } = span
    const shown = (crop: Rect, from: number, to: number): LayoutSpan => ({
      kind: 'panes',
      startFrame: from,
      endFrame: to,
      background: 'black',
      panes: [{ crop, rect }],
    })
    if (span.kind !== 'crop') return [shown(middleOf(source, rect), startFrame, endFrame)]
    const turn = startFrame + Math.round((endFrame - startFrame) / 2)
    // A pane cannot move, so it changes its view halfway.
    return span.cropTo === undefined || turn === startFrame
      ? [shown(span.crop, startFrame, endFrame)]
      : [shown(span.crop, startFrame, turn), shown(span.cropTo, turn, endFrame)]
  })
}

/** The largest rectangle of the source, in its middle, of the shape of another. */
function middleOf(source: Size, shape: Rect): Rect {
  const scale = Math.min(source.width / shape.width, source.height / shape.height)
  const width = shape.width * scale
  const height = shape.height * scale
  return { x: (source.width - width) / 2, y: (source.height - height) / 2, width, height }
}

const ACROSS: Readonly<Record<string, number>> = { left: 0, right: 100 }
const DOWN: Readonly<Record<string, number>> = { top: 0, upper: 0, bottom: 100, lower: 100 }
const MIDDLE = new Set(['center', 'centre', 'middle'])

/** `left`, `top right`, `center` and the like. */
function focusOf(position: string | undefined, warn: Warn): { focusX: number; focusY: number } {
  const words = (position ?? '').toLowerCase().split(/[^a-z]+/u)
  const known = words.filter((word) => word !== '')
  const find = (table: Readonly<Record<string, number>>): number =>
    known.flatMap((word) => (Object.hasOwn(table, word) ? [table[word] ?? 50] : []))[0] ?? 50
  if (known.some((word) => !MIDDLE.has(word) && !Object.hasOwn({ ...ACROSS, ...DOWN }, word))) {
    const given = String(position).slice(0, 60)
    const setting = 'brainrot_config.cropPosition'
    warn('NAME_UNKNOWN', setting, `${setting} "${given}" is not known: left, right, top, bottom, center are.`)
  }
  return { focusX: find(ACROSS), focusY: find(DOWN) }
}
