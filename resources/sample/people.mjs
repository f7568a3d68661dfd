// The two people. Everything that never moves inside a head or a body is painted once (skin, hair,
// cloth, all their soft shading); eyes, brows and mouth are drawn afresh for every frame.
//
// Units: one unit is one pixel of a single. The origin of a person lies between the eyes.
import { createCanvas } from '@napi-rs/canvas'
import {
  clip,
  clipped,
  fill,
  fillBox,
  gradient,
  mirrored,
  outline,
  oval,
  randomFrom,
  stroke,
} from './drawing.mjs'

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

/** Fills a shape with soft edges, moved by (x, y). */
function soft(ctx, scale, blur, colour, shape, x = 0, y = 0) {
  ctx.save()
  ctx.translate(x, y)
  ctx.filter = `blur(${blur * scale}px)`
  fill(ctx, colour, shape)
  ctx.restore()
}

/** Where a feature lands once the head is turned a little towards the other person: near things move more. */
const turned = (look, x, depth) => look.turn * depth + x * (Math.sign(x) === look.turn ? 0.95 : 1.02)

function facePath({ cheek: w, jaw: j, chin: c, turn }) {
  const right = turn > 0 ? 0.96 : 1.01
  const left = turn > 0 ? 1.01 : 0.96
  const cx = turn * 3
  return `M0 -106 C${44 * right} -106 ${w * 1.02 * right} -70 ${w * right} -16
    C${w * 1.0 * right} 20 ${w * 0.97 * right} 44 ${j * right + cx} 78
    C${j * 0.78 * right + cx} ${c - 10} ${26 + cx} ${c} ${cx} ${c}
    C${-26 + cx} ${c} ${-j * 0.78 * left + cx} ${c - 10} ${-j * left + cx} 78
    C${-w * 0.97 * left} 44 ${-w * left} 20 ${-w * left} -16
    C${-w * 1.02 * left} -70 ${-44 * left} -106 0 -106`
}

function paintEar(ctx, look, k, side) {
  const x = side * (look.cheek + 2)
  const colour = side < 0 ? look.skin.base : look.skin.shade
  fill(ctx, colour, () => oval(ctx, x, 14, 12, 27, side * 0.14))
  soft(ctx, k, 3, look.skin.deep + '88', () => oval(ctx, x + side * 1, 12, 5, 16, side * 0.14))
  soft(ctx, k, 2, look.skin.light + '88', () => oval(ctx, x + side * 7, 8, 2.4, 17, side * 0.14))
}

function paintFace(ctx, look, k) {
  const { skin } = look
  const shape = facePath(look)
  const lit = gradient(ctx, -look.cheek, -40, look.cheek, 40, skin.light, skin.base, skin.base, skin.shade)
  fill(ctx, lit, shape)
  ctx.save()
  clip(ctx, shape)
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
    stroke(ctx, skin.deep + '99', 1.4, () =>
      ctx.arc(at(side * 12, 8), 43, 6.4, side > 0 ? -0.9 : Math.PI - 1.1, side > 0 ? 1.1 : Math.PI + 0.9),
    )
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
  const shape = `M0 -128 C70 -128 94 -70 90 -10 C88 40 108 70 98 118 C92 142 60 146 40 136 L-40 136
      C-60 146 -94 142 -99 118 C-108 70 -88 40 -90 -10 C-94 -70 -70 -128 0 -128`
  soft(ctx, k, 1.2, '#1d1210', shape)
  clipped(ctx, shape, () => {
    strands(ctx, random, 110, ['rgba(92,58,42,.35)', 'rgba(10,5,4,.5)', 'rgba(120,76,50,.22)'], (a, b) => {
      const side = a < 0.5 ? -1 : 1
      const x = side * (52 + b * 48)
      ctx.moveTo(x * 0.86, -60)
      ctx.bezierCurveTo(x * 1.02, 0, x * (0.84 + b * 0.2), 60, x * (0.9 + a * 0.2), 146)
    })
  })
}

