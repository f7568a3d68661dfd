// The studio: wall, shelves, window and desk, drawn once per camera and then only copied.
import { createCanvas } from '@napi-rs/canvas'
import { fill, fillBox, gradient, outline, randomFrom, stroke } from './drawing.mjs'

export const width = 1280
export const height = 720

/** Where the two people sit in the wide shot, and how large they are there. Singles are the same room, closer. */
export const seats = { host: { x: 400, y: 288 }, guest: { x: 880, y: 288 } }
export const wideScale = 0.625
/** Height of the eyes in a single. */
const singleEyes = 236

export const cameras = {
  wide: { x: 640, y: 360, zoom: 1, blur: 2.2 },
  host: { x: seats.host.x, y: seats.host.y + (360 - singleEyes) * wideScale, zoom: 1 / wideScale, blur: 6.5 },
  guest: {
    x: seats.guest.x,
    y: seats.guest.y + (360 - singleEyes) * wideScale,
    zoom: 1 / wideScale,
    blur: 6.5,
  },
}

function glow(ctx, x, y, radius, colour, strength = 1) {
  const fill = ctx.createRadialGradient(x, y, 0, x, y, radius)
  for (let i = 0; i <= 8; i++) {
    const t = i / 8
    fill.addColorStop(t, `rgba(${colour},${(strength * (1 - t) ** 2).toFixed(4)})`)
  }
  fillBox(ctx, fill, x - radius, y - radius, 2 * radius, 2 * radius)
}

function drawBookshelf(ctx, random) {
  const left = -60,
    right = 322,
    top = 60,
    bottom = 560
  fillBox(
    ctx,
    gradient(ctx, left, 0, right, 0, '#3a2417', '#4d3120', '#3b2518'),
    left,
    top,
    right - left,
    bottom - top,
  )
  const shelves = 5
  const pitch = (bottom - top) / shelves
  const spines = [
    '#8c3b2a',
    '#c58a3d',
    '#2f5d62',
    '#d9c7a3',
    '#5b6b3c',
    '#7a4a63',
    '#37506f',
    '#b5643c',
    '#e0d3b8',
    '#46342b',
    '#a0522d',
    '#6c7f86',
  ]
  for (let shelf = 0; shelf < shelves; shelf++) {
    const roof = top + shelf * pitch + 9
    const floor = top + (shelf + 1) * pitch - 2
    fillBox(
      ctx,
      gradient(ctx, 0, roof, 0, floor, '#160d08', '#2a1a11'),
      left + 8,
      roof,
      right - left - 16,
      floor - roof,
    )
    let x = left + 14
    while (x < right - 30) {
      const kind = random()
      if (kind < 0.1) {
        x += 16 + random() * 22
        continue
      }
      if (kind < 0.16 && x < right - 70) {
        // A round vase breaks the rhythm of the spines.
        const tall = 34 + random() * 16
        fill(ctx, gradient(ctx, x, 0, x + 36, 0, '#d7b48a', '#b98a5b', '#7e5636'), () =>
          ctx.ellipse(x + 18, floor - tall / 2, 17, tall / 2, 0, 0, 7),
        )
        ctx.fillRect(x + 12, floor - tall - 8, 12, 14)
        x += 42
        continue
      }
      const thick = 9 + random() * 13
      const tall = (pitch - 18) * (0.62 + random() * 0.34)
      const colour = spines[Math.floor(random() * spines.length)]
      ctx.save()
      ctx.translate(x, floor)
      if (random() < 0.08) ctx.rotate(0.12)
      fillBox(ctx, colour, 0, -tall, thick, tall)
      fillBox(
        ctx,
        gradient(ctx, 0, 0, thick, 0, 'rgba(255,240,210,.22)', 'rgba(0,0,0,0)', 'rgba(0,0,0,.4)'),
        0,
        -tall,
        thick,
        tall,
      )
      fillBox(ctx, 'rgba(255,230,180,.5)', 2, -tall * 0.82, thick - 4, 2)
      ctx.fillRect(2, -tall * 0.76, thick - 4, 1)
      ctx.restore()
      x += thick + 0.8
    }
    fillBox(
      ctx,
      gradient(ctx, left, 0, right, 0, '#6b452c', '#8a5c3b', '#5d3b25'),
      left,
      floor,
      right - left,
      10,
    )
    fillBox(ctx, 'rgba(255,220,170,.25)', left, floor, right - left, 1.5)
  }
  fillBox(
    ctx,
    gradient(ctx, left, 0, right, 0, '#6b452c', '#8a5c3b', '#6b452c'),
    left,
    top - 4,
    right - left,
    13,
  )
  ctx.fillRect(right - 9, top, 9, bottom - top)
  // A lamp hidden in the shelf warms it from above.
  glow(ctx, 170, 170, 260, '255,176,90', 0.34)
  glow(ctx, 60, 380, 240, '255,170,90', 0.2)
}

