/** A clip for tests of commands: 10 to 31 s of a source, three sentences before fillers and a curse. */
import type { StudioWord } from '../../server/contract/studio-editor.ts'
import { isKept } from '../../server/contract/time-map/cut.ts'
import type { ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import type { CommandContext } from '../../server/nodes/commands/context.ts'

const TEXT =
  'Welcome to the show. I said it three times, and nobody listened. Um, so the point is, we shit the budget. ' +
  'You know, three times is enough. Thank you all.'

/** Words of 0.3 s, 0.1 s apart; 0.9 s after a sentence. */
function wordsOf(text: string): StudioWord[] {
  let start = 10
  return text.split(' ').map((word, index) => {
    const one: StudioWord = {
      index,
      word,
      start: rounded(start),
      end: rounded(start + 0.3),
      speaker: index < 12 ? 0 : 1,
      isDeleted: false,
      visible: true,
    }
    start += 0.4 + (/[.!?]$/u.test(word) ? 0.8 : 0)
    return one
  })
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

export const SAMPLE_WORDS: readonly StudioWord[] = wordsOf(TEXT)
const end = Math.ceil(SAMPLE_WORDS.at(-1)?.end ?? 20) + 1

export const SAMPLE_EDIT: ClipEdit = {
  cut: { startTimestamp: 10, endTimestamp: end, segments: [] },
  title: 'Three times',
  subtitleConfig: { styleId: 'pop' },
  titleConfig: {},
  watermarkConfig: { url: 'https://example.com/logo.png', position: 3 },
  backgroundMusicOption: { url: 'https://example.com/tune.mp3', volume: 0.2 },
  endCardOption: { url: 'https://example.com/card.png', duration: 3 },
  motionConfig: {},
  deliveryConfig: {},
  soundConfig: {},
  layouts: null,
  zooms: null,
  overlays: null,
  broll: null,
  nodes: null,
  speakers: null,
  thumbnail: null,
}

/** The same clip as commands know it; its player counts from 0 at second 10. */
export const sampleContext = (more: Partial<CommandContext> = {}): CommandContext => ({
  words: [...SAMPLE_WORDS],
  language: 'en',
  sound: null,
  frameRate: { numerator: 30, denominator: 1 },
  heard: (cut, position) => {
    const word = SAMPLE_WORDS[position]
    return word !== undefined && isKept(cut, (word.start + word.end) / 2)
  },
  plays: isKept,
  length: end - 10,
  sourceAt: (played) => 10 + played,
  playhead: 14,
  faces: null,
  nodes: [],
  speakers: ['Speaker 1', 'Speaker 2'],
  broll: [],
  output: { width: 1080, height: 1920 },
  ...more,
})
