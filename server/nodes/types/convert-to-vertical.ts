import { Type, type Static } from '@sinclair/typebox'
import { booleanField, choiceField, closedObject, numberField } from '../../contract/config-fields.ts'
import { DEFAULT_SHAPE, SHAPE_RATIOS } from '../../contract/shapes/registry.ts'
import { declareNode, type NodeEdits, type PreLayoutContext } from '../declare.ts'
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import { rationalToNumber } from '../../contract/time.ts'
import { cropLayout, fitLayout, sourceSize } from '../compose/layout.ts'
import type { FramingLimits } from '../layout/choose.ts'
import { framePeople } from '../layout/frame-people.ts'
import { halves } from '../layout/panes.ts'
import { remark } from '../../contract/render-remarks.ts'

const ASPECT = '^\\s*[1-9][0-9]{0,3}\\s*[:x/]\\s*[1-9][0-9]{0,3}\\s*$'

const OTHER_RATIOS = SHAPE_RATIOS.filter((ratio) => ratio !== DEFAULT_SHAPE.ratio).join(', ')

/** More extreme aspect ratios are strips that nobody plays. */
const MAX_RATIO = 4

const FRAMING_STYLES = [
  'style_one',
  'style_two',
  'style_three',
  'style_four',
  'style_none',
  'adaptive',
] as const

const config = closedObject({
  enabled: booleanField('Convert the picture', true),
  aspect_ratio: Type.Optional(
    Type.String({
      pattern: ASPECT,
      maxLength: 20,
      default: DEFAULT_SHAPE.ratio,
      description: `Width to height, usually ${DEFAULT_SHAPE.ratio}; also ${OTHER_RATIOS}`,
    }),
  ),
  style: choiceField(
    'How people are framed. `style_one`: one at a time, whoever speaks. `style_two`, `style_three`, `style_four`: up to so many at once, in halves, bands or quarters. `adaptive`: shot by shot one, several, a screen with its speaker, or the whole picture over its blur. `style_none`: the middle, whoever is where. Left out: adaptive where faces were measured, else the middle',
    FRAMING_STYLES,
  ),
  centerVertical: booleanField('Show the whole picture, centred, instead of a crop', false),
  zoom: numberField('Enlarges the centred picture; below 1 counts as 1; with centerVertical only'),
  gaussian_blur: booleanField(
    'Fill around the centred picture with its blur; with centerVertical only',
    false,
  ),
  y_offset: numberField('Moves the centred picture down, percent of the height; negative moves it up'),
  split_view: booleanField(
    'Several people may be shown in panes, one above the other (in a wide output side by side): true also for `style_one`, false for no style; left out, the style says',
  ),
  force_split_view: booleanField(
    'Two panes at least: the one person who is seen and the rest of the picture; where nobody is seen, its left half above its right half',
  ),
  ignore_content_tiles: booleanField(
    'Slides and screens are not shown whole with their speaker beneath (`adaptive` does); people are framed as everywhere',
  ),
})
type FramingSettings = Static<typeof config>

/** Turns the picture to another shape, usually upright. */
export const convertToVertical = declareNode({
  type: 'convert_to_vertical',
  label: 'Convert to vertical',
  config,
  check: (config) => {
    const [across = 1, up = 1] = parseRatio(config.aspect_ratio ?? DEFAULT_SHAPE.ratio)
    const ratio = across / up
    return ratio > MAX_RATIO || ratio < 1 / MAX_RATIO
      ? { path: 'aspect_ratio', expected: `a ratio from 1:${MAX_RATIO} to ${MAX_RATIO}:1` }
      : null
  },
  measures: (config) => (needsFaces(config) ? ['faces'] : []),
  compile: (config, context) => convertLayout(config, context),
})

function parseRatio(ratio: string): number[] {
  return ratio.split(/[:x/]/u).map(Number)
}

const MAX_PEOPLE = { style_one: 1, style_two: 2, style_three: 3, style_four: 4, adaptive: 4 } as const

const UNMEASURED = remark(
  'NOT_MEASURED',
  'convert_to_vertical',
  'convert_to_vertical: faces of this clip were not measured, so nobody can be followed or shown beside others; the middle is shown. A new run measures them where the face model is installed.',
)
const UNMEASURED_SPLIT = remark(
  'NOT_MEASURED',
  'convert_to_vertical',
  'convert_to_vertical: faces of this clip were not measured; the two halves of the picture are shown instead of two people. A new run measures them where the face model is installed.',
)

/** Whether these settings look at faces at all. */
function needsFaces(settings: FramingSettings): boolean {
  return (
    settings.centerVertical !== true &&
    (settings.style !== 'style_none' || settings.force_split_view === true)
  )
}

/** How the source fills the output, and what could not be done. */
function convertLayout(settings: FramingSettings, context: PreLayoutContext): NodeEdits {
  if (settings.centerVertical === true) {
    const zoom = Math.max(1, settings.zoom ?? 1)
    const options = { zoom, blur: settings.gaussian_blur === true, yOffsetPercent: settings.y_offset ?? 0 }
    return { layout: fitLayout(context, options), warnings: [] }
  }
  if (context.facts.video === null || !needsFaces(settings))
    return { layout: cropLayout(context), warnings: [] }
  const faces = context.document.faces
  return faces === undefined ? unmeasured(settings, context) : measured(settings, faces, context)
}

function unmeasured(settings: FramingSettings, context: PreLayoutContext): NodeEdits {
  if (settings.force_split_view === true) {
    const panes = halves(sourceSize(context), context.output)
    const span = { startFrame: 0, endFrame: context.durationFrames, background: 'black' as const }
    return { layout: [{ kind: 'panes', ...span, panes }], warnings: [UNMEASURED_SPLIT] }
  }
  const hasOwnSettings = settings.style !== undefined || settings.split_view === true
  return { layout: cropLayout(context), warnings: hasOwnSettings ? [UNMEASURED] : [] }
}

function measured(settings: FramingSettings, faces: ClipFaces, context: PreLayoutContext): NodeEdits {
  const { output, timeMap } = context
  const layout = framePeople({
    faces,
    timeMap,
    output,
    source: sourceSize(context),
    framesPerSecond: rationalToNumber(output.frameRate),
    limits: framingLimitsOf(settings),
  })
  return { layout, warnings: [] }
}

/** `split_view` allows or forbids a split; where it is absent, the style decides. */
function framingLimitsOf(settings: FramingSettings): FramingLimits {
  const { style = 'adaptive', split_view: split } = settings
  const forceSplit = settings.force_split_view === true
  const byStyle = style === 'style_none' ? 2 : MAX_PEOPLE[style]
  const maxPeople = split === false && !forceSplit ? 1 : split === true && byStyle === 1 ? 2 : byStyle
  return {
    maxPeople,
    adaptive: style === 'adaptive',
    forceSplit,
    ignoreScreens: settings.ignore_content_tiles === true || style !== 'adaptive',
  }
}
