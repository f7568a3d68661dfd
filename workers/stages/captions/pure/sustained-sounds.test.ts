import { expect, it } from 'vitest'
import { featuresOf } from './sound-features.ts'
import { findSustained } from './sustained-sounds.ts'

const RATE = 16_000

interface Voiced {
  readonly from: number
  readonly to: number
  /** Formants at its beginning and at its end, Hertz. */
  readonly formants: readonly [readonly number[], readonly number[]]
  readonly hertz?: number
}

/** A second and a half of faint noise with voices in it: pulses through resonators. */
function soundOf(...voices: readonly Voiced[]): Int16Array {
  const samples = new Float64Array(1.5 * RATE)
  let noise = 7
  for (let at = 0; at < samples.length; at += 1) {
    noise = (noise * 1103515245 + 12345) & 0x7fffffff
    samples[at] = (noise % 21) - 10
  }
  for (const { from, to, formants, hertz = 110 } of voices) {
    const size = Math.round((to - from) * RATE)
    let signal = new Float64Array(size)
    // The pitch wavers a little, as it does in people.
    for (let at = 0; at < size; at += RATE / (hertz * (1 + 0.02 * Math.sin(at / 900))))
      signal[Math.round(at)] = 9000
    formants[0].forEach((begin, index) => {
      const end = formants[1][index] ?? begin
      const next = new Float64Array(size)
      for (let at = 0; at < size; at += 1) {
        const radius = Math.exp((-Math.PI * 80) / RATE)
        const one = 2 * radius * Math.cos((2 * Math.PI * (begin + ((end - begin) * at) / size)) / RATE)
        next[at] =
          (1 - one + radius * radius) * (signal[at] ?? 0) +
          one * (next[at - 1] ?? 0) -
          radius * radius * (next[at - 2] ?? 0)
      }
      signal = next
    })
    for (let at = 0; at < size; at += 1) {
      const edge = Math.min(1, at / 320, (size - at) / 320)
      samples[Math.round(from * RATE) + at] =
        edge * Math.max(-30_000, Math.min(30_000, 4 * (signal[at] ?? 0)))
    }
  }
  return Int16Array.from(samples, Math.round)
}

const UH = [600, 1200, 2500]
const find = (samples: Int16Array) => findSustained(samples, featuresOf(samples, RATE, 20))

it('finds where a vowel is held, with its pitch and formants', () => {
  const [sound, ...more] = find(soundOf({ from: 0.4, to: 0.9, formants: [UH, UH] }))
  expect(more).toEqual([])
  expect(sound?.start).toBeCloseTo(20.42, 1)
  expect(sound?.end).toBeCloseTo(20.88, 1)
  expect(sound?.pitchHz).toBeGreaterThan(106)
  expect(sound?.pitchHz).toBeLessThan(114)
  expect(Math.abs((sound?.formant1Hz ?? 0) - 600)).toBeLessThan(60)
  expect(Math.abs((sound?.formant2Hz ?? 0) - 1200)).toBeLessThan(100)
  expect(sound?.wavering).toBeGreaterThan(0.2)
})

it.each([
  ['a vowel as long as those of words', soundOf({ from: 0.4, to: 0.5, formants: [UH, UH] })],
  ['a vowel that moves', soundOf({ from: 0.4, to: 0.6, formants: [UH, [300, 2400, 3000]] })],
  [
    'a tone of an instrument',
    Int16Array.from({ length: RATE }, (_, at) => 9000 * Math.sin(at * 0.08) + 4000 * Math.sin(at * 0.24)),
  ],
  ['noise', Int16Array.from({ length: RATE }, (_, at) => ((at * 7919) % 6007) - 3000)],
  ['nothing', new Int16Array(RATE)],
  ['no samples', new Int16Array()],
])('%s is none', (_, samples) => expect(find(samples)).toEqual([]))

it('a vowel that closes into a nasal is one sound', () => {
  const nasal = [260, 1050, 2200]
  const [sound, ...more] = find(
    soundOf({ from: 0.3, to: 0.55, formants: [UH, UH] }, { from: 0.55, to: 0.8, formants: [nasal, nasal] }),
  )
  expect(more).toEqual([])
  expect((sound?.end ?? 0) - (sound?.start ?? 0)).toBeGreaterThan(0.4)
})

it('a hurried one between silences is an island, told by its vowel', () => {
  const short = { from: 0.6, to: 0.72, formants: [UH, UH] as const }
  const [sound, ...more] = find(soundOf(short))
  expect(more).toEqual([])
  expect(sound?.isIsland).toBe(true)
  expect([sound?.start, sound?.end]).toEqual([expect.closeTo(20.6, 1), expect.closeTo(20.72, 1)])
  const see = [280, 2300, 3000]
  expect(find(soundOf({ ...short, formants: [see, see] }))).toEqual([])
  expect(find(soundOf({ ...short, formants: [UH, [450, 2000, 2600]] }))).toEqual([])
})
