/** Workflows as the studio edits them: opened, saved against a revision, deleted; of one's own company only. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StudioWorkflowPreview } from '../../server/contract/studio-workflow.ts'
import { clips } from '../../server/db/schema.ts'
import type { EditedWorkflow } from '../../server/contract/workflow.ts'
import { DEFAULT_WORKFLOWS } from '../../server/nodes/index.ts'
import {
  addClip,
  addCompany,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

let server: TestServer
let id: string
beforeAll(async () => {
  server = await startTestServer()
  id = addWorkflow(server)
})
afterAll(() => server.close())

const open = async (): Promise<EditedWorkflow> =>
  (await server.call(`/studio/workflows/${id}`)).json<EditedWorkflow>()
const save = (revision: number, file: unknown, key?: string) =>
  server.call(`/studio/workflows/${id}`, {
    method: 'PUT',
    json: { revision, file },
    ...omitUndefined({ key }),
  })

it('are saved against the revision that was opened', async () => {
  const { name, description, nodes, edges, revision } = await open()
  const file = { name: `${name} two`, description, nodes, edges }
  const answer = await save(revision, file)
  expect([answer.status, answer.json()]).toEqual([200, { revision: revision + 1 }])
  expect(await open()).toMatchObject({ name: `${name} two`, revision: revision + 1 })
  const late = await save(revision, file)
  expect([late.status, late.json()['code']]).toEqual([412, 'PRECONDITION_FAILED'])
})

it('are refused when invalid, and the saved one stays', async () => {
  const before = await open()
  const bad = [
    { name: 'x', nodes: [{ id: 'a', type: 'nothing_like_that', config: {} }] },
    { name: '', nodes: [] },
    { name: 'x', nodes: [{ id: 'a', type: 'find_clips', config: { min_length: 'long' } }] },
    null,
  ]
  for (const file of bad) {
    const { status } = await save(before.revision, file)
    expect(status).toBe(400)
  }
  expect(await open()).toEqual(before)
})

it('are created and deleted, and those of another company are not found', async () => {
  const made = await server.call('/studio/workflows', { json: { file: DEFAULT_WORKFLOWS[1] } })
  const { workflowId } = made.json<{ workflowId: string }>()
  const path = `/studio/workflows/${workflowId}`
  const rival = addCompany(server, 'rival')
  for (const method of ['GET', 'DELETE'])
    expect((await server.call(path, { method, key: rival.key })).status).toBe(404)
  expect((await save(1, DEFAULT_WORKFLOWS[1], rival.key)).status).toBe(404)
  expect((await server.call(path, { method: 'DELETE' })).json()).toEqual({ deleted: true })
  expect((await server.call(path, { method: 'DELETE' })).status).toBe(404)
})

describe('shown on a clip before they are saved', () => {
  const nodes = (...types: string[]) => types.map((type) => ({ id: type, type, config: {} }))
  const preview = (body: unknown, key?: string) =>
    server.call('/studio/workflow-preview', { json: body, ...omitUndefined({ key }) })

  it('are composed with the bundled sample, and without what is not among their nodes', async () => {
    const bare = await preview({ nodes: [], edges: [] })
    expect(bare.json<StudioWorkflowPreview>().composition.layers).toEqual([])
    const answer = await preview({ nodes: nodes('convert_to_vertical', 'add_subtitles'), edges: [] })
    const { composition, source } = answer.json<StudioWorkflowPreview>()
    expect([composition.output.width, composition.output.height]).toEqual([1080, 1920])
    expect(composition.layers.map(({ kind }) => kind)).toEqual(['captions'])
    const range = { headers: { range: 'bytes=0-99' } }
    const part = await server.call(source.url ?? '', range)
    expect([part.status, part.headers['content-range']]).toEqual([
      206,
      expect.stringMatching(/^bytes 0-99\//),
    ])
  })

  it('are composed with a clip of the company as it was found, and nothing is stored', async () => {
    const runId = addRun(server, { workflowId: id })
    addFacts(server, runId)
    const document = { titleConfig: { text: 'Set by hand' }, overrides: {} }
    const clipId = addClip(server, { workflowId: id, runId, document, words: [] })
    const before = server.services.db.orm.select().from(clips).all()
    const answer = await preview({ clipId, nodes: nodes('add_title_overlay'), edges: [] })
    const { composition } = answer.json<StudioWorkflowPreview>()
    expect(composition.layers).toMatchObject([{ kind: 'title', text: 'Why we switched' }])
    expect(server.services.db.orm.select().from(clips).all()).toEqual(before)
    const rival = addCompany(server, 'rival-of-preview')
    expect((await preview({ clipId, nodes: [], edges: [] }, rival.key)).status).toBe(404)
  })

  it('are refused where a config is wrong', async () => {
    const wrong = [{ id: 'a', type: 'find_clips', config: { min_length: 'long' } }]
    const answer = await preview({ nodes: wrong, edges: [] })
    expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_NODE_CONFIG'])
  })
})
