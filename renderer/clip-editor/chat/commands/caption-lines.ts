import { withCaptions } from './captions.ts'
import { declareCommand, edited, given, refused, rule } from './declare.ts'

const MOST = '(?:at most |max(?:imum)? |up to |a maximum of |no more than )?'

export const captionLines = declareCommand({
  name: 'caption_lines',
  examples: ['captions on one line', 'at most 20 characters per caption line'],
  rules: [
    rule(
      `(?:{make} |{on} |keep )?(?:the )?{captions} (?:on |in |to |with |of |have )?${MOST}(?:only |just |a single )?{lines:NUMBER}?(?: )?lines?(?: at most| max)?`,
      (found) => {
        const lines = found.number('lines') ?? 1
        return Number.isInteger(lines) && lines >= 1 && lines <= 10 ? { lines } : null
      },
    ),
    rule(`${MOST}{lines:NUMBER} lines? (?:of|for|per|in the) {captions}`, (found) => {
      const lines = found.number('lines')
      return lines !== null && Number.isInteger(lines) && lines >= 1 && lines <= 10 ? { lines } : null
    }),
    rule(
      `(?:{make} )?(?:(?:the )?{captions} )?(?:with |of |to )?${MOST}{characters:NUMBER} (?:characters|letters|chars) (?:per|in a|a|on each) (?:caption |subtitle )?line`,
      (found) => {
        const characters = found.number('characters')
        return characters !== null && Number.isInteger(characters) && characters >= 4 && characters <= 100
          ? { characters }
          : null
      },
    ),
  ],
  run(edit, _context, { lines, characters }) {
    if (lines === undefined && characters === undefined)
      return refused('Say how many lines, or how many letters in a line.')
    const next = withCaptions(edit, given({ maxLines: lines, maxCharsPerLine: characters }))
    const parts = [
      lines === undefined ? [] : [`${lines} ${lines === 1 ? 'line' : 'lines'}`],
      characters === undefined ? [] : [`${characters} letters in a line`],
    ].flat()
    return edited(next, `Captions have at most ${parts.join(' and ')}.`)
  },
})