function hostFrontHair(ctx, k) {
  const random = randomFrom(32)
  const part = -20
  const rightSide = `M-20 -112 C10 -134 78 -122 89 -52 C94 -12 84 30 95 74 C99 100 92 124 78 130
    C82 100 60 78 60 44 C60 10 66 -20 54 -46 C36 -62 0 -72 -20 -112`
  const leftSide = `M-18 -113 C-54 -128 -88 -100 -90 -48 C-92 -10 -85 30 -96 74 C-100 102 -94 126 -80 130
    C-84 100 -62 78 -63 44 C-63 10 -68 -16 -60 -42 C-48 -66 -32 -84 -18 -113`
  // The hair's shadow on the forehead and temples.
  for (const shape of [rightSide, leftSide]) {
    clipped(ctx, facePath(looks.host), () => {
      soft(ctx, k, 6, 'rgba(60,26,14,.5)', shape, 2, 6)
    })
  }
  for (const [shape, mirror] of [
    [rightSide, 1],
    [leftSide, -1],
  ]) {
    ctx.save()
    fill(ctx, gradient(ctx, -90, -110, 90, 100, '#4a2d20', '#2f1c15', '#1c110e'), shape)
    clip(ctx, shape)
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
    fill(ctx, '#e3b65a', () => oval(ctx, side * 61, 58, 3.4, 5.2))
    fill(ctx, '#fff1c9', () => oval(ctx, side * 61 - 1, 56, 1.1, 1.5))
  }
}

// ---- The guest's hair, beard and glasses.

function guestBackHair(ctx, k) {
  soft(ctx, k, 1, '#3b2d25', 'M-72 26 C-84 -40 -76 -112 0 -120 C76 -112 84 -40 72 26')
}

function guestFrontHair(ctx, k) {
  const random = randomFrom(41)
  const shape = `M-69 22 C-76 -10 -84 -60 -70 -92 C-66 -112 -46 -120 -34 -128 C-26 -138 0 -140 14 -136
      C30 -142 52 -132 58 -120 C76 -108 84 -60 69 22 C66 -8 66 -34 57 -56 C46 -66 30 -66 16 -76
      C-4 -70 -36 -72 -54 -58 C-64 -38 -65 -8 -69 22`
  clipped(ctx, facePath(looks.guest), () => {
    soft(ctx, k, 6, 'rgba(80,40,24,.45)', shape, 2, 6)
  })
  soft(ctx, k, 0.9, gradient(ctx, -80, -130, 80, 0, '#7d6857', '#584739', '#3d3028'), shape)
  clipped(ctx, shape, () => {
    soft(ctx, k, 9, 'rgba(196,170,140,.45)', () => oval(ctx, -22, -112, 34, 11, -0.2))
    for (const side of [-1, 1])
      soft(ctx, k, 6, 'rgba(176,166,156,.55)', () => oval(ctx, side * 68, -22, 8, 40))
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
  })
}

function guestBeard(ctx, k) {
  const random = randomFrom(42)
  const look = looks.guest
  const at = (x) => turned(look, x, 4)
  const shape = `M-70 8 C-64 34 -58 50 -44 60 C-34 60 -26 54 ${at(-16)} 55 Q${at(0)} 51 ${at(16)} 55
    C26 54 34 60 44 60 C58 50 64 34 70 8 C72 50 62 84 46 104 C30 122 -36 122 -52 104 C-66 84 -73 50 -70 8`
  // Soft towards the cheek, but no softer than hair against the room behind.
  const edge = { ...look, chin: look.chin + 5, jaw: look.jaw + 2, cheek: look.cheek + 1 }
  clipped(ctx, facePath(edge), () => {
    soft(ctx, k, 4.5, 'rgba(78,58,45,.78)', shape)
    soft(ctx, k, 5, 'rgba(60,42,32,.35)', () => oval(ctx, 22, 100, 40, 16, -0.4))
  })
  clipped(ctx, shape, () => {
    soft(ctx, k, 6, 'rgba(205,196,186,.5)', () => oval(ctx, at(0), 100, 16, 14))
  })
  clipped(ctx, facePath({ ...edge, chin: edge.chin + 3 }), () => {
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
  })
}

// ---- Bodies.

const torsoPath = ({ shoulders: s, neck: n }) =>
  `M${-n - 4} 132 C${-n - 26} 150 ${-s + 36} 152 ${-s + 12} 178
  C${-s - 10} 200 ${-s - 14} 270 ${-s - 20} 460 L${s + 20} 460
  C${s + 14} 270 ${s + 10} 200 ${s - 12} 178 C${s - 36} 152 ${n + 26} 150 ${n + 4} 132`

