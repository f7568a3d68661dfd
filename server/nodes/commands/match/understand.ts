/**
 * English sentences to commands, without a language model. A message is cut into the smallest pieces that may be wishes;
 * which of them belong together is decided by what they then mean: fewest words that nobody understands, then fewest
 * guesses. PURE.
 */
import { COMMANDS, type CommandCall } from '../index.ts'
import { LEXICON } from './lexicon.ts'
import { readCommand } from './read-command.ts'
import { clauseOf, unmasked, type Clause } from './ways.ts'

export type Understood =
  | { readonly kind: 'call'; readonly call: CommandCall; readonly text: string }
  | { readonly kind: 'unknown'; readonly text: string }

/** What a clause leaves for those after it: "remove the ums and the pauses", "make the captions yellow and bigger". */
interface Carried {
  readonly verb: string
  readonly topic: string
}

const VERB = new RegExp(
  `^(?:${LEXICON['cut']}|${LEXICON['putback']}|add|turn off|turn on|switch off|switch on|show|hide|disable|enable|no|without|zoom in on|zoom in|zoom|bleep|beep|shorten|write|mute)(?= )`,
  'iu',
)
/** What a command is about, in its name. */
const TOPIC = /^(?:caption|title|music$|watermark$|end_card$)/u

/** More pieces in one request are less likely, a guess less than that; what means nothing is the last resort. */
const COST = { exact: 1, open: 1.25, loose: 4, joined: 1.5, unknown: 10 } as const

/** The first command that matches. One that understands every word wins over one that takes some words for text. */
function find(clause: Clause) {
  if (clause.rest === '') return null
  for (const how of ['exact', 'open', 'loose'] as const)
    for (const command of COMMANDS) {
      const given = readCommand(command, clause, how)
      if (given !== null)
        return { call: { name: command.name, arguments: given } as CommandCall, cost: COST[how] }
    }
  return null
}

/** What a clause means after another one. */
function parse(clause: Clause, { verb, topic }: Carried) {
  const { rest } = clause
  const pronoun = rest.replace(/\b(?:them|they|it|those|its?|their)\b/iu, topic)
  const ways = new Set([rest])
  if (topic !== '') ways.add(pronoun)
  if (verb !== '') ways.add(`${verb} ${rest}`)
  if (topic !== '') ways.add(`${topic} ${rest}`).add(`add ${rest} to ${topic}`)
  let best: (NonNullable<ReturnType<typeof find>> & { readonly carried: Carried }) | null = null
  for (const way of ways) {
    const found = find({ ...clause, rest: way })
    if (found === null || (best !== null && found.cost >= best.cost)) continue
    const own = VERB.exec(way)?.[0] ?? (way === rest ? '' : verb)
    const about = TOPIC.exec(found.call.name)?.[0].replace('_', ' ').replace('caption', 'captions')
    best = { ...found, carried: { verb: own, topic: about === undefined ? '' : `the ${about}` } }
  }
  return best
}

/** The same twice in a row: "the ums and uhs". */
function repeats(before: Understood | undefined, part: Understood): boolean {
  if (before?.kind !== 'call' || part.kind !== 'call' || part.call.name === 'undo') return false
  return JSON.stringify(before.call) === JSON.stringify(part.call)
}

interface Reading {
  readonly cost: number
  readonly parts: readonly Understood[]
}

const MAX_PIECES = 24
const MAX_JOINED = 6

