/** Where a clip begins and ends: both commands are one with its sides changed. PURE. */
import { remove, restore, type ClipCut } from '../../../../server/nodes/editing/cut.ts'
import type { ClipEdit } from '../../../../server/nodes/editing/clip-edit.ts'
import type { CommandContext } from '../../../../server/nodes/commands/context.ts'
import { edited, refused, type Outcome } from './declare.ts'
import { clock, cutOfSpan, isHeard, isMissing, quoted, spansOf } from './where.ts'

/** Moves one end to words or to a time; a clip that ended before them is widened. */
export function moveEnd(
  edit: ClipEdit,
  context: CommandContext,
  to: { readonly side: 'start' | 'end'; readonly phrase?: string; readonly seconds?: number },
): Outcome {
  const verb = to.side === 'start' ? 'begins' : 'ends'
  if (to.phrase !== undefined) {
    const found = spansOf(context, to.phrase)
    if (isMissing(found)) return refused(found.why)
    const heard = found.spans.filter((span) => isHeard(edit, context, span))
    const usable = heard.length > 0 ? heard : found.spans
    const chosen = to.side === 'start' ? usable[0] : usable.at(-1)
    if (chosen === undefined) return refused(`“${to.phrase}” is not said in this clip.`)
    const { start, end } = cutOfSpan(context, chosen)
    const cut = ended(edit.cut, to.side, to.side === 'start' ? start : end)
    return edited({ ...edit, cut }, `The clip ${verb} with ${quoted(context, chosen)}.`)
  }
  if (to.seconds === undefined) return refused(`Say with which words the clip ${verb}, or at which time.`)
  if (to.seconds > context.length) return refused(`The clip is only ${clock(context.length)} long.`)
  const cut = ended(edit.cut, to.side, context.sourceAt(to.seconds))
  if (cut === edit.cut) return refused('That would change nothing.')
  return edited({ ...edit, cut }, `The clip ${verb} at ${clock(to.seconds)} of what it was.`)
}

function ended(cut: ClipCut, side: 'start' | 'end', at: number): ClipCut {
  const { startTimestamp: start, endTimestamp: end } = cut
  if (side === 'start') return at < start ? restore(cut, at, start) : remove(cut, start, at)
  return at > end ? restore(cut, end, at) : remove(cut, at, end)
}
