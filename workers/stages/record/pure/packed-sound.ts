/** Packed audio (bare AAC or MP3): its clock is in an ID3 tag before each segment. PURE. */

export interface PackedSound {
  /** Bytes of tags before the sound. */
  readonly tagBytes: number
  /** When the segment begins on the stream's clock, in seconds. */
  readonly seconds: number
}

const OWNER = 'com.apple.streaming.transportStreamTimestamp'
const CLOCK = 90_000
/** The clock of a transport stream has 33 bits. */
const CLOCK_BITS = 2 ** 33

/** The clock in the first bytes of a segment; null: it is not packed audio, or has a clock of its own. */
export function readPackedSound(head: Uint8Array): PackedSound | null {
  if (head[0] !== 0x49 || head[1] !== 0x44 || head[2] !== 0x33 || head.length < 10) return null
  const tagBytes = 10 + sevenBits(head, 6)
  const at = find(head.subarray(0, tagBytes), OWNER)
  // A zero ends the owner's name; eight bytes of clock follow.
  const clock = at + OWNER.length + 1
  if (at < 0 || clock + 8 > head.length) return null
  let ticks = 0
  for (const byte of head.subarray(clock, clock + 8)) ticks = ticks * 256 + byte
  return { tagBytes, seconds: (ticks % CLOCK_BITS) / CLOCK }
}

const sevenBits = (bytes: Uint8Array, at: number): number =>
  [0, 1, 2, 3].reduce((sum, index) => sum * 128 + ((bytes[at + index] ?? 0) & 127), 0)

function find(bytes: Uint8Array, text: string): number {
  for (let at = 0; at + text.length <= bytes.length; at++) {
    let same = 0
    while (same < text.length && bytes[at + same] === text.charCodeAt(same)) same++
    if (same === text.length) return at
  }
  return -1
}
