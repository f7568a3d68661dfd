/** Which speech model suits a machine: the one that is chosen by default, and the one that is recommended for install. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join } from 'node:path'

export interface MachineFacts {
  readonly platform: string
  readonly arch: string
  readonly cores: number
  readonly memoryBytes: number
  /** Whether the runtime library for NVIDIA cards is installed. */
  readonly cudaLibrary: boolean
}

/** `card`: a graphics card that inference runs on. `strong`: many cores and enough memory. `small`: everything else. */
export type MachineKind = 'card' | 'strong' | 'small'

const STRONG_CORES = 8
/** Seven gigabytes, because the firmware of a machine sold with 8 GB takes a part. */
const STRONG_BYTES = 7 * 1024 ** 3

/**
 * PURE. `inference`: the setting of that name. DirectML exists in every Windows and says nothing about how fast the card
 * is, so it counts only when it is configured by name.
 */
export function classifyMachine(inference: string, facts: MachineFacts): MachineKind {
  const byItself =
    (facts.platform === 'linux' && facts.cudaLibrary) ||
    (facts.platform === 'darwin' && facts.arch === 'arm64')
  if (inference === 'auto' ? byItself : inference !== 'cpu') return 'card'
  return facts.cores >= STRONG_CORES && facts.memoryBytes >= STRONG_BYTES ? 'strong' : 'small'
}

/** Best first. Base runs at about real time on two small cores; turbo needs a graphics card; tiny is never a default. */
const SPEECH_ORDER: Readonly<Record<MachineKind, readonly string[]>> = {
  card: ['whisper-large-v3-turbo', 'whisper-small', 'whisper-base', 'whisper-tiny'],
  strong: ['whisper-small', 'whisper-base', 'whisper-large-v3-turbo', 'whisper-tiny'],
  small: ['whisper-base', 'whisper-tiny', 'whisper-small', 'whisper-large-v3-turbo'],
}

/** PURE. Names of speech models, the most suitable first. */
export function rankSpeechModels(kind: MachineKind): readonly string[] {
  return SPEECH_ORDER[kind]
}

/** PURE. The speech model to install when there is none; only machines with a card get a download of half a gigabyte. */
export function recommendSpeechModel(kind: MachineKind): string {
  return kind === 'card' ? 'whisper-large-v3-turbo' : 'whisper-base'
}

/**
 * PURE. The models that make the best of a machine: its speech model and those that every run can use. The model for
 * active speakers is left out, because no run uses it yet.
 */
export function recommendModels(kind: MachineKind, speech = recommendSpeechModel(kind)): readonly string[] {
  return [
    speech,
    'silero-vad',
    'yunet',
    'pyannote-segmentation',
    'wespeaker-resnet34-lm',
    'multilingual-minilm',
    'yamnet',
  ]
}

/** PURE. Describes the machine in words, as far as models are concerned. */
export function describeMachine(kind: MachineKind, { cores, memoryBytes }: MachineFacts): string {
  const card = kind === 'card' ? 'a graphics card that models run on' : 'no graphics card that models run on'
  return `${cores} ${cores === 1 ? 'core' : 'cores'}, ${Math.round(memoryBytes / 1024 ** 3)} GB of memory, ${card}`
}

/** Whether models run on a graphics card of this machine. `inference`: the setting of that name. */
export const runsModelsOnCard = (inference: string): boolean =>
  classifyMachine(inference, readMachineFacts()) === 'card'

export function readMachineFacts(): MachineFacts {
  return {
    platform: process.platform,
    arch: process.arch,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    cudaLibrary: hasCudaLibrary(),
  }
}

/** CUDA is a separate library beside the runtime that only some installations have. This loads nothing. */
export function hasCudaLibrary(): boolean {
  if (process.platform !== 'linux') return false
  try {
    const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'))
    const folder = join(runtime, 'bin', 'napi-v6', process.platform, process.arch)
    return existsSync(join(folder, 'libonnxruntime_providers_cuda.so'))
  } catch {
    // The runtime is missing: the doctor reports that.
    return false
  }
}
