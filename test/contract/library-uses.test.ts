/** Where an item of the library is used, and that what is used is not deleted by who looks at the page. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LibraryItem, LibraryItemUses } from '../../server/contract/library.ts'
import { importWorkflow } from '../../server/domain/workflows/workflows.ts'
import { sourcePath } from '../../workers/paths.ts'
import { signInAs } from '../support/people.ts'
import { plainPng } from '../support/pictures.ts'
import {
  addClip,
  addCompany,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let item: LibraryItem
const NOTHING: LibraryItemUses = { clips: [], clipCount: 0, workflows: [], brandKits: [] }
const path = (rest = '') => `/studio/library/items/${item.id}${rest}`
const uses = async () => (await server.call(path('/uses'))).json<LibraryItemUses>()

beforeAll(async () => {
  server = await startTestServer()
  const body = await plainPng(64, 64, '#ff0000')
  const sent = await server.call('/studio/uploads?name=logo.png', { method: 'PUT', body })
  const json = { uploadId: sent.json<{ uploadId: string }>().uploadId }
  item = (await server.call('/studio/library', { json })).json<{ item: LibraryItem }>().item
})
afterAll(() => server.close())

it('names the clips and workflows that an item is used by, and keeps it for them', async () => {
  expect(await uses()).toEqual(NOTHING)
  const { companyId, services } = server
  const watermark = { url: item.address }
  const { workflowId } = importWorkflow(services, {
    companyId,
    file: {
      name: 'Branded',
      nodes: [
        { id: 'a', type: 'find_clips', config: {} },
        { id: 'b', type: 'apply_branding', config: { watermark_config: watermark } },
      ],
      edges: [{ source: 'a', target: 'b' }],
    },
  })
  const runId = addRun(server, { workflowId: addWorkflow(server) })
  const clipId = addClip(server, {
    workflowId,
    runId,
    document: { title: 'Heron', watermarkConfig: watermark },
    row: { title: 'Heron' },
  })
  addClip(server, { workflowId, runId, document: { title: 'Without' }, row: { title: 'Without' } })
  expect(await uses()).toEqual({
    clips: [{ id: clipId, name: 'Heron' }],
    clipCount: 1,
    workflows: [{ id: workflowId, name: 'Branded' }],
    brandKits: [],
  })
  const refused = await server.call(path('?unused=true'), { method: 'DELETE' })
  expect([refused.status, refused.json()['code']]).toEqual([409, 'INVALID_STATE'])
  expect(refused.json()['error']).toBe('It is used by “Branded”, “Heron”. Choose another file there first.')
  expect((await server.call('/studio/library')).text).toContain(item.id)
})

it('counts clips that it does not name', async () => {
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  for (let at = 0; at < 24; at++)
    addClip(server, { workflowId, runId, document: { endCardOption: { url: item.address } } })
  const { clips, clipCount } = await uses()
  expect([clips.length, clipCount]).toEqual([20, 25])
  const refused = await server.call(path('?unused=true'), { method: 'DELETE' })
  expect(refused.json()['error']).toContain(' and 5 more clips.')
})

it('takes fonts, and names the clips that are written in one', async () => {
  const body = await readFile(join(import.meta.dirname, '../../resources/fonts/Anton_400Regular.ttf'))
  const sent = await server.call('/studio/uploads?name=Anton.ttf', { method: 'PUT', body })
  const json = { uploadId: sent.json<{ uploadId: string }>().uploadId }
  const font = (await server.call('/studio/library', { json })).json<{ item: LibraryItem }>().item
  expect(font).toMatchObject({ kind: 'font', mediaType: 'font/ttf', width: 0, duration: null })
  expect((await server.call('/studio/library')).text).not.toContain(font.id)
  expect((await server.call('/studio/library?kind=font')).text).toContain(font.id)
  const workflowId = addWorkflow(server)
  const subtitleConfig = { styleId: 'pop', fontUrl: font.address }
  addClip(server, { workflowId, document: { subtitleConfig }, row: { title: 'Written' } })
  const used = (await server.call(`/studio/library/items/${font.id}/uses`)).json<LibraryItemUses>()
  expect(used.clips.map(({ name }) => name)).toEqual(['Written'])
})

it('deletes what is used nowhere, and its file', async () => {
  const body = await plainPng(48, 48, '#00ff00')
  const sent = await server.call('/studio/uploads?name=free.png', { method: 'PUT', body })
  const json = { uploadId: sent.json<{ uploadId: string }>().uploadId }
  const free = (await server.call('/studio/library', { json })).json<{ item: LibraryItem }>().item
  const file = sourcePath(server.services.home.sources, free.address.replace('cutroom-source:', ''))
  expect(existsSync(file)).toBe(true)
  const viewer = signInAs(server, 'viewer', undefined, 'Vic')
  const own = `/studio/library/items/${free.id}`
  expect((await viewer.call(`${own}?unused=true`, { method: 'DELETE' })).status).toBe(403)
  expect((await viewer.call(`${own}/uses`)).json()).toEqual(NOTHING)
  expect((await server.call(`${own}?unused=true`, { method: 'DELETE' })).status).toBe(200)
  expect(existsSync(file)).toBe(false)
})

it('says nothing to another company', async () => {
  const { key } = addCompany(server, 'other')
  expect((await server.call(path('/uses'), { key })).status).toBe(404)
  expect((await server.call(path('?unused=true'), { method: 'DELETE', key })).status).toBe(404)
})
