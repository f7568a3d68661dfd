// The two people. Everything that never moves inside a head or a body is painted once (skin, hair,
// cloth, all their soft shading); eyes, brows and mouth are drawn afresh for every frame.
//
// Units: one unit is one pixel of a single. The origin of a person lies between the eyes.
import { createCanvas } from '@napi-rs/canvas'
import { randomFrom } from './audio.mjs'

const looks = {
  host: {
    turn: 1,
    skin: { light: '#e3b48c', base: '#c98f66', shade: '#9a6040', deep: '#5e3422', blush: '168,62,44' },
    cheek: 63,
    jaw: 45,
    chin: 106,
    neck: 31,
    shoulders: 156,
    brow: { colour: '#2a1a14', thick: 4.6, y: -21 },
    lash: 2.9,
    iris: ['#7a4a22', '#3b2010'],
    lips: { upper: '#9c4038', lower: '#b9534a', width: 24, full: 1 },
    eyeWidth: 16.5,
  },
  guest: {
    turn: -1,
    skin: { light: '#f3cfb1', base: '#dda882', shade: '#b1785a', deep: '#6d4030', blush: '190,70,52' },
    cheek: 68,
    jaw: 55,
    chin: 114,
    neck: 41,
    shoulders: 174,
    brow: { colour: '#4b3a2e', thick: 6.2, y: -20 },
    lash: 2.0,
    iris: ['#6f95a3', '#33525f'],
    lips: { upper: '#a0584a', lower: '#bb7263', width: 25, full: 0.72 },
    eyeWidth: 15.5,
  },
}

const mouthLine = 67
/** Bodies are painted with a longer neck than people have. */
const shoulderLift = 12

function gradient(ctx, x0, y0, x1, y1, ...stops) {
  const fill = ctx.createLinearGradient(x0, y0, x1, y1)
  stops.forEach((colour, i) => fill.addColorStop(i / (stops.length - 1), colour))
  return fill
}

/** Fills a shape with soft edges. */
function soft(ctx, scale, blur, colour, shape) {
  ctx.save()
  ctx.filter = `blur(${blur * scale}px)`
  ctx.fillStyle = colour
  ctx.beginPath()
  shape()
  ctx.fill()
  ctx.restore()
}

const oval = (ctx, x, y, rx, ry, angle = 0) => ctx.ellipse(x, y, rx, ry, angle, 0, Math.PI * 2)

/** Where a feature lands once the head is turned a little towards the other person: near things move more. */
const turned = (look, x, depth) => look.turn * depth + x * (Math.sign(x) === look.turn ? 0.95 : 1.02)

function facePath(ctx, look) {
  const { cheek: w, jaw: j, chin: c, turn } = look
  const right = turn > 0 ? 0.96 : 1.01
  const left = turn > 0 ? 1.01 : 0.96
  const cx = turn * 3
  ctx.beginPath()
  ctx.moveTo(0, -106)
  ctx.bezierCurveTo(44 * right, -106, w * 1.02 * right, -70, w * right, -16)
  ctx.bezierCurveTo(w * 1.0 * right, 20, w * 0.97 * right, 44, j * right + cx, 78)
  ctx.bezierCurveTo(j * 0.78 * right + cx, c - 10, 26 + cx, c, cx, c)
  ctx.bezierCurveTo(-26 + cx, c, -j * 0.78 * left + cx, c - 10, -j * left + cx, 78)
  ctx.bezierCurveTo(-w * 0.97 * left, 44, -w * left, 20, -w * left, -16)
  ctx.bezierCurveTo(-w * 1.02 * left, -70, -44 * left, -106, 0, -106)
  ctx.closePath()
}

function paintEar(ctx, look, k, side) {
  const x = side * (look.cheek + 2)
  ctx.fillStyle = gradient(
    ctx,
    x - 14,
    0,
    x + 14,
    0,
    side < 0 ? look.skin.base : look.skin.shade,
    side < 0 ? look.skin.base : look.skin.shade,
  )
  ctx.beginPath()
  oval(ctx, x, 14, 12, 27, side * 0.14)
  ctx.fill()
  soft(ctx, k, 3, look.skin.deep + '88', () => oval(ctx, x + side * 1, 12, 5, 16, side * 0.14))
  soft(ctx, k, 2, look.skin.light + '88', () => oval(ctx, x + side * 7, 8, 2.4, 17, side * 0.14))
}

