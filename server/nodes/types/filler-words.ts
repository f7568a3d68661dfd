import { Type } from '@sinclair/typebox'
import { booleanField, closedObject, describedObject } from '../../contract/config-fields.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { declareNode, type SpeechContext } from '../declare.ts'
import { findFillers, sureFillers } from '../speech/find-fillers.ts'
import { silenceThreshold } from '../speech/sound-levels.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { habitsOf } from '../speech/filler-lists.ts'
import { bare, endsInMark, endsSentence, gapBetween } from '../speech/spoken-text.ts'
import { remark, type RenderRemark } from '../../contract/render-remarks.ts'

/** Cuts fillers, stutters and silences out of the clip. */
export const fillerWords = declareNode({
  type: 'filler_words',
  label: 'Remove filler words',
  config: closedObject({
    enabled: booleanField('Clean up the speech', true),
    filler_words_config: Type.Optional(
      describedObject('What is cut', {
        enabled: booleanField('Cut filler words such as "um"', true),
        stutteredWordsEnabled: booleanField('Cut repeated words', false),
        silencesEnabled: booleanField('Shorten silences', false),
      }),
    ),
  }),
  measures: () => ['sound-levels'],
  speech(config, context) {
    const wanted = config.filler_words_config ?? {}
    const fillers = wanted.enabled !== false
    const stutters = wanted.stutteredWordsEnabled === true
    const pauses = wanted.silencesEnabled === true
    if (!fillers && !stutters && !pauses) return {}
    const { words, language } = context
    // Fillers are looked for even where they stay: "I, um, I" is a stutter all the same.
    const um = findFillers(words, language)
    const again = stutters ? findStutters(words, um, language) : new Set<number>()
    const drop = [...new Set([...(fillers ? um : []), ...again])].map((index) => ({ index, must: false }))
    const sounds = fillers ? sureFillers(context.sound) : []
    const cut = sounds.length === 0 ? undefined : sounds
    const warnings = complaints(context, pauses)
    return { drop, ...omitUndefined({ cut }), shortenPauses: pauses, warnings }
  },
  compile: () => ({}),
})

function complaints({ words, sound, hasSound }: SpeechContext, pauses: boolean): RenderRemark[] {
  const told = (code: RenderRemark['code'], message: string): RenderRemark[] => [
    remark(code, 'filler_words', message),
  ]
  if (words.length === 0) return told('NOTHING_FOUND', 'filler_words found no words to clean up.')
  if (!hasSound)
    return pauses ? told('NOTHING_FOUND', 'filler_words left the silences: the source has no sound.') : []
  if (sound === null) {
    return told(
      'NOT_MEASURED',
      'filler_words worked by the times of the words alone and left the silences: the sound of this clip was not measured when it was made. A new run measures it.',
    )
  }
  return pauses && silenceThreshold(sound) === null
    ? told('NOTHING_FOUND', 'filler_words left the silences: the background is about as loud as the speech.')
    : []
}

