/** Recognises ffmpeg's messages about a damaged source. PURE. */

/** Pictures with missing parts, which are guessed from earlier pictures. */
const BROKEN_PICTURE =
  /error while decoding MB|concealing \d+ DC|corrupted macroblock|Invalid NAL unit size|Error splitting the input into NAL units|damaged at \d+/u
const UNREAD = /^Error while decoding stream #/mu

export const DAMAGED =
  'The source is damaged in this stretch: parts of it could not be read, so picture or sound of the clip may be broken there.'

/**
 * Whether these lines of ffmpeg's stderr report damage. `loose`: reading began between keyframes, where pictures that cannot be
 * decoded yet are normal.
 */
export function isDamageMessage(stderr: string, loose: boolean): boolean {
  return BROKEN_PICTURE.test(stderr) || (!loose && UNREAD.test(stderr))
}