function paintFace(ctx, look, k) {
  const { skin } = look
  ctx.save()
  facePath(ctx, look)
  ctx.fillStyle = gradient(
    ctx,
    -look.cheek,
    -40,
    look.cheek,
    40,
    skin.light,
    skin.base,
    skin.base,
    skin.shade,
  )
  ctx.fill()
  facePath(ctx, look)
  ctx.clip()
  const at = (x, depth) => turned(look, x, depth)
  // The turning away of the skull at forehead, temples and jaw.
  soft(ctx, k, 16, skin.shade + 'cc', () => oval(ctx, look.cheek + 12, 30, 22, 110))
  soft(ctx, k, 14, skin.shade + '77', () => oval(ctx, -look.cheek - 13, 30, 18, 110))
  soft(ctx, k, 12, skin.shade + 'aa', () => oval(ctx, at(0, 3), look.chin + 12, 70, 20))
  soft(ctx, k, 14, skin.shade + '66', () => oval(ctx, 0, -112, 80, 26))
  // Eye sockets, and the shadow that the brow casts.
  for (const side of [-1, 1]) {
    soft(ctx, k, 6, skin.shade + 'aa', () => oval(ctx, at(side * 31, 4), -6, 23, 11))
    soft(ctx, k, 4, skin.deep + '44', () => oval(ctx, at(side * 17, 5), -4, 7, 12))
    soft(ctx, k, 4, skin.shade + '77', () => oval(ctx, at(side * 30, 4), 13, 16, 4))
    soft(ctx, k, 5, skin.light + '99', () => oval(ctx, at(side * 33, 3), 22, 15, 4))
    // Cheeks.
    soft(ctx, k, 13, `rgba(${skin.blush},.24)`, () => oval(ctx, at(side * 40, 3), 40, 19, 14))
    soft(ctx, k, 10, skin.light + (side < 0 ? 'bb' : '77'), () =>
      oval(ctx, at(side * 43, 3), 27, 13, 8, side * 0.3),
    )
    soft(ctx, k, 11, skin.shade + '66', () => oval(ctx, at(side * 48, 3), 70, 9, 22, side * 0.5))
    // The fold from nostril to mouth.
    soft(ctx, k, 3, skin.shade + '88', () => {
      ctx.moveTo(at(side * 17, 5), 42)
      ctx.quadraticCurveTo(at(side * 31, 4), 52, at(side * 34, 4), 68)
      ctx.quadraticCurveTo(at(side * 27, 4), 56, at(side * 17, 5), 46)
    })
  }
  // Forehead, bridge and tip of the nose catch the light.
  soft(ctx, k, 15, skin.light + 'cc', () => oval(ctx, at(-12, 4), -58, 34, 20))
  soft(ctx, k, 4, skin.shade + 'aa', () => {
    ctx.moveTo(at(7, 6), -14)
    ctx.bezierCurveTo(at(6, 8), 10, at(9, 9), 26, at(17, 7), 40)
    ctx.bezierCurveTo(at(12, 8), 34, at(8, 8), 16, at(13, 6), -12)
  })
  soft(ctx, k, 4, skin.shade + '55', () => {
    ctx.moveTo(at(-8, 6), -12)
    ctx.bezierCurveTo(at(-8, 8), 10, at(-11, 9), 28, at(-17, 7), 40)
    ctx.bezierCurveTo(at(-14, 8), 30, at(-11, 8), 14, at(-13, 6), -10)
  })
  soft(ctx, k, 3.5, skin.light + 'ee', () => oval(ctx, at(-2, 8), 12, 4, 26))
  soft(ctx, k, 4, skin.light + 'ee', () => oval(ctx, at(-2, 10), 36, 8, 7))
  // Underside of the nose, wings and nostrils.
  soft(ctx, k, 4, skin.deep + '77', () => oval(ctx, at(1, 8), 51, 17, 5))
  soft(ctx, k, 2, skin.shade + 'cc', () => oval(ctx, at(15, 7), 43, 4, 6))
  soft(ctx, k, 2, skin.shade + '88', () => oval(ctx, at(-15, 7), 43, 3.5, 6))
  for (const side of [-1, 1]) {
    soft(ctx, k, 1.1, '#2c120cbb', () => oval(ctx, at(side * 7.5, 8), 47.5, 4.2, 2.2, side * -0.25))
    ctx.strokeStyle = skin.deep + '99'
    ctx.lineWidth = 1.4
    ctx.beginPath()
    ctx.arc(at(side * 12, 8), 43, 6.4, side > 0 ? -0.9 : Math.PI - 1.1, side > 0 ? 1.1 : Math.PI + 0.9)
    ctx.stroke()
  }
  // Groove above the lips, shadow below them, light on the chin.
  soft(ctx, k, 2.4, skin.shade + '88', () => oval(ctx, at(1, 6), 56, 3, 5))
  soft(ctx, k, 4, skin.shade + 'cc', () => oval(ctx, at(0, 5), 85, 16, 4))
  soft(ctx, k, 7, skin.light + '99', () => oval(ctx, at(-3, 5), 97, 15, 7))
  ctx.restore()
}

function strands(ctx, random, count, colours, path) {
  ctx.lineCap = 'round'
  for (let i = 0; i < count; i++) {
    ctx.strokeStyle = colours[Math.floor(random() * colours.length)]
    ctx.lineWidth = 0.7 + random() * 1.6
    ctx.beginPath()
    path(random(), random())
    ctx.stroke()
  }
}

// ---- The host's hair: a dark wavy bob with a side parting.

function hostBackHair(ctx, k) {
  const random = randomFrom(31)
  const shape = () => {
    ctx.moveTo(0, -128)
    ctx.bezierCurveTo(70, -128, 94, -70, 90, -10)
    ctx.bezierCurveTo(88, 40, 108, 70, 98, 118)
    ctx.bezierCurveTo(92, 142, 60, 146, 40, 136)
    ctx.lineTo(-40, 136)
    ctx.bezierCurveTo(-60, 146, -94, 142, -99, 118)
    ctx.bezierCurveTo(-108, 70, -88, 40, -90, -10)
    ctx.bezierCurveTo(-94, -70, -70, -128, 0, -128)
  }
  soft(ctx, k, 1.2, '#1d1210', shape)
  ctx.save()
  ctx.beginPath()
  shape()
  ctx.clip()
  strands(ctx, random, 110, ['rgba(92,58,42,.35)', 'rgba(10,5,4,.5)', 'rgba(120,76,50,.22)'], (a, b) => {
    const side = a < 0.5 ? -1 : 1
    const x = side * (52 + b * 48)
    ctx.moveTo(x * 0.86, -60)
    ctx.bezierCurveTo(x * 1.02, 0, x * (0.84 + b * 0.2), 60, x * (0.9 + a * 0.2), 146)
  })
  ctx.restore()
}

