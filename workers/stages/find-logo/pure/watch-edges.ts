/** PURE: accumulates, picture by picture, how edges and brightness behave at each pixel. */

export interface EdgeStatistics {
  readonly width: number
  readonly height: number
  readonly pictures: number
  /** Strength of the edge that stays: length of the mean gradient, in levels per pixel. */
  readonly staying: Float32Array
  /** Mean length of the gradients, whatever their direction. */
  readonly strength: Float32Array
  /** Standard deviation of the brightness over time, in levels. */
  readonly change: Float32Array
}

export interface EdgeWatcher {
  /** 8-bit grey, row by row. */
  add(grey: Uint8Array): void
  finish(): EdgeStatistics
}

export function watchEdges(width: number, height: number): EdgeWatcher {
  const places = width * height
  const across = new Float32Array(places)
  const down = new Float32Array(places)
  const strength = new Float32Array(places)
  const sum = new Float32Array(places)
  const squares = new Float32Array(places)
  let pictures = 0
  return {
    add(grey) {
      pictures += 1
      for (let at = 0; at < places; at += 1) {
        const value = grey[at] ?? 0
        sum[at] = (sum[at] ?? 0) + value
        squares[at] = (squares[at] ?? 0) + value * value
      }
      for (let y = 1; y < height - 1; y += 1) {
        for (let at = y * width + 1; at < (y + 1) * width - 1; at += 1) {
          const dx = ((grey[at + 1] ?? 0) - (grey[at - 1] ?? 0)) / 2
          const dy = ((grey[at + width] ?? 0) - (grey[at - width] ?? 0)) / 2
          across[at] = (across[at] ?? 0) + dx
          down[at] = (down[at] ?? 0) + dy
          strength[at] = (strength[at] ?? 0) + Math.hypot(dx, dy)
        }
      }
    },
    finish() {
      const count = Math.max(1, pictures)
      const mean = (value: number | undefined): number => (value ?? 0) / count
      return {
        width,
        height,
        pictures,
        staying: across.map((value, at) => Math.hypot(mean(value), mean(down[at]))),
        strength: strength.map(mean),
        change: sum.map((value, at) => Math.sqrt(Math.max(0, mean(squares[at]) - mean(value) ** 2))),
      }
    },
  }
}
