/** A worker that cuts people out, so that the page stays responsive. */
import { cutOut } from '../../workers/compositor/cutout/cut-out.ts'
import type { CutOutJob } from '../../workers/compositor/cutout/cut-out-job.ts'
import type { Pixels } from '../../workers/compositor/cutout/pixels.ts'

export interface CutOutQuestion {
  readonly id: number
  readonly job: CutOutJob
  readonly work: Pixels
  readonly large: Pixels
}

export interface CutOutAnswer {
  readonly id: number
  /** Null: no person was found. */
  readonly cut: Pixels | null
}

self.addEventListener('message', ({ data }: MessageEvent<CutOutQuestion>) => {
  const { id, job, work, large } = data
  const cut = cutOut(job, work, large)
  const answer: CutOutAnswer = { id, cut }
  self.postMessage(answer, { transfer: cut === null ? [] : [cut.data.buffer] })
})
