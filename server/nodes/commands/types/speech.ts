import { setRateBetween } from '../../editing/cut.ts'
import { speakersIn } from '../../editing/speakers.ts'
import {
  cursesOf,
  cutWordsOut,
  fillersOf,
  shortenPauses,
  unwrittenFillersIn,
} from '../../editing/speech-cuts.ts'
import type { ClipEdit } from '../../editing/clip-edit.ts'
import type { CommandContext } from '../context.ts'
import { declareCommands, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { choice, factor, number, quotedName, text, where } from '../params.ts'
import { isOn, withNode } from '../settings.ts'
import { stretchAt } from '../where.ts'

const counted = (count: number, one: string): string => (count === 1 ? `one ${one}` : `${count} ${one}s`)

const audibleOf = (
  positions: ReadonlySet<number>,
  { cut }: Pick<ClipEdit, 'cut'>,
  { heard }: Pick<CommandContext, 'heard'>,
): ReadonlySet<number> => new Set([...positions].filter((at) => heard(cut, at)))

/** Those of the words that are heard; refused where none is. */
function audible(positions: ReadonlySet<number>, { cut }: ClipEdit, { heard }: CommandContext, name: string) {
  const found = audibleOf(positions, { cut }, { heard })
  return found.size === 0 ? refuse(`No ${name}s are heard in this clip.`) : found
}

/** What editors find under Clean up. */
const describeOffered = (count: number): string =>
  count === 1
    ? 'One more sound may be a filler: see Clean up.'
    : `${count} more sounds may be fillers: see Clean up.`

const CURSES = 'remove_curse_words'
const AS_SAID = 'Curse words are heard as they were said'

const ORDER = ['first|one', 'second|two', 'third|three', 'fourth|four', 'fifth|five', 'sixth|six']
const SPEAKERS = Array.from({ length: 20 }, (_, index) => {
  const words = ORDER[index] ?? 'nobody'
  const pattern = `speaker (?:number )?(?:${index + 1}|${words})|(?:${words}) speaker`
  return [pattern, `Speaker ${index + 1}`] as const
})
const SPEAKER = SPEAKERS.map(([pattern]) => pattern).join('|')

export const speech = declareCommands({
  /** Each becomes a cut that can be put back by itself, placed as the node `filler_words` places it. */
  remove_fillers: {
    label: 'Remove filler words',
    description: 'Cuts filler words such as "um" out',
    examples: ['remove all fillers', 'cut the ums and uhs'],
    says: ['cut fillers', 'off fillers'],
    fillers: `more|words?|${LEXICON['fillers'] ?? ''}`,
    params: {},
    run(_given, edit, context) {
      const { sure, likely } = unwrittenFillersIn(context.sound, (seconds) =>
        context.plays(edit.cut, seconds),
      )
      const words = fillersOf(context)
      const fillers =
        sure.length > 0 ? audibleOf(words, edit, context) : audible(words, edit, context, 'filler word')
      const { cut, dropped, sounds } = cutWordsOut(edit.cut, fillers, context, { sounds: sure })
      const done = dropped.size + sounds
      if (done === 0) refuse('The fillers cannot be cut without hurting the words beside them.')
      const left = fillers.size + sure.length - done
      const more = left === 0 ? '' : ` ${left} more could not be cut without hurting the words beside them.`
      const offered = likely.length === 0 ? '' : ` ${describeOffered(likely.length)}`
      return [{ cut }, `Cut ${counted(done, 'filler word')}.${more}${offered}`]
    },
  },
  shorten_pauses: {
    description: 'Shortens the pauses between words',
    examples: ['shorten pauses over half a second', 'tighten the pauses'],
    says: [
      ['shorten|tighten_up|tighten|reduce|close|cut pauses', { over: 0.6 }],
      ['tighter|(?:tighten|pick)_(?:it|the_clip|the_pacing|the_talk)_up', { over: 0.6 }],
    ],
    fillers:
      'cut|long|awkward|big|dead|over|(?:that are |that last )?longer than|above|more than|between|words',
    params: {
      over: number(
        { minimum: 0.2, maximum: 30, unit: 's', description: 'Those longer than this, seconds' },
        'length',
      ),
    },
    run({ over }, edit, context) {
      const { cut, shortened, seconds } = shortenPauses(edit.cut, over, context)
      if (shortened === 0) refuse(`No pause between the words is longer than ${over} s.`)
      const done = `Shortened ${counted(shortened, 'pause')}; the clip is ${seconds.toFixed(1)} s shorter.`
      return [{ cut }, done]
    },
  },
  /** Covering sound is the node's work; cut words are cuts like others, to be put back one by one. */
  curse_words: {
    description: 'Beeps or silences curse words, cuts them out, or lets them be heard again',
    examples: ['bleep the curse words', 'cut the swear words out'],
    says: ['curses', ['clean|family[_-]friendly|safe_for_work', { how: 'beep' }]],
    params: {
      how: choice({
        keep: "stop (?:beeping|bleeping|censoring|muting)|unmute|uncensor|keep|allow|(?:do not|don't) (?:beep|bleep|censor|mute)",
        beep: 'beep|bleep|censor',
        silence: 'silence|mute',
        cut: LEXICON['cut'] ?? '',
      }),
    },
    run({ how }, edit, context) {
      if (how === 'keep') {
        if (!isOn(edit, context, CURSES)) refuse(`${AS_SAID} already.`)
        return [withNode(edit, context, CURSES, false), `${AS_SAID}.`]
      }
      const found = audible(cursesOf(context), edit, context, 'curse word')
      const count = counted(found.size, 'curse word')
      if (how === 'cut') {
        const { cut, dropped } = cutWordsOut(edit.cut, found, context, { must: true })
        if (dropped.size === 0)
          refuse('They cannot be cut without hurting the words beside them; bleep them instead.')
        return [{ cut }, `Cut ${count}.`]
      }
      const config = { [`${CURSES}_config`]: { enabled: true, mode: how } }
      const done = `${how === 'beep' ? 'Bleeped' : 'Silenced'} ${count}; captions mask them.`
      return [withNode(edit, context, CURSES, true, config), done]
    },
  },
  name_speaker: {
    label: 'Rename a speaker',
    description: 'Names a speaker',
    examples: ['rename speaker 1 to Anna', 'call the second speaker “Ben”'],
    says: ['rename|name|call|label|change @speaker', '@speaker @name'],
    fillers: 'called|named|name',
    params: {
      speaker: quotedName('The name or the number so far', SPEAKERS),
      name: text('The new name', `(?:(?:${SPEAKER}) )?(?:to|as|into|is(?: called| named)?)|${SPEAKER}`),
    },
    available: (_edit, { words }) =>
      words.some(({ speaker }) => speaker !== undefined) ? null : 'Nobody is told apart in this clip.',
    run({ speaker, name }, edit, context) {
      const names = speakersIn(context.words, edit.speakers ?? context.speakers).map((one) => one.name)
      const plain = speaker.trim().toLowerCase()
      const rank = names.findIndex((one, index) =>
        [one.toLowerCase(), `speaker ${index + 1}`, String(index + 1)].includes(plain),
      )
      if (rank < 0) refuse(`There is no speaker “${speaker}”; there are ${names.join(', ')}.`)
      const next = name.trim()
      if (next === '') refuse('Say how the speaker is called.')
      return [{ speakers: names.with(rank, next) }, `${names[rank] ?? speaker} is called ${next}.`]
    },
  },
  speed: {
    description: 'Plays the clip, or a stretch of it, faster or slower',
    examples: ['speed up to 1.5x', 'play “three times” at half speed'],
    says: ['@rate'],
    fillers: 'speed|slow|play|playback|run|rate|up|down|everything|whole|thing|back',
    params: {
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
    },
    run({ rate, ...at }, edit, context) {
      const stretch = stretchAt(edit, context, at)
      const cut = setRateBetween(edit.cut, stretch?.start ?? -Infinity, stretch?.end ?? Infinity, rate)
      if (cut === edit.cut) refuse(`It plays at ${rate}× already.`)
      return [{ cut }, `${stretch === null ? 'The clip plays' : 'That stretch plays'} at ${rate}×.`]
    },
  },
})
