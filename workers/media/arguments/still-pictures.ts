/** Pictures at an even rate out of a stream whose pictures come when they come. PURE. */

/**
 * Filters that give pictures at `rate` from time 0 on, without end. The first may be one that came earlier and is still on
 * (a slide, a screen), however long ago, or where there is none the first one that comes; the stream's last one stays on.
 */
export function heldPictures(rate: string): string {
  const fps = `fps=${rate}:round=near`
  return `${fps},tpad=stop=-1:stop_mode=clone,${fps}:start_time=0`
}
