import { declareCommand, edited, refused } from './declare.ts'
import { isMissing, rulesWithWhere, stretchAt } from './where.ts'

export const broll = declareCommand({
  name: 'broll',
  examples: ['remove the b-roll', 'no b-roll from 0:03 to 0:06'],
  rules: rulesWithWhere(
    '{off} (?:all )?(?:of )?(?:the |any |that |this )?(?:b-?rolls?|broll|b roll|stock (?:footage|pictures)|inserts?)(?: (?:pictures?|clips?|footage|videos?|images?))?',
    (where) => where,
  ),
  run(edit, context, where) {
    const stretch = stretchAt(edit, context, where)
    if (stretch !== null && isMissing(stretch)) return refused(stretch.why)
    const before = edit.broll ?? context.broll
    const kept =
      stretch === null ? [] : before.filter(({ start, end }) => end <= stretch.start || start >= stretch.end)
    const count = before.length - kept.length
    if (count === 0)
      return refused(stretch === null ? 'This clip has no b-roll.' : 'There is no b-roll there.')
    return edited(
      { ...edit, broll: [...kept] },
      count === 1 ? 'One piece of b-roll is gone.' : `${count} pieces of b-roll are gone.`,
    )
  },
})
