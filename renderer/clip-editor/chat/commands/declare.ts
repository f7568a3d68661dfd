/** The shape of what can be asked of a clip. PURE. */
import type { ArgumentsOf, CommandName } from '../../../../server/contract/clip-commands.ts'
import type { CommandContext } from '../../../../server/nodes/commands/context.ts'
import { patternOf } from '../grammar/patterns.ts'
import { readNumber, readTime, unquoted } from '../grammar/values.ts'
import type { ClipEdit } from '../../../../server/nodes/editing/clip-edit.ts'

export type Outcome =
  /** `said`: what was done, in a sentence. */
  | { readonly kind: 'edit'; readonly edit: ClipEdit; readonly said: string }
  /** Why not, and what would work, in a sentence. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'undo' | 'redo' | 'help' }

export const edited = (edit: ClipEdit, said: string): Outcome => ({ kind: 'edit', edit, said })
export const refused = (why: string): Outcome => ({ kind: 'refused', why })

/** What was read in a clause, by name; null where it is not there, or is nothing of that kind. */
export interface Read {
  /** Played length of the clip, seconds. */
  readonly length: number
  readonly text: (name: string) => string | null
  readonly number: (name: string) => number | null
  /** Seconds. */
  readonly time: (name: string) => number | null
}

/** A way to say something. */
export interface Rule<Arguments> {
  readonly pattern: RegExp
  /** It takes almost anything: only believed where nothing else is understood. */
  readonly loose: boolean
  /** Null: this is not what is meant. */
  readonly read: (given: Read) => Arguments | null
}

/** A new command: its arguments in server/contract/clip-commands.ts, a file here, a line in index.ts. */
export interface ClipCommand<Name extends CommandName = CommandName> {
  readonly name: Name
  /** Sentences that ask for it: shown to people, tried by the tests. */
  readonly examples: readonly [string, ...string[]]
  readonly rules: readonly Rule<ArgumentsOf<Name>>[]
  /** The edit that it makes of `edit`. The arguments fit their schema. */
  readonly run: (edit: ClipEdit, context: CommandContext, given: ArgumentsOf<Name>) => Outcome
}

export const declareCommand = <const Name extends CommandName>(
  command: ClipCommand<Name>,
): ClipCommand<Name> => command

/** What a match holds. */
export function readOf(groups: Readonly<Record<string, string | undefined>>, length: number): Read {
  const text = (name: string): string | null => {
    const found = groups[name]
    return found === undefined || found === '' ? null : unquoted(found)
  }
  const over = <T>(name: string, read: (given: string) => T | null): T | null => {
    const found = text(name)
    return found === null ? null : read(found)
  }
  return {
    length,
    text,
    number: (name) => over(name, (given) => readNumber(given.replace(/ ?(?:%|percent|per cent)$/iu, ''))),
    time: (name) => over(name, (given) => readTime(given, length)),
  }
}

export function rule<Arguments>(
  source: string,
  read: Rule<Arguments>['read'],
  { loose = false }: { readonly loose?: boolean } = {},
): Rule<Arguments> {
  return { pattern: patternOf(source), loose, read }
}

/** Arguments without those that were not given. */
export function given<T extends object>(fields: { [Name in keyof T]: T[Name] | null | undefined }): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as T
}
