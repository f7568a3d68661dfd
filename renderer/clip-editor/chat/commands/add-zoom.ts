import { newZoom } from '../../../../server/nodes/editing/new-items.ts'
import type { CommandContext } from '../../../../server/nodes/commands/context.ts'
import { declareCommand, edited, given, refused, type Read } from './declare.ts'
import { isOn } from './nodes.ts'
import { isMissing, rulesWithWhere, stretchFor, type Stretch, type Where } from './where.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

/** Seconds: where nobody said how long, and the least that is worth a move. */
const LENGTH = { usual: 2, least: 0.8 }

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
  run(edit, context, { scale, ...where }) {
    const stretch = stretchFor(edit, context, where, LENGTH)
    if (isMissing(stretch)) return refused(stretch.why)
    const before = edit.zooms ?? []
    const others = before.filter(({ start, end }) => end <= stretch.start || start >= stretch.end)
    const replaced = before.length - others.length
    const zoom = newZoom(before, stretch, {
      ...omitUndefined({ scale }),
      ...faceIn(context, stretch),
    })
    const zooms = [...others, zoom].toSorted((a, b) => a.start - b.start)
    const notes = [
      replaced === 0 ? '' : ' It replaces the one that was there.',
      edit.zooms === null && isOn(edit, context, 'smart_zoom')
        ? ' Zooms that were chosen by themselves make way for yours.'
        : '',
    ]
    return edited(
      { ...edit, zooms },
      `A zoom to ${Math.round(zoom.scale * 100)} %${where.phrase === undefined ? '' : ` on “${where.phrase}”`}.${notes.join('')}`,
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
