import { declareCommand, rule } from './declare.ts'
import { moveEnd } from './ends.ts'

const END = '(?:end|stop|finish|close)(?:s|es)?(?: (?:it|the clip|the video|this))?'

export const endAt = declareCommand({
  name: 'end_at',
  examples: ['end with “that is all”', 'stop at 0:20'],
  rules: [
    rule(`(?:make (?:it|the clip) |let (?:it|the clip) )?${END} (?:at|by) {at:TIME}`, (found) => {
      const seconds = found.time('at')
      return seconds === null ? null : { seconds }
    }),
    rule(
      `(?:make (?:it|the clip) |let (?:it|the clip) )?${END} (?:at|with|on|after|when .* says?|where .* says?) (?:the words? )?{phrase:PHRASE}`,
      (found) => words(found.text('phrase')),
    ),
    rule('{cut} everything (?:after|following|past) (?:the words? )?{phrase:PHRASE}', (found) =>
      words(found.text('phrase')),
    ),
  ],
  run: (edit, context, given) => moveEnd(edit, context, { side: 'end', ...given }),
})

const words = (phrase: string | null) => (phrase === null ? null : { phrase })
