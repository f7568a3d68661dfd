/** Rectangles in output pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function unionBox(a: Box | null, b: Box | null): Box | null {
  if (a === null || b === null) return a ?? b
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  }
}

export function intersectBox(a: Box, b: Box): Box | null {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : null
}

export function growBox(box: Box, left: number, top = left, right = left, bottom = top): Box {
  return {
    x: box.x - left,
    y: box.y - top,
    width: box.width + left + right,
    height: box.height + top + bottom,
  }
}

/** A rectangle in reference units, in output pixels. */
export function inPixels({ x, y, width, height }: Box, unit: number): Box {
  return { x: x * unit, y: y * unit, width: width * unit, height: height * unit }
}

/** Scales about a fixed point. */
export function scaleBox(box: Box, factor: number, centreX: number, centreY: number): Box {
  return {
    x: centreX + (box.x - centreX) * factor,
    y: centreY + (box.y - centreY) * factor,
    width: box.width * factor,
    height: box.height * factor,
  }
}

/** Grows to even integers (4:2:0 chroma sits on every second pixel) and clips to the picture; null: outside. */
export function evenBox(box: Box, width: number, height: number): Box | null {
  const left = Math.max(0, Math.floor(box.x / 2) * 2)
  const top = Math.max(0, Math.floor(box.y / 2) * 2)
  const right = Math.min(width, Math.ceil((box.x + box.width) / 2) * 2)
  const bottom = Math.min(height, Math.ceil((box.y + box.height) / 2) * 2)
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null
}
