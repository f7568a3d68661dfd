import { setRateBetween } from '../../editing/cut.ts'
import { speakersIn } from '../../editing/speakers.ts'
import { cursesOf, cutWordsOut, fillersOf, shortenPauses as shorten } from '../../editing/speech-cuts.ts'
import { declareCommand, edited, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { choice, factor, nameOf, number, params, text, where } from '../params.ts'
import { isOn, withNode } from '../settings.ts'
import { stretchAt } from '../where.ts'

const counted = (count: number, one: string): string => (count === 1 ? `one ${one}` : `${count} ${one}s`)

/** Each becomes a cut that can be put back by itself, placed as the node `filler_words` places it. */
export const removeFillers = declareCommand({
  name: 'remove_fillers',
  label: 'Remove filler words',
  description: 'Cuts filler words such as "um" out',
  examples: ['remove all fillers', 'cut the ums and uhs'],
  says: ['cut fillers', 'off fillers'],
  fillers: `more|words?|${LEXICON['fillers'] ?? ''}`,
  params: params({}),
  run(edit, context) {
    const fillers = new Set([...fillersOf(context)].filter((at) => context.heard(edit.cut, at)))
    if (fillers.size === 0) refuse('No filler words are heard in this clip.')
    const { cut, dropped } = cutWordsOut(edit.cut, fillers, context)
    if (dropped.size === 0) refuse('The fillers cannot be cut without hurting the words beside them.')
    const left = fillers.size - dropped.size
    const more = left === 0 ? '' : ` ${left} more could not be cut without hurting the words beside them.`
    return edited({ ...edit, cut }, `Cut ${counted(dropped.size, 'filler word')}.${more}`)
  },
})

export const shortenPauses = declareCommand({
  name: 'shorten_pauses',
  label: 'Shorten pauses',
  description: 'Shortens the pauses between words',
  examples: ['shorten pauses over half a second', 'tighten the pauses'],
  says: [
    ['shorten|tighten_up|tighten|reduce|close|cut pauses', { over: 0.6 }],
    ['tighter|(?:tighten|pick)_(?:it|the_clip|the_pacing|the_talk)_up', { over: 0.6 }],
  ],
  fillers:
    'cut|long|awkward|big|dead|over|(?:that are |that last )?longer than|above|more than|between|words',
  params: params({
    over: number(
      { minimum: 0.2, maximum: 30, unit: 's', description: 'Those longer than this, seconds' },
      'length',
    ),
  }),
  run(edit, context, { over }) {
    const { cut, shortened, seconds } = shorten(edit.cut, over, context)
    if (shortened === 0) refuse(`No pause between the words is longer than ${over} s.`)
    return edited(
      { ...edit, cut },
      `Shortened ${counted(shortened, 'pause')}; the clip is ${seconds.toFixed(1)} s shorter.`,
    )
  },
})

/** Covering sound is the node's work; cut words are cuts like others, to be put back one by one. */
export const curseWords = declareCommand({
  name: 'curse_words',
  label: 'Curse words',
  description: 'Beeps or silences curse words, cuts them out, or lets them be heard again',
  examples: ['bleep the curse words', 'cut the swear words out'],
  says: ['curses', ['clean|family[_-]friendly|safe_for_work', { how: 'beep' }]],
  params: params({
    how: choice({
      keep: "stop (?:beeping|bleeping|censoring|muting)|unmute|uncensor|keep|allow|(?:do not|don't) (?:beep|bleep|censor|mute)",
      beep: 'beep|bleep|censor',
      silence: 'silence|mute',
      cut: LEXICON['cut'] ?? '',
    }),
  }),
  run(edit, context, { how }) {
    const masked = isOn(edit, context, 'remove_curse_words')
    if (how === 'keep') {
      if (!masked) refuse('Curse words are heard as they were said already.')
      return edited(
        withNode(edit, context, 'remove_curse_words', { on: false }),
        'Curse words are heard as they were said.',
      )
    }
    const found = new Set([...cursesOf(context)].filter((at) => context.heard(edit.cut, at)))
    if (found.size === 0) refuse('No curse words are heard in this clip.')
    const count = counted(found.size, 'curse word')
    if (how === 'cut') {
      const { cut, dropped } = cutWordsOut(edit.cut, found, context, true)
      if (dropped.size === 0)
        refuse('They cannot be cut without hurting the words beside them; bleep them instead.')
      return edited({ ...edit, cut }, `Cut ${count}.`)
    }
    const next = withNode(edit, context, 'remove_curse_words', {
      on: true,
      inner: ['remove_curse_words_config', { mode: how }],
    })
    return edited(next, `${how === 'beep' ? 'Bleeped' : 'Silenced'} ${count}; captions mask them.`)
  },
})

export const speed = declareCommand({
  name: 'speed',
  label: 'Speed',
  description: 'Plays the clip, or a stretch of it, faster or slower',
  examples: ['speed up to 1.5x', 'play “three times” at half speed'],
  says: ['@rate'],
  fillers: 'speed|slow|play|playback|run|rate|up|down|everything|whole|thing|back',
  params: params({
    rate: factor(
      { minimum: 0.25, maximum: 4, description: '1 is natural' },
      {
        0.5: 'half (?:the )?speed',
        2: 'double (?:the )?speed',
        1: '(?:normal|natural|regular|usual|original)(?: the)? speed',
        1.25: 'faster|speed (?:it |this |everything |the (?:whole )?(?:clip|video|thing) )?up',
        0.8: 'slower|slow (?:it |this |everything |the (?:whole )?(?:clip|video|thing) )?down|slow motion|slow-mo',
      },
    ),
    ...where,
  }),
  run(edit, context, { rate, ...at }) {
    const stretch = stretchAt(edit, context, at)
    const cut = setRateBetween(edit.cut, stretch?.start ?? -Infinity, stretch?.end ?? Infinity, rate)
    if (cut === edit.cut) refuse(`It plays at ${rate}× already.`)
    return edited(
      { ...edit, cut },
      `${stretch === null ? 'The clip plays' : 'That stretch plays'} at ${rate}×.`,
    )
  },
})

const ORDER = ['first|one', 'second|two', 'third|three', 'fourth|four', 'fifth|five', 'sixth|six']
const SPEAKERS = Array.from({ length: 20 }, (_, index) => {
  const words = ORDER[index] ?? 'nobody'
  return [
    `speaker (?:number )?(?:${index + 1}|${words})|(?:${words}) speaker`,
    `Speaker ${index + 1}`,
  ] as const
})
const SPEAKER = SPEAKERS.map(([pattern]) => pattern).join('|')

export const nameSpeaker = declareCommand({
  name: 'name_speaker',
  label: 'Rename a speaker',
  description: 'Names a speaker',
  examples: ['rename speaker 1 to Anna', 'call the second speaker “Ben”'],
  says: ['rename|name|call|label|change @speaker', '@speaker @name'],
  fillers: 'called|named|name',
  params: params({
    speaker: nameOf('The name or the number so far', SPEAKERS, { kind: 'text' }),
    name: text('The new name', `(?:(?:${SPEAKER}) )?(?:to|as|into|is(?: called| named)?)|${SPEAKER}`),
  }),
  available: (_edit, { words }) =>
    words.some(({ speaker }) => speaker !== undefined) ? null : 'Nobody is told apart in this clip.',
  run(edit, context, { speaker, name }) {
    const all = speakersIn(context.words, edit.speakers ?? context.speakers)
    const plain = speaker.trim().toLowerCase()
    const called = (one: (typeof all)[number], index: number): boolean =>
      [one.name.toLowerCase(), `speaker ${index + 1}`, String(index + 1)].includes(plain)
    const rank = all.findIndex(called)
    if (rank < 0)
      refuse(`There is no speaker “${speaker}”; there are ${all.map((one) => one.name).join(', ')}.`)
    if (name.trim() === '') refuse('Say how the speaker is called.')
    const names = all.map((one, index) => (index === rank ? name.trim() : one.name))
    return edited({ ...edit, speakers: names }, `${all[rank]?.name ?? speaker} is called ${name.trim()}.`)
  },
})
