/** Models, as the command line and the doctor see them: list, install, verify; and the fingerprint for content keys. */
import type { KeyObject } from 'node:crypto'
import {
  installFrom as installFromPath,
  installModel as install,
  formatInstallCommand,
  type Installed,
} from '../../../models/install.ts'
import {
  chooseModel,
  fingerprintOf,
  listInstalledModels,
  findRemains,
  pickDefaultModel,
  type InstalledModel,
} from '../../../models/installed.ts'
import {
  describeMachine,
  classifyMachine,
  recommendModels,
  recommendSpeechModel,
  rankSpeechModels,
  readMachineFacts,
} from '../../../models/machine.ts'
import { manifestModel, readManifest, type ManifestModel, type ModelTask } from '../../../models/manifest.ts'
import { removeInstalled } from '../../../models/remove.ts'
import { recordVerdict } from '../../../models/verdicts.ts'
import { findBrokenModels, verifyInstalled, type Verdict } from '../../../models/verify.ts'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import { homePaths } from '../../home.ts'

type ModelConfig = Pick<Config, 'modelFolders' | 'home'> & SpeechChoice

/** What a speech model is chosen by; fields that are left out have their defaults. */
type SpeechChoice = Partial<Pick<Config, 'inference' | 'speechModel'>>

/** The installed speech model for a run that names none: the configured one, else what suits the machine best. */
export function usualSpeechModel(
  installed: readonly InstalledModel[],
  config: SpeechChoice,
  machine = readMachineFacts(),
): InstalledModel | undefined {
  if (config.speechModel != null)
    return installed.find(
      ({ task, name, problem }) => task === 'speech' && name === config.speechModel && problem === undefined,
    )
  return pickDefaultModel(
    installed,
    'speech',
    rankSpeechModels(classifyMachine(config.inference ?? 'auto', machine)),
  )
}

/** The speech model to install when there is none: the configured one, else what suits the machine. */
export function speechModelToInstall(config: SpeechChoice, machine = readMachineFacts()): string {
  return config.speechModel ?? recommendSpeechModel(classifyMachine(config.inference ?? 'auto', machine))
}

export interface ListedModel extends Pick<
  ManifestModel,
  'name' | 'task' | 'title' | 'goodFor' | 'hardware' | 'licence' | 'source'
> {
  /** Sum of the known sizes; null when none is known. */
  readonly bytes: number | null
  readonly installed: boolean
  /** What is wrong with it, so that it is used for nothing: it failed when it was tried, or its files are not whole. */
  readonly problem: string | null
  /** Its folder; null when it is not installed. */
  readonly folder: string | null
  /** The one its task would use now. */
  readonly inUse: boolean
  /** What makes the most of this machine has it. */
  readonly recommended: boolean
  /** Whether it has a public address; otherwise it only comes from a folder or archive. */
  readonly downloadable: boolean
  /** The command that installs it. */
  readonly install: string
  readonly development: boolean
}

/** Every model of the manifest and every other speech model that was found, installed or not. */
export async function listModels(config: ModelConfig, machine = readMachineFacts()): Promise<ListedModel[]> {
  const installed = await listInstalledModels(config.modelFolders)
  const notWhole = await findBrokenModels(config.modelFolders, installed)
  const used = new Set(
    installed.map(
      ({ task }) =>
        (task === 'speech' ? usualSpeechModel(installed, config, machine) : pickDefaultModel(installed, task))
          ?.folder,
    ),
  )
  const wanted = recommendModels(
    classifyMachine(config.inference ?? 'auto', machine),
    speechModelToInstall(config, machine),
  )
  const listed = readManifest().map((model): ListedModel => {
    const here = installed.find((item) => item.name === model.name)
    const known = model.files.map((file, index) => here?.files[index]?.bytes ?? file.bytes)
    const { files, development = false, folder: _place, dtype: _dtype, checksums: _sums, ...facts } = model
    return {
      ...facts,
      bytes: known.some((bytes) => bytes === null)
        ? null
        : known.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0),
      installed: here !== undefined,
      problem: here?.problem ?? notWhole.get(model.name) ?? null,
      folder: here?.folder ?? null,
      inUse: here !== undefined && used.has(here.folder),
      recommended: wanted.includes(model.name),
      downloadable: files.every(({ url }) => url !== null),
      install: formatInstallCommand(model.name),
      development,
    }
  })
  const others = installed.filter((model) => !listed.some((item) => item.name === model.name))
  return [...listed, ...others.map((model) => describeUnknown(model, used.has(model.folder)))]
}

function describeUnknown(model: InstalledModel, inUse: boolean): ListedModel {
  const { name, task, folder, files, problem } = model
  return {
    name,
    task,
    title: name,
    goodFor: 'Put here by hand.',
    hardware: '',
    licence: 'unknown',
    source: folder,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    installed: true,
    problem: problem ?? null,
    folder,
    inUse,
    recommended: false,
    downloadable: false,
    install: '',
    development: false,
  }
}

