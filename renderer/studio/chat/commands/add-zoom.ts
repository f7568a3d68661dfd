import type { HandZoom } from '../../../../server/contract/hand/zooms.ts'
import type { ClipEdit } from '../../merge.ts'
import type { CommandContext } from '../context.ts'
import { declareCommand, edited, given, refused, type Read } from './declare.ts'
import { isOn } from './nodes.ts'
import { isMissing, rulesWithWhere, stretchAt, type Stretch, type Where } from './where.ts'

const USUAL_SCALE = 1.3
/** Seconds: where nobody said how long, and the least that is worth a move. */
const USUAL_LENGTH = 2
const LEAST_LENGTH = 0.8
const EASE = 0.3

const SCALE =
  '(?: (?:by |to |at |of )?(?:{percent:PERCENT}|{scale:NUMBER} ?(?:x|times|×)|(?<lot>a lot|close|really close|hard|strongly|all the way)|(?<bit>a (?:bit|little)|slightly|gently|softly)))?'

export const addZoom = declareCommand({
  name: 'add_zoom',
  examples: ['add a zoom on “three times”', 'zoom in from 0:03 to 0:05', 'zoom in here'],
  rules: [
    ...rulesWithWhere(
      `(?:add|put|do|make|insert|place|use|give it|i want|with)(?: an?| another| some)?(?: small| big| slow| quick| fast| punch| smooth| nice| little| dramatic)*[ -](?:zoom(?:[ -]?in)?|closer look|close-?up|punch(?:[ -]?in)?)(?: effect)?${SCALE}`,
      zoomed,
    ),
    ...rulesWithWhere(`(?:zoom|punch|push|move|go)(?:[ -]?in)?(?: in)?(?: closer)?${SCALE}`, zoomed),
    ...rulesWithWhere(`(?:look|get|go) closer${SCALE}`, zoomed),
    ...rulesWithWhere(`a zoom${SCALE}`, zoomed),
  ],
  run(edit, context, { scale = USUAL_SCALE, ...where }) {
    const named = stretchAt(
      edit,
      context,
      where.from !== undefined && where.to === undefined
        ? { from: where.from, to: where.from + USUAL_LENGTH }
        : where,
    )
    if (named !== null && isMissing(named)) return refused(named.why)
    const stretch = longEnough(
      named ?? { start: context.playhead, end: context.playhead + USUAL_LENGTH },
      edit,
    )
    const { xPercent, yPercent } = faceIn(context, stretch) ?? { xPercent: 50, yPercent: 40 }
    const zoom: HandZoom = {
      id: `zoom-${Math.round(stretch.start * 1000)}`,
      ...stretch,
      scale,
      xPercent,
      yPercent,
      easeSeconds: EASE,
    }
    const others = (edit.zooms ?? []).filter(({ start, end }) => end <= zoom.start || start >= zoom.end)
    const replaced = (edit.zooms?.length ?? 0) - others.length
    const zooms = [...others, zoom].toSorted((a, b) => a.start - b.start)
    const notes = [
      replaced === 0 ? '' : ' It replaces the one that was there.',
      edit.zooms === null && isOn(edit, context, 'smart_zoom')
        ? ' Zooms that were chosen by themselves make way for yours.'
        : '',
    ]
    return edited(
      { ...edit, zooms },
      `A zoom to ${Math.round(scale * 100)} %${where.phrase === undefined ? '' : ` on “${where.phrase}”`}.${notes.join('')}`,
    )
  },
})

function zoomed(where: Where, found: Read) {
  const percent = found.number('percent')
  const scale =
    percent !== null
      ? percent < 100
        ? 1 + percent / 100
        : percent / 100
      : (found.number('scale') ??
        (found.text('lot') !== null ? 1.6 : found.text('bit') !== null ? 1.15 : null))
  if (scale !== null && (scale < 1.02 || scale > 4)) return null
  return given<Where & { scale?: number }>({ ...where, scale })
}

/** A word may be over before anybody has seen that it was looked at. */
function longEnough({ start, end }: Stretch, { cut }: ClipEdit): Stretch {
  const missing = Math.max(0, LEAST_LENGTH - (end - start))
  const from = Math.max(0, Math.min(start - missing / 2, cut.endTimestamp - LEAST_LENGTH))
  return { start: rounded(from), end: rounded(Math.max(end + missing / 2, from + LEAST_LENGTH)) }
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

/**
 * The point that stays: where the source is shown whole, it is the face's own place. Of a crop nobody knows here where in
 * it the face is, so it is left to the usual place.
 */
function faceIn({ faces, output }: CommandContext, { start, end }: Stretch) {
  const wide = output.width > output.height
  const track = wide
    ? faces?.tracks.find(({ speaking }) => speaking.some((one) => one.start < end && one.end > start))
    : undefined
  const point = track?.points.find(([at]) => at >= start && at <= end)
  if (point === undefined) return null
  const [, left, top, width, height] = point
  return { xPercent: rounded((left + width / 2) * 100), yPercent: rounded((top + height / 2) * 100) }
}
