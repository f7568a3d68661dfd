import { wordsBack } from '../../../../server/nodes/editing/speech-cuts.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'
import { isHeard, isMissing, quoted, spansOf } from './where.ts'

const BACK = '(?:put back|restore|bring back|uncut|undelete|un-cut)'

export const putBack = declareCommand({
  name: 'put_back',
  examples: ['put back “three times”', 'restore everything that was cut'],
  rules: [
    rule(
      `${BACK} (?:everything|all|it all|all (?:of it|words|cuts|the cuts|the words)|all that was cut|the whole clip|everything (?:that )?(?:was|is|I) cut(?: out)?|what was cut(?: out)?)`,
      () => ({}),
    ),
    rule(
      '(?:put (?:everything|it all|all of it) back(?: in)?|undo all (?:the )?cuts|remove all (?:the )?cuts|no cuts)',
      () => ({}),
    ),
    rule(`${BACK} (?:{words} )?{phrase:PHRASE}`, (found) => words(found.text('phrase'))),
    rule('put (?:{words} )?{phrase:PHRASE} back(?: in)?', (found) => words(found.text('phrase'))),
  ],
  run(edit, context, { phrase }) {
    if (phrase === undefined) {
      const { startTimestamp, endTimestamp, segments } = edit.cut
      if (segments.length === 0) return refused('Nothing is cut out of the clip.')
      return edited(
        { ...edit, cut: { startTimestamp, endTimestamp, segments: [] } },
        'Put everything between start and end back.',
      )
    }
    const found = spansOf(context, phrase)
    if (isMissing(found)) return refused(found.why)
    const out = found.spans.find((span) => !isHeard(edit, context, span))
    if (out === undefined) return refused(`“${phrase}” is in the clip already.`)
    return edited(
      { ...edit, cut: wordsBack(edit.cut, context.words, out) },
      `Put ${quoted(context, out)} back.`,
    )
  },
})

const words = (phrase: string | null) => (phrase === null ? null : { phrase })
