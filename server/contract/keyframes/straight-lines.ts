/** A course of values as few straight lines, each frame as close as is asked for. PURE. */

/** The frames from `first` to `last`, both among them, between which `valueAt` is straight but for `close`. */
export function straightKnots(
  first: number,
  last: number,
  valueAt: (frame: number) => number,
  close: number,
): number[] {
  if (last <= first) return [first]
  const start = valueAt(first)
  const slope = (valueAt(last) - start) / (last - first)
  let farthest = first
  let most = close
  for (let frame = first + 1; frame < last; frame++) {
    const off = Math.abs(valueAt(frame) - start - slope * (frame - first))
    if (off <= most) continue
    farthest = frame
    most = off
  }
  if (farthest === first) return [first, last]
  return [
    ...straightKnots(first, farthest, valueAt, close),
    ...straightKnots(farthest, last, valueAt, close).slice(1),
  ]
}
