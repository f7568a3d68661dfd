/**
 * English sentences to commands, without a language model. A message is cut into the smallest pieces that may be wishes;
 * which of them belong together is decided by what they then mean: fewest words that nobody understands, then fewest
 * guesses. PURE.
 */
import { COMMANDS, type CommandCall } from '../index.ts'
import { fragmentsOf, plainClause, rephrased, withPlainQuotes } from './clauses.ts'
import { LEXICON } from './lexicon.ts'
import { clauseOf, readCommand } from './read-command.ts'

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
const TOPICS: readonly (readonly [names: RegExp, topic: string])[] = [
  [/^caption_/u, 'the captions'],
  [/^title_/u, 'the title'],
  [/^music$/u, 'the music'],
  [/^watermark$/u, 'the watermark'],
  [/^end_card$/u, 'the end card'],
]

type How = 'exact' | 'open' | 'loose'
interface Found {
  readonly call: CommandCall
  readonly how: How
}

/** The first command that a clause asks for, one that understands every word before one that takes some for a text. */
function find(text: string, length: number): Found | null {
  if (text === '') return null
  const clause = clauseOf(text, length)
  for (const how of ['exact', 'open', 'loose'] as const)
    for (const command of COMMANDS) {
      const given = readCommand(command, clause, how)
      if (given !== null) return { call: { name: command.name, arguments: given } as CommandCall, how }
    }
  return null
}

interface Parsed extends Found {
  readonly carried: Carried
}

/** What a clause means after another one. */
function parse(text: string, length: number, { verb, topic }: Carried): Parsed | null {
  const clause = plainClause(text)
  const pronoun = clause.replace(/\b(?:them|they|it|those|its?|their)\b/iu, topic)
  const ways = [
    clause,
    ...(topic === '' || pronoun === clause ? [] : [pronoun]),
    ...(verb === '' ? [] : [`${verb} ${clause}`]),
    ...(topic === '' ? [] : [`${topic} ${clause}`, `add ${clause} to ${topic}`]),
  ]
  let best: Parsed | null = null
  for (const [index, way] of ways.entries()) {
    const found = find(way, length)
    if (found === null || (best !== null && COST[found.how] >= COST[best.how])) continue
    const own = VERB.exec(way)?.[0] ?? (index === 0 ? '' : verb)
    const about = TOPICS.find(([names]) => names.test(found.call.name))?.[1] ?? ''
    best = { ...found, carried: { verb: own, topic: about } }
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

/** More pieces in one wish are less likely; a guess less than that; what means nothing is the last resort. */
const COST = { exact: 1, open: 1.25, loose: 4, joined: 1.5, unknown: 10 } as const
const MAX_FRAGMENTS = 24
const MAX_JOINED = 6

/** The requests of a message, in order. `length`: how long the clip plays, seconds. */
export function understand(message: string, length: number): Understood[] {
  const fragments = fragmentsOf(rephrased(withPlainQuotes(message))).slice(0, MAX_FRAGMENTS)
  const known = new Map<string, Reading>()
  const joined = (from: number, to: number): string =>
    fragments
      .slice(from, to)
      .map(({ before, text }, index) => (index === 0 ? text : before + text))
      .join('')

  function best(from: number, carried: Carried): Reading {
    if (from >= fragments.length) return { cost: 0, parts: [] }
    const key = `${from} ${carried.verb} ${carried.topic}`
    const before = known.get(key)
    if (before !== undefined) return before
    const rest = best(from + 1, carried)
    const text = plainClause(joined(from, from + 1))
    // Words that are nothing but polite mean nothing, and need not.
    let chosen: Reading =
      text === ''
        ? rest
        : { cost: COST.unknown + rest.cost, parts: [{ kind: 'unknown', text }, ...rest.parts] }
    for (let to = from + 1; to <= Math.min(fragments.length, from + MAX_JOINED); to++) {
      const clause = joined(from, to)
      const parsed = parse(clause, length, carried)
      if (parsed === null) continue
      const after = best(to, parsed.carried)
      const cost = COST[parsed.how] + (to - from - 1) * COST.joined + after.cost
      if (cost >= chosen.cost) continue
      chosen = {
        cost,
        parts: [{ kind: 'call', call: parsed.call, text: plainClause(clause) }, ...after.parts],
      }
    }
    known.set(key, chosen)
    return chosen
  }
  return best(0, { verb: '', topic: '' }).parts.filter((part, index, all) => !repeats(all[index - 1], part))
}
