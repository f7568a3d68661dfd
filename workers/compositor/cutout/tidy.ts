/** A mask without specks and pinholes. */

/** Holes up to this share of the person are filled: a wider one is what is seen between an arm and the body. */
const MAX_HOLE = 0.012

/**
 * Keeps what is connected to a certain pixel (`fixed` 1), else the largest part; fills small holes. Changes `person`.
 */
export function tidy(person: Uint8Array, fixed: Uint8Array, width: number, height: number): void {
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
