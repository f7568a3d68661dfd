import type { ClipEdit } from '../../editing/clip-edit.ts'
import { isSameCut, remove, restore } from '../../editing/cut.ts'
import { sentencesOf } from '../../editing/phrases.ts'
import { wordsBack } from '../../editing/speech-cuts.ts'
import type { CommandContext } from '../context.ts'
import { declareCommands, refuse, withCut, type Made } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { choice, count, mark, moment, number, optional, phrase, range, where } from '../params.ts'
import { clock, cutOfSpan, isPlayed, playedWords, quoted, spansOf, stretchAt } from '../where.ts'

const WORDS = LEXICON['words'] ?? ''
const edge = choice({
  start: 'first|opening|intro|initial|start|beginning|front|top',
  end: 'last|final|closing|end|tail|back|ending',
})

/**
 * A command that moves an end of the clip to words or to a time. `verbs`, `cutting` and `beside`: what asks for it, and
 * what its words stand behind. A clip that ended before what is named is widened.
 */
function moveEnd(
  side: 'start' | 'end',
  examples: [string, string],
  { verbs, cutting, beside }: { readonly verbs: string; readonly cutting: string; readonly beside: string },
) {
  const [label, verb, rank] = side === 'start' ? ['Start', 'begin', 'first'] : ['End', 'end', 'last']
  const markers = `(?:${beside}|when .* says?|where .* says?|before|up to|until|following|past)(?: the words?)?`
  return {
    label: `${label} at`,
    description: `Lets the clip ${verb} with these words, or at this time`,
    examples,
    says: [
      `(?<!the_)(?:${verbs}) @seconds`,
      `(?<!the_)(?:${verbs}) @phrase`,
      `cut everything ${cutting} @phrase`,
    ],
    fillers: 'the words?',
    params: optional({ phrase: phrase(`The ${rank} words`, markers), seconds: moment(`The new ${side}`) }),
    run(
      { phrase, seconds }: { readonly phrase?: string; readonly seconds?: number },
      edit: ClipEdit,
      context: CommandContext,
    ): Made {
      const moved = (at: number) => {
        const { startTimestamp, endTimestamp } = edit.cut
        const before = side === 'start' ? startTimestamp : endTimestamp
        const widens = side === 'start' ? at < before : at > before
        return (widens ? restore : remove)(edit.cut, Math.min(at, before), Math.max(at, before))
      }
      if (phrase !== undefined) {
        const all = spansOf(context, phrase)
        const played = all.filter((span) => isPlayed(edit, context, span))
        const chosen = (played.length > 0 ? played : all).at(side === 'start' ? 0 : -1) ?? all[0]
        const cut = moved(cutOfSpan(context, chosen)[side])
        if (isSameCut(cut, edit.cut)) refuse(`The clip ${verb}s with ${quoted(context, chosen)} already.`)
        return [{ cut }, `The clip ${verb}s with ${quoted(context, chosen)}.`]
      }
      if (seconds === undefined) return refuse(`Say with which words the clip ${verb}s, or at which time.`)
      if (seconds > context.length) refuse(`The clip is only ${clock(context.length)} long.`)
      const cut = moved(context.sourceAt(seconds))
      if (isSameCut(cut, edit.cut)) refuse('That would change nothing.')
      return [{ cut }, `The clip ${verb}s at ${clock(seconds)} of what it was.`]
    },
  }
}

