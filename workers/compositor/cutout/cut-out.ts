/**
 * Cuts a person out of a picture. Rendering and the studio's preview both call this with their own pixels of the same
 * moment. Few clips need it, so it is imported only when one does: import `cut-out-job.ts` for everything else.
 *
 *   const job = cutOutJob(layer, picture, unit)
 *   // scale `job.region` of the picture to `job.work`, and `job.part` to `job.size`, and read their pixels
 *   const cut = cutOut(job, work, large)       // null: no outline was found
 */
import type { Rect } from '../../../server/contract/composition.ts'
import { parseColour, WHITE } from '../colour.ts'
import type { CutOutJob } from './cut-out-job.ts'
import { followColours, matteOf } from './matte.ts'
import { personPrior } from './person-prior.ts'
import { type Mask, type Pixels, boxMean } from './pixels.ts'
import { segmentPerson } from './segment.ts'

/**
 * The person with a soft edge and, if the job has one, a ring around the outline. The picture has the job's size plus its
 * margin on each side. Null where no person stands out from the background.
 */
export function cutOut(job: CutOutJob, work: Pixels, large: Pixels): Pixels | null {
  const person = personIn(job, work)
  if (person === null) return null
  const { box } = job
  const matte = matteOf(followColours(work, person), box, large)
  return painted(job, ownColours(large, matte), matte)
}

/** A mask of the scaled region with 1 for each pixel of the person; null where no person stands out. */
export function personIn(job: CutOutJob, work: Pixels): Uint8Array | null {
  const { width, height } = work
  const { box, faces, others, bias } = job
  const prior = personPrior({ width, height, box, faces, others })
  const person = segmentPerson(work, prior, bias)
  tidy(person, prior.fixed, width, height)
  tidyWithin(box, person, prior.fixed, width)
  return standsOut(work, person, box) ? person : null
}

/** Removes pieces again that are connected to the person only outside the box, and would be loose inside it. */
function tidyWithin(box: Rect, person: Uint8Array, fixed: Uint8Array, width: number): void {
  const isInside = (at: number): boolean => {
    const x = (at % width) + 0.5 - box.x
    const y = Math.floor(at / width) + 0.5 - box.y
    return x >= 0 && y >= 0 && x <= box.width && y <= box.height
  }
  const within = person.map((one, at) => (isInside(at) ? one : 0))
  tidy(within, fixed, width, person.length / width)
  for (let at = 0; at < person.length; at++) if (isInside(at)) person[at] = within[at]!
}

function painted({ ring, margin }: CutOutJob, colours: Pixels, matte: Mask): Pixels {
  const { width, height } = matte
  const wide = width + 2 * margin
  const high = height + 2 * margin
  const data = new Uint8ClampedArray(wide * high * 4)
  const form = new Float32Array(wide * high)
  for (let y = 0; y < height; y++)
    form.set(matte.data.subarray(y * width, (y + 1) * width), (y + margin) * wide + margin)
  const away = ring === null ? null : distanceTo(form, wide, high)
  const paint = parseColour(ring?.colour ?? '') ?? WHITE
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = y * wide + x
      const own = form[at]!
      const around =
        away === null || ring === null ? 0 : Math.min(1, Math.max(0, ring.width + 0.5 - away[at]!))
      const under = around * paint.alpha * (1 - own)
      const opacity = own + under
      if (opacity <= 0) continue
      const from = ((y - margin) * width + x - margin) * 4
      const mix = (channel: number, ringed: number): number =>
        ((own === 0 ? 0 : own * colours.data[from + channel]!) + under * ringed) / opacity
      data[at * 4] = mix(0, paint.red)
      data[at * 4 + 1] = mix(1, paint.green)
      data[at * 4 + 2] = mix(2, paint.blue)
      data[at * 4 + 3] = opacity * 255
    }
  return { width: wide, height: high, data }
}

/** Of the longer side: how far inside the person an edge's own colour is looked for. */
const REACH = 1 / 90
const OPAQUE = 0.97

/** Where a pixel is partly the background's, the colour of the person nearby takes its place. */
function ownColours({ width, height, data }: Pixels, matte: Mask): Pixels {
  const reach = Math.max(2, Math.round(Math.max(width, height) * REACH))
  const own = new Uint8ClampedArray(data)
  // Sums of the certain colours over windows, by sums from the corner on.
  const across = width + 1
  const sums = [0, 1, 2, 3].map(() => new Float64Array(across * (height + 1)))
  for (let y = 0; y < height; y++) {
    const line = [0, 0, 0, 0]
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const counts = matte.data[at]! >= OPAQUE ? 1 : 0
      for (let place = 0; place < 4; place++) {
        line[place]! += counts * (place === 3 ? 1 : data[at * 4 + place]!)
        sums[place]![(y + 1) * across + x + 1] = sums[place]![y * across + x + 1]! + line[place]!
      }
    }
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const opacity = matte.data[at]!
      if (opacity === 0 || opacity >= OPAQUE) continue
      const top = Math.max(0, y - reach)
      const bottom = Math.min(height, y + reach + 1)
      const left = Math.max(0, x - reach)
      const right = Math.min(width, x + reach + 1)
      const over = (place: number): number =>
        sums[place]![bottom * across + right]! -
        sums[place]![top * across + right]! -
        sums[place]![bottom * across + left]! +
        sums[place]![top * across + left]!
      const count = over(3)
      if (count < 1) continue
      for (let channel = 0; channel < 3; channel++)
        own[at * 4 + channel] = data[at * 4 + channel]! * opacity + (over(channel) / count) * (1 - opacity)
    }
  return { width, height, data: own }
}

