/**
 * One thing that an editor can do to a clip by name. The same entry is a line of the command palette, what the chat
 * understands, a tool of a language model, and a tool of agents (MCP). PURE.
 */
import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { ClipEdit } from '../editing/clip-edit.ts'
import type { ClipCut } from '../../contract/time-map/cut.ts'
import type { CommandContext } from './context.ts'

/** The fields of the clip that change, with what was done in a sentence; or a matter of the studio's session. */
export type Made = readonly [changes: Partial<ClipEdit>, done: string] | 'undo' | 'redo' | 'help'

/**
 * Words that ask for the command, in any order: names of `match/lexicon.ts`, plain words (`a|b` either, `_` a space), and
 * `@field` for a parameter that must be among them. A pair adds parameters that go without saying. A command whose
 * parameters are all optional needs one of them, unless the pair says `{}`.
 */
export type Phrasing = string | readonly [words: string, given: Readonly<Record<string, unknown>>]

export interface Declaration<Fields extends TProperties> {
  /** Shown in the palette; its name in words where there is none. */
  readonly label?: string
  /** For people, and for a model. */
  readonly description: string
  /** Sentences that ask for it: shown to people, tried by the tests. */
  readonly examples: readonly [string, ...string[]]
  readonly says: readonly Phrasing[]
  /** A pattern of words that may be there and mean nothing here. */
  readonly fillers?: string
  readonly params: Fields
  /** Why it cannot be done to this clip, in a sentence; null: it can. */
  readonly available?: (edit: ClipEdit, context: CommandContext) => string | null
  /** `given` fits `params`, and the command is available. Throws Refusal. */
  readonly run: (given: Static<TObject<Fields>>, edit: ClipEdit, context: CommandContext) => Made
}

/** A declaration with its name. */
export interface Command<Name extends string = string> extends Omit<Declaration<TProperties>, 'params'> {
  readonly name: Name
  readonly label: string
  readonly params: TObject
}

export const declareCommands = <const Table extends Readonly<Record<string, TProperties>>>(table: {
  readonly [Name in keyof Table]: Declaration<Table[Name]>
}) => table

/** Why a command cannot be done, and what would work, in a sentence. */
export class Refusal extends Error {}

/** Ends a `run`; `runCommand` answers the sentence. */
export function refuse(why: string): never {
  throw new Refusal(why)
}

/** Another cut; refused where it is the same, which is all that is left of a clip of which nothing would be. */
export const withCut = (edit: ClipEdit, cut: ClipCut, done: string): Made =>
  cut === edit.cut ? refuse('Nothing of the clip would be left.') : [{ cut }, done]
