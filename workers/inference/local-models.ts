/** Configures transformers.js to load models from our folder only. */
import '../../models/no-telemetry.ts'
import { dirname } from 'node:path'
import { env, LogLevel } from '@huggingface/transformers'

/** Call this right before loading a model by its folder name, so that the library never downloads anything. */
export function useLocalModels(folder: string): void {
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.useFSCache = false
  env.logLevel = LogLevel.ERROR
  env.localModelPath = dirname(folder)
}