/** Longest repeated phrase, words. */
const MAX_PHRASE = 3
/** A repetition after a longer pause than this is not a stutter. Seconds. */
const AT_ONCE = 1.2
const SHORT_WORD = 0.1
/** The start of a word, broken off: `w-`, `th—`. */
const BROKEN_OFF = /^\P{L}*(\p{L}{1,4})['’]?[-–—]+\p{P}*$/u
/** Words that make a repetition an idiom: "on and on and on", "step by step by step". */
const LINKS = new Set('and or by after und oder et ou y o e en'.split(' '))

interface SpokenToken {
  readonly index: number
  readonly word: TranscriptWord
  readonly text: string
}

/** Places of the words that a stutter makes superfluous; `fillers` are passed over: "I, uh, I" is one. */
export function findStutters(
  words: readonly TranscriptWord[],
  fillers: ReadonlySet<number>,
  language: string,
): Set<number> {
  const habits = habitsOf(language)
  const rules = {
    openers: new Set(habits.openers),
    small: new Set([...habits.openers, ...habits.small]),
    emphatic: new Set(habits.emphatic),
  }
  const spoken = words
    .map((word, index): SpokenToken => ({ index, word, text: bare(word.word) }))
    .filter(({ index, text }) => !fillers.has(index) && text !== '')
  const found = new Set<number>()
  for (let at = 0; at < spoken.length; at++) {
    const length = brokenOff(spoken, at) ? 1 : repeated(spoken, at, rules)
    const from = length === 1 && tooShortToCut(spoken[at], spoken[at + 1]) ? at + 1 : at
    for (const one of spoken.slice(from, from + length)) found.add(one.index)
    at = from + Math.max(0, length - 1)
  }
  return found
}

/** A cut needs a few frames: when the first occurrence is shorter than that, the second is cut instead. */
function tooShortToCut(first: SpokenToken | undefined, second: SpokenToken | undefined): boolean {
  if (first === undefined || second === undefined || first.text !== second.text) return false
  const once = first.word.end - first.word.start
  const again = second.word.end - second.word.start
  return once < SHORT_WORD && again > once
}

function followsAtOnce(before: SpokenToken, after: SpokenToken): boolean {
  return before.word.speaker === after.word.speaker && gapBetween(before.word, after.word) <= AT_ONCE
}

function brokenOff(spoken: readonly SpokenToken[], at: number): boolean {
  const here = spoken[at]
  const next = spoken[at + 1]
  if (here === undefined || next === undefined || !followsAtOnce(here, next)) return false
  const start = BROKEN_OFF.exec(here.word.word)?.[1]?.toLowerCase()
  return start !== undefined && next.text.startsWith(start)
}

interface Rules {
  readonly openers: ReadonlySet<string>
  readonly small: ReadonlySet<string>
  readonly emphatic: ReadonlySet<string>
}

/** How many words from `at` are repeated right after, 0 when none. */
function repeated(spoken: readonly SpokenToken[], at: number, rules: Rules): number {
  for (let length = MAX_PHRASE; length >= 1; length--) {
    const once = spoken.slice(at, at + length)
    const again = spoken.slice(at + length, at + 2 * length)
    if (again.length < length || once.some((one, offset) => one.text !== again[offset]?.text)) continue
    const both = [...once, ...again]
    const joined = both.slice(1).every((one, offset) => followsAtOnce(both[offset] ?? one, one))
    const marked = once.slice(0, -1).some(({ word }) => endsInMark(word.word))
    const last = once.at(-1)
    if (!joined || marked || last === undefined || endsSentence(last.word.word)) continue
    if (length === 1 ? isStutter(once, again, rules) : isRestart(once, last, spoken[at - 1], rules))
      return length
  }
  return 0
}

/** "If you whisper it, it is wrong" is no stutter: with a comma, only words that cannot end a clause count. */
function isStutter([first]: readonly SpokenToken[], [second]: readonly SpokenToken[], rules: Rules): boolean {
  if (first === undefined || second === undefined) return false
  if (endsInMark(first.word.word)) return rules.openers.has(first.text)
  if (rules.emphatic.has(first.text) || /\p{N}/u.test(first.text)) return false
  if (rules.small.has(first.text)) return true
  // A name may be double, and so may a language of which nothing is known.
  return rules.small.size > 0 && /^\P{Lu}*$/u.test(second.word.word) && first.text.length > 1
}

/** A phrase begun twice: from a small word, and over a comma only if it breaks off on one. */
function isRestart(
  once: readonly SpokenToken[],
  last: SpokenToken,
  before: SpokenToken | undefined,
  rules: Rules,
): boolean {
  const [first, ...others] = once
  if (first === undefined || !rules.small.has(first.text)) return false
  if (others.some(({ text }) => LINKS.has(text))) return false
  if (LINKS.has(first.text) && before?.text === last.text) return false
  return !endsInMark(last.word.word) || rules.small.has(last.text)
}
