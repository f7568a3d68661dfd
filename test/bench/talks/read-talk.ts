/**
 * Reads the written talks of the bench: transcripts with planted stories, made before the code that is measured with
 * them. A file has a head (`language`, `kind`, `title`, `speakers`), turns (`NAME: ...`, or a line that goes on),
 * `(pause 1.2)`, `(laughter 2.0)`, `{story s1 shape=a}` to `{end s1}`, `{part s1}` to `{unpart s1}` around an
 * interruption, and after `---` what is known of each story. In stories that are longer than a clip each line begins with
 * a mark: `^` for the opening, `+` for what the pay-off needs, `-` for what can go (a line of it goes whole). Words get the times of somebody who speaks at a natural
 * pace: the same file always gets the same times.
 */
import {
  SOUND_EVENT_KINDS,
  type SoundEvent,
  type SoundEventKind,
} from '../../../server/contract/source-facts.ts'
import type { TranscriptWord } from '../../../server/contract/transcript.ts'
import { randomFrom, type Random } from '../../fuzz/random.ts'

export interface Span {
  /** Seconds. */
  readonly start: number
  readonly end: number
}

type Need = 'opening' | 'needed' | 'spare'

/** A line of a story that is longer than a clip, and whether the pay-off needs it. */
interface NeededPart extends Span {
  readonly need: Need
  /** Whether it ends with a question. */
  readonly isQuestion: boolean
}

export interface PlantedStory extends Span {
  readonly id: string
  /** Letter of its shape: joke, late answer, two parts, list of advice, ... */
  readonly shape: string
  /** Second at which its first sentence begins. */
  readonly openingStart: number
  /** Second at which the sentence that must not be lost ends. */
  readonly payoffEnd: number
  /** Both as they are spoken. */
  readonly opening: string
  readonly payoff: string
  /** Wishes for this story in other words than its own: one or two. */
  readonly prompts: readonly string[]
  readonly topic: string
  /** What may be left out of it. */
  readonly interruptions: readonly Span[]
  /** Line by line, in stories that are longer than a clip; empty in others. */
  readonly parts: readonly NeededPart[]
}

export interface WrittenTalk {
  readonly language: string
  readonly kind: string
  readonly title: string
  readonly speakers: readonly string[]
  readonly words: readonly TranscriptWord[]
  readonly events: readonly SoundEvent[]
  readonly stories: readonly PlantedStory[]
  /** Prompts that fit nothing in it. */
  readonly nothing: readonly string[]
}

type Mark = 'story' | 'end' | 'part' | 'unpart'
type Line =
  | {
      readonly is: 'words'
      readonly speaker: number
      readonly words: readonly string[]
      readonly need: Need | null
    }
  | { readonly is: 'silence'; readonly seconds: number }
  | { readonly is: 'sound'; readonly kind: SoundEventKind; readonly seconds: number }
  | { readonly is: 'mark'; readonly mark: Mark; readonly id: string; readonly shape: string }