export const cuts = declareCommands({
  /** Whole sentences, of those that are played. */
  cut_sentences: {
    description:
      'Cuts whole sentences out: so many from the start or the end, or the one in which words are said',
    examples: ['cut the first sentence', 'remove the last two sentences', 'cut the sentence with “budget”'],
    says: [
      ['cut sentences @from', { count: 1 }],
      'cut sentence with|about|that|where|containing|saying|mentioning|on|has @phrase',
    ],
    fillers: 'whole|entire|in it|(?:he|she|they|i|we|you|it)(?: says?)?',
    params: optional({
      from: edge,
      count: count({ minimum: 1, maximum: 100 }),
      phrase: phrase(
        'Words of the sentence',
        'with|about|containing|saying|where .* says?|(?:that )?(?:has|says|contains|mentions)|mentioning|on',
      ),
    }),
    run({ from = 'start', count: many = 1, phrase }, edit, context) {
      const sentences = sentencesOf(context.words, playedWords(edit, context))
      const total = sentences.length
      if (phrase === undefined && total === 0) refuse('No words are heard in this clip.')
      if (phrase === undefined && many >= total)
        refuse(
          total === 1
            ? 'The clip is one sentence; nothing would be left.'
            : `The clip has ${total} sentences; at least one must stay.`,
        )
      const found = phrase === undefined ? [] : spansOf(context, phrase)
      const holding = sentences.filter((one) =>
        found.some(({ first }) => first >= one.first && first <= one.last),
      )
      const edges = from === 'start' ? sentences.slice(0, many) : sentences.slice(-many)
      const chosen = phrase === undefined ? edges : holding.slice(0, 1)
      const [head] = chosen
      if (head === undefined) return refuse(`No sentence that is heard has “${phrase ?? ''}” in it.`)
      const span = { first: head.first, last: chosen.at(-1)?.last ?? head.last }
      const { start, end } = cutOfSpan(context, span)
      return withCut(edit, remove(edit.cut, start, end), `Cut ${quoted(context, span)}.`)
    },
  },
  cut_edge: {
    label: 'Trim the start or the end',
    description: 'Cuts so many seconds off the start or the end',
    examples: ['cut the first 3 seconds', 'trim two seconds off the end'],
    says: ['cut @edge @seconds', ['shorten @seconds', { edge: 'end' }]],
    fillers: 'off',
    params: {
      edge,
      seconds: number({ exclusiveMinimum: 0, maximum: 86_400, unit: 's', description: 'How many' }, 'length'),
    },
    run({ edge: side, seconds }, edit, context) {
      if (seconds >= context.length) refuse(`The clip is only ${clock(context.length)} long.`)
      const { startTimestamp, endTimestamp } = edit.cut
      const cut =
        side === 'start'
          ? remove(edit.cut, Math.min(startTimestamp, context.sourceAt(0)), context.sourceAt(seconds))
          : remove(edit.cut, context.sourceAt(context.length - seconds), endTimestamp)
      const which = side === 'start' ? 'first' : 'last'
      return withCut(edit, cut, `Cut the ${which} ${Math.round(seconds * 100) / 100} s.`)
    },
  },
  /** Times are as the player counts them when the command is given. */
  cut_time: {
    label: 'Cut a stretch of time',
    description: 'Cuts a stretch of time out',
    examples: ['cut from 0:12 to 0:15', 'remove seconds 3 to 5'],
    says: ['cut'],
    fillers: 'everything|seconds|part|bit|stretch|section|piece',
    params: range,
    run({ from, to }, edit, context) {
      if (to <= from) refuse('The end of a stretch comes after its start.')
      if (from >= context.length) refuse(`The clip is only ${clock(context.length)} long.`)
      const end = Math.min(to, context.length)
      const cut = remove(edit.cut, context.sourceAt(from), context.sourceAt(end))
      return withCut(edit, cut, `Cut ${clock(from)} to ${clock(end)}.`)
    },
  },
  begin_at: moveEnd('start', ['start at “so the point is”', 'begin at 0:04'], {
    verbs: 'starts?|begins?|opens?',
    cutting: 'before|up_to|until',
    beside: 'at|with|from|on',
  }),
  end_at: moveEnd('end', ['end with “that is all”', 'stop at 0:20'], {
    verbs: 'ends?|stops?|finish(?:es)?|closes?',
    cutting: 'after|following|past',
    beside: 'at|with|on|after',
  }),
  keep_only: {
    description: 'Cuts everything but these words, or but this stretch of time',
    examples: ['keep only “three times”', 'keep only 0:02 to 0:06'],
    says: ['keep', 'cut everything but|except|apart_from'],
    fillers: WORDS,
    params: {
      ...where,
      ...optional({
        phrase: phrase('The words', 'keep only|only keep|just keep|keep just|but|except|apart from'),
      }),
    },
    run(given, edit, context) {
      const stretch = stretchAt(edit, context, given) ?? refuse('Say which words, or from when to when.')
      const first = context.words.findIndex(({ start }) => start >= stretch.start - 1e-6)
      const last = context.words.findLastIndex(({ end }) => end <= stretch.end + 1e-6)
      const { start, end } =
        given.phrase === undefined || first < 0 ? stretch : cutOfSpan(context, { first, last })
      const cut = remove(remove(edit.cut, -Infinity, start), end, Infinity)
      return isSameCut(cut, edit.cut)
        ? refuse('That is all that the clip has.')
        : [{ cut }, 'Cut everything else.']
    },
  },
  put_back: {
    description: 'Puts back what was cut out: some words, or everything',
    examples: ['put back “three times”', 'restore everything that was cut'],
    says: [
      ['putback everything|what|words|cuts|whole_clip', {}],
      ['undo|remove|no cuts', {}],
      'putback @phrase',
    ],
    fillers: `cuts?|words|${WORDS}|everything`,
    params: optional({
      phrase: phrase('The words, as they stand in the transcript', LEXICON['putback'] ?? ''),
    }),
    run({ phrase }, edit, context) {
      if (phrase === undefined)
        return edit.cut.segments.length === 0
          ? refuse('Nothing is cut out of the clip.')
          : [{ cut: { ...edit.cut, segments: [] } }, 'Put everything between start and end back.']
      const out =
        spansOf(context, phrase).find((span) => !isPlayed(edit, context, span)) ??
        refuse(`“${phrase}” is in the clip already.`)
      return [{ cut: wordsBack(edit.cut, context.words, out) }, `Put ${quoted(context, out)} back.`]
    },
  },
  /** Words are cut from the middle of the pause before them to the middle of the pause after. */
  cut_words: {
    description: 'Cuts words out of the clip',
    examples: ['cut “three times”', 'remove the words “you know” everywhere'],
    says: ['cut @phrase'],
    fillers: `${WORDS}|away`,
    params: {
      phrase: phrase(
        'The words, as they stand in the transcript',
        `${WORDS}|where .* says?|when .* says?`,
        LEXICON['cut'],
      ),
      ...optional({
        all: mark(
          'Wherever they are said',
          'everywhere|wherever .*|all over|every time|throughout|each time|every|each|all',
        ),
      }),
    },
    run({ phrase, all = false }, edit, context) {
      const played = spansOf(context, phrase).filter((span) => isPlayed(edit, context, span))
      const [first] = played
      if (first === undefined) return refuse(`“${phrase}” is cut out already.`)
      const cut = (all ? played : [first]).reduce((before, span) => {
        const { start, end } = cutOfSpan(context, span)
        return remove(before, start, end)
      }, edit.cut)
      const others = played.length - 1
      const times = others === 1 ? 'once more' : `${others} times more`
      const more = all || others === 0 ? '' : ` It is said ${times}; say “everywhere” to cut those too.`
      const repeated = all && others > 0 ? ` ${played.length} times` : ''
      return withCut(edit, cut, `Cut ${quoted(context, first)}${repeated}.${more}`)
    },
  },
})