function drawWindow(ctx) {
  const x = 520,
    y = 96,
    w = 240,
    h = 300
  fillBox(ctx, 'rgba(0,0,0,.25)', x - 14, y - 8, w + 34, h + 34)
  fillBox(ctx, gradient(ctx, x, y, x + w, y + h, '#e9dcc4', '#c9b695'), x - 16, y - 16, w + 32, h + 32)
  fillBox(ctx, gradient(ctx, 0, y, 0, y + h, '#a9c9dc', '#dfe3d6', '#f7dcae', '#f2c48c'), x, y, w, h)
  // The far side of Lantern Street.
  ctx.fillStyle = 'rgba(124,118,120,.8)'
  for (const [left, top, wide] of [
    [520, 300, 62],
    [582, 262, 48],
    [630, 312, 54],
    [684, 278, 76],
  ]) {
    ctx.fillRect(left, top, wide, y + h - top)
    ctx.beginPath()
    ctx.moveTo(left - 3, top + 1)
    ctx.lineTo(left + wide / 2, top - 26)
    ctx.lineTo(left + wide + 3, top + 1)
    ctx.fill()
  }
  ctx.fillStyle = 'rgba(255,214,140,.85)'
  for (const [px, py] of [
    [536, 322],
    [556, 322],
    [596, 290],
    [612, 318],
    [648, 340],
    [702, 304],
    [730, 304],
    [702, 336],
    [536, 352],
  ])
    ctx.fillRect(px, py, 10, 15)
  fillBox(ctx, gradient(ctx, x, 0, x + w, 0, '#efe3cc', '#d6c4a4'), x + w / 2 - 5, y, 10, h)
  ctx.fillRect(x, y + 120, w, 8)
  ctx.fillRect(x - 26, y + h + 10, w + 52, 16)
  fillBox(ctx, 'rgba(0,0,0,.3)', x - 26, y + h + 26, w + 52, 6)
  // Curtains.
  for (const [left, wide] of [
    [x - 62, 64],
    [x + w - 2, 64],
  ]) {
    for (let fold = 0; fold < 5; fold++) {
      const fx = left + (fold * wide) / 5
      fillBox(
        ctx,
        gradient(ctx, fx, 0, fx + wide / 5 + 1, 0, '#8e5a3a', '#b97c52', '#6d432b'),
        fx,
        70,
        wide / 5 + 1,
        440,
      )
    }
  }
  fillBox(ctx, '#4a3020', x - 84, 64, w + 168, 8)
}

function drawLeaf(ctx, x, y, length, angle, colours) {
  ctx.save()
  ctx.translate(x, y)
  ctx.rotate(angle)
  fill(ctx, gradient(ctx, 0, 0, length, 0, ...colours), () => {
    ctx.moveTo(0, 0)
    ctx.bezierCurveTo(length * 0.3, -length * 0.24, length * 0.8, -length * 0.2, length, 0)
    ctx.bezierCurveTo(length * 0.8, length * 0.14, length * 0.3, length * 0.18, 0, 0)
  })
  stroke(ctx, 'rgba(220,240,190,.35)', 1.2, () => {
    ctx.moveTo(0, 0)
    ctx.quadraticCurveTo(length * 0.5, -length * 0.04, length, 0)
  })
  ctx.restore()
}