function hostFrontHair(ctx, k) {
  const random = randomFrom(32)
  const part = -20
  const rightSide = () => {
    ctx.moveTo(part, -112)
    ctx.bezierCurveTo(10, -134, 78, -122, 89, -52)
    ctx.bezierCurveTo(94, -12, 84, 30, 95, 74)
    ctx.bezierCurveTo(99, 100, 92, 124, 78, 130)
    ctx.bezierCurveTo(82, 100, 60, 78, 60, 44)
    ctx.bezierCurveTo(60, 10, 66, -20, 54, -46)
    ctx.bezierCurveTo(36, -62, 0, -72, part, -112)
  }
  const leftSide = () => {
    ctx.moveTo(part + 2, -113)
    ctx.bezierCurveTo(-54, -128, -88, -100, -90, -48)
    ctx.bezierCurveTo(-92, -10, -85, 30, -96, 74)
    ctx.bezierCurveTo(-100, 102, -94, 126, -80, 130)
    ctx.bezierCurveTo(-84, 100, -62, 78, -63, 44)
    ctx.bezierCurveTo(-63, 10, -68, -16, -60, -42)
    ctx.bezierCurveTo(-48, -66, -32, -84, part + 2, -113)
  }
  // The hair's shadow on the forehead and temples.
  for (const shape of [rightSide, leftSide]) {
    ctx.save()
    facePath(ctx, looks.host)
    ctx.clip()
    ctx.translate(2, 6)
    soft(ctx, k, 6, 'rgba(60,26,14,.5)', shape)
    ctx.restore()
  }
  for (const [shape, mirror] of [
    [rightSide, 1],
    [leftSide, -1],
  ]) {
    ctx.save()
    ctx.beginPath()
    shape()
    ctx.fillStyle = gradient(ctx, -90, -110, 90, 100, '#4a2d20', '#2f1c15', '#1c110e')
    ctx.fill()
    ctx.beginPath()
    shape()
    ctx.clip()
    soft(ctx, k, 10, 'rgba(168,104,66,.5)', () => oval(ctx, mirror * 52, -84, 30, 13, mirror * 0.7))
    soft(ctx, k, 8, 'rgba(140,88,58,.35)', () => oval(ctx, mirror * 84, 40, 8, 34, 0))
    strands(ctx, random, 70, ['rgba(150,98,66,.3)', 'rgba(12,6,4,.45)', 'rgba(190,130,86,.2)'], (a, b) => {
      const reach = 40 + b * 56
      ctx.moveTo(part + (a - 0.5) * 6, -114 + a * 8)
      ctx.bezierCurveTo(
        mirror * (30 + b * 40),
        -128 + a * 40,
        mirror * reach * 1.05,
        -60 + a * 20,
        mirror * (56 + b * 32),
        0,
      )
      ctx.bezierCurveTo(mirror * (50 + b * 34), 40, mirror * (62 + b * 38), 80, mirror * (68 + b * 32), 134)
    })
    ctx.restore()
  }
  // Small gold earrings.
  for (const side of [-1, 1]) {
    ctx.fillStyle = '#e3b65a'
    ctx.beginPath()
    oval(ctx, side * 61, 58, 3.4, 5.2)
    ctx.fill()
    ctx.fillStyle = '#fff1c9'
    ctx.beginPath()
    oval(ctx, side * 61 - 1, 56, 1.1, 1.5)
    ctx.fill()
  }
}

// ---- The guest's hair, beard and glasses.

function guestBackHair(ctx, k) {
  soft(ctx, k, 1, '#3b2d25', () => {
    ctx.moveTo(-72, 26)
    ctx.bezierCurveTo(-84, -40, -76, -112, 0, -120)
    ctx.bezierCurveTo(76, -112, 84, -40, 72, 26)
  })
}

function guestFrontHair(ctx, k) {
  const random = randomFrom(41)
  const shape = () => {
    ctx.moveTo(-69, 22)
    ctx.bezierCurveTo(-76, -10, -84, -60, -70, -92)
    ctx.bezierCurveTo(-66, -112, -46, -120, -34, -128)
    ctx.bezierCurveTo(-26, -138, 0, -140, 14, -136)
    ctx.bezierCurveTo(30, -142, 52, -132, 58, -120)
    ctx.bezierCurveTo(76, -108, 84, -60, 69, 22)
    ctx.bezierCurveTo(66, -8, 66, -34, 57, -56)
    ctx.bezierCurveTo(46, -66, 30, -66, 16, -76)
    ctx.bezierCurveTo(-4, -70, -36, -72, -54, -58)
    ctx.bezierCurveTo(-64, -38, -65, -8, -69, 22)
  }
  ctx.save()
  facePath(ctx, looks.guest)
  ctx.clip()
  ctx.translate(2, 6)
  soft(ctx, k, 6, 'rgba(80,40,24,.45)', shape)
  ctx.restore()
  soft(ctx, k, 0.9, gradient(ctx, -80, -130, 80, 0, '#7d6857', '#584739', '#3d3028'), shape)
  ctx.save()
  ctx.beginPath()
  shape()
  ctx.clip()
  soft(ctx, k, 9, 'rgba(196,170,140,.45)', () => oval(ctx, -22, -112, 34, 11, -0.2))
  for (const side of [-1, 1]) soft(ctx, k, 6, 'rgba(176,166,156,.55)', () => oval(ctx, side * 68, -22, 8, 40))
  strands(
    ctx,
    random,
    150,
    ['rgba(206,186,160,.34)', 'rgba(32,22,16,.42)', 'rgba(150,126,104,.4)'],
    (a, b) => {
      const x = -68 + a * 136
      ctx.moveTo(x * 0.92, -62 - (1 - Math.abs(a - 0.5) * 2) * 10)
      ctx.bezierCurveTo(
        x * 0.95 - 6,
        -92,
        x - 14 + b * 30,
        -112,
        x * 0.96 + 14 * (b - 0.3),
        -140 + Math.abs(a - 0.5) * 40,
      )
    },
  )
  strands(ctx, random, 60, ['rgba(200,190,178,.4)', 'rgba(40,28,20,.4)'], (a, b) => {
    const side = a < 0.5 ? -1 : 1
    const x = side * (60 + b * 18)
    ctx.moveTo(x, -80 + a * 30)
    ctx.quadraticCurveTo(x * 1.06, -40, side * 68, 20)
  })
  ctx.restore()
}

