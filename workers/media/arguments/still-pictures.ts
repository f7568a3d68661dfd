/** Pictures at a constant rate from a stream whose pictures come irregularly. PURE. */

/**
 * Filters that give pictures at `rate` from time 0, without end. The first may be an earlier picture that is still shown (a slide,
 * a screen), however old, or otherwise the first that comes; the last one of the stream is repeated.
 */
export function heldPictures(rate: string): string {
  const fps = `fps=${rate}:round=near`
  return `${fps},tpad=stop=-1:stop_mode=clone,${fps}:start_time=0`
}
