/** Which words of the captions an emoji follows. */
import { emojiOf } from '../presets/emojis.ts'
import type { PlacedWord } from './placed-words.ts'

/** Seconds between two emojis, and until the same one comes again: they are to accent, not to rain. */
const APART = 1.6
const SAME_AGAIN = 12

/** Emojis by place in `words`. */
export function emojisFor(
  words: readonly PlacedWord[],
  framesPerSecond: number,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  const lastOf = new Map<string, number>()
  let last = -Infinity
  words.forEach((word, index) => {
    const emoji = emojiOf(word.text)
    if (emoji === undefined) return
    const second = word.startFrame / framesPerSecond
    if (second - last < APART || second - (lastOf.get(emoji) ?? -Infinity) < SAME_AGAIN) return
    found.set(index, emoji)
    lastOf.set(emoji, second)
    last = second
  })
  return found
}
