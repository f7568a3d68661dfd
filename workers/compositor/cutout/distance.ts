/** How far each pixel is from a form: what a ring around it is drawn by. */

const FAR = 1e12

/** Pixels to the nearest one of the form, 0 inside it. After Felzenszwalb and Huttenlocher, 2012: exact. */
export function measureDistances(form: ArrayLike<number>, width: number, height: number): Float32Array {
  const squares = Float64Array.from({ length: width * height }, (_, at) => (form[at]! > 0.5 ? 0 : FAR))
  const longest = Math.max(width, height)
  const line: Line = {
    values: new Float64Array(longest),
    places: new Int32Array(longest),
    borders: new Float64Array(longest + 1),
  }
  for (let x = 0; x < width; x++) lowest(squares, x, width, height, line)
  for (let y = 0; y < height; y++) lowest(squares, y * width, 1, width, line)
  return Float32Array.from(squares, Math.sqrt)
}

interface Line {
  readonly values: Float64Array
  readonly places: Int32Array
  readonly borders: Float64Array
}

/** Lower envelope of parabolas rooted at the values of a line (distance transform). */
function lowest(squares: Float64Array, start: number, step: number, count: number, line: Line): void {
  const { values, places, borders } = line
  for (let at = 0; at < count; at++) values[at] = squares[start + at * step]!
  const meet = (a: number, b: number): number => (values[b]! + b * b - values[a]! - a * a) / (2 * b - 2 * a)
  let last = 0
  places[0] = 0
  borders[0] = -Infinity
  borders[1] = Infinity
  for (let at = 1; at < count; at++) {
    let border = meet(places[last]!, at)
    while (border <= borders[last]!) border = meet(places[--last]!, at)
    places[++last] = at
    borders[last] = border
    borders[last + 1] = Infinity
  }
  let own = 0
  for (let at = 0; at < count; at++) {
    while (borders[own + 1]! < at) own++
    squares[start + at * step] = (at - places[own]!) ** 2 + values[places[own]!]!
  }
}
