/** How SQLite's write-ahead log is written: https://www.sqlite.org/walformat.html. Pure. */

export const HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24
/** Of every database that was made here. */
export const PAGE_BYTES = 4096
/** Of the log's first word, which says in which order its sums are computed. */
const LITTLE = 0x377f0682
const BIG = 0x377f0683

export type Sum = readonly [number, number]

export const sameSum = (a: Sum, b: Sum): boolean => a[0] === b[0] && a[1] === b[1]

/** SQLite's running sum over pairs of words. */
export function sumOf(bytes: Buffer, before: Sum, little: boolean): Sum {
  let [a, b] = before
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + view.getUint32(at, little) + b) >>> 0
    b = (b + view.getUint32(at + 4, little) + a) >>> 0
  }
  return [a, b]
}

export const isLittle = (header: Buffer): boolean => header.readUInt32BE(0) !== BIG

/** Whether the head of a log is whole. */
export function isLogHeader(header: Buffer): boolean {
  const magic = header.readUInt32BE(0)
  if (magic !== LITTLE && magic !== BIG) return false
  const sum: Sum = [header.readUInt32BE(24), header.readUInt32BE(28)]
  return sameSum(sumOf(header.subarray(0, 24), [0, 0], isLittle(header)), sum)
}