function guestBeard(ctx, k) {
  const random = randomFrom(42)
  const look = looks.guest
  const at = (x) => turned(look, x, 4)
  const shape = () => {
    ctx.moveTo(-70, 8)
    ctx.bezierCurveTo(-64, 34, -58, 50, -44, 60)
    ctx.bezierCurveTo(-34, 60, -26, 54, at(-16), 55)
    ctx.quadraticCurveTo(at(0), 51, at(16), 55)
    ctx.bezierCurveTo(26, 54, 34, 60, 44, 60)
    ctx.bezierCurveTo(58, 50, 64, 34, 70, 8)
    ctx.bezierCurveTo(72, 50, 62, 84, 46, 104)
    ctx.bezierCurveTo(30, 122, -36, 122, -52, 104)
    ctx.bezierCurveTo(-66, 84, -73, 50, -70, 8)
  }
  // Soft towards the cheek, but no softer than hair against the room behind.
  const edge = { ...look, chin: look.chin + 5, jaw: look.jaw + 2, cheek: look.cheek + 1 }
  ctx.save()
  facePath(ctx, edge)
  ctx.clip()
  soft(ctx, k, 4.5, 'rgba(78,58,45,.78)', shape)
  soft(ctx, k, 5, 'rgba(60,42,32,.35)', () => oval(ctx, 22, 100, 40, 16, -0.4))
  ctx.restore()
  ctx.save()
  ctx.beginPath()
  shape()
  ctx.clip()
  soft(ctx, k, 6, 'rgba(205,196,186,.5)', () => oval(ctx, at(0), 100, 16, 14))
  ctx.restore()
  ctx.save()
  facePath(ctx, { ...edge, chin: edge.chin + 3 })
  ctx.clip()
  strands(
    ctx,
    random,
    420,
    ['rgba(44,30,22,.4)', 'rgba(150,128,108,.38)', 'rgba(214,206,196,.3)', 'rgba(80,58,44,.4)'],
    (a, b) => {
      const side = a < 0.5 ? -1 : 1
      const down = b
      const inner = (a < 0.5 ? a : a - 0.5) * 2 * 66
      const x = at(side * Math.min(inner, 68 - Math.max(0, down - 0.4) * 30))
      // The beard keeps clear of lips and upper cheeks.
      const roof = inner > 56 ? 36 : inner > 42 ? 58 : inner > 28 ? 64 : 82
      const y = roof + down * (114 - roof)
      ctx.moveTo(x, y)
      ctx.quadraticCurveTo(x + side * 1.5, y + 4, x + side * 0.5 - (x / 68) * 4, y + 9)
    },
  )
  strands(ctx, random, 70, ['rgba(44,30,22,.5)', 'rgba(150,128,108,.4)', 'rgba(90,66,50,.5)'], (a, b) => {
    const x = (a - 0.5) * 58
    ctx.moveTo(at(x * 0.7), 54 + b * 3)
    ctx.quadraticCurveTo(at(x * 0.95), 57, at(x * 1.12), 61 + Math.abs(x) * 0.1)
  })
  ctx.restore()
}

// ---- Bodies.

function torsoPath(ctx, look) {
  const s = look.shoulders
  const n = look.neck
  ctx.beginPath()
  ctx.moveTo(-n - 4, 132)
  ctx.bezierCurveTo(-n - 26, 150, -s + 36, 152, -s + 12, 178)
  ctx.bezierCurveTo(-s - 10, 200, -s - 14, 270, -s - 20, 460)
  ctx.lineTo(s + 20, 460)
  ctx.bezierCurveTo(s + 14, 270, s + 10, 200, s - 12, 178)
  ctx.bezierCurveTo(s - 36, 152, n + 26, 150, n + 4, 132)
  ctx.closePath()
}

function paintNeck(ctx, look, k) {
  const { neck: n, skin } = look
  ctx.beginPath()
  ctx.moveTo(-n, 60)
  ctx.bezierCurveTo(-n + 2, 110, -n - 2, 130, -n - 16, 150)
  ctx.lineTo(-30, 236)
  ctx.lineTo(30, 236)
  ctx.lineTo(n + 16, 150)
  ctx.bezierCurveTo(n + 2, 130, n - 2, 110, n, 60)
  ctx.fillStyle = gradient(ctx, -n, 0, n, 0, skin.base, skin.base, skin.shade)
  ctx.fill()
  ctx.save()
  ctx.clip()
  // The chin's shadow, then the cords and collarbones.
  soft(ctx, k, 9, skin.deep + 'bb', () => oval(ctx, look.turn * 2 + 5, 102, n + 14, 26))
  soft(ctx, k, 5, skin.shade + 'aa', () => oval(ctx, n - 4, 140, 7, 34))
  soft(ctx, k, 4, skin.light + '77', () => oval(ctx, -12, 158, 5, 20, -0.2))
  soft(ctx, k, 3, skin.shade + 'cc', () => oval(ctx, 0, 172, 5, 5))
  soft(ctx, k, 4, skin.light + '66', () => oval(ctx, -26, 168, 16, 3, 0.25))
  ctx.restore()
}

