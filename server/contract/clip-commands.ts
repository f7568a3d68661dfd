/**
 * What can be asked of a clip in words: each command with its arguments. The studio does them
 * (renderer/clip-editor/chat/commands), a language model is offered them as tools, and both are held to these schemas. Nothing
 * here renders, publishes, or leaves the clip. PURE.
 */
import { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { choice } from './config-fields.ts'

const closed = { additionalProperties: false } as const
const seconds = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: 86_400,
    description: `${description}, seconds as the player counts them`,
  })
const phrase = (description: string) => Type.String({ minLength: 1, maxLength: 500, description })
const maybe = <Field extends TSchema>(field: Field) => Type.Optional(field)
const flag = (description: string) => Type.Boolean({ description })

/** A range, given by the words spoken in it or by time. */
const where = {
  phrase: maybe(phrase('Words that are said there, as they stand in the transcript')),
  from: maybe(seconds('Beginning')),
  to: maybe(seconds('End')),
}
const edge = choice(['start', 'end'], { description: 'Which end of the clip' })
const object = <Fields extends TProperties>(fields: Fields) => Type.Object(fields, closed)

export interface CommandArguments {
  /** For people, and for a model. */
  readonly does: string
  readonly arguments: TObject
}

const command = <Arguments extends TObject>(does: string, given: Arguments) => ({ does, arguments: given })

