import { declareCommand, rule } from './declare.ts'
import { moveEnd } from './ends.ts'

const START = '(?:start|begin|open)s?(?: (?:it|the clip|the video|this))?'

export const beginAt = declareCommand({
  name: 'begin_at',
  examples: ['start at “so the point is”', 'begin at 0:04'],
  rules: [
    rule(`(?:make (?:it|the clip) |let (?:it|the clip) )?${START} (?:at|from) {at:TIME}`, (found) => {
      const seconds = found.time('at')
      return seconds === null ? null : { seconds }
    }),
    rule(
      `(?:make (?:it|the clip) |let (?:it|the clip) )?${START} (?:at|with|from|on|when .* says?|where .* says?) (?:the words? )?{phrase:PHRASE}`,
      (found) => words(found.text('phrase')),
    ),
    rule('{cut} everything (?:before|up to|until) (?:the words? )?{phrase:PHRASE}', (found) =>
      words(found.text('phrase')),
    ),
  ],
  run: (edit, context, given) => moveEnd(edit, context, { side: 'start', ...given }),
})

const words = (phrase: string | null) => (phrase === null ? null : { phrase })