function fold(ctx, k, colour, wide, ...points) {
  ctx.save()
  ctx.filter = `blur(${3 * k}px)`
  ctx.strokeStyle = colour
  ctx.lineWidth = wide
  ctx.lineCap = 'round'
  ctx.beginPath()
  ctx.moveTo(points[0], points[1])
  ctx.quadraticCurveTo(points[2], points[3], points[4], points[5])
  ctx.stroke()
  ctx.restore()
}

function paintHostBody(ctx, k) {
  const look = looks.host
  const s = look.shoulders
  paintNeck(ctx, look, k)
  ctx.save()
  torsoPath(ctx, look)
  ctx.clip()
  // Cream blouse with an open collar.
  const blouse = () => {
    ctx.moveTo(-40, 146)
    ctx.quadraticCurveTo(-22, 190, 0, 226)
    ctx.quadraticCurveTo(22, 190, 40, 146)
    ctx.lineTo(110, 460)
    ctx.lineTo(-110, 460)
  }
  ctx.beginPath()
  blouse()
  ctx.fillStyle = gradient(ctx, -60, 0, 60, 0, '#f7ecd9', '#efe0c6', '#d2bd9c')
  ctx.fill()
  fold(ctx, k, 'rgba(140,110,80,.4)', 5, 2, 232, 6, 320, 0, 450)
  fold(ctx, k, 'rgba(140,110,80,.3)', 5, -28, 220, -18, 300, -26, 420)
  fold(ctx, k, 'rgba(140,110,80,.3)', 5, 26, 220, 18, 300, 24, 420)
  // Rust blazer, one half after the other, with its shadow on the blouse.
  for (const side of [-1, 1]) {
    const half = () => {
      ctx.moveTo(side * 34, 134)
      ctx.bezierCurveTo(side * 48, 190, side * 34, 280, side * 12, 390)
      ctx.lineTo(side * 8, 470)
      ctx.lineTo(side * 230, 470)
      ctx.lineTo(side * 230, 120)
      ctx.lineTo(side * 40, 120)
    }
    soft(ctx, k, 7, 'rgba(70,40,20,.5)', half)
    ctx.beginPath()
    half()
    ctx.fillStyle = gradient(ctx, -s, 0, s, 0, '#bb5a3a', '#ad4b30', '#98402a', '#6d2a1d')
    ctx.fill()
  }
  // Arms, shoulders and folds.
  for (const side of [-1, 1]) {
    fold(ctx, k, 'rgba(50,14,8,.5)', 9, side * (s - 34), 250, side * (s - 42), 330, side * (s - 40), 450)
    fold(ctx, k, 'rgba(50,14,8,.32)', 7, side * (s - 36), 256, side * 92, 300, side * 70, 380)
    fold(ctx, k, 'rgba(255,190,150,.26)', 8, side * (s - 64), 166, side * (s - 30), 176, side * (s - 8), 210)
    fold(ctx, k, 'rgba(255,180,140,.16)', 9, side * (s - 14), 240, side * (s - 4), 320, side * (s - 8), 430)
  }
  soft(ctx, k, 16, 'rgba(40,10,6,.4)', () => oval(ctx, s + 6, 330, 26, 150))
  // Lapels.
  for (const side of [-1, 1]) {
    const lapel = () => {
      ctx.moveTo(side * 36, 138)
      ctx.quadraticCurveTo(side * 66, 168, side * 84, 208)
      ctx.lineTo(side * 62, 222)
      ctx.lineTo(side * 76, 240)
      ctx.quadraticCurveTo(side * 52, 320, side * 14, 384)
      ctx.bezierCurveTo(side * 36, 280, side * 50, 190, side * 36, 138)
    }
    soft(ctx, k, 4, 'rgba(40,10,6,.55)', () => {
      ctx.translate(2, 5)
      lapel()
    })
    ctx.beginPath()
    lapel()
    ctx.fillStyle =
      side < 0
        ? gradient(ctx, -90, 140, -10, 380, '#cf6c49', '#a9482f')
        : gradient(ctx, 90, 140, 10, 380, '#a8472e', '#7d3322')
    ctx.fill()
    ctx.strokeStyle = 'rgba(255,200,160,.22)'
    ctx.lineWidth = 1.2
    ctx.stroke()
  }
  // The hair's shade on the shoulders.
  for (const side of [-1, 1])
    soft(ctx, k, 9, 'rgba(30,8,4,.42)', () => oval(ctx, side * 72, 146, 34, 14, side * 0.3))
  ctx.restore()
  // A fine chain.
  ctx.strokeStyle = '#e0b862'
  ctx.lineWidth = 1.3
  ctx.beginPath()
  ctx.moveTo(-36, 150)
  ctx.quadraticCurveTo(0, 222, 36, 150)
  ctx.stroke()
  ctx.fillStyle = '#f0cd7c'
  ctx.beginPath()
  oval(ctx, 0, 189, 4, 4)
  ctx.fill()
}

