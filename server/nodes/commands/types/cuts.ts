import { remove, restore } from '../../editing/cut.ts'
import { sentencesOf } from '../../editing/phrases.ts'
import { wordsBack } from '../../editing/speech-cuts.ts'
import { declareCommand, edited, refuse, withCut } from '../declare.ts'
import { choice, count, mark, maybe, moment, number, params, phrase, where } from '../params.ts'
import { clock, cutOfSpan, isPlayed, playedWords, quoted, spansOf, stretchAt } from '../where.ts'
import { LEXICON } from '../match/lexicon.ts'

const WORDS = LEXICON['words'] ?? ''
const FIRST = 'first|opening|intro|initial|start|beginning|front|top'
const LAST = 'last|final|closing|end|tail|back|ending'
const edge = choice({ start: FIRST, end: LAST })

/** Words are cut from the middle of the pause before them to the middle of the pause after. */
export const cutWords = declareCommand({
  name: 'cut_words',
  label: 'Cut words',
  description: 'Cuts words out of the clip',
  examples: ['cut “three times”', 'remove the words “you know” everywhere'],
  says: ['cut @phrase'],
  fillers: `${WORDS}|away`,
  params: params({
    phrase: phrase('The words, as they stand in the transcript', `${WORDS}|where .* says?|when .* says?`, {
      loose: LEXICON['cut'] ?? '',
    }),
    all: maybe(
      mark(
        'Wherever they are said',
        'everywhere|wherever .*|all over|every time|throughout|each time|every|each|all',
      ),
    ),
  }),
  run(edit, context, { phrase, all = false }) {
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
    return withCut(
      edit,
      cut,
      `Cut ${quoted(context, first)}${all && others > 0 ? ` ${played.length} times` : ''}.${more}`,
    )
  },
})

/** Whole sentences, of those that are played. */
export const cutSentences = declareCommand({
  name: 'cut_sentences',
  label: 'Cut sentences',
  description:
    'Cuts whole sentences out: so many from the start or the end, or the one in which words are said',
  examples: ['cut the first sentence', 'remove the last two sentences', 'cut the sentence with “budget”'],
  says: [
    ['cut sentences @from', { count: 1 }],
    'cut sentence with|about|that|where|containing|saying|mentioning|on|has @phrase',
  ],
  fillers: 'whole|entire|in it|(?:he|she|they|i|we|you|it)(?: says?)?',
  params: params({
    from: maybe(edge),
    count: maybe(count('', { minimum: 1, maximum: 100 })),
    phrase: maybe(
      phrase(
        'Words of the sentence',
        'with|about|containing|saying|where .* says?|(?:that )?(?:has|says|contains|mentions)|mentioning|on',
      ),
    ),
  }),
  run(edit, context, { from = 'start', count: many = 1, phrase }) {
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
    const within = sentences.filter((one) =>
      found.some(({ first }) => first >= one.first && first <= one.last),
    )
    const chosen =
      phrase !== undefined
        ? within.slice(0, 1)
        : from === 'start'
          ? sentences.slice(0, many)
          : sentences.slice(-many)
    const [head] = chosen
    if (head === undefined) return refuse(`No sentence that is heard has “${phrase ?? ''}” in it.`)
    const span = { first: head.first, last: chosen.at(-1)?.last ?? head.last }
    const { start, end } = cutOfSpan(context, span)
    return withCut(edit, remove(edit.cut, start, end), `Cut ${quoted(context, span)}.`)
  },
})

/** Times are as the player counts them when the command is given. */
export const cutTime = declareCommand({
  name: 'cut_time',
  label: 'Cut a stretch of time',
  description: 'Cuts a stretch of time out',
  examples: ['cut from 0:12 to 0:15', 'remove seconds 3 to 5'],
  says: ['cut'],
  fillers: 'everything|seconds|part|bit|stretch|section|piece',
  params: params({ from: moment('Beginning', 'range'), to: moment('End', 'range') }),
  run(edit, context, { from, to }) {
    if (to <= from) refuse('The end of a stretch comes after its start.')
    if (from >= context.length) refuse(`The clip is only ${clock(context.length)} long.`)
    const end = Math.min(to, context.length)
    const cut = remove(edit.cut, context.sourceAt(from), context.sourceAt(end))
    return withCut(edit, cut, `Cut ${clock(from)} to ${clock(end)}.`)
  },
})

export const cutEdge = declareCommand({
  name: 'cut_edge',
  label: 'Trim the start or the end',
  description: 'Cuts so many seconds off the start or the end',
  examples: ['cut the first 3 seconds', 'trim two seconds off the end'],
  says: ['cut @edge @seconds', ['shorten @seconds', { edge: 'end' }]],
  fillers: 'off',
  params: params({
    edge,
    seconds: number({ exclusiveMinimum: 0, maximum: 86_400, unit: 's', description: 'How many' }, 'length'),
  }),
  run(edit, context, { edge: side, seconds }) {
    if (seconds >= context.length) refuse(`The clip is only ${clock(context.length)} long.`)
    const { startTimestamp, endTimestamp } = edit.cut
    const cut =
      side === 'start'
        ? remove(edit.cut, Math.min(startTimestamp, context.sourceAt(0)), context.sourceAt(seconds))
        : remove(edit.cut, context.sourceAt(context.length - seconds), endTimestamp)
    return withCut(
      edit,
      cut,
      `Cut the ${side === 'start' ? 'first' : 'last'} ${Math.round(seconds * 100) / 100} s.`,
    )
  },
})

