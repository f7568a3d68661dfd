/** Cut-outs of people for layers: computed in a worker, and cached. */
import type { ImageLayer, Rect } from '../../server/contract/composition.ts'
import { cutOutDigest, cutOutJob, type CutOutJob } from '../../workers/compositor/cutout/cut-out-job.ts'
import type { Pixels } from '../../workers/compositor/cutout/pixels.ts'
import type { VideoPicture } from '../../workers/compositor/layers/layer.ts'
import { preview } from '../messages/picture.ts'
import { ConnectionLost } from '../state/outage.ts'
import { openContext } from './canvas.ts'
import type { CutOutAnswer, CutOutQuestion } from './cut-out-thread.ts'

export interface CutOutsRequest {
  readonly layers: readonly ImageLayer[]
  readonly picture: VideoPicture
  /** What the picture is of: the same words, the same picture. */
  readonly moment: string
  /** Output pixels per reference unit. */
  readonly unit: number
}

export type CutOuts = ReturnType<typeof openCutOuts>

/** Cached for scrubbing back and forth; a picture takes some megabytes. */
const MAX_CACHED = 8

/** `onBusy`: a search is running. `onUnclear`: the last search found no person. */
export function openCutOuts(events: {
  readonly onBusy: (busy: boolean) => void
  readonly onUnclear: (unclear: boolean) => void
}) {
  const cache = new Map<string, Promise<HTMLCanvasElement | null>>()
  let thread: Thread | null = null
  function find({ layers: _, picture, moment, unit }: CutOutsRequest, layer: ImageLayer) {
    const job = cutOutJob(layer, picture, unit)
    const key = `${moment} ${JSON.stringify(job)}`
    const known = cache.get(key)
    cache.delete(key)
    const found =
      known ??
      (thread ??= openThread(() => (thread = null)))
        .ask(job, pixelsOf(picture, job.region, job.work), pixelsOf(picture, job.part, job.size))
        .then(canvasOf)
    cache.set(key, found)
    for (const oldest of [...cache.keys()].slice(0, -MAX_CACHED)) cache.delete(oldest)
    // A failed search is repeated the next time.
    found.catch(() => cache.delete(key))
    return found
  }
  return {
    /** By `cutOutDigest`, without layers in which no person was found. Rejects where the worker fails. */
    of: async (request: CutOutsRequest): Promise<ReadonlyMap<string, HTMLCanvasElement>> => {
      events.onBusy(request.layers.length > 0)
      try {
        const found = await Promise.all(
          request.layers.map(async (layer) => [cutOutDigest(layer), await find(request, layer)] as const),
        )
        events.onUnclear(found.some(([, cut]) => cut === null))
        return new Map(found.flatMap(([digest, cut]) => (cut === null ? [] : [[digest, cut] as const])))
      } finally {
        events.onBusy(false)
      }
    },
    close: (): void => {
      thread?.close()
      thread = null
      cache.clear()
    },
  }
}

type Thread = ReturnType<typeof openThread>

function openThread(onFailed: () => void) {
  const worker = new Worker(new URL('./cut-out-thread.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<
    number,
    { resolve: (cut: Pixels | null) => void; reject: (reason: Error) => void }
  >()
  let lastQuestion = 0
  const fail = (why = new Error(preview.noOutline)): void => {
    for (const { reject } of waiting.values()) reject(why)
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<CutOutAnswer>) => {
    waiting.get(data.id)?.resolve(data.cut)
    waiting.delete(data.id)
  })
  worker.addEventListener('error', (event) => {
    worker.terminate()
    onFailed()
    // A script that was not loaded has no message.
    fail(event instanceof ErrorEvent ? undefined : new ConnectionLost(preview.noOutline))
  })
  return {
    ask: (job: CutOutJob, work: Pixels, large: Pixels) =>
      new Promise<Pixels | null>((resolve, reject) => {
        const question: CutOutQuestion = { id: ++lastQuestion, job, work, large }
        waiting.set(question.id, { resolve, reject })
        worker.postMessage(question, [work.data.buffer, large.data.buffer])
      }),
    close: (): void => {
      fail()
      worker.terminate()
    },
  }
}

/** A rectangle of the picture in another size, as the export takes it. */
function pixelsOf({ image }: VideoPicture, from: Rect, size: { width: number; height: number }): Pixels {
  const context = contextOf(size)
  context.imageSmoothingQuality = 'high'
  context.drawImage(
    image as CanvasImageSource,
    from.x,
    from.y,
    from.width,
    from.height,
    0,
    0,
    size.width,
    size.height,
  )
  const { width, height, data } = context.getImageData(0, 0, size.width, size.height)
  return { width, height, data }
}

function canvasOf(cut: Pixels | null): HTMLCanvasElement | null {
  if (cut === null) return null
  const context = contextOf(cut)
  const picture = context.createImageData(cut.width, cut.height)
  picture.data.set(cut.data)
  context.putImageData(picture, 0, 0)
  return context.canvas
}

function contextOf({ width, height }: { readonly width: number; readonly height: number }) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return openContext(canvas)
}
