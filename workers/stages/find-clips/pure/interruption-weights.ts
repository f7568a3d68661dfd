/** PURE. Written by `npm run train:interruptions`; the inputs are those of interruptions.ts, in their order. */
import type { Weights } from './story-weights.ts'

export const INTERRUPTION_WEIGHTS: Weights = {
  bias: 0.4215,
  weights: [
    1.4018, 1.9, 0.6488, 1.4664, -0.7765, 0.7039, -0.5079, 1.1416, -1.2878, -2.2754, 0.8585, -0.2355, 0.4672,
    -2.1816, -0.375, -0.2556, -0.2358, 0.1679,
  ],
}