/** The requests of a message, in order. `length`: how long the clip plays, seconds. */
export function understand(message: string, length: number): Understood[] {
  const whole = clauseOf(rephrased(withPlainQuotes(message)), length)
  const pieces = piecesOf(whole.rest).slice(0, MAX_PIECES)
  const known = new Map<string, Reading>()

  function best(from: number, carried: Carried): Reading {
    const piece = pieces[from]
    if (piece === undefined) return { cost: 0, parts: [] }
    const key = `${from} ${carried.verb} ${carried.topic}`
    const before = known.get(key)
    if (before !== undefined) return before
    const rest = best(from + 1, carried)
    const unknown = { kind: 'unknown', text: unmasked(plainClause(piece.text), whole.quotes, '"') } as const
    // Words that are nothing but polite mean nothing, and need not.
    let chosen: Reading =
      unknown.text === '' ? rest : { cost: COST.unknown + rest.cost, parts: [unknown, ...rest.parts] }
    let text = ''
    for (const [index, joined] of pieces.slice(from, from + MAX_JOINED).entries()) {
      text += index === 0 ? joined.text : joined.before + joined.text
      const clause = { ...whole, rest: plainClause(text) }
      const parsed = parse(clause, carried)
      if (parsed === null) continue
      const after = best(from + index + 1, parsed.carried)
      const cost = parsed.cost + index * COST.joined + after.cost
      if (cost >= chosen.cost) continue
      const { call } = parsed
      const part = { kind: 'call', call, text: unmasked(clause.rest, whole.quotes, '"') } as const
      chosen = { cost, parts: [part, ...after.parts] }
    }
    known.set(key, chosen)
    return chosen
  }
  return best(0, { verb: '', topic: '' }).parts.filter((part, index, all) => !repeats(all[index - 1], part))
}

const POLITE_START =
  /^(?:(?:please|pls|ok(?:ay)?|so|now|also|then|and|but|hey|hi|well|just|alright|right|great|thanks|thank you|cool|can you|could you|would you|will you|can we|could we|let's|lets|let us|i want you to|i want to|i would like you to|i would like to|i'd like you to|i'd like to|i'd like|i need you to|i need|i want|you should|go ahead and|maybe|perhaps|first|next|finally|after that|afterwards|additionally|as well|kindly|simply|try to|make sure to|make sure that|please can you)(?:,| |$))+ */iu
const POLITE_END =
  /(?:[,\s]+(?:please|pls|thanks|thank you|too|as well|for me|again please|if you can|if possible|okay|ok|now|would you|will you|then|cheers))+$/iu

/** Straight double quotes around what was in quotes of any kind; apostrophes straight; one kind of space. */
export function withPlainQuotes(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u02bc`\u00b4]/gu, "'")
    .replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/gu, '"')
    .replaceAll(/(^|[\s(:])'([^'"\n]+(?:'[\p{L}\p{N}][^'"\n]*)*)'(?=$|[\s,.;:!?)])/gu, '$1"$2"')
    .replaceAll(/"((?:um|uh|er|hm|ah|erm)s?)"'?(?=s?\b|$)/giu, '$1')
    .replaceAll(/[^\S\n]+/gu, ' ')
    .trim()
}

/** Without polite phrases. */
function plainClause(text: string): string {
  return text
    .trim()
    .replace(/^[\s,;.\-–•*]+/u, '')
    .replace(/(?<=.)[\s,;.!?]+$/u, '')
    .replace(POLITE_START, '')
    .replace(POLITE_END, '')
    .trim()
}

const SEPARATOR =
  /((?:[,;]? (?:and then|and also|and|then|plus|but also|but|&)(?= ))|[,;](?= )|[.!?](?=\s)|\n+|;)/giu

/** The smallest pieces that may be requests of their own, each with what stood between it and the one before. */
function piecesOf(text: string): { readonly before: string; readonly text: string }[] {
  const parts = ['', ...text.split(SEPARATOR)]
  return parts.flatMap((piece, at) =>
    at % 2 === 1 && piece.trim() !== '' ? [{ before: parts[at - 1] ?? '', text: piece }] : [],
  )
}

/** Rewrites phrasings that hold two commands in one, or name the place before the command. */
function rephrased(text: string): string {
  return text
    .replaceAll(/\bput ([^,]+?) back(?: in)?\b(?! on)/giu, 'put back $1')
    .replaceAll(/(\d|\w) (minutes?|mins?) and (?=[\w.]+ ?(?:s|secs?|seconds?)\b)/giu, '$1 $2 ')
    .replaceAll(/\b(first|last) and (?:the )?(first|last) (sentence|second)s?\b/giu, '$1 $3 and the $2 $3')
    .replace(
      /^(?:(?:when|where|while) [^",]*?|(?:at|on|over|during) (?:the (?:words?|phrase) )?)("[^"]+"),? (.+)$/iu,
      '$2 on $1',
    )
}
