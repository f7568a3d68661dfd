/** The sources that the known-text model is measured with. All but the first are held out from its training. */
import type { SourcePlan } from './known-sources.ts'

const NEAR = [
  { tempo: 0.945, pitch: 1.02 },
  { tempo: 1.055, pitch: 0.935 },
] as const
const FAR = [
  { tempo: 0.9, pitch: 1.065 },
  { tempo: 1.1, pitch: 0.89 },
] as const

export const PLANS: readonly SourcePlan[] = [
  {
    name: 'changes of the training',
    seed: 11,
    changes: [
      { tempo: 0.97, pitch: 1.04 },
      { tempo: 1.08, pitch: 0.91 },
    ],
    noise: 'pink',
    decibels: 25,
    cuts: 'trained',
  },
  {
    name: 'held out 1: no noise',
    seed: 21,
    changes: NEAR,
    noise: 'none',
    decibels: 0,
    cuts: 'pauses',
  },
  {
    name: 'held out 2: brown noise, 15 dB',
    seed: 22,
    changes: NEAR,
    noise: 'brown',
    decibels: 15,
    cuts: 'pauses',
  },
  {
    name: 'held out 3: a fan, 18 dB',
    seed: 23,
    changes: FAR,
    noise: 'band',
    decibels: 18,
    cuts: 'pauses',
  },
  {
    name: 'held out 4: brown noise, 20 dB',
    seed: 24,
    changes: FAR,
    noise: 'brown',
    decibels: 20,
    cuts: 'pauses',
  },
  {
    name: 'cut amid phrases, no noise',
    seed: 25,
    changes: NEAR,
    noise: 'none',
    decibels: 0,
    cuts: 'phrases',
  },
]
