/** What `convert_to_vertical`'s settings mean for a clip, with measured faces and without. */
import type { ClipFaces } from '../../contract/clip-faces.ts'
import type { LayoutSpan } from '../../contract/composition.ts'
import { rationalToNumber } from '../../contract/time.ts'
import type { ComposeContext } from '../declare.ts'
import { cropLayout, fitLayout, sourceSize } from '../compose/layout.ts'
import type { FramingLimits } from './choose.ts'
import { framePeople } from './frame-people.ts'
import { halves } from './panes.ts'

export const FRAMING_STYLES = [
  'style_one',
  'style_two',
  'style_three',
  'style_four',
  'style_none',
  'adaptive',
] as const

export interface FramingSettings {
  readonly style?: (typeof FRAMING_STYLES)[number]
  readonly centerVertical?: boolean
  readonly zoom?: number
  readonly gaussian_blur?: boolean
  readonly y_offset?: number
  readonly split_view?: boolean
  readonly force_split_view?: boolean
  readonly ignore_content_tiles?: boolean
}

const MAX_PEOPLE = { style_one: 1, style_two: 2, style_three: 3, style_four: 4, adaptive: 4 } as const

const UNMEASURED =
  'convert_to_vertical: faces of this clip were not measured, so nobody can be followed or shown beside others; the middle is shown. A new run measures them where the face model is installed.'
const UNMEASURED_SPLIT =
  'convert_to_vertical: faces of this clip were not measured; the two halves of the picture are shown instead of two people. A new run measures them where the face model is installed.'

/** Whether these settings look at faces at all. */
export function needsFaces(settings: FramingSettings): boolean {
  return (
    settings.centerVertical !== true &&
    (settings.style !== 'style_none' || settings.force_split_view === true)
  )
}

/** How the source fills the output, and what could not be done. */
export function convertLayout(
  settings: FramingSettings,
  context: Omit<ComposeContext, 'layout'>,
): { layout: LayoutSpan[]; warnings: string[] } {
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

function unmeasured(
  settings: FramingSettings,
  context: Omit<ComposeContext, 'layout'>,
): { layout: LayoutSpan[]; warnings: string[] } {
  if (settings.force_split_view === true) {
    const panes = halves(sourceSize(context), context.output)
    const span = { startFrame: 0, endFrame: context.durationFrames, background: 'black' as const }
    return { layout: [{ kind: 'panes', ...span, panes }], warnings: [UNMEASURED_SPLIT] }
  }
  const hasOwnSettings = settings.style !== undefined || settings.split_view === true
  return { layout: cropLayout(context), warnings: hasOwnSettings ? [UNMEASURED] : [] }
}

function measured(
  settings: FramingSettings,
  faces: ClipFaces,
  context: Omit<ComposeContext, 'layout'>,
): { layout: LayoutSpan[]; warnings: string[] } {
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
