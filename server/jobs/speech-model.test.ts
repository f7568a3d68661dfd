import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listInstalledModels } from '../../models/installed.ts'
import { classifyMachine, type MachineFacts } from '../../models/machine.ts'
import { manifestModel } from '../../models/manifest.ts'
import { listModels, speechModelToInstall, usualSpeechModel } from '../domain/models/models.ts'
import { loadConfig } from '../config/config.ts'
import { speechModelState } from './orchestrator.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cutroom-speech-model-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Files of the right names: what is chosen goes by what is there, not by what is in it. */
function put(...names: string[]): void {
  for (const name of names) {
    const model = manifestModel(name)
    for (const file of model?.files ?? []) {
      const path = join(folder, model?.folder ?? '', file.path)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, 'x')
    }
  }
}

const laptop: MachineFacts = {
  platform: 'linux',
  arch: 'x64',
  cores: 4,
  memoryBytes: 16 * 1024 ** 3,
  cudaLibrary: false,
}
const workstation = { ...laptop, cores: 16 }
const withCard = { ...laptop, cudaLibrary: true }

describe('classifyMachine', () => {
  test.each([
    ['auto', laptop, 'small'],
    ['auto', workstation, 'strong'],
    ['auto', { ...workstation, memoryBytes: 4 * 1024 ** 3 }, 'small'],
    ['auto', withCard, 'card'],
    ['cpu', withCard, 'small'],
    ['auto', { ...laptop, platform: 'win32' }, 'small'],
    ['dml', { ...laptop, platform: 'win32' }, 'card'],
    ['auto', { ...laptop, platform: 'darwin', arch: 'arm64' }, 'card'],
    ['auto', { ...laptop, platform: 'darwin' }, 'small'],
  ] as const)('%s %o', (setting, facts, kind) => {
    expect(classifyMachine(setting, facts)).toBe(kind)
  })
})

describe('the usual speech model', () => {
  test('is what suits the machine best of what is installed', async () => {
    put('whisper-base', 'whisper-small', 'whisper-large-v3-turbo')
    const installed = await listInstalledModels([folder])
    const nameOn = (machine: MachineFacts) => usualSpeechModel(installed, {}, machine)?.name
    expect(nameOn(laptop)).toBe('whisper-base')
    expect(nameOn(workstation)).toBe('whisper-small')
    expect(nameOn(withCard)).toBe('whisper-large-v3-turbo')
    expect(usualSpeechModel(installed, { inference: 'cpu' }, withCard)?.name).toBe('whisper-base')
    expect(usualSpeechModel(installed, { speechModel: 'whisper-small' }, laptop)?.name).toBe('whisper-small')
    expect(usualSpeechModel(installed, { speechModel: 'whisper-tiny' }, laptop)).toBeUndefined()
    const listed = await listModels({ home: folder, modelFolders: [folder], speechModel: 'whisper-small' })
    expect(listed.filter(({ inUse }) => inUse).map(({ name }) => name)).toEqual(['whisper-small'])
  })

  test('is recommended by the machine', () => {
    expect(speechModelToInstall({}, laptop)).toBe('whisper-base')
    expect(speechModelToInstall({}, workstation)).toBe('whisper-base')
    expect(speechModelToInstall({}, withCard)).toBe('whisper-large-v3-turbo')
    expect(speechModelToInstall({ speechModel: 'whisper-tiny' }, withCard)).toBe('whisper-tiny')
  })
})

describe('speechModelState', () => {
  const config = () => ({
    modelFolders: [folder],
    allowModelDownloads: false,
    inference: 'cpu' as const,
    speechModel: null as string | null,
    speechServer: loadConfig({ home: folder }, {}).speechServer,
    network: 'on' as const,
  })
  const home = { models: '/m' }

  test('the workflow’s model comes before the configured one, that before the machine’s', async () => {
    put('whisper-base', 'whisper-small', 'whisper-tiny')
    const configured = { ...config(), speechModel: 'whisper-small' }
    expect(await speechModelState(configured, home)).toEqual({ state: 'installed', model: 'whisper-small' })
    expect(await speechModelState(configured, home, 'whisper-tiny')).toEqual({
      state: 'installed',
      model: 'whisper-tiny',
    })
  })

  test('the studio’s own server is used in place of the machine’s models, but not of the workflow’s', async () => {
    put('whisper-tiny')
    const speechServer = { url: 'http://gpu:8000', model: 'large', key: 'hush', timeoutSeconds: 9 }
    const configured = { ...config(), speechModel: 'whisper-tiny', speechServer }
    const access = { address: 'http://gpu:8000/v1', model: 'large', key: 'hush', timeoutSeconds: 9 }
    expect(await speechModelState(configured, home)).toEqual({
      state: 'server',
      access: { ...access, addresses: 'any' },
    })
    expect(await speechModelState({ ...configured, network: 'off' }, home)).toMatchObject({
      access: { addresses: 'loopback' },
    })
    expect(await speechModelState(configured, home, 'whisper-tiny')).toEqual({
      state: 'installed',
      model: 'whisper-tiny',
    })
    const nameless = { ...configured, speechServer: { ...speechServer, model: null } }
    expect(await speechModelState(nameless, home)).toMatchObject({
      state: 'missing',
      message: expect.stringContaining('CUTROOM_ASR_MODEL') as string,
    })
  })

  test('says who names a missing model and the command that mends it, or that it can be fetched', async () => {
    put('whisper-base')
    expect(await speechModelState(config(), home, 'whisper-small')).toEqual({
      state: 'missing',
      message:
        'The video has no captions, and the speech model whisper-small, which the workflow names, is not installed. Install one with: cutroom models install whisper-small',
    })
    const configured = { ...config(), speechModel: 'whisper-tiny' }
    expect(await speechModelState(configured, home)).toMatchObject({
      message: expect.stringContaining('which the configuration names') as string,
    })
    expect(await speechModelState({ ...configured, allowModelDownloads: true }, home)).toEqual({
      state: 'downloadable',
      model: 'whisper-tiny',
      targetFolder: '/m',
    })
    const unknown = { ...config(), allowModelDownloads: true }
    expect(await speechModelState(unknown, home, 'my-own')).toMatchObject({ state: 'missing' })
  })
})