function paintGuestBody(ctx, k) {
  const look = looks.guest
  const s = look.shoulders
  paintNeck(ctx, look, k)
  ctx.save()
  torsoPath(ctx, look)
  ctx.clip()
  // Oatmeal T-shirt.
  ctx.beginPath()
  ctx.moveTo(-56, 148)
  ctx.bezierCurveTo(-34, 192, 34, 192, 56, 148)
  ctx.lineTo(120, 460)
  ctx.lineTo(-120, 460)
  ctx.fillStyle = gradient(ctx, -70, 0, 70, 0, '#f1ebdf', '#e2d8c6', '#b9ac96')
  ctx.fill()
  ctx.strokeStyle = 'rgba(120,100,76,.55)'
  ctx.lineWidth = 2
  ctx.beginPath()
  ctx.moveTo(-54, 157)
  ctx.bezierCurveTo(-32, 201, 32, 201, 54, 157)
  ctx.stroke()
  fold(ctx, k, 'rgba(120,100,76,.35)', 6, -12, 214, -4, 300, -12, 440)
  fold(ctx, k, 'rgba(120,100,76,.3)', 6, 22, 230, 12, 310, 20, 430)
  // Blue work jacket.
  for (const side of [-1, 1]) {
    const half = () => {
      ctx.moveTo(side * 46, 136)
      ctx.bezierCurveTo(side * 62, 200, side * 60, 300, side * 52, 470)
      ctx.lineTo(side * 240, 470)
      ctx.lineTo(side * 240, 120)
      ctx.lineTo(side * 50, 120)
    }
    soft(ctx, k, 8, 'rgba(30,24,20,.5)', half)
    ctx.beginPath()
    half()
    ctx.fillStyle = gradient(ctx, -s, 0, s, 0, '#4d6c88', '#3c5a76', '#334e68', '#20344a')
    ctx.fill()
    // Placket stitching and a chest pocket.
    ctx.strokeStyle = 'rgba(220,200,160,.4)'
    ctx.setLineDash([5, 4])
    ctx.lineWidth = 1.2
    ctx.beginPath()
    ctx.moveTo(side * 68, 210)
    ctx.bezierCurveTo(side * 72, 260, side * 70, 340, side * 64, 460)
    ctx.stroke()
    ctx.beginPath()
    ctx.roundRect(side > 0 ? 84 : -138, 282, 54, 70, 5)
    ctx.stroke()
    ctx.setLineDash([])
    ctx.strokeStyle = 'rgba(8,16,28,.4)'
    ctx.beginPath()
    ctx.roundRect(side > 0 ? 82 : -140, 280, 58, 74, 6)
    ctx.stroke()
  }
  for (const side of [-1, 1]) {
    fold(ctx, k, 'rgba(6,14,26,.55)', 10, side * (s - 30), 250, side * (s - 40), 340, side * (s - 36), 450)
    fold(ctx, k, 'rgba(6,14,26,.32)', 8, side * (s - 34), 252, side * 110, 276, side * 84, 268)
    fold(ctx, k, 'rgba(190,214,236,.2)', 10, side * (s - 76), 162, side * (s - 34), 172, side * (s - 8), 214)
    fold(ctx, k, 'rgba(190,214,236,.12)', 9, side * (s - 10), 250, side * s, 330, side * (s - 4), 440)
  }
  soft(ctx, k, 18, 'rgba(4,10,20,.45)', () => oval(ctx, s + 6, 330, 28, 150))
  for (const side of [-1, 1]) {
    const collar = () => {
      ctx.moveTo(side * 42, 128)
      ctx.quadraticCurveTo(side * 82, 146, side * 104, 186)
      ctx.lineTo(side * 74, 222)
      ctx.quadraticCurveTo(side * 58, 176, side * 42, 128)
    }
    soft(ctx, k, 4, 'rgba(4,10,20,.55)', () => {
      ctx.translate(2, 6)
      collar()
    })
    ctx.beginPath()
    collar()
    ctx.fillStyle =
      side < 0
        ? gradient(ctx, -104, 130, -50, 220, '#66869f', '#45637f')
        : gradient(ctx, 104, 130, 50, 220, '#35516c', '#40607d')
    ctx.fill()
    ctx.strokeStyle = 'rgba(230,214,180,.35)'
    ctx.lineWidth = 1.1
    ctx.stroke()
  }
  ctx.restore()
}

// ---- Sprites.

function makeSprite(scale, left, top, right, bottom, paint) {
  const canvas = createCanvas(Math.ceil((right - left) * scale), Math.ceil((bottom - top) * scale))
  const ctx = canvas.getContext('2d')
  ctx.scale(scale, scale)
  ctx.translate(-left, -top)
  paint(ctx, scale)
  return { canvas, left, top, width: canvas.width / scale, height: canvas.height / scale, scale }
}

const put = (ctx, sprite) =>
  ctx.drawImage(sprite.canvas, sprite.left, sprite.top, sprite.width, sprite.height)

/** Draws the part of a sprite between two heights, stretched to lie between two others. */
function putBand(ctx, { canvas, left, top, width, scale }, from, to, drawnFrom, drawnTo) {
  ctx.drawImage(
    canvas,
    0,
    (from - top) * scale,
    canvas.width,
    (to - from) * scale,
    left,
    drawnFrom,
    width,
    drawnTo - drawnFrom,
  )
}

export function buildPerson(who, scale) {
  const look = looks[who]
  const host = who === 'host'
  const area = [-130, -160, 130, 170]
  return {
    look,
    back: makeSprite(scale, ...area, (ctx, k) => (host ? hostBackHair(ctx, k) : guestBackHair(ctx, k))),
    body: makeSprite(scale, -220, 40, 220, 460, (ctx, k) =>
      host ? paintHostBody(ctx, k) : paintGuestBody(ctx, k),
    ),
    head: makeSprite(scale, ...area, (ctx, k) => {
      if (!host) for (const side of [-1, 1]) paintEar(ctx, look, k, side)
      paintFace(ctx, look, k)
      if (!host) guestBeard(ctx, k)
      if (host) hostFrontHair(ctx, k)
      else guestFrontHair(ctx, k)
    }),
  }
}

