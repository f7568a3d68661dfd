// Sound: the lines laid into one track, with a little of the room around them.
import { randomFrom } from './drawing.mjs'
import { sampleRate } from './speech.mjs'

/** A second-order shelf or bell after the well-known audio EQ cookbook, run in place. */
function equalise(track, { kind, hertz, decibels, q = 0.8 }) {
  const amplitude = 10 ** (decibels / 40)
  const omega = (2 * Math.PI * hertz) / sampleRate
  const cosine = Math.cos(omega)
  const alpha = Math.sin(omega) / (2 * q)
  const root = 2 * Math.sqrt(amplitude) * alpha
  const [b0, b1, b2, a0, a1, a2] = {
    bell: [
      1 + alpha * amplitude,
      -2 * cosine,
      1 - alpha * amplitude,
      1 + alpha / amplitude,
      -2 * cosine,
      1 - alpha / amplitude,
    ],
    lowShelf: [
      amplitude * (amplitude + 1 - (amplitude - 1) * cosine + root),
      2 * amplitude * (amplitude - 1 - (amplitude + 1) * cosine),
      amplitude * (amplitude + 1 - (amplitude - 1) * cosine - root),
      amplitude + 1 + (amplitude - 1) * cosine + root,
      -2 * (amplitude - 1 + (amplitude + 1) * cosine),
      amplitude + 1 + (amplitude - 1) * cosine - root,
    ],
    highPass: [(1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2, 1 + alpha, -2 * cosine, 1 - alpha],
  }[kind]
  let x1 = 0,
    x2 = 0,
    y1 = 0,
    y2 = 0
  for (let i = 0; i < track.length; i++) {
    const x = track[i]
    const y = (b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2) / a0
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    track[i] = y
  }
}

/** The dry voices on one track, each line at its place. */
export function layVoices({ lines, duration }) {
  const track = new Float32Array(Math.ceil(duration * sampleRate))
  for (const { samples, from } of lines) {
    const offset = Math.round(from * sampleRate)
    const fade = Math.round(0.008 * sampleRate)
    for (let i = 0; i < samples.length; i++) {
      const ramp = Math.min(1, i / fade, (samples.length - 1 - i) / fade)
      track[offset + i] += samples[i] * ramp
    }
  }
  return track
}

/** Warms the voices and adds three faint early reflections: flite on its own sounds like a cupboard. */
export function dressVoices(voices) {
  const track = Float32Array.from(voices)
  equalise(track, { kind: 'highPass', hertz: 70, decibels: 0 })
  equalise(track, { kind: 'lowShelf', hertz: 190, decibels: 2.5 })
  equalise(track, { kind: 'bell', hertz: 420, decibels: -2 })
  equalise(track, { kind: 'bell', hertz: 3400, decibels: 3 })
  const dry = Float32Array.from(track)
  for (const [milliseconds, decibels] of [
    [9, -19],
    [17, -22],
    [29, -26],
  ]) {
    const delay = Math.round((milliseconds / 1000) * sampleRate)
    const gain = 10 ** (decibels / 20)
    let dulled = 0
    for (let i = delay; i < track.length; i++) {
      dulled += 0.45 * (dry[i - delay] - dulled)
      track[i] += dulled * gain
    }
  }
  return track
}

/** Gain, a soft ceiling, and room tone at about -60 dB so that silence is a room and not digital zero. */
export function finish(voices, gainDecibels) {
  const gain = 10 ** (gainDecibels / 20)
  const random = randomFrom(7)
  const track = new Float32Array(voices.length)
  const knee = 0.6
  let brown = 0
  for (let i = 0; i < voices.length; i++) {
    const loud = voices[i] * gain
    const size = Math.abs(loud)
    const held = size <= knee ? size : knee + (0.85 - knee) * Math.tanh((size - knee) / (0.85 - knee))
    brown = 0.93 * brown + 0.07 * (random() * 2 - 1)
    track[i] = Math.sign(loud) * held + 0.0085 * brown + 0.0004 * (random() * 2 - 1)
  }
  return track
}

/** Loudness of the voices at each frame, 0 to 1, for how wide the mouths open. */
export function loudnessPerFrame(voices, frameRate, frames) {
  const span = Math.round(sampleRate / frameRate)
  return Float32Array.from({ length: frames }, (_, frame) => {
    const middle = Math.round((frame / frameRate) * sampleRate)
    let sum = 0
    for (let i = middle - span; i < middle + span; i++) sum += (voices[i] ?? 0) ** 2
    return Math.min(1, Math.sqrt(sum / (2 * span)) / 0.12)
  })
}
