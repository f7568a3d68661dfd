/** Detects faces with YuNet through ONNX. One thread: several pictures in parallel are faster than several threads. */
import '../../models/no-telemetry.ts'
import { join } from 'node:path'
import { Tensor, type InferenceSession } from 'onnxruntime-node'
import type { InstalledModel } from '../../models/installed.ts'
import { suppressOverlaps, type Face } from '../stages/faces/pure/face.ts'
import type { Inference } from './providers.ts'
import { openSession } from './session.ts'

export type FaceDetector = Awaited<ReturnType<typeof loadFaceDetector>>

const STRIDES = [8, 16, 32] as const
/** Below this score most detections are not faces; measured on group photographs. */
const MIN_SCORE = 0.75
const OVERLAP = 0.3

export async function loadFaceDetector(model: InstalledModel, preference: Inference) {
  const { session, provider } = await openSession(join(model.folder, model.files[0]?.path ?? ''), preference)
  const input = session.inputNames[0] ?? 'input'
  let planes = new Float32Array(0)
  return {
    /** `bgr`: interleaved bytes of a picture whose sides are multiples of 32. The most likely face comes first; none below `minScore`. */
    find: async (bgr: Uint8Array, width: number, height: number, minScore = MIN_SCORE): Promise<Face[]> => {
      const size = width * height
      if (planes.length !== size * 3) planes = new Float32Array(size * 3)
      for (let pixel = 0; pixel < size; pixel += 1) {
        planes[pixel] = bgr[pixel * 3] ?? 0
        planes[size + pixel] = bgr[pixel * 3 + 1] ?? 0
        planes[2 * size + pixel] = bgr[pixel * 3 + 2] ?? 0
      }
      const answer = await session.run({ [input]: new Tensor('float32', planes, [1, 3, height, width]) })
      return suppressOverlaps(
        STRIDES.flatMap((stride) => facesOfStride(answer, stride, width, height, minScore)),
        OVERLAP,
      )
    },
    close: () => session.release(),
    [Symbol.asyncDispose]: () => session.release(),
    /** The execution provider that the model runs on. */
    provider,
  }
}

/** For every cell the model gives the offset of the face's centre and the face's size, in cells. */
function facesOfStride(
  answer: InferenceSession.OnnxValueMapType,
  stride: number,
  width: number,
  height: number,
  minScore: number,
): Face[] {
  const of = (name: string): Float32Array => answer[`${name}_${stride}`]?.data as Float32Array
  const classes = of('cls')
  const objects = of('obj')
  const boxes = of('bbox')
  const points = of('kps')
  const columns = width / stride
  const faces: Face[] = []
  for (let cell = 0; cell < classes.length; cell += 1) {
    const score = Math.sqrt(unit(classes[cell]) * unit(objects[cell]))
    if (score < minScore) continue
    const column = cell % columns
    const row = Math.floor(cell / columns)
    const box = (place: number): number => boxes[cell * 4 + place] ?? 0
    const w = Math.exp(box(2)) * stride
    const h = Math.exp(box(3)) * stride
    const landmarks = Array.from({ length: 10 }, (_, place) => {
      const value = points[cell * 10 + place] ?? 0
      return place % 2 === 0 ? ((value + column) * stride) / width : ((value + row) * stride) / height
    })
    faces.push({
      x: ((column + box(0)) * stride - w / 2) / width,
      y: ((row + box(1)) * stride - h / 2) / height,
      width: w / width,
      height: h / height,
      score,
      landmarks,
    })
  }
  return faces
}

const unit = (value: number | undefined): number => Math.min(1, Math.max(0, value ?? 0))
