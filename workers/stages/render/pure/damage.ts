/** What ffmpeg says of a source that it could not read whole. PURE. */

/** Of pictures that are there in part: what is missing is guessed from those before. */
const BROKEN_PICTURE =
  /error while decoding MB|concealing \d+ DC|corrupted macroblock|Invalid NAL unit size|Error splitting the input into NAL units|damaged at \d+/u
const UNREAD = /^Error while decoding stream #/mu

export const DAMAGED =
  'The source is damaged in this stretch: parts of it could not be read, and the clip may show or sound broken there.'

/**
 * Whether these lines on ffmpeg's stderr tell of damage. `loose`: reading began between key frames, where what cannot be
 * read yet is no damage.
 */
export function isDamageMessage(stderr: string, loose: boolean): boolean {
  return BROKEN_PICTURE.test(stderr) || (!loose && UNREAD.test(stderr))
}