/** How far each pixel is from a form: what a ring around it is drawn by. */

const FAR = 1e12

/** Pixels to the nearest one of the form, 0 inside it. After Felzenszwalb and Huttenlocher, 2012: exact. */
export function distanceTo(form: ArrayLike<number>, width: number, height: number): Float32Array {
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

/** Holes up to this share of the person are filled: a wider one is what is seen between an arm and the body. */
const MAX_HOLE = 0.012

/**
 * Keeps what is connected to a certain pixel (`fixed` 1), else the largest part; fills small holes. Changes `person`.
 */
function tidy(person: Uint8Array, fixed: Uint8Array, width: number, height: number): void {
  const pieces = piecesOf(person, 1, width, height)
  const certain = pieces.filter((piece) => piece.some((at) => fixed[at] === 1))
  const largest = pieces.toSorted((a, b) => b.length - a.length).slice(0, 1)
  person.fill(0)
  let size = 0
  for (const piece of certain.length > 0 ? certain : largest) {
    for (const at of piece) person[at] = 1
    size += piece.length
  }
  for (const hole of piecesOf(person, 0, width, height)) {
    const inside = hole.every((at) => {
      const x = at % width
      return x > 0 && x < width - 1 && at >= width && at < width * (height - 1)
    })
    if (inside && hole.length <= MAX_HOLE * size) for (const at of hole) person[at] = 1
  }
}

/** Places of one value that hang together side by side. */
function piecesOf(mask: Uint8Array, value: number, width: number, height: number): number[][] {
  const seen = new Uint8Array(mask.length)
  const pieces: number[][] = []
  for (let start = 0; start < mask.length; start++) {
    if (seen[start] === 1 || mask[start] !== value) continue
    const piece = [start]
    seen[start] = 1
    for (let index = 0; index < piece.length; index++) {
      const at = piece[index]!
      const x = at % width
      const take = (next: number, is: boolean): void => {
        if (!is || seen[next] === 1 || mask[next] !== value) return
        seen[next] = 1
        piece.push(next)
      }
      take(at - 1, x > 0)
      take(at + 1, x < width - 1)
      take(at - width, at >= width)
      take(at + width, at < width * (height - 1))
    }
    pieces.push(piece)
  }
  return pieces
}

/** Of the box: less is almost nothing, more almost everything. */
const LEAST = 0.04
const MOST = 0.96
/** Below it the outline follows no edge of the picture: measured 0.9 to 1.0 on grain, gradients and plain walls without anybody. */
const MIN_STRENGTH = 1.15

/** `box`: what was drawn around the person. */
function standsOut(picture: Pixels, person: Uint8Array, box: Rect): boolean {
  const { width, height } = picture
  const left = Math.max(0, Math.round(box.x))
  const right = Math.min(width, Math.round(box.x + box.width))
  const top = Math.max(0, Math.round(box.y))
  const bottom = Math.min(height, Math.round(box.y + box.height))
  let inside = 0
  let all = 0
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      inside += person[y * width + x]!
      all += 1
    }
  if (inside < LEAST * all || inside > MOST * all) return false
  return edgeStrength(picture, person) >= MIN_STRENGTH
}

/** Colours are looked at over so many pixels to each side, so that grain is no edge, and compared so many pixels apart. */
const BLUR = 2
const APART = 5

/** How much colours change across the outline, against how much they do anywhere: about 1 where it follows nothing. */
function edgeStrength({ width, height, data }: Pixels, person: Uint8Array): number {
  const colours = [0, 1, 2].map((channel) =>
    boxMean(
      Float32Array.from(person, (_, at) => data[at * 4 + channel]!),
      width,
      height,
      BLUR,
    ),
  )
  let along = 0
  let borders = 0
  let rest = 0
  let pairs = 0
  const look = (a: number, b: number): void => {
    let away = 0
    for (const plane of colours) away += Math.abs(plane[a]! - plane[b]!)
    if (person[a] === person[b]) [rest, pairs] = [rest + away, pairs + 1]
    else [along, borders] = [along + away, borders + 1]
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (x + APART < width) look(at, at + APART)
      if (y + APART < height) look(at, at + APART * width)
    }
  return borders === 0 || pairs === 0 ? 0 : along / borders / Math.max(1, rest / pairs)
}