function drawPlant(ctx, random, x, floor, size, scale = 1) {
  ctx.save()
  ctx.translate(x, floor)
  ctx.scale(scale, scale)
  ctx.translate(-x, -floor)
  for (let i = 0; i < 22; i++) {
    const angle = -Math.PI / 2 + (random() - 0.5) * 2.5
    const reach = size * (0.35 + random() * 0.6)
    const bx = x + Math.cos(angle) * reach * 0.55
    const by = floor - 66 + Math.sin(angle) * reach
    stroke(ctx, '#38502f', 2.5, () => {
      ctx.moveTo(x, floor - 60)
      ctx.quadraticCurveTo(x + (bx - x) * 0.2, by + 40, bx, by)
    })
    drawLeaf(
      ctx,
      bx,
      by,
      size * (0.3 + random() * 0.16),
      angle + (random() - 0.5) * 0.9,
      random() < 0.5 ? ['#2f5a36', '#5d8f4b'] : ['#24482f', '#4a7d43'],
    )
  }
  fill(ctx, gradient(ctx, x - 40, 0, x + 40, 0, '#d08a5c', '#b5673f', '#74402a'), () => {
    ctx.moveTo(x - 42, floor - 70)
    ctx.lineTo(x + 42, floor - 70)
    ctx.lineTo(x + 30, floor)
    ctx.lineTo(x - 30, floor)
  })
  ctx.fillRect(x - 46, floor - 78, 92, 14)
  ctx.restore()
}

function drawWheel(ctx, x, y, radius) {
  stroke(ctx, '#1b1714', 8, () => ctx.arc(x, y, radius, 0, 7))
  stroke(ctx, '#b9a68a', 3, () => ctx.arc(x, y, radius - 7, 0, 7))
  ctx.lineWidth = 0.9
  ctx.strokeStyle = 'rgba(225,210,185,.75)'
  for (let i = 0; i < 28; i++) {
    const angle = (i / 28) * Math.PI * 2
    const twist = i % 2 ? 0.5 : -0.5
    outline(ctx, () => {
      ctx.moveTo(x + Math.cos(angle + twist) * 9, y + Math.sin(angle + twist) * 9)
      ctx.lineTo(x + Math.cos(angle) * (radius - 8), y + Math.sin(angle) * (radius - 8))
    })
  }
  fill(ctx, '#8d7b63', () => ctx.arc(x, y, 10, 0, 7))
}

function drawFloorLamp(ctx, x, top) {
  fillBox(ctx, '#2b211b', x - 2.5, top + 70, 5, 400)
  glow(ctx, x, top + 60, 300, '255,190,110', 0.5)
  fill(ctx, gradient(ctx, x - 52, 0, x + 52, 0, '#f3c883', '#fff0c9', '#f1bd74'), () => {
    ctx.moveTo(x - 32, top)
    ctx.lineTo(x + 32, top)
    ctx.lineTo(x + 54, top + 84)
    ctx.lineTo(x - 54, top + 84)
  })
  glow(ctx, x, top + 50, 90, '255,246,214', 0.55)
}

function drawFrame(ctx, x, y, w, h, paint) {
  fillBox(ctx, 'rgba(0,0,0,.35)', x + 5, y + 7, w, h)
  fillBox(ctx, '#5a3b26', x, y, w, h)
  fillBox(ctx, '#efe4cf', x + 6, y + 6, w - 12, h - 12)
  ctx.save()
  ctx.beginPath()
  ctx.rect(x + 16, y + 16, w - 32, h - 32)
  ctx.clip()
  paint()
  ctx.restore()
}

function drawSet(ctx) {
  const random = randomFrom(20)
  fillBox(ctx, gradient(ctx, -100, 0, 1380, 720, '#37524f', '#416059', '#33494a'), -100, -100, 1480, 920)
  // Wainscot.
  fillBox(ctx, gradient(ctx, 0, 440, 0, 640, '#2c403f', '#22312f'), -100, 440, 1480, 400)
  fillBox(ctx, 'rgba(255,240,210,.12)', -100, 440, 1480, 3)
  for (let x = -90; x < 1380; x += 64) {
    fillBox(ctx, 'rgba(0,0,0,.16)', x, 446, 2, 300)
  }
  drawWindow(ctx)
  drawBookshelf(ctx, random)
  drawWheel(ctx, 1150, 176, 82)
  drawFrame(ctx, 360, 84, 84, 108, () => {
    fillBox(ctx, gradient(ctx, 0, 96, 0, 180, '#d98e56', '#e9c58c'), 360, 84, 84, 108)
    fillBox(ctx, '#35505a', 360, 152, 84, 60)
    fillBox(ctx, '#f6efe0', 397, 112, 10, 44)
    fillBox(ctx, '#a8402f', 395, 104, 14, 10)
  })
  drawFloorLamp(ctx, 1010, 150)
  drawPlant(ctx, random, 1190, 560, 190)
  drawPlant(ctx, random, 600, 409, 104, 0.62)
  // Late light from the window falls across the wall.
  glow(ctx, 640, 260, 420, '255,226,170', 0.3)
  glow(ctx, 400, 250, 320, '255,205,150', 0.16)
  glow(ctx, 890, 250, 320, '255,205,150', 0.14)
}

