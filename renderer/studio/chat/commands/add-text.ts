import { CAPTION_PRESETS } from '../../../../server/nodes/presets/captions.ts'
import { declareCommand, edited, refused, type Read } from './declare.ts'
import { isMissing, rulesWithWhere, stretchAt, type Where } from './where.ts'

const USUAL_LENGTH = 3
const MOST = 100

export const addText = declareCommand({
  name: 'add_text',
  examples: ['write “Subscribe” on the picture from 0:02 to 0:05'],
  rules: [
    ...rulesWithWhere(
      '(?:write|put|add|show|overlay|place|display) (?:the |a )?(?:text |words? |label |note )?(?:that says |saying |reading )?{text:QUOTED}(?: (?:on|over|in|onto) (?:the )?(?:picture|screen|video|clip|top))?(?: as (?:a )?text)?',
      worded,
    ),
    ...rulesWithWhere('(?:add|put|show|place) (?:a )?text(?: overlay)? {text:QUOTED}', worded),
  ],
  run(edit, context, { text, ...where }) {
    const named = stretchAt(
      edit,
      context,
      where.from !== undefined && where.to === undefined
        ? { from: where.from, to: where.from + USUAL_LENGTH }
        : where,
    )
    if (named !== null && isMissing(named)) return refused(named.why)
    const { start, end } = named ?? { start: context.playhead, end: context.playhead + USUAL_LENGTH }
    const before = edit.overlays ?? []
    if (before.length >= MOST) return refused(`A clip has at most ${MOST} overlays.`)
    const taken = new Set(before.map(({ id }) => id))
    const id =
      Array.from({ length: before.length + 1 }, (_, index) => `text-${index + 1}`).find(
        (one) => !taken.has(one),
      ) ?? 'text'
    const face = CAPTION_PRESETS[0]?.face
    const overlay = {
      ...{ kind: 'text' as const, id, start, end: Math.max(end, start + 0.5), xPercent: 50, yPercent: 25 },
      ...{ opacity: 1, fadeSeconds: 0.2, text, fontFamily: face?.fontFamily ?? 'sans-serif', fontSize: 64 },
      ...{ fontWeight: 800, colour: '#ffffff', background: '#000000b3' },
    }
    return edited({ ...edit, overlays: [...before, overlay] }, `“${text}” stands on the picture.`)
  },
})

/** Captions and titles are put on by commands of their own. */
function worded(where: Where, found: Read) {
  const text = found.text('text')
  return text === null ? null : { text, ...where }
}
