/** Which of a few stills is the sharpest and best lit. PURE. */

export interface GreyPicture {
  readonly width: number
  readonly height: number
  /** One byte per pixel, rows from the top. */
  readonly pixels: Uint8Array
}

export interface StillScore {
  /** Variance of the Laplacian: high for crisp edges, low for blurred and flat pictures. */
  readonly sharpness: number
  /** Mean brightness, 0 to 255. */
  readonly brightness: number
  /** Share of pixels that are nearly black or nearly white. */
  readonly clipped: number
  /** The value that is compared; higher is better. */
  readonly score: number
}

/** Scores one picture. Sharpness counts by its logarithm, so that good light can outweigh a little more detail. */
export function scoreStill(picture: GreyPicture): StillScore {
  const { width, height, pixels } = picture
  let sum = 0
  let clipped = 0
  let edges = 0
  let edgeSquares = 0
  let edgeCount = 0
  for (let index = 0; index < width * height; index++) {
    const value = pixels[index] ?? 0
    sum += value
    if (value < 12 || value > 245) clipped++
  }
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      const around =
        (pixels[at - 1] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at - width] ?? 0) + (pixels[at + width] ?? 0)
      const laplacian = around - 4 * (pixels[at] ?? 0)
      edges += laplacian
      edgeSquares += laplacian * laplacian
      edgeCount++
    }
  }
  const area = Math.max(1, width * height)
  const mean = edges / Math.max(1, edgeCount)
  const sharpness = Math.max(0, edgeSquares / Math.max(1, edgeCount) - mean * mean)
  const brightness = sum / area
  const score = Math.log1p(sharpness) * lightFactor(brightness) * (1 - 0.5 * (clipped / area))
  return { sharpness, brightness, clipped: clipped / area, score }
}

/**
 * Indexes of the moments, best first, by what is known about them (`worth`) and how they look. A moment without a picture (null) is
 * left out; without pictures only `worth` counts. Ties: the earliest first.
 */
export function rankStills(
  worth: readonly number[],
  pictures: readonly (GreyPicture | null)[] | null,
): number[] {
  return worth
    .flatMap((value, index) => {
      const picture = pictures === null ? undefined : pictures[index]
      if (pictures !== null && (picture === null || picture === undefined)) return []
      return [
        { index, score: value * (picture === null || picture === undefined ? 1 : scoreStill(picture).score) },
      ]
    })
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index)
}

/** 1 for a normally lit picture (60 to 190), falling steeply towards black and white, so that fades and flashes lose. */
function lightFactor(brightness: number): number {
  const off = brightness < 60 ? (60 - brightness) / 60 : brightness > 190 ? (brightness - 190) / 65 : 0
  return Math.max(0.01, (1 - off) ** 2)
}