function drawMug(ctx, x, y, colours) {
  stroke(ctx, colours[1], 5, () => ctx.ellipse(x + 21, y - 18, 9, 11, 0, -1.6, 1.6))
  fill(ctx, 'rgba(0,0,0,.3)', () => ctx.ellipse(x + 4, y + 1, 24, 6, 0, 0, 7))
  fill(ctx, gradient(ctx, x - 19, 0, x + 19, 0, ...colours), () => {
    ctx.moveTo(x - 19, y - 38)
    ctx.lineTo(x + 19, y - 38)
    ctx.lineTo(x + 17, y - 4)
    ctx.quadraticCurveTo(x, y + 5, x - 17, y - 4)
  })
  fill(ctx, '#2a1a12', () => ctx.ellipse(x, y - 38, 19, 5, 0, 0, 7))
  ctx.strokeStyle = colours[0]
  ctx.lineWidth = 1.6
  ctx.stroke()
}

/** One microphone on its arm; drawn for a seat at (0, 0) with the arm coming from the side `toward`. */
function drawMicrophone(ctx, toward) {
  ctx.save()
  ctx.scale(toward, 1)
  const arm = (x0, y0, x1, y1) => {
    for (const [thick, colour] of [
      [13, '#17171a'],
      [7, '#33343a'],
      [2, '#5b5d66'],
    ]) {
      ctx.strokeStyle = colour
      ctx.lineWidth = thick
      ctx.lineCap = 'round'
      outline(ctx, () => {
        ctx.moveTo(x0, y0)
        ctx.lineTo(x1, y1)
      })
    }
  }
  fill(ctx, 'rgba(0,0,0,.35)', () => ctx.ellipse(338, 410, 52, 12, 0, 0, 7))
  fill(ctx, gradient(ctx, 280, 0, 382, 0, '#3c3d44', '#222328', '#121215'), () =>
    ctx.ellipse(331, 404, 46, 11, 0, 0, 7),
  )
  arm(330, 400, 300, 214)
  arm(300, 214, 176, 262)
  fill(ctx, '#26272c', () => ctx.arc(300, 214, 11, 0, 7))
  ctx.translate(138, 214)
  ctx.rotate(0.72)
  // The yoke, the body, then the foam, which points at the mouth.
  fill(ctx, gradient(ctx, 0, -24, 0, 24, '#4a4c54', '#2a2b31', '#131317'), () =>
    ctx.roundRect(-18, -23, 82, 46, 12),
  )
  fillBox(ctx, '#0e0e11', -16, -23, 5, 46)
  fillBox(ctx, '#c9a45c', -8, -23, 3, 46)
  fill(ctx, gradient(ctx, 0, -30, 0, 30, '#4b4a4c', '#2b2a2c', '#141315'), () =>
    ctx.roundRect(-78, -28, 64, 56, 25),
  )
  ctx.fillStyle = 'rgba(255,255,255,.05)'
  for (let row = 0; row < 7; row++)
    for (let column = 0; column < 8; column++)
      ctx.fillRect(-72 + column * 7 + (row % 2) * 3, -23 + row * 7, 2.4, 2.4)
  fill(ctx, 'rgba(255,235,205,.13)', () => ctx.roundRect(-70, -24, 120, 9, 5))
  ctx.restore()
}

