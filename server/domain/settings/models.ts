/** Models as the settings show and install them. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { megabytes } from '../../../models/install.ts'
import { describeMachine, classifyMachine, readMachineFacts } from '../../../models/machine.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import type { SettingsModels, SettingsTask } from '../../contract/settings.ts'
import { installFrom, installModel, listModels, verifyModel } from '../models/models.ts'
import type { Services } from '../services.ts'
import { startTask } from './tasks.ts'

type Deps = Pick<Services, 'config' | 'home' | 'db' | 'now' | 'log'>

/** Folders and archives for studios without internet are put here, on the machine itself. */
const inboxFolder = (services: Pick<Services, 'home'>): string => join(services.home.root, 'models-inbox')

async function inboxEntries(services: Pick<Services, 'home'>): Promise<string[]> {
  const folder = inboxFolder(services)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() || (entry.isFile() && /\.(tar|tar\.gz|tgz|zip)$/.test(entry.name)))
    .map(({ name }) => name)
    .sort()
}

/** Every model that the studio can install, and the files in the inbox. */
export async function settingsModels(services: Pick<Services, 'config' | 'home'>): Promise<SettingsModels> {
  const { config, home } = services
  const machine = readMachineFacts()
  const [models, entries] = await Promise.all([listModels(config, machine), inboxEntries(services)])
  return {
    models: models
      .filter(({ development, installed }) => installed || !development)
      .map(({ folder, install: _command, development: _inDevelopment, ...model }) => ({
        ...model,
        removable: folder?.startsWith(home.models) === true,
      })),
    machine: describeMachine(classifyMachine(config.inference, machine), machine),
    network: config.network,
    inbox: { folder: inboxFolder(services), entries },
  }
}

/** Throws MODEL_NOT_INSTALLED for a model that does not work, as it would in the middle of a run. */
async function tryInstalled({ config }: Deps, name: string): Promise<void> {
  const { problem } = await verifyModel(config, name)
  if (problem !== null)
    throw new AppError('MODEL_NOT_INSTALLED', `${name} was copied, and is not used: ${problem}.`)
}

/** Begins to download a model. NOT_FOUND; INVALID_STATE where it has no public address, or the network is off. */
export async function startInstall(services: Deps, name: string): Promise<SettingsTask> {
  const model =
    (await listModels(services.config)).find((one) => one.name === name) ??
    refuse('NOT_FOUND', 'There is no such model.')
  if (!model.downloadable || services.config.network === 'off') {
    const why = model.downloadable
      ? 'The network is off (CUTROOM_NETWORK)'
      : `${model.title} has no public address`
    throw new AppError('INVALID_STATE', `${why}: bring it on a disk and install it from the folder.`)
  }
  return startTask(services, {
    kind: 'install-model',
    subject: name,
    work: async (following) => {
      const { bytes } = await installModel(services.config, name, following)
      await tryInstalled(services, name)
      return `${model.title} is installed (${megabytes(bytes)}).`
    },
  })
}

/** Begins to install what one entry of the inbox holds. NOT_FOUND for one that does not lie there. */
export async function startInstallFrom(services: Deps, entry: string): Promise<SettingsTask> {
  const found =
    (await inboxEntries(services)).find((name) => name === entry) ??
    refuse('NOT_FOUND', `There is no such folder or archive in ${inboxFolder(services)}.`)
  return startTask(services, {
    kind: 'install-folder',
    subject: found,
    work: async (following) => {
      const installed = await installFrom(services.config, join(inboxFolder(services), found), [], following)
      for (const { model } of installed) await tryInstalled(services, model)
      return `Installed: ${installed.map(({ model }) => model).join(', ')}.`
    },
  })
}
