/** Pixel formats with an alpha channel, with ffmpeg's names. PURE. */

/** `yuva420p`, `rgba`, `bgra`, `argb`, `gbrap`, `ya8` and their variants with more bits; `pal8` may have it. */
export function hasTransparency(pixelFormat: string): boolean {
  return /^(yuva|gbrap|ya\d|rgba|bgra|argb|abgr|pal8)/u.test(pixelFormat)
}