function drawDesk(ctx, shot) {
  const back = 522
  fillBox(ctx, 'rgba(0,0,0,.35)', -100, back - 4, 1480, 6)
  fillBox(ctx, gradient(ctx, 0, back, 0, 640, '#a56f45', '#94603a', '#7b4d2e'), -100, back, 1480, 122)
  const random = randomFrom(5)
  for (let i = 0; i < 46; i++) {
    const y = back + 2 + random() * 116
    ctx.strokeStyle = random() < 0.5 ? 'rgba(60,30,12,.16)' : 'rgba(255,214,160,.1)'
    ctx.lineWidth = 0.8 + random()
    ctx.beginPath()
    const x = -100 + random() * 900
    ctx.moveTo(x, y)
    ctx.bezierCurveTo(
      x + 150,
      y + random() * 5 - 2,
      x + 330,
      y - random() * 5 + 2,
      x + 400 + random() * 260,
      y,
    )
    ctx.stroke()
  }
  const sheen = ctx.createRadialGradient(640, back, 10, 640, back, 520)
  sheen.addColorStop(0, 'rgba(255,226,178,.4)')
  sheen.addColorStop(1, 'rgba(255,226,178,0)')
  fillBox(ctx, sheen, -100, back, 1480, 122)
  fillBox(ctx, gradient(ctx, 0, 642, 0, 740, '#6b4226', '#4a2c19', '#331e11'), -100, 642, 1480, 180)
  fillBox(ctx, '#c08a5a', -100, 641, 1480, 3)

  // The show's name, in brass on the front of the desk.
  ctx.font = '600 40px Lato, "DejaVu Sans", sans-serif'
  ctx.letterSpacing = '16px'
  ctx.textAlign = 'center'
  ctx.fillStyle = 'rgba(0,0,0,.5)'
  ctx.fillText('STILL OPEN', 650, 699)
  ctx.fillStyle = gradient(ctx, 0, 666, 0, 698, '#f3d79a', '#c9984f', '#8f6530')
  ctx.fillText('STILL OPEN', 648, 697)
  ctx.letterSpacing = '0px'

  // Notes in front of the host.
  ctx.save()
  ctx.translate(0, 7)
  fill(ctx, 'rgba(0,0,0,.22)', 'M352 592 L466 592 L480 623 L346 623')
  fill(ctx, gradient(ctx, 340, 0, 480, 0, '#fbf5e8', '#e4d8c0'), 'M350 588 L462 588 L476 619 L342 619')
  ctx.strokeStyle = 'rgba(80,70,70,.45)'
  ctx.lineWidth = 1.4
  for (let row = 0; row < 4; row++) {
    outline(ctx, () => {
      ctx.moveTo(360 - row * 2, 594 + row * 6.4)
      ctx.lineTo(446 - (row % 2) * 26, 594 + row * 6.4)
    })
  }
  ctx.restore()
  drawMug(ctx, 272, 606, ['#e9dcc6', '#c9b391', '#8f7a5c'])
  drawMug(ctx, 985, 602, ['#5f8d95', '#3d6670', '#213d45'])
  // A bicycle bell on the guest's side.
  fill(ctx, 'rgba(0,0,0,.3)', () => ctx.ellipse(753, 626, 25, 6, 0, 0, 7))
  fill(ctx, gradient(ctx, 727, 0, 773, 0, '#f6f0e4', '#b9b4ab', '#6a665f'), () =>
    ctx.arc(750, 623, 22, Math.PI, 0),
  )
  fillBox(ctx, '#56514b', 728, 621, 44, 5)
  ctx.fillRect(747, 595, 6, 8)

  for (const [seat, toward] of [
    ['host', 1],
    ['guest', -1],
  ]) {
    if (shot !== 'wide' && shot !== seat) continue
    ctx.save()
    ctx.translate(seats[seat].x, seats[seat].y)
    ctx.scale(wideScale, wideScale)
    drawMicrophone(ctx, toward)
    ctx.restore()
  }
}

function throughCamera(shot, draw, blur) {
  const { x, y, zoom } = cameras[shot]
  // Blur pulls in what lies outside the picture, so the layer is painted with a margin.
  const margin = 60
  const layer = createCanvas(width + 2 * margin, height + 2 * margin)
  const ctx = layer.getContext('2d')
  ctx.translate(margin + width / 2, margin + height / 2)
  ctx.scale(zoom, zoom)
  ctx.translate(-x, -y)
  draw(ctx)
  const picture = createCanvas(width, height)
  const out = picture.getContext('2d')
  if (blur) out.filter = `blur(${blur}px)`
  out.drawImage(layer, -margin, -margin)
  return picture
}

function drawVignette(ctx) {
  const shade = ctx.createRadialGradient(width / 2, height * 0.46, 300, width / 2, height * 0.5, 820)
  shade.addColorStop(0, 'rgba(10,8,12,0)')
  shade.addColorStop(1, 'rgba(10,8,12,.55)')
  fillBox(ctx, shade, 0, 0, width, height)
}

/** What lies behind and before the people, for one camera. */
export function buildLayers(shot) {
  const behind = throughCamera(shot, drawSet, cameras[shot].blur)
  drawVignette(behind.getContext('2d'))
  const before = throughCamera(shot, (ctx) => drawDesk(ctx, shot), 0)
  return { behind, before }
}
