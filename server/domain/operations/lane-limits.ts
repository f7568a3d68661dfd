/** How much a machine does at once, by its cores. PURE. */
import type { Lane } from '../../../workers/stages/declare.ts'

export interface LaneLimits extends Readonly<Record<Lane, number>> {
  /** Of the cpu lane, how many may be renders: each one uses several cores. */
  readonly render: number
}

/** Places for a machine with this many cores. Never below two on the cpu lane: much of the work is single-threaded. */
export function laneLimits(cores: number): LaneLimits {
  const cpu = Math.max(2, Math.floor(cores / 2))
  return { network: 4, live: 8, cpu, gpu: 1, render: Math.max(1, Math.floor(cores / 4)) }
}
