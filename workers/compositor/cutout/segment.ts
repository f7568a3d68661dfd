/**
 * Separates the person in the foreground: colour models of person and background are learned in turns with the minimum
 * cut between them (as in GrabCut: Rother, Kolmogorov, Blake, 2004), starting from a prior of where a person is.
 */
import { colourModel, logLikelihood, type ColourModel } from './colour-model.ts'
import { minCut, type GridLinks } from './min-cut.ts'
import type { PersonPrior } from './person-prior.ts'
import type { Pixels } from './pixels.ts'

const ROUNDS = 4
/** In hundredths: weight of a pixel's preference against the link between neighbours. */
const UNIT = 100
/** Maximum evidence of colour, for or against. */
const COLOUR_LIMIT = 4
const PLACE_WEIGHT = 1.5
const BOND = 10
const CERTAIN = 1e6
/** Likelier than this it teaches what the person looks like, less likely what the rest looks like. */
const TEACHES_PERSON = 0.8
const TEACHES_REST = 0.3

/** 1 for each pixel of the person. `bias`: above 0 takes more, below less; 1 is much. */
export function segmentPerson(picture: Pixels, prior: PersonPrior, bias = 0): Uint8Array {
  const { width, height } = picture
  const { likely, fixed } = prior
  const links = linkNeighbours(picture)
  let person: Uint8Array = Uint8Array.from(likely, (value, at) =>
    fixed[at] === 1 || (fixed[at] === 0 && value > TEACHES_PERSON) ? 1 : 0,
  )
  let rest: Uint8Array = Uint8Array.from(likely, (value, at) =>
    fixed[at] === 2 || (fixed[at] === 0 && value < TEACHES_REST) ? 1 : 0,
  )
  for (let round = 0; round < ROUNDS; round++) {
    const front = colourModel(picture, teaching(person, likely))
    const back = colourModel(
      picture,
      teaching(
        rest,
        likely.map((value) => 1 - value),
      ),
    )
    if (front.length === 0 || back.length === 0) break
    const next = minCut(width, height, findPreferences(picture, prior, front, back, bias), links)
    const same = round > 0 && next.every((value, at) => value === person[at])
    person = next
    rest = next.map((value) => 1 - value)
    if (same) break
  }
  return person
}

/** Pixels in unlikely places count less when colours are learned, so that one mistake does not reinforce itself. */
function teaching(taken: Uint8Array, likely: Float32Array): Float32Array {
  return Float32Array.from(taken, (one, at) => (one === 0 ? 0 : 0.1 + 0.9 * likely[at]!))
}

/**
 * What each pixel prefers, in hundredths of a nat: above 0 the person, below 0 the rest. From the colours' likelihood under
 * both models, the prior and the bias; what is fixed outweighs every link.
 */
export function findPreferences(
  { data }: Pixels,
  { likely, fixed }: PersonPrior,
  front: ColourModel,
  back: ColourModel,
  bias: number,
): Int32Array {
  const preference = new Int32Array(likely.length)
  for (let at = 0; at < preference.length; at++) {
    if (fixed[at] !== 0) {
      preference[at] = fixed[at] === 1 ? CERTAIN : -CERTAIN
      continue
    }
    const red = data[at * 4]!
    const green = data[at * 4 + 1]!
    const blue = data[at * 4 + 2]!
    const colour = logLikelihood(front, red, green, blue) - logLikelihood(back, red, green, blue)
    const evidence = COLOUR_LIMIT * Math.tanh(colour / COLOUR_LIMIT)
    const place = Math.log(likely[at]! / (1 - likely[at]!))
    preference[at] = Math.round(UNIT * (evidence + PLACE_WEIGHT * place + 2 * bias))
  }
  return preference
}

/** Neighbours of one colour hold together; where colours change, measured by how they do on the whole, they part easily. */
export function linkNeighbours({ width, height, data }: Pixels): GridLinks {
  const count = width * height
  const away = (a: number, b: number): number => {
    const red = data[a * 4]! - data[b * 4]!
    const green = data[a * 4 + 1]! - data[b * 4 + 1]!
    const blue = data[a * 4 + 2]! - data[b * 4 + 2]!
    return red * red + green * green + blue * blue
  }
  let sum = 0
  let pairs = 0
  for (let at = 0; at < count; at++) {
    const below = at + width < count
    const beside = (at + 1) % width !== 0
    sum += (below ? away(at, at + width) : 0) + (beside ? away(at, at + 1) : 0)
    pairs += Number(below) + Number(beside)
  }
  const steepness = pairs / Math.max(1, 2 * sum)
  const links: GridLinks = {
    right: new Int32Array(count),
    downLeft: new Int32Array(count),
    down: new Int32Array(count),
    downRight: new Int32Array(count),
  }
  const bond = (a: number, b: number, length: number): number =>
    Math.round((UNIT * BOND * (0.04 + Math.exp(-steepness * away(a, b)))) / length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (x + 1 < width) links.right[at] = bond(at, at + 1, 1)
      if (y + 1 === height) continue
      links.down[at] = bond(at, at + width, 1)
      if (x > 0) links.downLeft[at] = bond(at, at + width - 1, Math.SQRT2)
      if (x + 1 < width) links.downRight[at] = bond(at, at + width + 1, Math.SQRT2)
    }
  return links
}
