import { newText } from '../../../../server/nodes/editing/new-items.ts'
import { declareCommand, edited, refused, type Read } from './declare.ts'
import { isMissing, rulesWithWhere, stretchFor, type Where } from './where.ts'

/** Seconds. */
const LENGTH = { usual: 3, least: 0.5 }
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
    const stretch = stretchFor(edit, context, where, LENGTH)
    if (isMissing(stretch)) return refused(stretch.why)
    const before = edit.overlays ?? []
    if (before.length >= MOST) return refused(`A clip has at most ${MOST} overlays.`)
    const overlays = [...before, newText(before, stretch, text)]
    return edited({ ...edit, overlays }, `“${text}” stands on the picture.`)
  },
})

/** Captions and titles are put on by commands of their own. */
function worded(where: Where, found: Read) {
  const text = found.text('text')
  return text === null ? null : { text, ...where }
}
