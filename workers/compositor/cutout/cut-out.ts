/**
 * Cuts a person out of a picture. Rendering and the studio's preview both call this with their own pixels of the same
 * moment. Few clips need it, so it is imported only when one does: import `cut-out-job.ts` for everything else.
 *
 *   const job = cutOutJob(layer, picture, unit)
 *   // scale `job.region` of the picture to `job.work`, and `job.part` to `job.size`, and read their pixels
 *   const cut = cutOut(job, work, large)       // null: no outline was found
 */
import type { Rect } from '../../../server/contract/composition.ts'
import { parseColour, WHITE } from '../colour.ts'
import type { CutOutJob } from './cut-out-job.ts'
import { ownColours } from './own-colours.ts'
import { followColours, matteOf } from './matte.ts'
import { personPrior } from './person-prior.ts'
import type { Mask, Pixels } from './pixels.ts'
import { distanceTo } from './ring.ts'
import { segmentPerson } from './segment.ts'
import { standsOut } from './stands-out.ts'
import { tidy } from './tidy.ts'

/**
 * The person with a soft edge and, if the job has one, a ring around the outline. The picture has the job's size plus its
 * margin on each side. Null where no person stands out from the background.
 */
export function cutOut(job: CutOutJob, work: Pixels, large: Pixels): Pixels | null {
  const person = personIn(job, work)
  if (person === null) return null
  const { box } = job
  const matte = matteOf(followColours(work, person), box, large)
  return painted(job, ownColours(large, matte), matte)
}

/** A mask of the scaled region with 1 for each pixel of the person; null where no person stands out. */
export function personIn(job: CutOutJob, work: Pixels): Uint8Array | null {
  const { width, height } = work
  const { box, faces, others, bias } = job
  const prior = personPrior({ width, height, box, faces, others })
  const person = segmentPerson(work, prior, bias)
  tidy(person, prior.fixed, width, height)
  tidyWithin(box, person, prior.fixed, width)
  return standsOut(work, person, box) ? person : null
}

/** Removes pieces again that are connected to the person only outside the box, and would be loose inside it. */
function tidyWithin(box: Rect, person: Uint8Array, fixed: Uint8Array, width: number): void {
  const isInside = (at: number): boolean => {
    const x = (at % width) + 0.5 - box.x
    const y = Math.floor(at / width) + 0.5 - box.y
    return x >= 0 && y >= 0 && x <= box.width && y <= box.height
  }
  const within = person.map((one, at) => (isInside(at) ? one : 0))
  tidy(within, fixed, width, person.length / width)
  for (let at = 0; at < person.length; at++) if (isInside(at)) person[at] = within[at]!
}

function painted({ ring, margin }: CutOutJob, colours: Pixels, matte: Mask): Pixels {
  const { width, height } = matte
  const wide = width + 2 * margin
  const high = height + 2 * margin
  const data = new Uint8ClampedArray(wide * high * 4)
  const form = new Float32Array(wide * high)
  for (let y = 0; y < height; y++)
    form.set(matte.data.subarray(y * width, (y + 1) * width), (y + margin) * wide + margin)
  const away = ring === null ? null : distanceTo(form, wide, high)
  const paint = parseColour(ring?.colour ?? '') ?? WHITE
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = y * wide + x
      const own = form[at]!
      const around =
        away === null || ring === null ? 0 : Math.min(1, Math.max(0, ring.width + 0.5 - away[at]!))
      const under = around * paint.alpha * (1 - own)
      const opacity = own + under
      if (opacity <= 0) continue
      const from = ((y - margin) * width + x - margin) * 4
      const mix = (channel: number, ringed: number): number =>
        ((own === 0 ? 0 : own * colours.data[from + channel]!) + under * ringed) / opacity
      data[at * 4] = mix(0, paint.red)
      data[at * 4 + 1] = mix(1, paint.green)
      data[at * 4 + 2] = mix(2, paint.blue)
      data[at * 4 + 3] = opacity * 255
    }
  return { width: wide, height: high, data }
}
