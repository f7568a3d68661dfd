import { remove } from '../../../../server/nodes/editing/cut.ts'
import { declareCommand, edited, refused } from './declare.ts'
import { cutOfSpan, isMissing, rulesWithWhere, spansOf, stretchAt } from './where.ts'
import { rule } from './declare.ts'

export const keepOnly = declareCommand({
  name: 'keep_only',
  examples: ['keep only “three times”', 'keep only 0:02 to 0:06'],
  rules: [
    ...rulesWithWhere('(?:only keep|keep only|just keep|keep just|keep)', (where) =>
      where.from === undefined && where.phrase === undefined ? null : where,
    ).filter(({ pattern }) => !pattern.source.includes('?<phrase>')),
    rule(
      '(?:{cut} (?:everything|all) (?:but|except|apart from)|only keep|keep only|just keep|keep just) (?:{words} )?{phrase:PHRASE}',
      (found) => {
        const phrase = found.text('phrase')
        return phrase === null ? null : { phrase }
      },
    ),
  ],
  run(edit, context, where) {
    const stretch = stretchAt(edit, context, where)
    if (stretch === null) return refused('Say which words, or from when to when.')
    if (isMissing(stretch)) return refused(stretch.why)
    const { start, end } = stretch
    const first = context.words.findIndex((word) => word.start >= start - 1e-6)
    const last = context.words.findLastIndex((word) => word.end <= end + 1e-6)
    const wide = where.phrase === undefined || first < 0 ? stretch : cutOfSpan(context, { first, last })
    const { startTimestamp, endTimestamp } = edit.cut
    const cut = remove(remove(edit.cut, startTimestamp - 1, wide.start), wide.end, endTimestamp + 1)
    if (cut === edit.cut) return refused('That is all that the clip has.')
    if (where.phrase !== undefined && isMissing(spansOf(context, where.phrase)))
      return refused('Nothing is left.')
    return edited({ ...edit, cut }, 'Cut everything else.')
  },
})
