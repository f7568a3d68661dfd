/** Workflows as the studio edits them: opened, saved against a revision, deleted; of one's own company only. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EditedWorkflow } from '../../server/contract/workflow.ts'
import { DEFAULT_WORKFLOWS } from '../../server/nodes/index.ts'
import { addCompany, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'
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
