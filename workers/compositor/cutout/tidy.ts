/** Leaves one person of a mask of 0 and 1, without loose pieces and small holes. */
import type { Rect } from '../../../server/contract/composition.ts'

/** Holes up to this share of the person are filled: a wider one is what is seen between an arm and the body. */
const MAX_HOLE = 0.012

/**
 * Keeps what is connected to a certain pixel (`fixed` 1), else the largest part; fills small holes. Changes `person`.
 */
export function tidyMask(person: Uint8Array, fixed: Uint8Array, width: number, height: number): void {
  const pieces = findPieces(person, 1, width, height)
  const certain = pieces.filter((piece) => piece.some((at) => fixed[at] === 1))
  const largest = pieces.toSorted((a, b) => b.length - a.length).slice(0, 1)
  person.fill(0)
  let size = 0
  for (const piece of certain.length > 0 ? certain : largest) {
    for (const at of piece) person[at] = 1
    size += piece.length
  }
  for (const hole of findPieces(person, 0, width, height)) {
    const inside = hole.every((at) => {
      const x = at % width
      return x > 0 && x < width - 1 && at >= width && at < width * (height - 1)
    })
    if (inside && hole.length <= MAX_HOLE * size) for (const at of hole) person[at] = 1
  }
}

/** Places of one value that hang together side by side. */
function findPieces(mask: Uint8Array, value: number, width: number, height: number): number[][] {
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

/**
 * Removes pieces again that are connected to the person only outside the box, and would be loose inside it. Changes
 * `person`, a mask of rows of `width` pixels.
 */
export function tidyWithin(box: Rect, person: Uint8Array, fixed: Uint8Array, width: number): void {
  const isInside = (at: number): boolean => {
    const x = (at % width) + 0.5 - box.x
    const y = Math.floor(at / width) + 0.5 - box.y
    return x >= 0 && y >= 0 && x <= box.width && y <= box.height
  }
  const within = person.map((one, at) => (isInside(at) ? one : 0))
  tidyMask(within, fixed, width, person.length / width)
  for (let at = 0; at < person.length; at++) if (isInside(at)) person[at] = within[at]!
}