function paintNeck(ctx, look, k) {
  const { neck: n, skin } = look
  const shape = `M${-n} 60 C${-n + 2} 110 ${-n - 2} 130 ${-n - 16} 150
    L-30 236 L30 236 L${n + 16} 150 C${n + 2} 130 ${n - 2} 110 ${n} 60`
  fill(ctx, gradient(ctx, -n, 0, n, 0, skin.base, skin.base, skin.shade), shape)
  ctx.save()
  clip(ctx, shape)
  // The chin's shadow, then the cords and collarbones.
  soft(ctx, k, 9, skin.deep + 'bb', () => oval(ctx, look.turn * 2 + 5, 102, n + 14, 26))
  soft(ctx, k, 5, skin.shade + 'aa', () => oval(ctx, n - 4, 140, 7, 34))
  soft(ctx, k, 4, skin.light + '77', () => oval(ctx, -12, 158, 5, 20, -0.2))
  soft(ctx, k, 3, skin.shade + 'cc', () => oval(ctx, 0, 172, 5, 5))
  soft(ctx, k, 4, skin.light + '66', () => oval(ctx, -26, 168, 16, 3, 0.25))
  ctx.restore()
}

/** A soft line through three points, mirrored where `side` is -1. */
function fold(ctx, k, colour, wide, side, [x0, y0, x1, y1, x2, y2]) {
  ctx.save()
  ctx.filter = `blur(${3 * k}px)`
  ctx.lineCap = 'round'
  stroke(ctx, colour, wide, `M${side * x0} ${y0} Q${side * x1} ${y1} ${side * x2} ${y2}`)
  ctx.restore()
}

function paintHostBody(ctx, k) {
  const look = looks.host
  const s = look.shoulders
  paintNeck(ctx, look, k)
  clipped(ctx, torsoPath(look), () => {
    // Cream blouse with an open collar.
    const blouse = 'M-40 146 Q-22 190 0 226 Q22 190 40 146 L110 460 L-110 460'
    fill(ctx, gradient(ctx, -60, 0, 60, 0, '#f7ecd9', '#efe0c6', '#d2bd9c'), blouse)
    fold(ctx, k, 'rgba(140,110,80,.4)', 5, 1, [2, 232, 6, 320, 0, 450])
    fold(ctx, k, 'rgba(140,110,80,.3)', 5, 1, [-28, 220, -18, 300, -26, 420])
    fold(ctx, k, 'rgba(140,110,80,.3)', 5, 1, [26, 220, 18, 300, 24, 420])
    // Rust blazer, one half after the other, with its shadow on the blouse.
    for (const side of [-1, 1]) {
      const half = mirrored('M34 134 C48 190 34 280 12 390 L8 470 L230 470 L230 120 L40 120', side)
      soft(ctx, k, 7, 'rgba(70,40,20,.5)', half)
      fill(ctx, gradient(ctx, -s, 0, s, 0, '#bb5a3a', '#ad4b30', '#98402a', '#6d2a1d'), half)
    }
    // Arms, shoulders and folds.
    for (const side of [-1, 1]) {
      fold(ctx, k, 'rgba(50,14,8,.5)', 9, side, [s - 34, 250, s - 42, 330, s - 40, 450])
      fold(ctx, k, 'rgba(50,14,8,.32)', 7, side, [s - 36, 256, 92, 300, 70, 380])
      fold(ctx, k, 'rgba(255,190,150,.26)', 8, side, [s - 64, 166, s - 30, 176, s - 8, 210])
      fold(ctx, k, 'rgba(255,180,140,.16)', 9, side, [s - 14, 240, s - 4, 320, s - 8, 430])
    }
    soft(ctx, k, 16, 'rgba(40,10,6,.4)', () => oval(ctx, s + 6, 330, 26, 150))
    // Lapels.
    for (const side of [-1, 1]) {
      const lapel = mirrored(
        'M36 138 Q66 168 84 208 L62 222 L76 240 Q52 320 14 384 C36 280 50 190 36 138',
        side,
      )
      soft(ctx, k, 4, 'rgba(40,10,6,.55)', lapel, 2, 5)
      fill(
        ctx,
        side < 0
          ? gradient(ctx, -90, 140, -10, 380, '#cf6c49', '#a9482f')
          : gradient(ctx, 90, 140, 10, 380, '#a8472e', '#7d3322'),
        lapel,
      )
      ctx.strokeStyle = 'rgba(255,200,160,.22)'
      ctx.lineWidth = 1.2
      ctx.stroke()
    }
    // The hair's shade on the shoulders.
    for (const side of [-1, 1])
      soft(ctx, k, 9, 'rgba(30,8,4,.42)', () => oval(ctx, side * 72, 146, 34, 14, side * 0.3))
  })
  // A fine chain.
  stroke(ctx, '#e0b862', 1.3, 'M-36 150 Q0 222 36 150')
  fill(ctx, '#f0cd7c', () => oval(ctx, 0, 189, 4, 4))
}

