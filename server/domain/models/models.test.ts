/** What is recommended for a machine, and what `models list` and `models install` without names make of it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { recommendModels, type MachineFacts } from '../../../models/machine.ts'
import { manifestModel, readManifest } from '../../../models/manifest.ts'
import { modelsInstall, modelsList } from '../../cli/commands/models.ts'
import { listModels, planInstall } from './models.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-recommended-'))
  // Whoever runs the tests may have models.
  vi.stubEnv('CUTROOM_MODELS', undefined)
  vi.stubEnv('CUTROOM_SPEECH_MODEL', undefined)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(root, { recursive: true, force: true })
})

const small: MachineFacts = {
  platform: 'linux',
  arch: 'x64',
  cores: 2,
  memoryBytes: 8 * 1024 ** 3,
  cudaLibrary: false,
}
const card: MachineFacts = { ...small, cores: 16, cudaLibrary: true }
const configOf = (name: string, change = {}) => ({
  home: join(root, name),
  modelFolders: [join(root, name, 'models')],
  speechModel: null,
  inference: 'auto' as const,
  ...change,
})

/** Files of the sizes that the manifest gives (one byte where it gives none), as far as the list looks at them. */
async function pretend(home: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const model = manifestModel(name)
    for (const file of model?.files ?? []) {
      const path = join(root, home, 'models', model?.folder ?? '', file.path)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, Buffer.alloc(file.bytes ?? 1))
    }
  }
}

describe('what is recommended', () => {
  it('has one model for a task, all of them in the manifest, the speech model by the machine', () => {
    for (const kind of ['small', 'strong', 'card'] as const) {
      const models = recommendModels(kind).map((name) => manifestModel(name))
      expect(models.every((model) => model !== undefined && model.development !== true)).toBe(true)
      expect(new Set(models.map((model) => model?.task)).size).toBe(models.length)
    }
    expect(recommendModels('small')).toContain('whisper-base')
    expect(recommendModels('card')).toContain('whisper-large-v3-turbo')
  })

  it('is marked in the list, by the machine or as the configuration says', async () => {
    const marked = async (config: ReturnType<typeof configOf>, machine: MachineFacts) =>
      (await listModels(config, machine))
        .filter((one) => one.recommended && one.task === 'speech')
        .map(({ name }) => name)
    expect(await marked(configOf('none'), small)).toEqual(['whisper-base'])
    expect(await marked(configOf('none'), card)).toEqual(['whisper-large-v3-turbo'])
    expect(await marked(configOf('none', { inference: 'cpu' }), { ...card, cores: 2 })).toEqual([
      'whisper-base',
    ])
    expect(await marked(configOf('none', { speechModel: 'whisper-small' }), card)).toEqual(['whisper-small'])
  })

  it('is planned before anything is fetched: what is there stays, what has no address is named', async () => {
    await pretend('some', ['silero-vad', 'yunet'])
    const plan = await planInstall(configOf('some'), small)
    expect(plan.there.map(({ name }) => name)).toEqual(['silero-vad', 'yunet'])
    expect(plan.fetch.map(({ name }) => name)).toEqual([
      'whisper-base',
      'pyannote-segmentation',
      'wespeaker-resnet34-lm',
      'multilingual-minilm',
    ])
    expect(plan.byHand.map(({ name, install }) => [name, install])).toEqual([
      ['yamnet', 'cutroom models install yamnet --from FOLDER'],
    ])
    expect(plan.machine).toBe('2 cores, 8 GB of memory, no graphics card that models run on')
    expect((await planInstall(configOf('some'), card)).machine).toMatch(
      /16 cores.*, a graphics card that models run on/,
    )
  })
})

describe('the commands', () => {
  async function say(command: typeof modelsList, home: string, json: boolean) {
    const out: string[] = []
    const notes: string[] = []
    const terminal = {
      out: (line: string) => out.push(line),
      note: (line: string) => notes.push(line),
      status: () => undefined,
    }
    const options = { home: join(root, home), json, from: undefined } as never
    const code = await command.run({
      options,
      positionals: [],
      terminal: { ...terminal, isTty: false } as never,
    })
    return { code, out: out.join('\n'), notes: notes.join('\n') }
  }

  it('list names what is recommended here and how it is installed', async () => {
    const { out, notes } = await say(modelsList, 'fresh', false)
    expect(out).toMatch(/multilingual-minilm +text-embedding +recommended/)
    expect(out).toMatch(/minilm-english +text-embedding +missing/)
    expect(notes).toMatch(/^For this machine: whisper-.*Install them with: cutroom models install$/)
    const listed = JSON.parse((await say(modelsList, 'fresh', true)).out) as { recommended: boolean }[]
    expect(listed.filter(({ recommended }) => recommended)).toHaveLength(7)
  })

  it('install without names says what it picks, and fetches nothing that is there', async () => {
    await pretend(
      'full',
      readManifest().map(({ name }) => name),
    )
    const { code, out, notes } = await say(modelsInstall, 'full', true)
    expect(notes).toMatch(/^This machine has \d+ cores?, \d+ GB of memory, .*\. For it:/)
    expect(notes).toMatch(/yunet: installed already\./)
    expect(notes).toContain('Nothing is left to download.')
    expect([code, out]).toEqual([0, '[]'])
  })
})
