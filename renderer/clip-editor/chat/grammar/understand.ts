/**
 * English sentences to commands, by rules alone. A message is cut into the smallest pieces that may be wishes; which of
 * them belong together is decided by what they then mean: fewest words that nobody understands, then fewest guesses. PURE.
 */
import type { CommandCall } from '../../../../server/contract/clip-commands.ts'
import { COMMAND_LIST } from '../commands/index.ts'
import { readOf } from '../commands/declare.ts'
import { fragmentsOf, plainClause, rephrased, withPlainQuotes } from './clauses.ts'

export type Understood =
  | { readonly kind: 'call'; readonly call: CommandCall; readonly text: string }
  | { readonly kind: 'unknown'; readonly text: string }

/** What a clause leaves for those after it: "remove the ums and the pauses", "make the captions yellow and bigger". */
interface Carried {
  readonly verb: string
  readonly topic: string
}

const NOTHING: Carried = { verb: '', topic: '' }
const VERB =
  /^(?:cut out|cut|remove|delete|take out|take away|get rid of|drop|erase|trim|put back|restore|add|turn off|turn on|switch off|switch on|show|hide|disable|enable|no|without|zoom in on|zoom in|zoom|bleep|beep|shorten|write|mute)(?= )/iu
const TOPICS: readonly (readonly [names: RegExp, topic: string])[] = [
  [/^caption_/u, 'the captions'],
  [/^title_/u, 'the title'],
  [/^music$/u, 'the music'],
  [/^watermark$/u, 'the watermark'],
  [/^end_card$/u, 'the end card'],
]

interface Parsed {
  readonly call: CommandCall
  readonly loose: boolean
  readonly carried: Carried
}

function match(clause: string, length: number): { call: CommandCall; loose: boolean } | null {
  if (clause === '') return null
  let guess: { call: CommandCall; loose: boolean } | null = null
  for (const { name, rules } of COMMAND_LIST)
    for (const { pattern, loose, read } of rules) {
      if (loose && guess !== null) continue
      const found = pattern.exec(clause)
      const given = found === null ? null : read(readOf(found.groups ?? {}, length))
      if (given === null) continue
      const call = { name, arguments: given } as CommandCall
      if (!loose) return { call, loose }
      guess = { call, loose }
    }
  return guess
}

/** What a clause means after another one. */
function parse(text: string, length: number, carried: Carried): Parsed | null {
  const clause = plainClause(text)
  const { verb, topic } = carried
  const pronoun = topic === '' ? null : clause.replace(/\b(?:them|they|it|those|its?|their)\b/iu, topic)
  const ways = [
    clause,
    ...(pronoun === null || pronoun === clause ? [] : [pronoun]),
    ...(verb === '' ? [] : [`${verb} ${clause}`]),
    ...(topic === ''
      ? []
      : [
          `make ${topic} ${clause}`,
          `${topic} ${clause}`,
          `add ${clause} to ${topic}`,
          `${clause} for ${topic}`,
        ]),
  ]
  let guess: Parsed | null = null
  for (const [index, way] of ways.entries()) {
    const found = match(way, length)
    if (found === null || (found.loose && guess !== null)) continue
    const own = VERB.exec(way)?.[0] ?? (index === 0 ? '' : verb)
    const about = TOPICS.find(([names]) => names.test(found.call.name))?.[1] ?? ''
    const parsed = { ...found, carried: { verb: own, topic: about } }
    if (!found.loose) return parsed
    guess = parsed
  }
  return guess
}

/** Said twice in a row: "the ums and uhs". */
function says(before: Understood | undefined, part: Understood): boolean {
  if (before?.kind !== 'call' || part.kind !== 'call' || part.call.name === 'undo') return false
  return JSON.stringify(before.call) === JSON.stringify(part.call)
}

interface Reading {
  readonly cost: number
  readonly parts: readonly Understood[]
}

/** More pieces in one wish are less likely; a guess less than that; what means nothing is the last resort. */
const COST = { call: 1, joined: 1.5, guess: 3, unknown: 10 } as const
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
      const cost = COST.call + (to - from - 1) * COST.joined + (parsed.loose ? COST.guess : 0) + after.cost
      if (cost >= chosen.cost) continue
      chosen = {
        cost,
        parts: [{ kind: 'call', call: parsed.call, text: plainClause(clause) }, ...after.parts],
      }
    }
    known.set(key, chosen)
    return chosen
  }
  return best(0, NOTHING).parts.filter((part, index, all) => !says(all[index - 1], part))
}
