/**
 * The table of what can be done to a clip by name: the command palette, the chat without a language model, the tools of one,
 * and agents (MCP) all read it. A new command is a file in `types` and a line here. Where two commands could understand the
 * same clause, the one that stands first does. Nothing here renders, publishes, or leaves the clip. PURE.
 */
import type { Static } from '@sinclair/typebox'
import type { ClipEdit } from '../editing/clip-edit.ts'
import type { CommandContext } from './context.ts'
import { Refusal, type Command, type Outcome } from './declare.ts'
import { addText, broll, endCard, music, watermark } from './types/brand.ts'
import * as captions from './types/captions.ts'
import * as cuts from './types/cuts.ts'
import { aspect, layout } from './types/layout.ts'
import { help, redo, undo } from './types/session.ts'
import { curseWords, nameSpeaker, removeFillers, shortenPauses, speed } from './types/speech.ts'
import { titleLook, titleSwitch, titleText } from './types/title.ts'
import { addZoom, autoZooms, removeZooms } from './types/zooms.ts'

const TABLE = [
  undo,
  redo,
  help,
  removeFillers,
  shortenPauses,
  curseWords,
  autoZooms,
  layout,
  removeZooms,
  broll,
  watermark,
  endCard,
  music,
  captions.captionSize,
  captions.captionPlace,
  captions.captionCase,
  captions.captionLines,
  captions.captionColour,
  captions.captionSwitch,
  titleSwitch,
  titleLook,
  captions.captionStyle,
  nameSpeaker,
  titleText,
  cuts.cutSentences,
  cuts.cutEdge,
  cuts.cutTime,
  cuts.beginAt,
  cuts.endAt,
  cuts.keepOnly,
  cuts.putBack,
  aspect,
  speed,
  addZoom,
  addText,
  cuts.cutWords,
] as const

type Entry = (typeof TABLE)[number]
export type CommandName = Entry['name']
/** A command with its arguments; they fit its parameters. */
export type CommandCall = {
  [Name in CommandName]: {
    readonly name: Name
    readonly arguments: Static<Extract<Entry, { readonly name: Name }>['params']>
  }
}[CommandName]

/** Each knows its own parameters; to others they are arguments of some command. */
export const COMMANDS = TABLE as unknown as readonly Command<CommandName>[]

const BY_NAME: ReadonlyMap<string, Command<CommandName>> = new Map(COMMANDS.map((one) => [one.name, one]))

export const commandOf = (name: string): Command<CommandName> | undefined => BY_NAME.get(name)

/** Commands that change the clip: those of the session are a person's alone. */
export const EDIT_COMMANDS: readonly Command<CommandName>[] = COMMANDS.filter(
  ({ name }) => name !== 'undo' && name !== 'redo' && name !== 'help',
)

/** Does one command. Its arguments fit its parameters. */
export function runCommand(edit: ClipEdit, context: CommandContext, call: CommandCall): Outcome {
  const command = commandOf(call.name)
  const why =
    command === undefined ? 'There is no such command.' : (command.available?.(edit, context) ?? null)
  if (command === undefined || why !== null) return { kind: 'refused', why: why ?? '' }
  try {
    return command.run(edit, context, call.arguments)
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', why: error.message }
    throw error
  }
}
