/** Search and replace in a transcript: operations that the appliance takes, and those that take them back. PURE. */
import type { StudioWord } from '../../../server/contract/studio-editor.ts'
import type { WordOperation } from './patch-words.ts'
import type { WordSpan } from '../../../server/nodes/editing/phrases.ts'

const LEAD = /^[^\p{L}\p{N}]*/u
const TRAIL = /[^\p{L}\p{N}]*$/u

/**
 * Puts `to` in the place of each span: its first word takes the text with the marks around the span, the others leave the
 * captions. An empty text takes the span out of the captions.
 */
export function replaceOperations(
  words: readonly StudioWord[],
  spans: readonly WordSpan[],
  to: string,
): WordOperation[] {
  const plain = to.trim()
  return spans.flatMap(({ first, last }) => {
    const head = words[first]
    const tail = words[last]
    if (head === undefined || tail === undefined) return []
    const lead = plain === '' ? '' : (LEAD.exec(head.word)?.[0] ?? '')
    const trail = plain === '' || /[.,!?;:]$/u.test(plain) ? '' : (TRAIL.exec(tail.word)?.[0] ?? '')
    const others = words.slice(first + 1, last + 1).filter(({ isDeleted }) => !isDeleted)
    return [
      { index: head.index, to: `${lead}${plain}${trail}` },
      ...others.map(({ index }) => ({ index, to: '' })),
    ]
  })
}

/** Operations that make the words what they are now, after these. */
export function inverseOf(
  words: readonly StudioWord[],
  operations: readonly WordOperation[],
): WordOperation[] {
  const touched = new Set(operations.map(({ index }) => index))
  return words
    .filter(({ index }) => touched.has(index))
    .map(({ index, word, isDeleted }) => ({ index, to: isDeleted ? '' : word }))
}
