/** Finds the installed model for a task. The error for a missing one names the command that installs it. */
import '../../models/no-telemetry.ts'
import { formatInstallCommand } from '../../models/install.ts'
import { chooseModel, type InstalledModel } from '../../models/installed.ts'
import type { ModelTask } from '../../models/manifest.ts'
import { stageError } from '../stages/context.ts'
import { dirname } from 'node:path'
import { env, LogLevel } from '@huggingface/transformers'

/** The named speech model, or the best one that is installed. Throws MODEL_NOT_INSTALLED. */
export async function findSpeechModel(
  modelFolders: readonly string[],
  name: string,
): Promise<InstalledModel> {
  const model = await chooseModel(modelFolders, 'speech', name)
  if (model !== null) return model
  const wanted = name === '' ? 'whisper-base' : name
  throw stageError(
    'MODEL_NOT_INSTALLED',
    name === ''
      ? `The video has no captions and no speech model is installed. Install one with: ${formatInstallCommand(wanted)}`
      : `The speech model ${name} is not installed. Install it with: ${formatInstallCommand(wanted)}`,
    { details: { task: 'speech', install: formatInstallCommand(wanted) } },
  )
}

/** The voice activity model, or null: the stage then uses the sound level and warns. */
export function findVoiceModel(modelFolders: readonly string[]): Promise<InstalledModel | null> {
  return chooseModel(modelFolders, 'voice-activity')
}

/** The text embedding model, or null: prompts are then matched by words. */
export function findTextModel(modelFolders: readonly string[]): Promise<InstalledModel | null> {
  return chooseModel(modelFolders, 'text-embedding')
}

/** The face detector. Throws MODEL_NOT_INSTALLED. */
export const findFaceModel = (modelFolders: readonly string[]): Promise<InstalledModel> =>
  findOrThrow(modelFolders, 'faces', 'yunet')

export interface SpeakerModels {
  readonly segmentation: InstalledModel
  /** Null: voices are followed by the segmentation alone, and the stage warns. */
  readonly embedding: InstalledModel | null
}

/** The models that tell speakers apart. Throws MODEL_NOT_INSTALLED without the segmentation. */
export async function findSpeakerModels(modelFolders: readonly string[]): Promise<SpeakerModels> {
  const segmentation = await findOrThrow(modelFolders, 'speakers', 'pyannote-segmentation')
  return { segmentation, embedding: await chooseModel(modelFolders, 'speaker-embedding') }
}

/** The classifier for laughter, applause and music. Throws MODEL_NOT_INSTALLED. */
export const findSoundModel = (modelFolders: readonly string[]): Promise<InstalledModel> =>
  findOrThrow(modelFolders, 'sound-events', 'yamnet')

/** The model that compares lips with sound. Throws MODEL_NOT_INSTALLED. */
export const findActiveSpeakerModel = (modelFolders: readonly string[]): Promise<InstalledModel> =>
  findOrThrow(modelFolders, 'active-speaker', 'lr-asd')

async function findOrThrow(modelFolders: readonly string[], task: ModelTask, usual: string) {
  const model = await chooseModel(modelFolders, task)
  if (model !== null) return model
  const install = formatInstallCommand(usual)
  throw stageError('MODEL_NOT_INSTALLED', `No model for ${task} is installed. Install one with: ${install}`, {
    details: { task, install },
  })
}

/** Call this right before loading a model by its folder name, so that the library never downloads anything. */
export function useLocalModels(folder: string): void {
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.useFSCache = false
  env.logLevel = LogLevel.ERROR
  env.localModelPath = dirname(folder)
}
