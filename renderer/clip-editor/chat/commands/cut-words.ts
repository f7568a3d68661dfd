import { remove } from '../../../../server/nodes/editing/cut.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'
import { cutOfSpan, isHeard, isMissing, quoted, spansOf } from './where.ts'

const EVERYWHERE = '(?:everywhere|all over|wherever .*|every time|throughout|each time)'

/** Words are cut from the middle of the pause before them to the middle of the pause after. */
export const cutWords = declareCommand({
  name: 'cut_words',
  examples: ['cut “three times”', 'remove the words “you know” everywhere'],
  rules: [
    rule(`{cut} (?:every|each|all(?: the)?)(?: {words})? {phrase:QUOTED}s?`, (found) =>
      all(found.text('phrase')),
    ),
    rule(`{cut} (?:{words} )?{phrase:QUOTED} ${EVERYWHERE}`, (found) => all(found.text('phrase'))),
    rule(
      '{cut} (?:(?:out )?(?:{words}|where .* says?|when .* says?) )?{phrase:QUOTED}(?: out| away)?',
      (found) => once(found.text('phrase')),
    ),
    rule(`{cut} {words} {phrase:PHRASE} ${EVERYWHERE}`, (found) => all(found.text('phrase')), {
      loose: true,
    }),
    rule('{cut} (?:{words}) {phrase:PHRASE}', (found) => once(found.text('phrase')), { loose: true }),
    rule('{cut} {phrase:PHRASE}', (found) => once(found.text('phrase')), { loose: true }),
  ],
  run(edit, context, { phrase, all: everywhere = false }) {
    const found = spansOf(context, phrase)
    if (isMissing(found)) return refused(found.why)
    const heard = found.spans.filter((span) => isHeard(edit, context, span))
    const [first] = heard
    if (first === undefined) return refused(`“${phrase}” is cut out already.`)
    let { cut } = edit
    for (const span of everywhere ? heard : [first]) {
      const { start, end } = cutOfSpan(context, span)
      cut = remove(cut, start, end)
    }
    if (cut === edit.cut) return refused('Nothing of the clip would be left.')
    const others = heard.length - 1
    const more =
      everywhere || others === 0
        ? ''
        : ` It is said ${others === 1 ? 'once more' : `${others} times more`}; say “everywhere” to cut those too.`
    const count = everywhere && heard.length > 1 ? ` ${heard.length} times` : ''
    return edited({ ...edit, cut }, `Cut ${quoted(context, first)}${count}.${more}`)
  },
})

const once = (phrase: string | null) => (phrase === null ? null : { phrase })
const all = (phrase: string | null) => (phrase === null ? null : { phrase, all: true })