export const keepOnly = declareCommand({
  name: 'keep_only',
  label: 'Keep only',
  description: 'Cuts everything but these words, or but this stretch of time',
  examples: ['keep only “three times”', 'keep only 0:02 to 0:06'],
  says: ['keep', 'cut everything but|except|apart_from'],
  fillers: WORDS,
  params: params({
    ...where,
    phrase: maybe(phrase('The words', 'keep only|only keep|just keep|keep just|but|except|apart from')),
  }),
  run(edit, context, given) {
    const stretch = stretchAt(edit, context, given) ?? refuse('Say which words, or from when to when.')
    const first = context.words.findIndex(({ start }) => start >= stretch.start - 1e-6)
    const last = context.words.findLastIndex(({ end }) => end <= stretch.end + 1e-6)
    const { start, end } =
      given.phrase === undefined || first < 0 ? stretch : cutOfSpan(context, { first, last })
    const { startTimestamp, endTimestamp } = edit.cut
    const cut = remove(remove(edit.cut, startTimestamp - 1, start), end, endTimestamp + 1)
    return cut === edit.cut
      ? refuse('That is all that the clip has.')
      : edited({ ...edit, cut }, 'Cut everything else.')
  },
})

export const putBack = declareCommand({
  name: 'put_back',
  label: 'Put back',
  description: 'Puts back what was cut out: some words, or everything',
  examples: ['put back “three times”', 'restore everything that was cut'],
  says: [
    ['putback everything|what|words|cuts|whole_clip', {}],
    ['undo|remove|no cuts', {}],
    'putback @phrase',
  ],
  fillers: `cuts?|words|${WORDS}|everything`,
  params: params({
    phrase: maybe(phrase('The words, as they stand in the transcript', LEXICON['putback'] ?? '')),
  }),
  run(edit, context, { phrase }) {
    const { startTimestamp, endTimestamp, segments } = edit.cut
    if (phrase === undefined)
      return segments.length === 0
        ? refuse('Nothing is cut out of the clip.')
        : edited(
            { ...edit, cut: { startTimestamp, endTimestamp, segments: [] } },
            'Put everything between start and end back.',
          )
    const out =
      spansOf(context, phrase).find((span) => !isPlayed(edit, context, span)) ??
      refuse(`“${phrase}” is in the clip already.`)
    return edited(
      { ...edit, cut: wordsBack(edit.cut, context.words, out) },
      `Put ${quoted(context, out)} back.`,
    )
  },
})

/** Where a clip begins and ends: one end moves to words or to a time; a clip that ended before them is widened. */
const moveEnd = (side: 'start' | 'end') => {
  const starts = side === 'start'
  const verb = starts ? 'begins' : 'ends'
  const verbs = starts
    ? '(?<!the_)(?:starts?|begins?|opens?)'
    : '(?<!the_)(?:ends?|stops?|finish(?:es)?|closes?)'
  const marker = starts ? 'at|with|from|on' : 'at|with|on|after'
  return declareCommand({
    name: starts ? 'begin_at' : 'end_at',
    label: starts ? 'Start at' : 'End at',
    description: `Lets the clip ${starts ? 'begin' : 'end'} with these words, or at this time`,
    examples: starts
      ? ['start at “so the point is”', 'begin at 0:04']
      : ['end with “that is all”', 'stop at 0:20'],
    says: [
      `${verbs} @seconds`,
      `${verbs} @phrase`,
      starts ? 'cut everything before|up_to|until @phrase' : 'cut everything after|following|past @phrase',
    ],
    fillers: 'the words?',
    params: params({
      phrase: maybe(
        phrase(
          starts ? 'The first words' : 'The last words',
          `(?:${marker}|when .* says?|where .* says?|before|up to|until|following|past)(?: the words?)?`,
        ),
      ),
      seconds: maybe(moment(starts ? 'The new start' : 'The new end')),
    }),
    run(edit, context, { phrase, seconds }) {
      const { startTimestamp, endTimestamp } = edit.cut
      const ended = (at: number) => {
        if (starts)
          return at < startTimestamp
            ? restore(edit.cut, at, startTimestamp)
            : remove(edit.cut, startTimestamp, at)
        return at > endTimestamp ? restore(edit.cut, endTimestamp, at) : remove(edit.cut, at, endTimestamp)
      }
      if (phrase !== undefined) {
        const all = spansOf(context, phrase)
        const played = all.filter((span) => isPlayed(edit, context, span))
        const usable = played.length > 0 ? played : all
        const chosen = (starts ? usable[0] : usable.at(-1)) ?? refuse(`“${phrase}” is not said in this clip.`)
        const { start, end } = cutOfSpan(context, chosen)
        return edited(
          { ...edit, cut: ended(starts ? start : end) },
          `The clip ${verb} with ${quoted(context, chosen)}.`,
        )
      }
      if (seconds === undefined) return refuse(`Say with which words the clip ${verb}, or at which time.`)
      if (seconds > context.length) refuse(`The clip is only ${clock(context.length)} long.`)
      const cut = ended(context.sourceAt(seconds))
      if (cut === edit.cut) refuse('That would change nothing.')
      return edited({ ...edit, cut }, `The clip ${verb} at ${clock(seconds)} of what it was.`)
    },
  })
}
export const beginAt = moveEnd('start')
export const endAt = moveEnd('end')
