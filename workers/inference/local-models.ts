/** transformers.js, told to take models from a folder of ours and from nowhere else. */
import '../../models/no-telemetry.ts'
import { dirname } from 'node:path'
import { env, LogLevel } from '@huggingface/transformers'

/** Call right before a model is loaded by the name of its folder: nothing but the installer ever downloads. */
export function useLocalModels(folder: string): void {
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.useFSCache = false
  env.logLevel = LogLevel.ERROR
  env.localModelPath = dirname(folder)
}
