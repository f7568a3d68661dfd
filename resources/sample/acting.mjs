// How the two people move: mouths from the phones being spoken and how loud they are, and the rest
// (blinks, nods, glances, breath) from slow curves and seeded chance.
import { randomFrom } from './drawing.mjs'

// How far a phone opens the mouth, and how far it spreads (+) or rounds (-) the lips.
const shapes = {
  aa: [0.9, 0],
  ae: [0.82, 0.3],
  ah: [0.6, 0],
  ao: [0.78, -0.4],
  aw: [0.82, -0.3],
  ax: [0.42, 0],
  ay: [0.8, 0.2],
  eh: [0.6, 0.3],
  er: [0.4, -0.3],
  ey: [0.55, 0.5],
  ih: [0.4, 0.35],
  iy: [0.3, 0.8],
  ow: [0.58, -0.7],
  oy: [0.62, -0.6],
  uh: [0.42, -0.5],
  uw: [0.3, -1],
  b: [0, 0],
  m: [0, 0],
  p: [0, 0],
  f: [0.1, 0.1],
  v: [0.1, 0.1],
  w: [0.2, -0.9],
  r: [0.28, -0.35],
  l: [0.34, 0.1],
  s: [0.16, 0.35],
  z: [0.16, 0.35],
  sh: [0.22, -0.5],
  zh: [0.22, -0.5],
  ch: [0.22, -0.45],
  jh: [0.22, -0.4],
  t: [0.2, 0.1],
  d: [0.22, 0.1],
  n: [0.2, 0.1],
  k: [0.28, 0],
  g: [0.28, 0],
  ng: [0.26, 0],
  th: [0.22, 0.1],
  dh: [0.22, 0.1],
  hh: [0.36, 0],
  y: [0.26, 0.5],
  pau: [0, 0],
}

/** Smooth wandering in -1..1, different for each seed. */
const drift = (seconds, seed) =>
  0.5 * Math.sin(seconds * 0.71 + seed * 1.7) +
  0.3 * Math.sin(seconds * 1.33 + seed * 2.9) +
  0.2 * Math.sin(seconds * 2.17 + seed * 4.1)

/** Runs a target through a two-pole follower, forwards only, so that it lags a little and never jumps. */
function follow(target, rate) {
  const out = new Float32Array(target.length)
  let a = target[0]
  let b = target[0]
  for (let i = 0; i < target.length; i++) {
    a += (target[i] - a) * rate
    b += (a - b) * rate
    out[i] = b
  }
  return out
}

function blinks(frames, frameRate, seed) {
  const random = randomFrom(seed)
  const lid = new Float32Array(frames)
  const closing = [0.35, 0.85, 1, 0.75, 0.4, 0.15]
  for (let seconds = 1 + random() * 2; ; seconds += 2.2 + random() * 3.2) {
    const first = Math.round(seconds * frameRate)
    if (first >= frames) return lid
    closing.forEach((shut, i) => {
      if (first + i < frames) lid[first + i] = shut
    })
  }
}

/** Returns poses[frame] for one person. */
export function act(who, { lines, phones }, loudness, frameRate, frames) {
  const seed = who === 'host' ? 3 : 8
  const random = randomFrom(seed * 100)
  const open = new Float32Array(frames)
  const spread = new Float32Array(frames)
  const talking = new Float32Array(frames)
  const smile = new Float32Array(frames).fill(0.28)
  const brow = new Float32Array(frames)
  const frown = new Float32Array(frames)
  const nod = new Float32Array(frames)
  const gaze = new Float32Array(frames).fill(who === 'host' ? 2 : -2)

  const each = (from, to, what) => {
    for (
      let i = Math.max(0, Math.round(from * frameRate));
      i < Math.min(frames, Math.round(to * frameRate));
      i++
    )
      what(i)
  }
  for (const { phone, start, end, speaker } of phones) {
    if (speaker !== who) continue
    const [wide, lips] = shapes[phone] ?? [0.3, 0]
    // The lips are on their way before the sound: a frame and a half makes up for the follower's lag.
    each(start - 0.05, end - 0.05, (i) => {
      open[i] = wide * (0.5 + 0.8 * loudness[Math.min(frames - 1, i + 1)])
      spread[i] = lips
    })
  }
  for (const line of lines) {
    if (line.speaker === who) {
      each(line.start - 0.15, line.end + 0.1, (i) => {
        talking[i] = 1
      })
      // A glance away while thinking, at fillers; a lift of the brows on some lines.
      for (const { word, start, end } of line.words) {
        if (/^(um|uh),?$/i.test(word))
          each(start - 0.1, end + 0.35, (i) => {
            gaze[i] = who === 'host' ? -3.2 : 3.2
            frown[i] = 0.5
          })
      }
      if (random() < 0.55 || line.text.endsWith('?'))
        each(line.start, line.start + Math.min(1.2, line.end - line.start), (i) => {
          brow[i] = 0.8
        })
      // A small dip of the head lands on the last word.
      const last = line.words.at(-1)
      each(last.start, last.end, (i) => {
        nod[i] += 3
      })
    } else if (line.end - line.start > 1.4 && random() < 0.5) {
      // The listener nods twice at the end of what is said.
      each(line.end - 0.1, line.end + 0.12, (i) => {
        nod[i] += 3.4
      })
      each(line.end + 0.34, line.end + 0.52, (i) => {
        nod[i] += 2.4
      })
    }
    const mood = line.mood
    if (mood === 'warm')
      each(line.start - 0.2, line.end + line.gap, (i) => {
        smile[i] = line.speaker === who ? 0.75 : 0.65
      })
    if (mood === 'grave')
      each(line.start, line.end + line.gap, (i) => {
        smile[i] = -0.12
        frown[i] = 0.6
      })
  }
  const mouth = follow(open, 0.62)
  const lips = follow(spread, 0.45)
  const smiling = follow(smile, 0.1)
  const raised = follow(brow, 0.14)
  const frowning = follow(frown, 0.14)
  const nodding = follow(nod, 0.24)
  const lively = follow(talking, 0.08)
  const looking = follow(gaze, 0.3)
  const lids = blinks(frames, frameRate, seed * 7)

  return (frame) => {
    const seconds = frame / frameRate
    const energy = 0.45 + 0.9 * lively[frame]
    return {
      headX: drift(seconds * 0.8, seed) * 3.4 * energy,
      headY: drift(seconds * 1.1, seed + 5) * 1.8 * energy + nodding[frame],
      tilt: drift(seconds * 0.9, seed + 9) * 0.022 * energy,
      breath: Math.sin(seconds * 1.55 + seed),
      brow: raised[frame] * 0.8 + 0.15 * drift(seconds, seed + 2),
      frown: frowning[frame],
      eyes: {
        blink: lids[frame],
        gazeX: looking[frame] + 0.5 * drift(seconds * 0.6, seed + 4),
        gazeY: 0.5 * drift(seconds * 0.5, seed + 6),
        squint: Math.max(0, smiling[frame]) * 0.55,
      },
      mouth: { open: mouth[frame], spread: lips[frame], smile: smiling[frame] * (1 - 0.4 * mouth[frame]) },
    }
  }
}