function drawEye(ctx, look, side, { blink, gazeX, gazeY, squint }) {
  const a = look.eyeWidth * (side === look.turn ? 0.95 : 1)
  ctx.save()
  ctx.translate(turned(look, side * 31, 4), 0)
  ctx.scale(side, 1)
  const roof = -10.4 + blink * 14.4 + squint * 1.6
  const floor = 6.4 - squint * 1.6 - blink * 1.2
  const lidLine = () => {
    ctx.moveTo(-a, 2.6)
    ctx.bezierCurveTo(-a * 0.6, roof * 0.98, a * 0.45, roof * 1.12, a + 1, -0.6)
  }
  ctx.save()
  ctx.beginPath()
  lidLine()
  ctx.bezierCurveTo(a * 0.6, floor * 0.9, -a * 0.4, floor * 1.1, -a, 2.6)
  ctx.closePath()
  ctx.clip()
  ctx.fillStyle = gradient(ctx, 0, -9, 0, 7, '#b9a8a0', '#f3ece6', '#e4d8d0')
  ctx.fillRect(-a - 2, -14, 2 * a + 4, 26)
  const x = gazeX * side
  const y = -1 + gazeY
  ctx.fillStyle = '#20140f'
  ctx.beginPath()
  oval(ctx, x, y, 7.7, 7.7)
  ctx.fill()
  const iris = ctx.createRadialGradient(x, y + 2.5, 1, x, y, 7)
  iris.addColorStop(0, look.iris[0])
  iris.addColorStop(1, look.iris[1])
  ctx.fillStyle = iris
  ctx.beginPath()
  oval(ctx, x, y, 6.8, 6.8)
  ctx.fill()
  ctx.fillStyle = '#0c0706'
  ctx.beginPath()
  oval(ctx, x, y, 3.2, 3.2)
  ctx.fill()
  // The lid shades the eye; the window glints in it.
  ctx.strokeStyle = 'rgba(40,20,14,.4)'
  ctx.lineWidth = 5
  ctx.beginPath()
  lidLine()
  ctx.stroke()
  ctx.fillStyle = 'rgba(255,255,255,.92)'
  ctx.beginPath()
  oval(ctx, x - 2.4 * side, y - 2.8, 1.8, 1.8)
  ctx.fill()
  ctx.restore()
  ctx.lineCap = 'round'
  ctx.strokeStyle = '#1c100c'
  ctx.lineWidth = look.lash
  ctx.beginPath()
  lidLine()
  if (look.lash > 2.5) ctx.lineTo(a + 4, -3.4)
  ctx.stroke()
  // Crease above, rim below.
  ctx.strokeStyle = look.skin.deep + '88'
  ctx.lineWidth = 1.5
  ctx.beginPath()
  ctx.moveTo(-a + 1, -4 + blink * 1.5)
  ctx.bezierCurveTo(-a * 0.4, -14 + blink * 3, a * 0.5, -14.5 + blink * 3, a + 2, -5)
  ctx.stroke()
  ctx.strokeStyle = look.skin.deep + '77'
  ctx.lineWidth = 1.1
  ctx.beginPath()
  ctx.moveTo(-a + 2, 4)
  ctx.bezierCurveTo(-a * 0.3, floor * 1.05 + 0.6, a * 0.5, floor * 0.95 + 0.6, a, 0.6)
  ctx.stroke()
  ctx.restore()
}

function drawBrow(ctx, look, side, raise, frown) {
  const { colour, thick, y } = look.brow
  ctx.save()
  ctx.translate(turned(look, side * 31, 4), y - raise * 5)
  ctx.scale(side, 1)
  ctx.fillStyle = colour
  ctx.globalAlpha = 0.88
  ctx.beginPath()
  ctx.moveTo(-18, 1.6 + frown * 3)
  ctx.bezierCurveTo(-8, -3 + frown * 1.5 - raise, 6, -6 - raise * 1.5, 22, 2)
  ctx.bezierCurveTo(
    8,
    -6 + thick * 0.75 - raise,
    -6,
    -3 + thick * 1.05 + frown,
    -18,
    1.6 + thick * 0.9 + frown * 3,
  )
  ctx.closePath()
  ctx.fill()
  ctx.globalAlpha = 0.4
  ctx.strokeStyle = colour
  ctx.lineWidth = 1.4
  ctx.stroke()
  ctx.restore()
}

