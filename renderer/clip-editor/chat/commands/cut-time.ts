import { remove } from '../../../../server/nodes/editing/cut.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'
import { clock } from './where.ts'

/** Times are as the player counts them when the command is given. */
export const cutTime = declareCommand({
  name: 'cut_time',
  examples: ['cut from 0:12 to 0:15', 'remove seconds 3 to 5'],
  rules: [
    rule(
      '{cut} (?:(?:out )?(?:everything |the (?:part|bit|stretch|section|piece) |all )?(?:from|between) |the seconds (?:from )?|seconds? )?{from:TIME} ?(?:to|until|till|through|and|-|–) ?{to:TIME}(?: out)?',
      (found) => {
        const from = found.time('from')
        const to = found.time('to')
        return from === null || to === null || to <= from ? null : { from, to }
      },
    ),
    rule('{cut} {for:LENGTH} (?:from|at|starting at|after) {from:TIME}', (found) => {
      const from = found.time('from')
      const length = found.time('for')
      return from === null || length === null ? null : { from, to: from + length }
    }),
    rule(
      '{cut} (?:everything|all|the rest|what comes|what is|anything)(?: that comes)? (?:after|from|past) {from:TIME}(?: on| onwards?)?',
      (found) => {
        const from = found.time('from')
        return from === null || from >= found.length ? null : { from, to: found.length }
      },
    ),
    rule(
      '{cut} (?:everything|all|what comes|what is|anything)(?: that comes)? (?:before|up to|until|till) {to:TIME}',
      (found) => {
        const to = found.time('to')
        return to === null || to <= 0 ? null : { from: 0, to }
      },
    ),
  ],
  run(edit, context, { from, to }) {
    if (to <= from) return refused('The end of a stretch comes after its start.')
    if (from >= context.length) return refused(`The clip is only ${clock(context.length)} long.`)
    const end = Math.min(to, context.length)
    const cut = remove(edit.cut, context.sourceAt(from), context.sourceAt(end))
    if (cut === edit.cut) return refused('Nothing of the clip would be left.')
    return edited({ ...edit, cut }, `Cut ${clock(from)} to ${clock(end)}.`)
  },
})
