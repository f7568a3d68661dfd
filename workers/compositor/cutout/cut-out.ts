/**
 * Cuts a person out of a picture. Rendering and the studio's preview both call this with their own pixels of the same
 * moment. Few clips need it, so it is imported only when one does: import `cut-out-job.ts` for everything else.
 *
 *   const job = cutOutJob(layer, picture, unit)
 *   // scale `job.region` of the picture to `job.work`, and `job.part` to `job.size`, and read their pixels
 *   const cut = cutOut(job, work, large)       // null: no outline was found
 */
import type { CutOutJob } from './cut-out-job.ts'
import { followColours, matteOf } from './matte.ts'
import { hasClearOutline } from './outline.ts'
import { paintCutOut, replaceEdgeColours } from './paint.ts'
import { personPrior } from './person-prior.ts'
import type { Pixels } from './pixels.ts'
import { segmentPerson } from './segment.ts'
import { tidyMask, tidyWithin } from './tidy.ts'

/**
 * The person with a soft edge and, if the job has one, a ring around the outline. The picture has the job's size plus its
 * margin on each side. Null where no person stands out from the background.
 */
export function cutOut(job: CutOutJob, work: Pixels, large: Pixels): Pixels | null {
  const person = personIn(job, work)
  if (person === null) return null
  const { box } = job
  const matte = matteOf(followColours(work, person), box, large)
  return paintCutOut(job, replaceEdgeColours(large, matte), matte)
}

/** A mask of the scaled region with 1 for each pixel of the person; null where no person stands out. */
export function personIn(job: CutOutJob, work: Pixels): Uint8Array | null {
  const { width, height } = work
  const { box, faces, others, bias } = job
  const prior = personPrior({ width, height, box, faces, others })
  const person = segmentPerson(work, prior, bias)
  tidyMask(person, prior.fixed, width, height)
  tidyWithin(box, person, prior.fixed, width)
  return hasClearOutline(work, person, box) ? person : null
}