const HEAD = /^(language|kind|title|speakers): (.+)$/
const SILENCE_OR_SOUND = /^\((\w+) (\d+(?:\.\d+)?)\)$/
const MARK = /^\{(story|end|part|unpart) (s\d+)(?: shape=([a-j]))?\}$/
const NEED = /^([\^+-]) (.+)$/
const NEEDS: Readonly<Record<string, Need>> = { '^': 'opening', '+': 'needed', '-': 'spare' }
const TURN = /^([\p{Lu}][\p{Lu}\p{M}\d .'-]*): (.*)$/u
const STORY_FIELD = /^(payoff|opening|prompt|also|topic): (.+)$/
const HAS_LETTERS = /[\p{L}\p{N}]/u

/** Words of a line; a mark that stands alone (French puts a space before `?`) belongs to the word before it. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const token of text.split(/\s+/).filter((part) => part !== '')) {
    const last = words.at(-1)
    if (HAS_LETTERS.test(token) || last === undefined) words.push(token)
    else words[words.length - 1] = last + token
  }
  return words
}

function lineOf(text: string, names: readonly string[], before: number): Line {
  const sound = SILENCE_OR_SOUND.exec(text)
  if (sound !== null) {
    const [, name = '', length = ''] = sound
    const seconds = Number(length)
    if (name === 'pause') return { is: 'silence', seconds }
    const kind = SOUND_EVENT_KINDS.find((known) => known === name)
    if (kind === undefined) throw new Error(`there is no sound "${name}"`)
    return { is: 'sound', kind, seconds }
  }
  const mark = MARK.exec(text)
  if (mark !== null) {
    const [, kind, id = '', shape = ''] = mark
    return { is: 'mark', mark: kind as Mark, id, shape }
  }
  if (/^[({]/.test(text)) throw new Error(`"${text}" is neither a sound nor a mark`)
  const [, sign = '', line = text] = NEED.exec(text) ?? []
  const [, name, said = line] = TURN.exec(line) ?? []
  const speaker = name === undefined ? before : names.indexOf(name)
  if (speaker < 0) throw new Error(`"${name ?? text.slice(0, 40)}" is not one of the speakers`)
  return { is: 'words', speaker, words: wordsOf(said), need: NEEDS[sign] ?? null }
}

/** How quickly people read this aloud: English comes to 150 to 185 words a minute, pauses included. */
const SECONDS_PER_WORD = 0.105
const SECONDS_PER_LETTER = 0.053

/** Gives words their times, line by line. */
class Clock {
  readonly words: TranscriptWord[] = []
  readonly events: SoundEvent[] = []
  #now = 0.6
  #spoke = -1
  /** Whether a written silence or a sound stands before the next word. */
  #rested = true
  readonly #paces = new Map<number, number>()
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  #between(least: number, most: number): number {
    return least + (most - least) * this.#random.next()
  }

  #paceOf(speaker: number): number {
    const known = this.#paces.get(speaker)
    if (known !== undefined) return known
    const pace = this.#between(0.94, 1.06)
    this.#paces.set(speaker, pace)
    return pace
  }

  #rest(speaker: number): void {
    const last = this.words.at(-1)?.word ?? ''
    if (this.#rested) this.#rested = false
    else if (speaker !== this.#spoke) this.#now += this.#between(0.3, 0.8)
    else if (/[.?!…]["»”)]*$/.test(last)) this.#now += this.#between(0.2, 0.5)
    else if (/[,;:]["»”)]*$/.test(last)) this.#now += 0.1
    this.#spoke = speaker
  }

  speak(speaker: number, words: readonly string[]): void {
    for (const word of words) {
      this.#rest(speaker)
      const letters = word.replace(/[^\p{L}\p{N}]/gu, '')
      // A digit is spoken as a syllable or more.
      const length = letters.length + 3 * letters.replace(/\P{N}/gu, '').length
      const seconds =
        (SECONDS_PER_WORD + SECONDS_PER_LETTER * length) * this.#paceOf(speaker) * this.#between(0.9, 1.1)
      const end = this.#now + seconds
      this.words.push({ word, start: round(this.#now), end: round(end), speaker })
      this.#now = end
    }
  }

  wait(seconds: number): void {
    this.#now += seconds
    this.#rested = true
  }

  sound(kind: SoundEventKind, seconds: number): void {
    const start = this.#now + 0.1
    this.events.push({
      kind,
      start: round(start),
      end: round(start + seconds),
      score: round(this.#between(0.7, 0.98)),
    })
    this.wait(seconds + 0.2)
  }
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Letters and digits only, so that punctuation does not matter. */
const bare = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Where a sentence stands among words `from` to `to` (exclusive): the first or the last such place. */
function findSentence(
  words: readonly TranscriptWord[],
  { from, to }: { readonly from: number; readonly to: number },
  sentence: string,
  which: 'first' | 'last',
): Span {
  const wanted = wordsOf(sentence).map(bare)
  const places = []
  for (let at = from; at + wanted.length <= to; at++)
    if (wanted.every((word, index) => bare(words[at + index]?.word ?? '') === word)) places.push(at)
  const place = which === 'first' ? places[0] : places.at(-1)
  if (place === undefined) throw new Error(`"${sentence}" is not in its story`)
  return { start: words[place]?.start ?? 0, end: words[place + wanted.length - 1]?.end ?? 0 }
}

interface Extent {
  shape: string
  readonly from: number
  to: number
  /** With the laughter or applause after its last word. */
  end: number
  readonly interruptions: { from: number; to: number }[]
  readonly parts: { readonly from: number; readonly to: number; readonly need: Need }[]
}

function markStory(
  extents: Map<string, Extent>,
  line: Line & { is: 'mark' },
  { words, events }: Clock,
): void {
  const to = words.length
  const extent = extents.get(line.id)
  if (line.mark === 'story') {
    if (extent !== undefined || line.shape === '') throw new Error(`${line.id} begins twice or has no shape`)
    extents.set(line.id, { shape: line.shape, from: to, to: -1, end: 0, interruptions: [], parts: [] })
    return
  }
  if (extent === undefined || extent.to >= 0) throw new Error(`${line.id} is not open`)
  const open = extent.interruptions.find((part) => part.to < 0)
  if (line.mark === 'part') extent.interruptions.push({ from: to, to: -1 })
  else if (line.mark === 'unpart' && open !== undefined) open.to = to
  else if (line.mark === 'end' && open === undefined) {
    extent.to = to
    extent.end = Math.max(words.at(-1)?.end ?? 0, events.at(-1)?.end ?? 0)
  } else throw new Error(`{${line.mark} ${line.id}} closes nothing, or leaves a part open`)
}

/** A line of the story that is open. */
function markNeed(
  extents: ReadonlyMap<string, Extent>,
  part: { readonly from: number; readonly to: number; readonly need: Need },
): void {
  const open = [...extents.values()].find(({ to }) => to < 0)
  if (open === undefined) throw new Error('a line outside of a story says what its pay-off needs')
  open.parts.push(part)
}

function readNotes(text: string): { notes: Map<string, Record<string, string>>; nothing: string[] } {
  const notes = new Map<string, Record<string, string>>()
  const nothing: string[] = []
  let note: Record<string, string> = {}
  for (const line of text.split('\n').map((each) => each.trim())) {
    const [, field, value = ''] = STORY_FIELD.exec(line) ?? []
    if (field !== undefined) note[field] = value
    else if (line.startsWith('nothing: ')) nothing.push(line.slice('nothing: '.length))
    else if (/^s\d+$/.test(line)) {
      if (notes.has(line)) throw new Error(`${line} is described twice`)
      note = {}
      notes.set(line, note)
    } else if (line !== '') throw new Error(`"${line}" is no part of a story's description`)
  }
  return { notes, nothing }
}

function plantedStory(id: string, extent: Extent, note: Record<string, string>, clock: Clock): PlantedStory {
  const { words } = clock
  const span = ({ from, to }: { from: number; to: number }): Span => ({
    start: words[from]?.start ?? 0,
    end: words[to - 1]?.end ?? 0,
  })
  if (extent.to <= extent.from) throw new Error(`${id} has no end or no words`)
  const { payoff, opening, prompt, also, topic } = note
  if (payoff === undefined || opening === undefined || prompt === undefined || topic === undefined)
    throw new Error(`${id} needs a payoff, an opening, a prompt and a topic`)
  return {
    id,
    shape: extent.shape,
    start: span(extent).start,
    end: extent.end,
    openingStart: findSentence(words, extent, opening, 'first').start,
    payoffEnd: findSentence(words, extent, payoff, 'last').end,
    opening,
    payoff,
    prompts: also === undefined ? [prompt] : [prompt, also],
    topic,
    interruptions: extent.interruptions.map(span),
    parts: extent.parts.map(({ from, to, need }) => ({
      ...span({ from, to }),
      need,
      isQuestion: words[to - 1]?.word.endsWith('?') === true,
    })),
  }
}

/** A number for a text (FNV-1a). */
function seedOf(text: string): number {
  let seed = 0x811c9dc5
  for (const letter of text) seed = Math.imul(seed ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return seed >>> 0
}

function readHead(text: string): Record<'language' | 'kind' | 'title' | 'speakers', string> {
  const head = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = HEAD.exec(line.trim()) ?? []
    head.set(name, value)
  }
  const need = (name: string): string => {
    const value = head.get(name)
    if (value === undefined) throw new Error(`the head has no ${name}`)
    return value
  }
  return { language: need('language'), kind: need('kind'), title: need('title'), speakers: need('speakers') }
}

/** The talk that is written in a file's text. Throws an Error that says which line or story is not as it should be. */
export function readTalk(text: string): WrittenTalk {
  const [head = '', ...rest] = text
    .replaceAll('\r', '')
    .trim()
    .split(/\n\s*\n/)
  const [body = '', known = '', ...more] = rest.join('\n').split(/\n---\n/)
  if (more.length > 0) throw new Error('there is more than one line of three dashes')
  const { language, kind, title, speakers: named } = readHead(head)
  const speakers = named.split(',').map((name) => name.trim())
  const clock = new Clock(randomFrom(seedOf(title)))
  const extents = new Map<string, Extent>()
  let speaker = -1
  for (const written of body.split('\n').map((line) => line.trim())) {
    if (written === '') continue
    const line = lineOf(written, speakers, speaker)
    if (line.is === 'words') {
      speaker = line.speaker
      const from = clock.words.length
      clock.speak(speaker, line.words)
      if (line.need !== null) markNeed(extents, { from, to: clock.words.length, need: line.need })
    } else if (line.is === 'silence') clock.wait(line.seconds)
    else if (line.is === 'sound') clock.sound(line.kind, line.seconds)
    else markStory(extents, line, clock)
  }
  const { notes, nothing } = readNotes(known)
  const unknown = [...notes.keys()].find((id) => !extents.has(id))
  if (unknown !== undefined) throw new Error(`${unknown} is described but not in the text`)
  const stories = [...extents].map(([id, extent]) => plantedStory(id, extent, notes.get(id) ?? {}, clock))
  return { language, kind, title, speakers, words: clock.words, events: clock.events, stories, nothing }
}
