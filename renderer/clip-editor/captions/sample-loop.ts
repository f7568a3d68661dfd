/** One loop of the page draws all samples that move, and stands still when none does. */
type Draw = (milliseconds: number) => void

const moving = new Map<Draw, number>()
let request = 0

function tick(now: number): void {
  for (const [draw, start] of moving) draw(now - start)
  request = moving.size === 0 ? 0 : requestAnimationFrame(tick)
}

/** Calls `draw` on each animation frame with the time since now; returns what ends it. */
export function move(draw: Draw): () => void {
  moving.set(draw, performance.now())
  if (request === 0) request = requestAnimationFrame(tick)
  return () => void moving.delete(draw)
}
