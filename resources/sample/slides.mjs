// Full-screen graphics and the name plates. Whatever must be read lies within the middle third, so
// that an upright crop of the middle still shows all of it.
import { createCanvas } from '@napi-rs/canvas'
import { fill, fillBox, outline, stroke } from './drawing.mjs'
import { height, width } from './set.mjs'

const font = (weight, size) => `${weight} ${size}px Lato, "DejaVu Sans", sans-serif`
const cream = '#f6ead2'
const accent = '#f08a4b'
const middle = width / 2

const easeOut = (t) => 1 - (1 - Math.min(1, Math.max(0, t))) ** 3

const backdrop = (() => {
  const canvas = createCanvas(width, height)
  const ctx = canvas.getContext('2d')
  const fill = ctx.createRadialGradient(middle, 300, 60, middle, 360, 820)
  fill.addColorStop(0, '#35564f')
  fill.addColorStop(1, '#16262a')
  fillBox(ctx, fill, 0, 0, width, height)
  // Two large wheels, half out of the picture, keep the sides from being empty.
  for (const x of [120, width - 120]) {
    stroke(ctx, 'rgba(246,234,210,.07)', 16, () => ctx.arc(x, 410, 240, 0, 7))
    ctx.lineWidth = 2
    for (let spoke = 0; spoke < 24; spoke++) {
      const angle = (spoke / 24) * Math.PI * 2
      outline(ctx, () => {
        ctx.moveTo(x + Math.cos(angle + 0.4) * 22, 410 + Math.sin(angle + 0.4) * 22)
        ctx.lineTo(x + Math.cos(angle) * 232, 410 + Math.sin(angle) * 232)
      })
    }
  }
  return canvas
})()

function start(ctx) {
  ctx.drawImage(backdrop, 0, 0)
  ctx.textAlign = 'center'
  ctx.textBaseline = 'alphabetic'
}

function write(ctx, colour, face, text, x, y) {
  ctx.fillStyle = colour
  ctx.font = face
  ctx.fillText(text, x, y)
}

/** One dot for each bike at the dump; the broken ones light up, one after the other. */
function drawNumber(ctx, seconds) {
  start(ctx)
  write(ctx, 'rgba(246,234,210,.75)', font(600, 25), 'One week at the city dump', middle, 104)
  write(ctx, accent, font(900, 118), '9', middle - 98, 222)
  write(ctx, cream, font(700, 56), 'of 140', middle + 48, 220)
  const columns = 14
  const pitch = 25
  // The nine are scattered, the way they lay in the heap.
  const broken = [5, 23, 40, 48, 71, 87, 94, 116, 131]
  for (let i = 0; i < 140; i++) {
    const x = middle + ((i % columns) - (columns - 1) / 2) * pitch
    const y = 276 + Math.floor(i / columns) * pitch
    const arrived = easeOut((seconds - i * 0.004) / 0.25)
    if (arrived <= 0) continue
    const order = broken.indexOf(i)
    const lit = order < 0 ? 0 : easeOut((seconds - 0.7 - order * 0.09) / 0.25)
    fill(ctx, lit > 0 ? accent : 'rgba(246,234,210,.32)', () =>
      ctx.arc(x, y, (7.4 + lit * 2.4) * arrived, 0, 7),
    )
  }
  write(ctx, cream, font(700, 28), 'thrown-away bikes were', middle, 578)
  ctx.fillText('really broken', middle, 614)
}

/** The three rules, each arriving as it is named. */
function drawRules(ctx, seconds) {
  start(ctx)
  write(ctx, accent, font(800, 30), 'THREE RULES', middle, 142)
  const rules = [
    ['Count', 'before you quit', 0],
    ['Fix', 'while they wait', 0.25],
    ['Never whisper', 'the price', 0.5],
  ]
  rules.forEach(([head, rest, after], index) => {
    const arrived = easeOut((seconds - after) / 0.45)
    const y = 250 + index * 128
    ctx.globalAlpha = arrived
    const x = middle - 178
    const slide = (1 - arrived) * 26
    fill(ctx, accent, () => ctx.arc(x + 30, y - 4 + slide, 30, 0, 7))
    write(ctx, '#1c2f31', font(900, 36), String(index + 1), x + 30, y + 9 + slide)
    ctx.textAlign = 'left'
    write(ctx, cream, font(800, 38), head, x + 80, y - 4 + slide)
    write(ctx, 'rgba(246,234,210,.78)', font(500, 29), rest, x + 80, y + 34 + slide)
    ctx.textAlign = 'center'
  })
  ctx.globalAlpha = 1
}

export const slides = { 'slide-number': drawNumber, 'slide-rules': drawRules }

/** A name plate, `seconds` after it came and `left` before it goes. */
export function drawPlate(ctx, { name, role }, seconds, left) {
  const shown = Math.min(easeOut(seconds / 0.4), easeOut(left / 0.3))
  if (shown <= 0) return
  ctx.save()
  ctx.globalAlpha = shown
  ctx.translate(middle - 178 - (1 - shown) * 24, 596)
  fill(ctx, 'rgba(20,34,36,.88)', () => ctx.roundRect(0, 0, 356, 82, 8))
  fill(ctx, accent, () => ctx.roundRect(0, 0, 8, 82, [8, 0, 0, 8]))
  ctx.textAlign = 'left'
  write(ctx, cream, font(800, 32), name, 28, 38)
  write(ctx, 'rgba(246,234,210,.8)', font(500, 21), role, 28, 66)
  ctx.restore()
}