function drawMouth(ctx, look, { open, spread, smile }) {
  const { upper, lower, width, full } = look.lips
  const half = width * (1 + 0.16 * Math.max(0, spread) + 0.34 * Math.min(0, spread) + 0.1 * smile)
  const corner = -smile * 4.5 + open * 2.5
  const top = -open * 2.2
  const bottom = open * 19
  ctx.save()
  ctx.translate(turned(look, 0, 5.5), mouthLine)
  const inner = () => {
    ctx.moveTo(-half + 2, corner)
    ctx.bezierCurveTo(-half * 0.5, top - 0.5 + smile, -6, top - 0.2, 0, top + 0.8)
    ctx.bezierCurveTo(6, top - 0.2, half * 0.5, top - 0.5 + smile, half - 2, corner)
    ctx.bezierCurveTo(half * 0.6, bottom * 0.95 + 1, half * 0.3, bottom + 1, 0, bottom + 1)
    ctx.bezierCurveTo(-half * 0.3, bottom + 1, -half * 0.6, bottom * 0.95 + 1, -half + 2, corner)
    ctx.closePath()
  }
  // Lips.
  const thin = 1 - 0.25 * Math.max(0, spread)
  ctx.fillStyle = gradient(ctx, 0, top - 9, 0, top + 2, lower, upper)
  ctx.beginPath()
  ctx.moveTo(-half, corner)
  ctx.bezierCurveTo(
    -half * 0.6,
    top - 5 * full * thin,
    -9,
    top - 9 * full * thin,
    -4.5,
    top - 8.6 * full * thin,
  )
  ctx.quadraticCurveTo(0, top - 6.4 * full * thin, 4.5, top - 8.6 * full * thin)
  ctx.bezierCurveTo(9, top - 9 * full * thin, half * 0.6, top - 5 * full * thin, half, corner)
  ctx.bezierCurveTo(half * 0.4, top + 4, -half * 0.4, top + 4, -half, corner)
  ctx.fill()
  ctx.fillStyle = gradient(ctx, 0, bottom - 1, 0, bottom + 12 * full, upper, lower, upper)
  ctx.beginPath()
  ctx.moveTo(-half + 1, corner)
  ctx.bezierCurveTo(-half * 0.5, bottom + 1 - open * 2, half * 0.5, bottom + 1 - open * 2, half - 1, corner)
  ctx.bezierCurveTo(half * 0.66, bottom + 9.5 * full, half * 0.3, bottom + 12 * full, 0, bottom + 12 * full)
  ctx.bezierCurveTo(-half * 0.3, bottom + 12 * full, -half * 0.66, bottom + 9.5 * full, -half + 1, corner)
  ctx.fill()
  ctx.fillStyle = 'rgba(255,225,210,.28)'
  ctx.beginPath()
  oval(ctx, -3, bottom + 6 * full, half * 0.36, 1.9 * full)
  ctx.fill()
  // What shows between them.
  if (open > 0.04) {
    ctx.save()
    ctx.beginPath()
    inner()
    ctx.clip()
    ctx.fillStyle = '#3a0f10'
    ctx.fillRect(-40, -14, 80, 50)
    ctx.fillStyle = '#a94a48'
    ctx.beginPath()
    oval(ctx, 0, bottom + 4, half * 0.6, 4 + open * 5)
    ctx.fill()
    ctx.fillStyle = '#efe7dc'
    ctx.beginPath()
    ctx.roundRect(-half * 0.74, top - 6, half * 1.48, 10.5 + Math.min(3, open * 3), 4)
    ctx.fill()
    ctx.fillStyle = 'rgba(60,14,12,.35)'
    ctx.fillRect(-40, top - 4, 80, 5)
    ctx.restore()
  }
  ctx.strokeStyle = 'rgba(62,18,16,.8)'
  ctx.lineWidth = open > 0.04 ? 1.2 : 1.9
  ctx.beginPath()
  ctx.moveTo(-half, corner)
  ctx.bezierCurveTo(-half * 0.5, top - 0.5 + smile, -6, top - 0.2, 0, top + 0.8)
  ctx.bezierCurveTo(6, top - 0.2, half * 0.5, top - 0.5 + smile, half, corner)
  ctx.stroke()
  ctx.restore()
}

function drawGlasses(ctx, look) {
  ctx.save()
  ctx.strokeStyle = '#3a2a20'
  ctx.lineWidth = 2.2
  for (const side of [-1, 1]) {
    const x = turned(look, side * 31, 5)
    ctx.beginPath()
    ctx.roundRect(x - 23, -16, 46, 38, 17)
    ctx.stroke()
    ctx.beginPath()
    ctx.moveTo(x + side * 23, -4)
    ctx.lineTo(side * (look.cheek + 1), -7)
    ctx.stroke()
  }
  ctx.beginPath()
  ctx.moveTo(turned(look, -31, 5) + 23, -2)
  ctx.quadraticCurveTo(look.turn * 6, -8, turned(look, 31, 5) - 23, -2)
  ctx.stroke()
  ctx.strokeStyle = 'rgba(255,255,255,.22)'
  ctx.lineWidth = 3
  for (const side of [-1, 1]) {
    const x = turned(look, side * 31, 5)
    ctx.beginPath()
    ctx.moveTo(x - 14, -9)
    ctx.lineTo(x - 6, -12)
    ctx.stroke()
  }
  ctx.restore()
}

/** Draws a person whose eyes are at the context's origin. */
export function drawPerson(ctx, person, pose) {
  const { look } = person
  const moveHead = () => {
    // The head turns about the base of the neck.
    ctx.translate(pose.headX, 130 + pose.headY)
    ctx.rotate(pose.tilt)
    ctx.translate(0, -130)
  }
  ctx.save()
  moveHead()
  put(ctx, person.back)
  ctx.restore()

  ctx.save()
  // Breathing lifts the shoulders; the waist stays where it is. The desk hides the lower edge.
  ctx.translate(pose.headX * 0.3, 460 - shoulderLift)
  ctx.scale(1, 1 + 0.006 * pose.breath)
  ctx.translate(0, -460)
  put(ctx, person.body)
  ctx.restore()

  ctx.save()
  moveHead()
  // The jaw drops with the mouth: what lies below the lips is stretched downwards.
  const drop = pose.mouth.open * 6
  const { head } = person
  const end = head.top + head.height
  putBand(ctx, head, head.top, mouthLine, head.top, mouthLine)
  putBand(ctx, head, mouthLine, look.chin + 12, mouthLine, look.chin + 12 + drop)
  if (look === looks.host) putBand(ctx, head, look.chin + 12, end, look.chin + 12 + drop, end)
  drawMouth(ctx, look, pose.mouth)
  for (const side of [-1, 1]) {
    drawEye(ctx, look, side, pose.eyes)
    drawBrow(ctx, look, side, pose.brow, pose.frown)
  }
  if (look === looks.guest) drawGlasses(ctx, look)
  ctx.restore()
}
