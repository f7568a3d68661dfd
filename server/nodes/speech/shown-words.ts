/** The words that captions show after others were removed: the sentence around them still begins and ends properly. */
import type { TranscriptWord } from '../../contract/transcript.ts'
import { endsSentence } from './spoken-text.ts'

/** `words` are in order; deleted and removed ones are left out, and `shownAs` replaces texts. */
export function shownWords(
  words: readonly TranscriptWord[],
  removed: ReadonlySet<number>,
  shownAs: ReadonlyMap<number, string>,
): TranscriptWord[] {
  const shown: TranscriptWord[] = []
  let opening = false
  words.forEach((word, index) => {
    if (word.isDeleted === true) return
    const before = shown.at(-1)
    if (removed.has(index)) {
      const starts = before === undefined || endsSentence(before.word) || before.speaker !== word.speaker
      opening = opening || (starts && /^\P{L}*\p{Lu}/u.test(word.word))
      if (before !== undefined && before.speaker === word.speaker)
        shown[shown.length - 1] = closed(before, word)
      return
    }
    const text = shownAs.get(index) ?? word.word
    shown.push({ ...word, word: opening ? capitalised(text) : text })
    opening = false
  })
  return shown
}

/** The word before a gap takes over that the sentence, or the cue, ended there. */
function closed(word: TranscriptWord, removed: TranscriptWord): TranscriptWord {
  const mark = /[.!?…]+["'”’»)\]]*$/u.exec(removed.word)?.[0]
  const ends = mark !== undefined && !endsSentence(word.word)
  return {
    ...word,
    ...(ends ? { word: word.word.replace(/[,;:–—-]+$/u, '') + mark } : {}),
    ...(removed.endsCue === true ? { endsCue: true } : {}),
  }
}

function capitalised(text: string): string {
  return text.replace(/\p{L}/u, (letter) => letter.toUpperCase())
}
