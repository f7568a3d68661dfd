import { remove } from '../../../../server/nodes/editing/cut.ts'
import { sentencesOf } from '../../../../server/nodes/editing/phrases.ts'
import type { CommandContext } from '../../../../server/nodes/commands/context.ts'
import type { ClipEdit } from '../../../../server/nodes/editing/clip-edit.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'
import { cutOfSpan, isMissing, quoted, spansOf } from './where.ts'

const SENTENCES = '(?:sentences?|lines?|phrases?|statements?)'

/** Whole sentences, of those that are heard. */
export const cutSentences = declareCommand({
  name: 'cut_sentences',
  examples: ['cut the first sentence', 'remove the last two sentences', 'cut the sentence with “budget”'],
  rules: [
    rule(
      `{cut} (?:the |my |his |her |their )?(?:very )?(?:first|opening|intro) {count:NUMBER} ${SENTENCES}`,
      (found) => counted('start', found.number('count')),
    ),
    rule(
      `{cut} (?:the |my |his |her |their )?(?:very )?(?:last|final|closing) {count:NUMBER} ${SENTENCES}`,
      (found) => counted('end', found.number('count')),
    ),
    rule(`{cut} (?:the |my |his |her |their )?(?:very )?(?:first|opening) sentence`, () =>
      counted('start', 1),
    ),
    rule(`{cut} (?:the |my |his |her |their )?(?:very )?(?:last|final|closing) sentence`, () =>
      counted('end', 1),
    ),
    rule(
      `{cut} the (?:whole |entire )?sentence (?:with|about|containing|that says|saying|where .* says?|that has|that contains|that mentions|mentioning|on) (?:the words? )?{phrase:PHRASE}(?: in it)?`,
      (found) => {
        const phrase = found.text('phrase')
        return phrase === null ? null : { phrase }
      },
    ),
  ],
  run(edit, context, { from = 'start', count = 1, phrase }) {
    const heard = context.words.flatMap((_, at) => (context.heard(edit.cut, at) ? [at] : []))
    const sentences = sentencesOf(context.words, heard)
    if (phrase !== undefined) return cutOne(edit, context, sentences, phrase)
    if (sentences.length === 0) return refused('No words are heard in this clip.')
    if (count >= sentences.length)
      return refused(
        sentences.length === 1
          ? 'The clip is one sentence; nothing would be left.'
          : `The clip has ${sentences.length} sentences; at least one must stay.`,
      )
    const chosen = from === 'start' ? sentences.slice(0, count) : sentences.slice(-count)
    return cutSpan(edit, context, { first: chosen[0]?.first ?? 0, last: chosen.at(-1)?.last ?? 0 })
  },
})

const counted = (from: 'start' | 'end', count: number | null) =>
  count === null || !Number.isInteger(count) || count < 1 ? null : { from, count }

type Spans = ReturnType<typeof sentencesOf>

function cutOne(edit: ClipEdit, context: CommandContext, sentences: Spans, phrase: string) {
  const found = spansOf(context, phrase)
  if (isMissing(found)) return refused(found.why)
  const sentence = sentences.find(({ first, last }) =>
    found.spans.some((span) => span.first >= first && span.first <= last),
  )
  if (sentence === undefined) return refused(`No sentence that is heard has “${phrase}” in it.`)
  return cutSpan(edit, context, sentence)
}

function cutSpan(edit: ClipEdit, context: CommandContext, span: Spans[number]) {
  const { start, end } = cutOfSpan(context, span)
  const cut = remove(edit.cut, start, end)
  if (cut === edit.cut) return refused('Nothing of the clip would be left.')
  return edited({ ...edit, cut }, `Cut ${quoted(context, span)}.`)
}
