/** PURE: sets of row numbers as bits, 32 a word. A shorter set counts as having zeros at its end. */

export type Bits = Uint32Array

export const wordsFor = (rows: number): number => (rows + 31) >>> 5

/** Whether the set has this row. */
export const hasBit = (bits: Bits, row: number): boolean =>
  (((bits[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1

export function setBit(bits: Bits, row: number): void {
  const word = row >>> 5
  bits[word] = (bits[word] ?? 0) | (1 << (row & 31))
}

export function clearBit(bits: Bits, row: number): void {
  const word = row >>> 5
  bits[word] = (bits[word] ?? 0) & ~(1 << (row & 31))
}

/** `target` keeps what `other` has too. */
export function keepCommon(target: Bits, other: Bits): void {
  for (let word = 0; word < target.length; word += 1)
    target[word] = (target[word] ?? 0) & (word < other.length ? (other[word] ?? 0) : 0)
}

/** `target` gets what `other` has. */
export function addAll(target: Bits, other: Bits): void {
  const shared = Math.min(target.length, other.length)
  for (let word = 0; word < shared; word += 1) target[word] = (target[word] ?? 0) | (other[word] ?? 0)
}

function countOnes(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export function countBits(bits: Bits): number {
  let count = 0
  for (const word of bits) if (word !== 0) count += countOnes(word)
  return count
}

/** The rows of the set, smallest first. */
export function rowsOf(bits: Bits): number[] {
  const rows: number[] = []
  for (let word = 0; word < bits.length; word += 1)
    for (let left = bits[word] ?? 0; left !== 0; left &= left - 1)
      rows.push(word * 32 + 31 - Math.clz32(left & -left))
  return rows
}

/** The same set with room for this many rows at least. */
export function withRoom(bits: Bits, rows: number): Bits {
  const needed = wordsFor(rows)
  if (bits.length >= needed) return bits
  const grown = new Uint32Array(Math.max(needed, bits.length * 2))
  grown.set(bits)
  return grown
}
