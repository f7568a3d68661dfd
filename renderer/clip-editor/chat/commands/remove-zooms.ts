import { declareCommand, edited, refused } from './declare.ts'
import { isOn, withNode } from './nodes.ts'
import { isMissing, rulesWithWhere, stretchAt } from './where.ts'

export const removeZooms = declareCommand({
  name: 'remove_zooms',
  examples: ['remove all zooms', 'remove the zoom on “three times”'],
  rules: [
    ...rulesWithWhere(
      '{off} (?:all )?(?:of )?(?:the |any |every |my )?(?:zooms?|zoom-?ins?|closer looks?|zoom effects?|zooming)',
      (where) => where,
    ),
    ...rulesWithWhere("(?:do not|don't|never|stop) zoom(?:ing)?(?: in)?", (where) => where),
  ],
  run(edit, context, where) {
    const stretch = stretchAt(edit, context, where)
    if (stretch !== null && isMissing(stretch)) return refused(stretch.why)
    const zooms = edit.zooms ?? []
    if (stretch === null) {
      const chosen = edit.zooms === null && isOn(edit, context, 'smart_zoom')
      if (zooms.length === 0 && !chosen) return refused('The clip has no zooms.')
      const next = chosen ? withNode(edit, context, 'smart_zoom', { on: false }) : edit
      return edited({ ...next, zooms: chosen ? null : [] }, 'The clip has no zooms.')
    }
    const kept = zooms.filter(({ start, end }) => end <= stretch.start || start >= stretch.end)
    if (kept.length === zooms.length) return refused('There is no zoom of yours there.')
    return edited(
      { ...edit, zooms: kept },
      zooms.length - kept.length === 1 ? 'That zoom is gone.' : 'Those zooms are gone.',
    )
  },
})
