/** Corrected spellings, and the texts of a clip that follow them. PURE. */
import type { ClipDocument } from '../../contract/clip.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'

type Spelling = NonNullable<ClipDocument['corrections']>[number]
type Words = readonly Pick<TranscriptWord, 'word'>[]

/** So many are remembered, the newest ones. */
const MAX_SPELLINGS = 500

/** Without the punctuation around it. */
const bare = (word: string): string =>
  word.normalize('NFC').replaceAll(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '')

/** With the corrections that make `after` of `before`: words at the same places. A spelling that is put back is forgotten. */
export function withSpellings(known: readonly Spelling[], before: Words, after: Words): readonly Spelling[] {
  if (before.length !== after.length) return known
  const left = new Set(after.map(({ word }) => bare(word).toLowerCase()))
  let list = known
  for (const [index, { word }] of before.entries()) {
    const from = bare(word)
    const to = bare(after[index]?.word ?? '')
    // Where other words are still spelt so, it is not known which of them a text means.
    if (from === '' || to === '' || from === to || left.has(from.toLowerCase())) continue
    const undone = list.findLastIndex((one) => one.from === to && one.to === from)
    if (undone !== -1) list = list.toSpliced(undone, 1)
    else if (!list.some((one) => one.from === from && one.to === to)) list = [...list, { from, to }]
  }
  return list.slice(-MAX_SPELLINGS)
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&')
/** Scripts whose words stand without spaces between them. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** A text with corrected spellings: whole words, a capital at their beginning stays one. */
export function respelt(text: string, spellings: readonly Spelling[]): string {
  return spellings.reduce((before, { from, to }) => {
    const edge = UNSPACED.test(from) ? '' : '[\\p{L}\\p{M}\\p{N}]'
    const pattern = edge === '' ? escaped(from) : `(?<!${edge})${escaped(from)}(?!${edge})`
    return before.replaceAll(new RegExp(pattern, 'giu'), (found) => {
      const first = [...found][0] ?? ''
      const isCapital = first !== first.toLowerCase() && from === from.toLowerCase()
      return isCapital ? `${to.slice(0, 1).toUpperCase()}${to.slice(1)}` : to
    })
  }, text.normalize('NFC'))
}