export const CLIP_COMMANDS = {
  cut_words: command(
    'Cuts words out of the clip',
    object({
      phrase: phrase('The words, as they stand in the transcript'),
      all: maybe(flag('Wherever they are said')),
    }),
  ),
  cut_sentences: command(
    'Cuts whole sentences out: so many from the start or the end, or the one in which words are said',
    object({
      from: maybe(edge),
      count: maybe(Type.Integer({ minimum: 1, maximum: 100 })),
      phrase: maybe(phrase('Words of the sentence')),
    }),
  ),
  cut_time: command('Cuts a stretch of time out', object({ from: seconds('Beginning'), to: seconds('End') })),
  cut_edge: command(
    'Cuts so many seconds off the start or the end',
    object({ edge, seconds: Type.Number({ exclusiveMinimum: 0, maximum: 86_400 }) }),
  ),
  begin_at: command(
    'Lets the clip begin with these words, or at this time',
    object({ phrase: maybe(phrase('The first words')), seconds: maybe(seconds('The new start')) }),
  ),
  end_at: command(
    'Lets the clip end with these words, or at this time',
    object({ phrase: maybe(phrase('The last words')), seconds: maybe(seconds('The new end')) }),
  ),
  keep_only: command('Cuts everything but these words, or but this stretch of time', object(where)),
  put_back: command(
    'Puts back what was cut out: some words, or everything',
    object({ phrase: where.phrase }),
  ),
  remove_fillers: command('Cuts filler words such as "um" out', object({})),
  shorten_pauses: command(
    'Shortens the pauses between words',
    object({
      over: Type.Number({ minimum: 0.2, maximum: 30, description: 'Those longer than this, seconds' }),
    }),
  ),
  curse_words: command(
    'Beeps or silences curse words, cuts them out, or lets them be heard again',
    object({ how: choice(['beep', 'silence', 'cut', 'keep']) }),
  ),
  speed: command(
    'Plays the clip, or a stretch of it, faster or slower',
    object({ rate: Type.Number({ minimum: 0.25, maximum: 4, description: '1 is natural' }), ...where }),
  ),
  caption_colour: command(
    'Colours the captions',
    object({
      colour: Type.String({ minLength: 3, maxLength: 40, description: 'A CSS colour name, or #rrggbb' }),
      part: maybe(choice(['letters', 'spoken word', 'background', 'outline', 'keywords'])),
    }),
  ),
  caption_size: command(
    'Makes captions bigger or smaller',
    object({
      change: maybe(choice(['bigger', 'smaller', 'much bigger', 'much smaller'])),
      size: maybe(Type.Number({ minimum: 16, maximum: 240, description: 'Reference units; 76 is usual' })),
    }),
  ),
  caption_style: command(
    'Gives the captions a preset',
    object({ preset: Type.String({ maxLength: 60, description: 'Its id or name' }) }),
  ),
  caption_place: command(
    'Moves the captions',
    object({
      place: maybe(choice(['top', 'middle', 'bottom', 'higher', 'lower'])),
      percent: maybe(Type.Number({ minimum: 0, maximum: 100, description: 'Of the height, from the top' })),
    }),
  ),
  caption_case: command(
    'Writes captions in capitals, in small letters, or as they are spoken',
    object({ textCase: choice(['uppercase', 'lowercase', 'capitalize', 'none']) }),
  ),
  caption_switch: command(
    'Switches something about the captions on or off',
    object({
      what: choice([
        'captions',
        'emojis',
        'keywords',
        'spoken word',
        'italic',
        'bold',
        'shadow',
        'background',
        'outline',
      ]),
      on: flag('On'),
    }),
  ),
  caption_lines: command(
    'Says how many lines, or letters in a line, a caption has at most',
    object({
      lines: maybe(Type.Integer({ minimum: 1, maximum: 10 })),
      characters: maybe(Type.Integer({ minimum: 4, maximum: 100 })),
    }),
  ),
  title_text: command('Names the clip; its title card shows it', object({ text: phrase('The title') })),
  title_look: command(
    'Gives the title card a preset, or a palette of colours',
    object({
      preset: maybe(Type.String({ maxLength: 60 })),
      palette: maybe(Type.String({ maxLength: 60 })),
    }),
  ),
  title_switch: command(
    'Shows the title card or takes it away, or says how long it is shown',
    object({
      on: flag('Shown'),
      seconds: maybe(Type.Number({ minimum: 0, maximum: 3600, description: '0: to the end' })),
    }),
  ),
  add_zoom: command(
    'Looks closer for a stretch; without words or times, where the player stands',
    object({
      ...where,
      scale: maybe(Type.Number({ minimum: 1.02, maximum: 4, description: '1.3 is usual' })),
    }),
  ),
  remove_zooms: command(
    'Takes closer looks away: all, or those at some words or in a stretch',
    object(where),
  ),
  auto_zooms: command(
    'Lets closer looks be chosen by themselves, or not',
    object({ on: flag('On'), frequency: maybe(choice(['low', 'medium', 'high'])) }),
  ),
  layout: command(
    'Lays the picture out, all of it or a stretch: whole picture, follow who speaks, split between people, fill by a crop; automatic leaves it to the workflow',
    object({ kind: choice(['whole', 'follow', 'split', 'fill', 'automatic']), ...where }),
  ),
  aspect: command(
    'Changes the shape of the picture',
    object({ ratio: choice(['9:16', '16:9', '1:1', '4:5']) }),
  ),
  music: command(
    'Makes the music louder or softer, sets its volume, or takes it away',
    object({
      change: maybe(choice(['louder', 'softer', 'off'])),
      volume: maybe(Type.Number({ minimum: 0, maximum: 1, description: '0 to 1' })),
    }),
  ),
  watermark: command(
    'Shows the watermark or takes it away, or moves it to a corner',
    object({
      on: maybe(flag('Shown')),
      corner: maybe(choice(['top left', 'top right', 'bottom left', 'bottom right', 'centre'])),
      opacity: maybe(Type.Number({ minimum: 0, maximum: 1 })),
    }),
  ),
  end_card: command(
    'Takes the end card away, or says how long it is shown',
    object({ on: flag('Shown'), seconds: maybe(Type.Number({ minimum: 0.5, maximum: 60 })) }),
  ),
  broll: command('Takes b-roll away: all, or what covers a stretch', object(where)),
  add_text: command(
    'Writes a text over the picture for a stretch',
    object({ text: phrase('The text'), ...where }),
  ),
  name_speaker: command(
    'Names a speaker',
    object({
      speaker: Type.String({ minLength: 1, maxLength: 200, description: 'The name or the number so far' }),
      name: Type.String({ minLength: 1, maxLength: 200 }),
    }),
  ),
  undo: command('Takes the last edit back', object({})),
  redo: command('Does again what was taken back', object({})),
  help: command('Says what can be asked for', object({})),
} as const satisfies Readonly<Record<string, CommandArguments>>

export type CommandName = keyof typeof CLIP_COMMANDS
export type ArgumentsOf<Name extends CommandName> = Static<(typeof CLIP_COMMANDS)[Name]['arguments']>

/** A command with its arguments; they fit its schema. */
export type CommandCall = {
  [Name in CommandName]: { readonly name: Name; readonly arguments: ArgumentsOf<Name> }
}[CommandName]

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(CLIP_COMMANDS, name)
