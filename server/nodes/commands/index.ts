/**
 * The table of what can be done to a clip by name: the command palette, the chat without a language model, the tools of one,
 * and agents (MCP) all read it. A new command is an entry of a file in `types`. Where two commands could understand the
 * same clause, the one that stands first does. Nothing here renders, publishes, or leaves the clip. PURE.
 */
import type { Static, TObject } from '@sinclair/typebox'
import { closedObject } from '../../contract/config-fields.ts'
import type { ClipEdit } from '../editing/clip-edit.ts'
import type { CommandContext } from './context.ts'
import { refuse, Refusal, type Command } from './declare.ts'
import { additions } from './types/additions.ts'
import { captions } from './types/captions.ts'
import { cuts } from './types/cuts.ts'
import { picture } from './types/picture.ts'
import { session } from './types/session.ts'
import { speech } from './types/speech.ts'

const TABLE = { ...session, ...speech, ...picture, ...additions, ...captions, ...cuts }
type Table = typeof TABLE
export type CommandName = keyof Table
/** A command with its arguments; they fit its parameters. */
export type CommandCall = {
  [Name in CommandName]: {
    readonly name: Name
    readonly arguments: Static<TObject<Table[Name]['params']>>
  }
}[CommandName]

export type Outcome =
  | { readonly kind: 'edit'; readonly edit: ClipEdit; readonly done: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'undo' | 'redo' | 'help' }

const inWords = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

/** Each knows its own parameters; to others they are arguments of some command. */
export const COMMANDS = Object.entries(TABLE).map(([name, declared]) => ({
  label: inWords(name),
  ...declared,
  name,
  params: closedObject(declared.params),
})) as unknown as readonly Command<CommandName>[]

export const commandOf = (name: string): Command<CommandName> | undefined =>
  COMMANDS.find((command) => command.name === name)

/** Commands that change the clip: those of the session are a person's alone. */
export const EDIT_COMMANDS = COMMANDS.filter(({ name }) => !(name in session))

/** Does one command. Its arguments fit its parameters. */
export function runCommand(edit: ClipEdit, context: CommandContext, call: CommandCall): Outcome {
  try {
    const command = commandOf(call.name) ?? refuse('There is no such command.')
    const why = command.available?.(edit, context) ?? null
    if (why !== null) refuse(why)
    const made = command.run(call.arguments, edit, context)
    if (typeof made === 'string') return { kind: made }
    const [changes, done] = made
    return { kind: 'edit', edit: { ...edit, ...changes }, done }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', why: error.message }
    throw error
  }
}
