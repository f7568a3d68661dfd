import { remove } from '../../../../server/nodes/editing/cut.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'
import { clock } from './where.ts'

export const cutEdge = declareCommand({
  name: 'cut_edge',
  examples: ['cut the first 3 seconds', 'trim two seconds off the end'],
  rules: [
    rule(
      '{cut}(?: off)? (?:the )?(?:first|opening|initial) {seconds:LENGTH}(?: of (?:the |this )?(?:clip|video))?',
      (found) => off('start', found.time('seconds')),
    ),
    rule(
      '{cut}(?: off)? (?:the )?(?:last|final|closing) {seconds:LENGTH}(?: of (?:the |this )?(?:clip|video))?',
      (found) => off('end', found.time('seconds')),
    ),
    rule('{cut} (?:the )?first minute', () => off('start', 60)),
    rule('{cut} (?:the )?last minute', () => off('end', 60)),
    rule('{cut} (?:the )?first second', () => off('start', 1)),
    rule('{cut} (?:the )?last second', () => off('end', 1)),
    rule(
      '{cut} {seconds:LENGTH} (?:off|from|of|at) (?:of )?(?:the )?(?:start|beginning|front|top|opening)',
      (found) => off('start', found.time('seconds')),
    ),
    rule('{cut} {seconds:LENGTH} (?:off|from|of|at) (?:of )?(?:the )?(?:end|tail|back|ending)', (found) =>
      off('end', found.time('seconds')),
    ),
    rule('shorten (?:it|the clip) (?:by )?{seconds:LENGTH}(?: at the end)?', (found) =>
      off('end', found.time('seconds')),
    ),
  ],
  run(edit, context, { edge, seconds }) {
    if (seconds >= context.length) return refused(`The clip is only ${clock(context.length)} long.`)
    const { startTimestamp, endTimestamp } = edit.cut
    const cut =
      edge === 'start'
        ? remove(edit.cut, Math.min(startTimestamp, context.sourceAt(0)), context.sourceAt(seconds))
        : remove(edit.cut, context.sourceAt(context.length - seconds), endTimestamp)
    if (cut === edit.cut) return refused('Nothing of the clip would be left.')
    const length = `${Math.round(seconds * 100) / 100} s`
    return edited({ ...edit, cut }, `Cut the ${edge === 'start' ? 'first' : 'last'} ${length}.`)
  },
})

const off = (edge: 'start' | 'end', seconds: number | null) =>
  seconds === null || seconds <= 0 ? null : { edge, seconds }
