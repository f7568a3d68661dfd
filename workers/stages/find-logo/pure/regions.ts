/** PURE: groups marked pixels that lie near each other. */

/** `right` and `bottom` are exclusive. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** Number of marked pixels. */
  readonly places: number
}

/** Groups of marked pixels whose distance is at most `gap`, horizontally or vertically. */
export function regionsOf(marks: Uint8Array, width: number, height: number, gap: number): Region[] {
  const open = Uint8Array.from(marks)
  const regions: Region[] = []
  for (let first = 0; first < open.length; first += 1) {
    if (open[first] === 1) regions.push(gather(open, first, { width, height, gap }))
  }
  return regions
}

interface Field {
  readonly width: number
  readonly height: number
  readonly gap: number
}

/** Collects a group and removes its marks, so that they are not counted again. */
function gather(open: Uint8Array, first: number, { width, height, gap }: Field): Region {
  const waiting = [first]
  open[first] = 0
  let left = width
  let top = height
  let right = 0
  let bottom = 0
  let places = 0
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const x = at % width
    const y = Math.floor(at / width)
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + 1)
    bottom = Math.max(bottom, y + 1)
    places += 1
    for (let row = Math.max(0, y - gap); row <= Math.min(height - 1, y + gap); row += 1) {
      for (let column = Math.max(0, x - gap); column <= Math.min(width - 1, x + gap); column += 1) {
        const next = row * width + column
        if (open[next] !== 1) continue
        open[next] = 0
        waiting.push(next)
      }
    }
  }
  return { left, top, right, bottom, places }
}
