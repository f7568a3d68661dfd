/** Numbers that tell a voice from others, by an embedding model through ONNX; the manifest says which features a model takes. */
import '../../models/no-telemetry.ts'
import { join } from 'node:path'
import { Tensor } from 'onnxruntime-node'
import type { InstalledModel } from '../../models/installed.ts'
import type { VoiceModel } from '../../models/manifest.ts'
import { fbank } from '../stages/speakers/pure/fbank.ts'
import type { FrontEnd } from '../stages/speakers/pure/front-end.ts'
import { mfcc } from '../stages/speakers/pure/mfcc.ts'
import type { Inference } from './providers.ts'
import { openSession } from './session.ts'

const FRONT_ENDS: Readonly<Record<VoiceModel['frontEnd'], FrontEnd>> = { 'mfcc-40': mfcc, 'fbank-80': fbank }

/** Throws Error for a model that the manifest says nothing of. */
export async function loadVoiceEmbedding(model: InstalledModel, preference: Inference) {
  const { voice } = model
  if (voice === undefined) throw new Error(`${model.name} has no front end in the manifest`)
  const frontEnd = FRONT_ENDS[voice.frontEnd]
  const { session } = await openSession(join(model.folder, model.files[0]?.path ?? ''), preference)
  const [input = 'feats'] = session.inputNames
  const [output = 'embs'] = session.outputNames
  return {
    frontEnd,
    sameVoice: voice.sameVoice,
    /** The voice of a piece, of length one. `rows`: its features (at least one row). */
    embed: async (rows: Float32Array): Promise<Float32Array> => {
      const { windows, count } = splitRows(frontEnd, rows)
      const dims = [count, windows.length / count / frontEnd.width, frontEnd.width]
      const answer = await session.run({ [input]: new Tensor('float32', windows, dims) })
      return meanVoice(answer[output]?.data as Float32Array, count)
    },
    [Symbol.asyncDispose]: () => session.release(),
  }
}

/** The windows that a model takes, one after the other; the last one ends with the rows. */
function splitRows({ window, width }: FrontEnd, rows: Float32Array) {
  const all = rows.length / width
  if (window === null || all <= window.rows) return { windows: rows, count: 1 }
  const count = Math.ceil((all - window.rows) / window.hop) + 1
  const windows = new Float32Array(count * window.rows * width)
  for (let at = 0; at < count; at += 1) {
    const first = Math.min(at * window.hop, all - window.rows)
    windows.set(rows.subarray(first * width, (first + window.rows) * width), at * window.rows * width)
  }
  return { windows, count }
}

function meanVoice(values: Float32Array, count: number): Float32Array {
  const size = values.length / count
  const voice = new Float32Array(size)
  for (let at = 0; at < values.length; at += 1) voice[at % size] = (voice[at % size] ?? 0) + (values[at] ?? 0)
  const length = Math.max(1e-12, Math.hypot(...voice))
  return voice.map((value) => value / length)
}
