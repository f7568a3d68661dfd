import { cutWordsOut, fillersOf } from '../../../../server/nodes/editing/speech-cuts.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'

const FILLERS =
  '(?:filler words?|fillers?|filler sounds?|hesitations?|verbal tics|(?:the )?(?:"?(?:um|uh|er|hm|ah|erm)"?\'?s?(?:,? (?:and|or|&) |, |/| )?)+)'

/** Each becomes a cut that can be put back by itself, placed as the node `filler_words` places it. */
export const removeFillers = declareCommand({
  name: 'remove_fillers',
  examples: ['remove all fillers', 'cut the ums and uhs'],
  rules: [
    rule(
      `{cut} (?:out )?(?:all )?(?:of )?(?:the |my |his |her |their |any |every )?${FILLERS}(?: words?)?`,
      () => ({}),
    ),
    rule(`(?:no|without)(?: more)? ${FILLERS}`, () => ({})),
  ],
  run(edit, context) {
    const fillers = new Set([...fillersOf(context)].filter((at) => context.heard(edit.cut, at)))
    if (fillers.size === 0) return refused('No filler words are heard in this clip.')
    const { cut, dropped } = cutWordsOut(edit.cut, fillers, context)
    if (dropped.size === 0) return refused('The fillers cannot be cut without hurting the words beside them.')
    const count = dropped.size === 1 ? 'one filler word' : `${dropped.size} filler words`
    const left = fillers.size - dropped.size
    const more = left === 0 ? '' : ` ${left} more could not be cut without hurting the words beside them.`
    return edited({ ...edit, cut }, `Cut ${count}.${more}`)
  },
})
