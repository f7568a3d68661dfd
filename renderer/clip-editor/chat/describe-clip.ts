/** The clip in a few lines, and its words with times: what a language model is told of it. PURE. */
import { CAPTION_PRESETS } from '../../../server/nodes/presets/captions.ts'
import { TITLE_PRESETS } from '../../../server/nodes/presets/titles.ts'
import type { ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'
import { sentencesOf } from '../../../server/nodes/editing/phrases.ts'
import { speakersIn } from '../../../server/nodes/editing/speakers.ts'
import { clock } from '../../../server/nodes/commands/where.ts'
import type { CommandContext } from '../../../server/nodes/commands/context.ts'

const MAX_CHARACTERS = 40_000

const names = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(', ')

const part = (name: string, config: object): string =>
  `${name}: ${Object.keys(config).length === 0 ? 'as the workflow says' : JSON.stringify(config).slice(0, 600)}`

/** What is heard, a sentence a line, from the second at which the player says it. */
function transcript(edit: ClipEdit, context: CommandContext): string[] {
  const heard = context.words.flatMap((_, at) => (context.heard(edit.cut, at) ? [at] : []))
  const starts = context.words.map(({ start }) => start)
  let played = 0
  const playedOf = (source: number): number => {
    // Sentences come in order: the player's second is looked for from the one before.
    while (played < context.length && context.sourceAt(played) < source) played += 0.1
    return played
  }
  return sentencesOf(context.words, heard).map(({ first, last }) => {
    const text = heard
      .filter((at) => at >= first && at <= last)
      .map((at) => context.words[at]?.word ?? '')
      .join(' ')
    return `[${clock(playedOf(starts[first] ?? 0))}] ${text}`
  })
}

export function describeClip(edit: ClipEdit, context: CommandContext): string {
  const { width, height } = context.output
  const lines = [
    `Title: ${edit.title}`,
    `Plays ${context.length.toFixed(1)} s at ${width}x${height}.`,
    `Speakers: ${names(speakersIn(context.words, edit.speakers ?? context.speakers)) || 'not told apart'}`,
    `Caption presets: ${names(CAPTION_PRESETS)}`,
    `Title presets: ${names(TITLE_PRESETS)}`,
    part('Captions', edit.subtitleConfig),
    part('Title card', edit.titleConfig),
    `Watermark: ${typeof edit.watermarkConfig['url'] === 'string' ? 'there is one' : 'none'}`,
    `Music: ${typeof edit.backgroundMusicOption['url'] === 'string' ? `volume ${JSON.stringify(edit.backgroundMusicOption['volume'] ?? 0.2)}` : 'none'}`,
    `End card: ${typeof edit.endCardOption['url'] === 'string' ? 'there is one' : 'none'}`,
    `Zooms set by hand: ${edit.zooms?.length ?? 'none'}`,
    'Transcript of what is heard:',
    ...transcript(edit, context),
  ]
  const text = lines.join('\n')
  return text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}\n(The rest of the transcript is left out.)`
}
