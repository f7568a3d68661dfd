/** Very many short texts in one buffer, compared byte by byte: as objects they would keep the collector busy. */

export interface Texts {
  buffer: Buffer
  /** Where each begins; one more than there are texts. */
  starts: Uint32Array
  length: number
}

export const newTexts = (): Texts => ({ buffer: Buffer.alloc(1024), starts: new Uint32Array(64), length: 0 })

/** Adds a text; it gets the next number. */
export function addText(texts: Texts, text: string): void {
  const start = texts.starts[texts.length] ?? 0
  const bytes = Buffer.byteLength(text)
  if (start + bytes > texts.buffer.length) {
    const grown = Buffer.alloc(Math.max(start + bytes, texts.buffer.length * 2))
    texts.buffer.copy(grown, 0, 0, start)
    texts.buffer = grown
  }
  texts.buffer.write(text, start)
  texts.length += 1
  if (texts.length >= texts.starts.length) {
    const starts = new Uint32Array(texts.starts.length * 2)
    starts.set(texts.starts)
    texts.starts = starts
  }
  texts.starts[texts.length] = start + bytes
}

const startOf = ({ starts }: Texts, index: number): number => starts[index] ?? 0

/** Below, at or above 0 as the first sorts before, with or after the second. */
export function compareTexts(texts: Texts, a: number, b: number): number {
  const { buffer } = texts
  const from = startOf(texts, a)
  const to = startOf(texts, a + 1)
  return buffer.compare(buffer, startOf(texts, b), startOf(texts, b + 1), from, to)
}

export function compareWith(texts: Texts, index: number, other: Buffer): number {
  return texts.buffer.compare(other, 0, other.length, startOf(texts, index), startOf(texts, index + 1))
}

export function textAt(texts: Texts, index: number): string {
  return texts.buffer.toString('utf8', startOf(texts, index), startOf(texts, index + 1))
}
