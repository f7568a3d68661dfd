/** PURE. People named in a text. Careful rather than complete, because a wrong name on a clip is worse than none. */
import type { Sentence } from './sentences.ts'
import { FIRST_NAMES, PLACE_WORDS, STOP_WORDS } from './word-lists.ts'

const CAPITALISED = /^\p{Lu}[\p{Ll}’'-]+(?:\p{Lu}[\p{Ll}]+)?$/u
const TITLE =
  /^(mr|mrs|ms|dr|prof|professor|doctor|president|senator|judge|captain|pastor|father|sister|coach|sir|lady)\.?$/i
const INTRODUCED =
  /\b(?:i'm|i am|my name is|my guest(?: today| tonight)? is|joined by|this is|here with|welcome|introducing|named|called)$/i

/** Full names in the transcript, speakers first; a first name alone counts once the full name is known. */
export function peopleIn(sentences: readonly Sentence[], speakers: readonly string[]): string[] {
  const known = new Set(
    speakers.filter((name) => !/^(speaker|host|guest|narrator|interviewer|man|woman|voice)\b/i.test(name)),
  )
  for (const sentence of sentences) for (const name of findNames(sentence.text)) known.add(name)
  return [...known]
}

/** The known people whom these sentences name (by full or first name) or who speak in them. */
export function peopleNamedIn(
  text: string,
  people: readonly string[],
  speaking: readonly string[],
): string[] {
  return people.filter((name) => {
    if (speaking.includes(name)) return true
    const first = name.split(' ')[0] ?? name
    return hasWords(text, name) || (first.length > 2 && !TITLE.test(first) && hasWords(text, first))
  })
}

function hasWords(text: string, name: string): boolean {
  return plainWords(text).includes(plainWords(name))
}

function plainWords(text: string): string {
  const plain = text.replace(/[^\p{L}\p{N}'’\s-]/gu, ' ').replace(/['’]s\b/g, '')
  return ` ${plain.replace(/\s+/g, ' ').trim()} `
}

function findNames(text: string): string[] {
  const words = text.split(' ')
  const names: string[] = []
  for (let index = 0; index < words.length; index += 1) {
    const run = findCapitals(words, index)
    if (run.length === 0) continue
    const [first = '', second] = run
    const before = words
      .slice(Math.max(0, index - 4), index)
      .join(' ')
      .replace(/[^\p{L}\s'’]/gu, '')
      .replaceAll('’', "'")
    const titled = TITLE.test((words[index - 1] ?? '').replace('.', ''))
    const introduced = INTRODUCED.test(before)
    const firstName = FIRST_NAMES.has(first.toLowerCase())
    const place = run.some((word) => PLACE_WORDS.has(word.toLowerCase()))
    if (!place && second !== undefined && (firstName || introduced || titled))
      names.push(run.slice(0, 3).join(' '))
    else if (!place && second === undefined && titled)
      names.push(`${(words[index - 1] ?? '').replace(/[^\p{L}.]/gu, '')} ${first}`)
    index += run.length - 1
  }
  return names
}

/** Consecutive capitalised words from here up to punctuation; a stop word ("The", "And") is not a name. */
function findCapitals(words: readonly string[], from: number): string[] {
  const run: string[] = []
  for (let index = from; index < words.length && run.length < 4; index += 1) {
    const written = words[index] ?? ''
    const word = written.replace(/^[("'“‘]+|[^\p{L}]+$/gu, '').replace(/['’]s$/, '')
    if (!CAPITALISED.test(word) || STOP_WORDS.has(word.toLowerCase()) || TITLE.test(word)) break
    run.push(word)
    if (/[.,;:!?)]$/.test(written)) break
  }
  return run
}
