/** What the page of the appliance reads and sets: settings of the environment, videos on web pages, renders at once. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { environment } from '../../renderer/messages/appliance.ts'
import { type WebVideosTried, Environment, RenderLimit, WebVideos } from '../../server/contract/settings.ts'
import { chosenRenderLimit } from '../../server/domain/settings/render-limit.ts'
import { tryWebVideos } from '../../server/domain/settings/web-videos.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let owner: SignedIn
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  owner = signInAs(server, 'owner')
  folder = await mkdtemp(join(tmpdir(), 'cutroom-appliance-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const read = async <T>(path: string): Promise<T> => (await owner.call(path)).json<T>()
const put = (path: string, json: unknown) => owner.call(path, { method: 'PUT', json })

it('lists every setting of the environment, each named in words by the studio', async () => {
  const answer = await read<Environment>('/studio/environment')
  expect(Value.Check(Environment, answer)).toBe(true)
  expect(answer.settings.length).toBeGreaterThan(40)
  expect(Object.keys(environment.names).toSorted()).toEqual(answer.settings.map(({ key }) => key).toSorted())
})

it('takes a number of renders up to what the machine can do, and none for the usual one', async () => {
  const { usual, most, chosen } = await read<RenderLimit>('/studio/render-limit')
  expect(chosen).toBeNull()
  expect(usual).toBeLessThanOrEqual(most)
  expect((await put('/studio/render-limit', { chosen: most })).json()).toEqual({ usual, most, chosen: most })
  expect(chosenRenderLimit(server.services)).toBe(most)
  const tooMany = await put('/studio/render-limit', { chosen: most + 1 })
  expect([tooMany.status, tooMany.json<{ error: string }>().error]).toEqual([
    400,
    `This machine renders at most ${most} at once.`,
  ])
  expect((await put('/studio/render-limit', { chosen: 0 })).status).toBe(400)
  expect(Value.Check(RenderLimit, (await put('/studio/render-limit', {})).json())).toBe(true)
  expect(chosenRenderLimit(server.services)).toBeNull()
})

it('turns videos on web pages off and on, and takes no path of a program', async () => {
  const before = await read<WebVideos>('/studio/web-videos')
  expect(Value.Check(WebVideos, before)).toBe(true)
  expect(before.use).toBe(true)
  expect((await put('/studio/web-videos', { use: false })).json<WebVideos>().use).toBe(false)
  expect((await read<WebVideos>('/studio/web-videos')).use).toBe(false)
  expect((await put('/studio/web-videos', { use: true, program: '/bin/sh' })).status).toBe(400)
  expect((await put('/studio/web-videos', { use: true })).json<WebVideos>().use).toBe(true)
})

it('asks the program for its version, and says so where it does not start', async () => {
  const { config, log } = server.services
  const tried = async (script: string): Promise<WebVideosTried> => {
    const ytDlp = join(folder, 'yt-dlp')
    await writeFile(ytDlp, script)
    await chmod(ytDlp, 0o755)
    return await tryWebVideos({ config: { ...config, ytDlp }, log })
  }
  expect(await tried('#!/bin/sh\n[ "$*" = "--ignore-config --version" ] && echo 2026.11.01\n')).toEqual({
    works: true,
    version: '2026.11.01',
  })
  expect(await tried('#!/bin/sh\nexit 3\n')).toEqual({ works: false, version: null })
  await expect(tryWebVideos({ config: { ...config, ytDlp: null }, log })).rejects.toMatchObject({
    code: 'INVALID_STATE',
  })
})

it('is for owners', async () => {
  const editor = signInAs(server, 'editor')
  for (const path of ['/studio/environment', '/studio/web-videos', '/studio/render-limit'])
    expect((await editor.call(path)).status).toBe(403)
})
