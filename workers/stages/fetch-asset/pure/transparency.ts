/** Pixel formats with an alpha channel, by ffmpeg's names. PURE. */

/** `yuva420p`, `rgba`, `bgra`, `argb`, `gbrap`, `ya8` and their deeper relatives; `pal8` may have it. */
export function hasTransparency(pixelFormat: string): boolean {
  return /^(yuva|gbrap|ya\d|rgba|bgra|argb|abgr|pal8)/u.test(pixelFormat)
}
