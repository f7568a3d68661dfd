// What the set, the people and the slides are drawn with.

/** A small seeded generator, so that every making of the sample gives the same file. */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A linear gradient with its colours at equal distances. */
export function gradient(ctx, x0, y0, x1, y1, ...stops) {
  const fill = ctx.createLinearGradient(x0, y0, x1, y1)
  stops.forEach((colour, i) => fill.addColorStop(i / (stops.length - 1), colour))
  return fill
}

export const oval = (ctx, x, y, rx, ry, angle = 0) => ctx.ellipse(x, y, rx, ry, angle, 0, Math.PI * 2)

const methods = { M: 'moveTo', L: 'lineTo', Q: 'quadraticCurveTo', C: 'bezierCurveTo' }

/** Adds to the path what `path` traces: a function, or path data as SVG writes it. */
function trace(ctx, path) {
  if (typeof path === 'function') return path()
  for (const [, letter, numbers] of path.matchAll(/([MLQC])([^MLQC]+)/g))
    ctx[methods[letter]](...numbers.trim().split(/\s+/).map(Number))
}

/** Path data with its left and right exchanged where `side` is -1. */
export const mirrored = (data, side) =>
  data.replace(/(-?[\d.]+) (-?[\d.]+)/g, (_, x, y) => `${side * Number(x)} ${y}`)

export function fill(ctx, style, path) {
  ctx.fillStyle = style
  ctx.beginPath()
  trace(ctx, path)
  ctx.fill()
}

export function fillBox(ctx, style, x, y, w, h) {
  ctx.fillStyle = style
  ctx.fillRect(x, y, w, h)
}

/** Draws what `path` traces, with the line that the context has. */
export function outline(ctx, path) {
  ctx.beginPath()
  trace(ctx, path)
  ctx.stroke()
}

export function stroke(ctx, style, width, path) {
  ctx.strokeStyle = style
  ctx.lineWidth = width
  outline(ctx, path)
}

/** Draws only inside of `path` from now on. */
export function clip(ctx, path) {
  ctx.beginPath()
  trace(ctx, path)
  ctx.clip()
}

export function clipped(ctx, path, draw) {
  ctx.save()
  clip(ctx, path)
  draw()
  ctx.restore()
}
