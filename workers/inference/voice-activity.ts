/** Detects where somebody speaks: with Silero through ONNX if installed, otherwise by level. One value per frame. */
import '../../models/no-telemetry.ts'
import { join } from 'node:path'
import { Tensor, type InferenceSession } from 'onnxruntime-node'
import type { InstalledModel } from '../../models/installed.ts'
import { percentile } from '../stages/captions/pure/sound-features.ts'
import type { StageContext } from '../stages/context.ts'
import { voiceFromLevel, voiceSegments, type VoiceSegment } from '../stages/speech/pure/plan-windows.ts'
import { throwIfCancelled } from './cancel.ts'
import { findVoiceModel } from './find-model.ts'
import type { Inference } from './providers.ts'
import { openSession } from './session.ts'
import type { WavFile } from './wav-file.ts'

interface VoiceOptions {
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number) => void
  /** Passes pages on; those of an interrupted attempt are not made again. */
  readonly once?: MakePage
  /** What the first page begins with; absent: the sound begins here. */
  readonly before?: Carried
  readonly onPage?: (page: VoicePage) => void
}

type MakePage = (make: () => Promise<VoicePage>) => Promise<VoicePage>

/** What a page begins with, from the one before it. */
interface Carried {
  readonly state: Float32Array
  /** The last samples. */
  readonly context: Float32Array
}

/** What the model says of a page, and what the next one begins with. */
export interface VoicePage extends Carried {
  readonly probabilities: Float32Array
}

/** The model takes 512 samples at 16 kHz preceded by 64 samples of context, and returns its state for the next call. */
const FRAME = 512
const CONTEXT = 64
const STATE = 2 * 1 * 128
const PAGE_SECONDS = 60
/** Numbers of what a page begins with. */
export const CARRIED = { state: STATE, context: CONTEXT } as const

/**
 * Where somebody speaks, in seconds: by the installed model, or by level with a warning. `onProgress` gets 0 to 1 and a
 * note for people.
 */
export async function detectVoice(
  context: Pick<StageContext, 'modelFolders' | 'signal' | 'warn' | 'inference'>,
  wav: WavFile,
  onProgress: (fraction: number, note: string) => void,
  once: MakePage,
): Promise<VoiceSegment[]> {
  const note = 'Looking for voices'
  onProgress(0, note)
  const report = (fraction: number): void => onProgress(fraction, note)
  const options = { signal: context.signal, onProgress: report, once }
  const model = await findVoiceModel(context.modelFolders)
  if (model === null)
    context.warn(
      'The voice activity model is not installed, so voices were found by loudness, which noise can mislead. Install it with: cutroom models install silero-vad',
    )
  const { probabilities, frameSeconds } =
    model === null
      ? await detectVoiceByLevel(wav, options)
      : await detectVoiceByModel(wav, model, options, context)
  return voiceSegments(probabilities, frameSeconds)
}

/** Detects voice with the model. The sound must be 16 kHz. */
export async function detectVoiceByModel(
  wav: WavFile,
  model: InstalledModel,
  options: VoiceOptions,
  preference: Inference,
) {
  const file = join(model.folder, model.files[0]?.path ?? '')
  const { session } = await openSession(file, preference, { manySmallSteps: true })
  return runSilero(session, wav, options).finally(() => session.release())
}

async function runSilero(session: InferenceSession, wav: WavFile, options: VoiceOptions) {
  const frameSeconds = FRAME / wav.sampleRate
  const probabilities = new Float32Array(Math.floor(wav.durationSeconds / frameSeconds))
  const pageFrames = Math.round(PAGE_SECONDS / frameSeconds)
  let before: Carried = options.before ?? {
    state: new Float32Array(STATE),
    context: new Float32Array(CONTEXT),
  }
  const { once = (make) => make() } = options
  for (let first = 0; first < probabilities.length; first += pageFrames) {
    throwIfCancelled(options.signal)
    options.onProgress(first / probabilities.length)
    const frames = Math.min(pageFrames, probabilities.length - first)
    const page = await once(async () => {
      const samples = await wav.read(first * frameSeconds, (first + pageFrames) * frameSeconds)
      return runPage(session, { samples, frames, sampleRate: wav.sampleRate, ...before })
    })
    probabilities.set(page.probabilities, first)
    options.onPage?.(page)
    before = page
  }
  return { probabilities, frameSeconds }
}

interface PageSound extends Carried {
  readonly samples: Int16Array
  readonly frames: number
  readonly sampleRate: number
}

async function runPage(session: InferenceSession, sound: PageSound): Promise<VoicePage> {
  const { samples, frames, sampleRate } = sound
  const rate = new Tensor('int64', BigInt64Array.of(BigInt(sampleRate)), [])
  let state = new Tensor('float32', sound.state.slice(), [2, 1, 128])
  const probabilities = new Float32Array(frames)
  const input = new Float32Array(CONTEXT + FRAME)
  input.set(sound.context, FRAME)
  for (let frame = 0; frame < frames; frame += 1) {
    input.copyWithin(0, FRAME)
    for (let index = 0; index < FRAME; index += 1)
      input[CONTEXT + index] = (samples[frame * FRAME + index] ?? 0) / 32768
    const result = await session.run({
      input: new Tensor('float32', input, [1, CONTEXT + FRAME]),
      state,
      sr: rate,
    })
    probabilities[frame] = Number(result['output']?.data[0] ?? 0)
    state = result['stateN'] as typeof state
  }
  return { probabilities, state: Float32Array.from(state.data), context: input.slice(FRAME) }
}

/** Detects voice by level, which works for clean recordings. */
export async function detectVoiceByLevel(wav: WavFile, options: VoiceOptions) {
  const levels = new Float32Array(Math.ceil(wav.durationSeconds * 100))
  for (let at = 0; at < wav.durationSeconds; at += PAGE_SECONDS) {
    throwIfCancelled(options.signal)
    options.onProgress(at / wav.durationSeconds)
    const page = await wav.features(at, at + PAGE_SECONDS)
    const first = Math.round(at * 100)
    levels.set(page.levelDb.subarray(0, Math.max(0, levels.length - first)), first)
  }
  return {
    probabilities: voiceFromLevel(levels, percentile(levels, 0.1), percentile(levels, 0.9)),
    frameSeconds: 0.01,
  }
}
