/**
 * What can be asked of a clip. A new command: its arguments in server/contract/clip-commands.ts, a file here, a line
 * below. Where two commands could understand the same clause, the one that stands first does.
 */
import type { CommandCall, CommandName } from '../../../../server/contract/clip-commands.ts'
import type { ClipEdit } from '../../../../server/nodes/editing/clip-edit.ts'
import type { CommandContext } from '../../../../server/nodes/commands/context.ts'
import { addText } from './add-text.ts'
import { addZoom } from './add-zoom.ts'
import { aspect } from './aspect.ts'
import { autoZooms } from './auto-zooms.ts'
import { beginAt } from './begin-at.ts'
import { broll } from './broll.ts'
import { captionCase } from './caption-case.ts'
import { captionColour } from './caption-colour.ts'
import { captionLines } from './caption-lines.ts'
import { captionPlace } from './caption-place.ts'
import { captionSize } from './caption-size.ts'
import { captionStyle } from './caption-style.ts'
import { captionSwitch } from './caption-switch.ts'
import { curseWords } from './curse-words.ts'
import { cutEdge } from './cut-edge.ts'
import { cutSentences } from './cut-sentences.ts'
import { cutTime } from './cut-time.ts'
import { cutWords } from './cut-words.ts'
import type { ClipCommand, Outcome } from './declare.ts'
import { endAt } from './end-at.ts'
import { endCard } from './end-card.ts'
import { keepOnly } from './keep-only.ts'
import { layout } from './layout.ts'
import { music } from './music.ts'
import { nameSpeaker } from './name-speaker.ts'
import { putBack } from './put-back.ts'
import { removeFillers } from './remove-fillers.ts'
import { removeZooms } from './remove-zooms.ts'
import { help, redo, undo } from './session.ts'
import { shortenPauses } from './shorten-pauses.ts'
import { speed } from './speed.ts'
import { titleLook } from './title-look.ts'
import { titleSwitch } from './title-switch.ts'
import { titleText } from './title-text.ts'
import { watermark } from './watermark.ts'

export const COMMANDS = {
  undo,
  redo,
  help,
  remove_fillers: removeFillers,
  shorten_pauses: shortenPauses,
  curse_words: curseWords,
  auto_zooms: autoZooms,
  remove_zooms: removeZooms,
  broll,
  watermark,
  end_card: endCard,
  music,
  caption_size: captionSize,
  caption_place: captionPlace,
  caption_case: captionCase,
  caption_lines: captionLines,
  caption_colour: captionColour,
  caption_switch: captionSwitch,
  title_switch: titleSwitch,
  title_look: titleLook,
  caption_style: captionStyle,
  name_speaker: nameSpeaker,
  title_text: titleText,
  cut_sentences: cutSentences,
  cut_edge: cutEdge,
  cut_time: cutTime,
  begin_at: beginAt,
  end_at: endAt,
  keep_only: keepOnly,
  put_back: putBack,
  aspect,
  layout,
  speed,
  add_zoom: addZoom,
  add_text: addText,
  cut_words: cutWords,
} as const satisfies { readonly [Name in CommandName]: ClipCommand<Name> }

/** Each with its rules, in order; what its arguments are, it knows itself. */
export const COMMAND_LIST: readonly ClipCommand[] = Object.values(
  COMMANDS,
) as unknown as readonly ClipCommand[]

/** Does one command. Its arguments fit their schema. */
export function runCommand(edit: ClipEdit, context: CommandContext, call: CommandCall): Outcome {
  const { run } = COMMANDS[call.name] as unknown as ClipCommand
  return run(edit, context, call.arguments)
}
