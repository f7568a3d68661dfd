/** Which speech model suits a machine: what is chosen when nobody says, and what is recommended when there is none. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join } from 'node:path'

export interface MachineFacts {
  readonly platform: string
  readonly arch: string
  readonly cores: number
  readonly memoryBytes: number
  /** Whether the runtime's library for NVIDIA cards was installed. */
  readonly cudaLibrary: boolean
}

/** `card`: a graphics card that inference runs on. `strong`: many cores and enough memory. `small`: the rest. */
export type MachineKind = 'card' | 'strong' | 'small'

const STRONG_CORES = 8
/** Of what is sold as 8 GB the firmware keeps a part. */
const STRONG_BYTES = 7 * 1024 ** 3

/**
 * PURE. `inference`: the setting of the same name. DirectML is in every Windows and says nothing of how good the card is,
 * so it counts only when it is named.
 */
export function classifyMachine(inference: string, facts: MachineFacts): MachineKind {
  const byItself =
    (facts.platform === 'linux' && facts.cudaLibrary) ||
    (facts.platform === 'darwin' && facts.arch === 'arm64')
  if (inference === 'auto' ? byItself : inference !== 'cpu') return 'card'
  return facts.cores >= STRONG_CORES && facts.memoryBytes >= STRONG_BYTES ? 'strong' : 'small'
}

/** Best first. Base is about real time on two small cores; turbo needs a card to be; tiny is for who asks for it. */
const SPEECH_ORDER: Readonly<Record<MachineKind, readonly string[]>> = {
  card: ['whisper-large-v3-turbo', 'whisper-small', 'whisper-base', 'whisper-tiny'],
  strong: ['whisper-small', 'whisper-base', 'whisper-large-v3-turbo', 'whisper-tiny'],
  small: ['whisper-base', 'whisper-tiny', 'whisper-small', 'whisper-large-v3-turbo'],
}

/** PURE. Names of speech models, the most fitting first. */
export function rankSpeechModels(kind: MachineKind): readonly string[] {
  return SPEECH_ORDER[kind]
}

/** PURE. What to install on such a machine when there is none; downloads of half a gigabyte are only for a card. */
export function recommendSpeechModel(kind: MachineKind): string {
  return kind === 'card' ? 'whisper-large-v3-turbo' : 'whisper-base'
}

/**
 * PURE. What makes the most of such a machine: the speech model that suits it, and what every run can use. Who speaks by
 * sound and lips together is not in it: no run uses that yet.
 */
export function recommendModels(kind: MachineKind, speech = recommendSpeechModel(kind)): readonly string[] {
  return [speech, 'silero-vad', 'yunet', 'pyannote-segmentation', 'multilingual-minilm', 'yamnet']
}

/** PURE. The machine in words, as far as models care. */
export function describeMachine(kind: MachineKind, { cores, memoryBytes }: MachineFacts): string {
  const card = kind === 'card' ? 'a graphics card that models run on' : 'no graphics card that models run on'
  return `${cores} ${cores === 1 ? 'core' : 'cores'}, ${Math.round(memoryBytes / 1024 ** 3)} GB of memory, ${card}`
}

export function readMachineFacts(): MachineFacts {
  return {
    platform: process.platform,
    arch: process.arch,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    cudaLibrary: hasCudaLibrary(),
  }
}

/** CUDA is a library of its own beside the runtime, which only some installations have. Loads nothing. */
export function hasCudaLibrary(): boolean {
  if (process.platform !== 'linux') return false
  try {
    const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'))
    const folder = join(runtime, 'bin', 'napi-v6', process.platform, process.arch)
    return existsSync(join(folder, 'libonnxruntime_providers_cuda.so'))
  } catch {
    // No runtime at all: the doctor says so.
    return false
  }
}