interface Progress {
  readonly signal?: AbortSignal
  readonly onProgress?: (fraction: number, note: string) => void
}

/** What `cutroom models install` without names does on this machine. */
export interface InstallPlan {
  /** The machine in words. */
  readonly machine: string
  /** To be downloaded. */
  readonly fetch: readonly ListedModel[]
  /** Installed already. */
  readonly there: readonly ListedModel[]
  /** Without a public address: these come from a folder or archive only. */
  readonly byHand: readonly ListedModel[]
}

/** Picks what is recommended for this machine. Fetches nothing. */
export async function planInstall(config: ModelConfig, machine = readMachineFacts()): Promise<InstallPlan> {
  const models = (await listModels(config, machine)).filter(({ recommended }) => recommended)
  const missing = models.filter(({ installed }) => !installed)
  return {
    machine: describeMachine(classifyMachine(config.inference ?? 'auto', machine), machine),
    fetch: missing.filter(({ downloadable }) => downloadable),
    there: models.filter(({ installed }) => installed),
    byHand: missing.filter(({ downloadable }) => !downloadable),
  }
}

/** Downloads a model into the home. Throws MODEL_NOT_INSTALLED, DISK_FULL or CANCELLED. */
export async function installModel(
  config: ModelConfig & Pick<Config, 'network'>,
  name: string,
  progress: Progress = {},
): Promise<Installed> {
  if (config.network === 'off')
    throw new AppError('MODEL_NOT_INSTALLED', {
      message: `${name} is not downloaded: the network is off (CUTROOM_NETWORK). Bring its files and use: cutroom models install ${name} --from FOLDER`,
    })
  return install(name, { targetFolder: homePaths(config.home).models, ...progress })
}

/**
 * Installs from a folder, an archive or an air-gap bundle into the home; without names, every model found whole in it. With
 * a public key, only from a bundle that it signed.
 */
export function installFrom(
  config: ModelConfig,
  path: string,
  names: readonly string[] = [],
  options: Progress & { publicKey?: KeyObject } = {},
): Promise<Installed[]> {
  return installFromPath(path, names, { targetFolder: homePaths(config.home).models, ...options })
}

/**
 * Checks an installed model's files and tries it. What is found is stored: one that does not work is not used until its
 * files change or it is found to work. Throws MODEL_NOT_INSTALLED when it is not there.
 */
export async function verifyModel(config: ModelConfig, name: string): Promise<Verdict> {
  const installed = await listInstalledModels(config.modelFolders)
  const model = installed.find((item) => item.name === name)
  if (model === undefined) {
    const problem = (await findBrokenModels(config.modelFolders, installed)).get(name)
    if (problem !== undefined) return { ok: false, problem }
    throw new AppError('MODEL_NOT_INSTALLED', {
      message: `${name} is not installed. Install it with: ${formatInstallCommand(name)}`,
    })
  }
  const verdict = await verifyInstalled(model)
  await recordVerdict(homePaths(config.home).models, model, verdict.problem)
  return verdict
}

/**
 * Removes a model from the home. Throws MODEL_NOT_INSTALLED when it is not there, or in a folder of the user, which is
 * never changed.
 */
export async function removeModel(
  config: ModelConfig,
  name: string,
): Promise<{ model: string; folder: string; bytes: number }> {
  const root = homePaths(config.home).models
  const own = await foundIn([root], name)
  if (own !== null) return { model: name, folder: own.folder, bytes: await removeInstalled(root, own) }
  const outside = await foundIn(config.modelFolders, name)
  throw new AppError(
    'MODEL_NOT_INSTALLED',
    outside === null
      ? `${name} is not installed. See what is with: cutroom models list`
      : `${name} lies in ${outside.folder}, a folder of your own: remove it there.`,
  )
}

/** Whole, or what is left of it. */
async function foundIn(folders: readonly string[], name: string): Promise<InstalledModel | null> {
  const whole = (await listInstalledModels(folders)).find((item) => item.name === name)
  const model = manifestModel(name)
  if (whole !== undefined || model === undefined) return whole ?? null
  for (const folder of folders) {
    const left = await findRemains(folder, model)
    if (left !== null) return left
  }
  return null
}

/** Name and content of the model that a task would use now, or `none`; part of the keys of stages that use it. */
export function modelFingerprint(
  config: Pick<Config, 'modelFolders'>,
  task: ModelTask,
  name = '',
): Promise<string> {
  return fingerprintOf(config.modelFolders, task, name)
}

/** Whether a model for the task is installed. */
export async function hasModel(config: Pick<Config, 'modelFolders'>, task: ModelTask): Promise<boolean> {
  return (await chooseModel(config.modelFolders, task)) !== null
}
