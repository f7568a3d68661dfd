/**
 * One thing that an editor can do to a clip by name. The same entry is a line of the command palette, what the chat
 * understands, a tool of a language model, and a tool of agents (MCP). PURE.
 */
import type { Static, TObject } from '@sinclair/typebox'
import type { ClipEdit } from '../editing/clip-edit.ts'
import type { ClipCut } from '../editing/cut.ts'
import type { CommandContext } from './context.ts'

export type Outcome =
  /** `done`: what was done, in a sentence. */
  | { readonly kind: 'edit'; readonly edit: ClipEdit; readonly done: string }
  /** Why not, and what would work, in a sentence. */
  | { readonly kind: 'refused'; readonly why: string }
  /** A matter of the studio's session, not of the clip. */
  | { readonly kind: 'undo' | 'redo' | 'help' }

/**
 * Words that ask for the command, in any order: names of `match/lexicon.ts`, plain words (`a|b` either, `_` a space), and
 * `@field` for a parameter that must be among them. A pair adds parameters that go without saying. A command whose
 * parameters are all optional needs one of them, unless the pair says `{}`.
 */
export type Phrasing = string | readonly [words: string, given: Readonly<Record<string, unknown>>]

export interface Command<Name extends string = string, Params extends TObject = TObject> {
  readonly name: Name
  /** Shown in the palette. */
  readonly label: string
  /** For people, and for a model. */
  readonly description: string
  /** Sentences that ask for it: shown to people, tried by the tests. */
  readonly examples: readonly [string, ...string[]]
  readonly says: readonly Phrasing[]
  /** A pattern of words that may be there and mean nothing here. */
  readonly fillers?: string
  readonly params: Params
  /** Why it cannot be done to this clip, in a sentence; null: it can. */
  readonly available?: (edit: ClipEdit, context: CommandContext) => string | null
  /** The edit that it makes of `edit`. `given` fits `params`, and the command is available. Throws Refusal. */
  readonly run: (edit: ClipEdit, context: CommandContext, given: Static<Params>) => Outcome
}

export const declareCommand = <const Name extends string, Params extends TObject>(
  command: Command<Name, Params>,
): Command<Name, Params> => command

export const edited = (edit: ClipEdit, done: string): Outcome => ({ kind: 'edit', edit, done })

/** Why a command cannot be done, and what would work, in a sentence. */
export class Refusal extends Error {}

/** Ends a `run`; `runCommand` answers the sentence. */
export function refuse(why: string): never {
  throw new Refusal(why)
}

/** With another cut; refused where the cut is the same, which is all that is left of a clip of which nothing would be. */
export const withCut = (edit: ClipEdit, cut: ClipCut, done: string): Outcome =>
  cut === edit.cut ? refuse('Nothing of the clip would be left.') : edited({ ...edit, cut }, done)
