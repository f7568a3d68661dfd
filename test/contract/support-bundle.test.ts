/** The archive for a report has what a report needs, and nothing that opens anything or names anybody. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extract } from 'tar'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { typedCommands } from '../support/typed-commands.ts'

const { home, cutroom, json } = typedCommands()
let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'cutroom-bundle-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const SECRETS = {
  llmKey: 'sk-of-the-language-model',
  metricsToken: 'token-of-the-metrics',
  redisUrl: 'redis://:password-of-redis@127.0.0.1:6379',
}

async function textsBelow(place: string): Promise<Map<string, string>> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      files.map(async (file) => [file.slice(place.length + 1), await readFile(file, 'utf8')] as const),
    ),
  )
}

it('writes what there is, without secrets, names and addresses that open by themselves', async () => {
  await writeFile(join(home(), 'config.json'), JSON.stringify({ ...SECRETS, llmUrl: 'http://127.0.0.1:9' }))
  await cutroom('company', 'create', 'acme', '--name', 'Heron and Daughters')
  const { key } = await json<{ key: string }>('key', 'create', '--company', 'acme', '--name', 'of a script')
  await mkdir(join(home(), 'logs'), { recursive: true })
  const said = {
    level: 'error',
    message: `refused ${key}`,
    url: 'https://files.example/v.mp4?sig=very-secret',
  }
  await writeFile(join(home(), 'logs', 'cutroom.log'), `${JSON.stringify(said)}\n`)
  await writeFile(join(home(), 'logs', 'other.txt'), 'not ours')

  const file = join(folder, 'support.tar.gz')
  expect((await cutroom('support-bundle', file)).code).toBe(0)
  const into = await mkdtemp(join(folder, 'out-'))
  await extract({ file, cwd: into })
  const texts = await textsBelow(into)
  expect([...texts.keys()].sort()).toEqual([
    'database.json',
    'doctor.json',
    'logs/cutroom.log',
    'settings.json',
    'versions.json',
  ])
  const all = [...texts.values()].join('\n')
  for (const secret of [...Object.values(SECRETS), 'password-of-redis', key, 'very-secret', 'Heron'])
    expect(all, secret).not.toContain(secret)
  expect(JSON.parse(texts.get('database.json') ?? '')).toMatchObject({
    rows: { companies: 1, api_keys: 1 },
    failed: [],
  })
  expect(all).toContain('files.example/v.mp4')
  expect(JSON.parse(texts.get('doctor.json') ?? '')).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'disk' })]),
  )
  // It replaces nothing.
  expect((await cutroom('support-bundle', file)).code).toBe(1)
})