function paintGuestBody(ctx, k) {
  const look = looks.guest
  const s = look.shoulders
  paintNeck(ctx, look, k)
  clipped(ctx, torsoPath(look), () => {
    // Oatmeal T-shirt.
    fill(
      ctx,
      gradient(ctx, -70, 0, 70, 0, '#f1ebdf', '#e2d8c6', '#b9ac96'),
      'M-56 148 C-34 192 34 192 56 148 L120 460 L-120 460',
    )
    stroke(ctx, 'rgba(120,100,76,.55)', 2, 'M-54 157 C-32 201 32 201 54 157')
    fold(ctx, k, 'rgba(120,100,76,.35)', 6, 1, [-12, 214, -4, 300, -12, 440])
    fold(ctx, k, 'rgba(120,100,76,.3)', 6, 1, [22, 230, 12, 310, 20, 430])
    // Blue work jacket.
    for (const side of [-1, 1]) {
      const half = mirrored('M46 136 C62 200 60 300 52 470 L240 470 L240 120 L50 120', side)
      soft(ctx, k, 8, 'rgba(30,24,20,.5)', half)
      fill(ctx, gradient(ctx, -s, 0, s, 0, '#4d6c88', '#3c5a76', '#334e68', '#20344a'), half)
      // Placket stitching and a chest pocket.
      ctx.strokeStyle = 'rgba(220,200,160,.4)'
      ctx.setLineDash([5, 4])
      ctx.lineWidth = 1.2
      outline(ctx, mirrored('M68 210 C72 260 70 340 64 460', side))
      outline(ctx, () => ctx.roundRect(side > 0 ? 84 : -138, 282, 54, 70, 5))
      ctx.setLineDash([])
      ctx.strokeStyle = 'rgba(8,16,28,.4)'
      outline(ctx, () => ctx.roundRect(side > 0 ? 82 : -140, 280, 58, 74, 6))
    }
    for (const side of [-1, 1]) {
      fold(ctx, k, 'rgba(6,14,26,.55)', 10, side, [s - 30, 250, s - 40, 340, s - 36, 450])
      fold(ctx, k, 'rgba(6,14,26,.32)', 8, side, [s - 34, 252, 110, 276, 84, 268])
      fold(ctx, k, 'rgba(190,214,236,.2)', 10, side, [s - 76, 162, s - 34, 172, s - 8, 214])
      fold(ctx, k, 'rgba(190,214,236,.12)', 9, side, [s - 10, 250, s, 330, s - 4, 440])
    }
    soft(ctx, k, 18, 'rgba(4,10,20,.45)', () => oval(ctx, s + 6, 330, 28, 150))
    for (const side of [-1, 1]) {
      const collar = mirrored('M42 128 Q82 146 104 186 L74 222 Q58 176 42 128', side)
      soft(ctx, k, 4, 'rgba(4,10,20,.55)', collar, 2, 6)
      fill(
        ctx,
        side < 0
          ? gradient(ctx, -104, 130, -50, 220, '#66869f', '#45637f')
          : gradient(ctx, 104, 130, 50, 220, '#35516c', '#40607d'),
        collar,
      )
      ctx.strokeStyle = 'rgba(230,214,180,.35)'
      ctx.lineWidth = 1.1
      ctx.stroke()
    }
  })
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
  fillBox(ctx, gradient(ctx, 0, -9, 0, 7, '#b9a8a0', '#f3ece6', '#e4d8d0'), -a - 2, -14, 2 * a + 4, 26)
  const x = gazeX * side
  const y = -1 + gazeY
  fill(ctx, '#20140f', () => oval(ctx, x, y, 7.7, 7.7))
  const iris = ctx.createRadialGradient(x, y + 2.5, 1, x, y, 7)
  iris.addColorStop(0, look.iris[0])
  iris.addColorStop(1, look.iris[1])
  fill(ctx, iris, () => oval(ctx, x, y, 6.8, 6.8))
  fill(ctx, '#0c0706', () => oval(ctx, x, y, 3.2, 3.2))
  // The lid shades the eye; the window glints in it.
  stroke(ctx, 'rgba(40,20,14,.4)', 5, lidLine)
  fill(ctx, 'rgba(255,255,255,.92)', () => oval(ctx, x - 2.4 * side, y - 2.8, 1.8, 1.8))
  ctx.restore()
  ctx.lineCap = 'round'
  ctx.strokeStyle = '#1c100c'
  ctx.lineWidth = look.lash
  ctx.beginPath()
  lidLine()
  if (look.lash > 2.5) ctx.lineTo(a + 4, -3.4)
  ctx.stroke()
  // Crease above, rim below.
  stroke(ctx, look.skin.deep + '88', 1.5, () => {
    ctx.moveTo(-a + 1, -4 + blink * 1.5)
    ctx.bezierCurveTo(-a * 0.4, -14 + blink * 3, a * 0.5, -14.5 + blink * 3, a + 2, -5)
  })
  stroke(ctx, look.skin.deep + '77', 1.1, () => {
    ctx.moveTo(-a + 2, 4)
    ctx.bezierCurveTo(-a * 0.3, floor * 1.05 + 0.6, a * 0.5, floor * 0.95 + 0.6, a, 0.6)
  })
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
  fill(ctx, gradient(ctx, 0, top - 9, 0, top + 2, lower, upper), () => {
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
  })
  fill(ctx, gradient(ctx, 0, bottom - 1, 0, bottom + 12 * full, upper, lower, upper), () => {
    ctx.moveTo(-half + 1, corner)
    ctx.bezierCurveTo(-half * 0.5, bottom + 1 - open * 2, half * 0.5, bottom + 1 - open * 2, half - 1, corner)
    ctx.bezierCurveTo(half * 0.66, bottom + 9.5 * full, half * 0.3, bottom + 12 * full, 0, bottom + 12 * full)
    ctx.bezierCurveTo(-half * 0.3, bottom + 12 * full, -half * 0.66, bottom + 9.5 * full, -half + 1, corner)
  })
  fill(ctx, 'rgba(255,225,210,.28)', () => oval(ctx, -3, bottom + 6 * full, half * 0.36, 1.9 * full))
  // What shows between them.
  if (open > 0.04) {
    clipped(ctx, inner, () => {
      fillBox(ctx, '#3a0f10', -40, -14, 80, 50)
      fill(ctx, '#a94a48', () => oval(ctx, 0, bottom + 4, half * 0.6, 4 + open * 5))
      fill(ctx, '#efe7dc', () =>
        ctx.roundRect(-half * 0.74, top - 6, half * 1.48, 10.5 + Math.min(3, open * 3), 4),
      )
      fillBox(ctx, 'rgba(60,14,12,.35)', -40, top - 4, 80, 5)
    })
  }
  stroke(ctx, 'rgba(62,18,16,.8)', open > 0.04 ? 1.2 : 1.9, () => {
    ctx.moveTo(-half, corner)
    ctx.bezierCurveTo(-half * 0.5, top - 0.5 + smile, -6, top - 0.2, 0, top + 0.8)
    ctx.bezierCurveTo(6, top - 0.2, half * 0.5, top - 0.5 + smile, half, corner)
  })
  ctx.restore()
}

function drawGlasses(ctx, look) {
  ctx.save()
  ctx.strokeStyle = '#3a2a20'
  ctx.lineWidth = 2.2
  for (const side of [-1, 1]) {
    const x = turned(look, side * 31, 5)
    outline(ctx, () => ctx.roundRect(x - 23, -16, 46, 38, 17))
    outline(ctx, () => {
      ctx.moveTo(x + side * 23, -4)
      ctx.lineTo(side * (look.cheek + 1), -7)
    })
  }
  outline(ctx, () => {
    ctx.moveTo(turned(look, -31, 5) + 23, -2)
    ctx.quadraticCurveTo(look.turn * 6, -8, turned(look, 31, 5) - 23, -2)
  })
  ctx.strokeStyle = 'rgba(255,255,255,.22)'
  ctx.lineWidth = 3
  for (const side of [-1, 1]) {
    const x = turned(look, side * 31, 5)
    outline(ctx, () => {
      ctx.moveTo(x - 14, -9)
      ctx.lineTo(x - 6, -12)
    })
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
