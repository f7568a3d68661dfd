/** The captions of the open clip as the panel and the picture edit them: for which speaker, and their effective style. */
import type { SpeakerStyle } from '../../../server/contract/text-configs.ts'
import type { PublicWord } from '../../../server/contract/clip-transcript.ts'
import { rationalToNumber } from '../../../server/contract/time.ts'
import type { OpenClip } from '../open-clip.svelte.ts'
import { effectiveCaption } from './effective.ts'
import {
  readLooks,
  setFor,
  speakersOf,
  styleFor,
  withoutOwn,
  withSet,
  writeLooks,
  type SpeakerLooks,
  type Style,
  type Who,
} from './speaker-styles.ts'
import type { Place } from './snap.ts'

/** The speaker whose captions are edited, shared by the panel and the picture. */
const choice = $state<{ who: Who }>({ who: 'everyone' })

const PLACE = ['subtitleX', 'subtitleY', 'captionPosition']

const without = (style: Style, names: readonly string[]): Style =>
  Object.fromEntries(Object.entries(style).filter(([name]) => !names.includes(name)))

/** The captions of a clip. Reads reactive state, so call it in a derivation. */
export function captionsOf(clip: OpenClip) {
  const { looks, effective, speakers } = read(clip)
  const who = whoOf(speakers)
  return {
    who,
    /** 0-based; those who speak in the clip. */
    speakers,
    /** What is set for this speaker, or for everyone. */
    style: setFor(looks, who),
    effective: effective(styleFor(looks, who)),
  }
}

/** Falls back to everyone where the clip has no such speaker. */
const whoOf = (speakers: readonly number[]): Who =>
  choice.who === 'everyone' || speakers.includes(choice.who) ? choice.who : 'everyone'

export const choose = (who: Who): void => void (choice.who = who)

function read(clip: OpenClip) {
  const { edit, editor, preview } = clip.view
  const { output } = preview.composition
  const framesPerSecond = rationalToNumber(output.frameRate)
  const effective = (style: SpeakerStyle) => effectiveCaption(style, output, framesPerSecond)
  const all = speakersOf(editor.words)
  const looks = readLooks(edit.subtitleConfig, all, effective)
  const speakers = speakersOf(editor.words.filter(({ visible }) => visible))
  return { looks, effective, all, speakers }
}

function write(clip: OpenClip, change: (looks: SpeakerLooks, who: Who) => SpeakerLooks, drag?: symbol): void {
  const { looks, effective, all, speakers } = read(clip)
  const subtitleConfig = writeLooks(change(looks, whoOf(speakers)), all, effective)
  clip.change({ subtitleConfig }, drag)
}

export const setCaption = (clip: OpenClip, name: string, value: unknown, drag?: symbol): void =>
  write(clip, (looks, who) => withSet(looks, who, { ...setFor(looks, who), [name]: value }), drag)

/** Back to everyone's, or to the preset's. */
export const resetCaption = (clip: OpenClip, names: readonly string[]): void =>
  write(clip, (looks, who) => withSet(looks, who, without(setFor(looks, who), names)))

/** Replaces the whole style of the selected speaker, or of everyone. */
export const replaceCaption = (clip: OpenClip, change: (style: Style) => Style): void =>
  write(clip, (looks, who) => withSet(looks, who, change(setFor(looks, who))))

/**
 * Moves captions, in percent. For everyone it also overrides speakers with a place of their own; otherwise it moves those
 * of the speaker on the picture, who becomes the selected one.
 */
export function placeCaption(clip: OpenClip, place: Place, speaker: number, drag?: symbol): void {
  if (choice.who !== 'everyone') choose(speaker)
  const at = { subtitleX: place.x, subtitleY: place.y }
  write(
    clip,
    (looks, who) =>
      who === 'everyone'
        ? withSet(withoutOwn(looks, PLACE), who, { ...looks.everyone, ...at })
        : withSet(looks, who, { ...setFor(looks, who), ...at }),
    drag,
  )
}

/** Who speaks at a second of the source, or nearest to it. */
export function speakerAt(words: readonly PublicWord[], seconds: number): number {
  const away = ({ start, end }: PublicWord): number => Math.max(0, start - seconds, seconds - end)
  const nearest = words.reduce<PublicWord | null>(
    (best, word) => (word.isDeleted || (best !== null && away(best) <= away(word)) ? best : word),
    null,
  )
  return nearest?.speaker ?? 0
}
