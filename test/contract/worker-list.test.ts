/** The page of worker nodes: who has joined, what each does, a token for another one, and the end of one. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StudioWorkers, WorkerTokenMade } from '../../server/contract/workers.ts'
import type { HeldTask, NodeReport } from '../../server/jobs/jobs.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import { fakeJobs, startTestServer, type TestServer } from '../support/server.ts'

let reports: NodeReport[] | null = []
let held: Record<string, HeldTask[]> = {}
let server: TestServer
let owner: SignedIn
beforeAll(async () => {
  const nodes = {
    take: () => Promise.resolve(false),
    heldBy: (holder: string) =>
      Promise.resolve(Object.entries(held).find(([id]) => holder.includes(`"${id}"`))?.[1] ?? []),
    reports: () => Promise.resolve(reports),
    backlog: () => [],
  }
  server = await startTestServer({
    config: { queue: 'bullmq', redisUrl: 'redis://127.0.0.1:1' },
    services: { jobs: { ...fakeJobs(), nodes } },
  })
  owner = signInAs(server, 'owner')
})
afterAll(() => server.close())

const list = async (): Promise<StudioWorkers> => (await owner.call('/studio/workers')).json()
const renew = (token: string) =>
  server.call('/internal/worker/token', {
    method: 'POST',
    key: null,
    headers: { authorization: `Bearer ${token}` },
  })

it('invites a node, shows what it does, and ends it', async () => {
  expect(await list()).toMatchObject({ takesNodes: true, queueThere: true, nodes: [] })
  const answer = await owner.call('/studio/workers/tokens', { json: { name: 'render-1' } })
  expect(answer.status, answer.text).toBe(200)
  const { token, server: address } = answer.json<WorkerTokenMade>()
  expect(address).toBe(server.url)
  const joined = await renew(token)
  expect(joined.status, joined.text).toBe(200)
  const own = joined.json<{ data: { token: string } }>().data.token
  const [away] = (await list()).nodes
  expect(away).toMatchObject({
    name: 'render-1',
    state: 'away',
    doing: [],
    cores: null,
    card: null,
    models: [],
  })
  const id = away?.id ?? ''
  reports = [{ nodeId: id, cores: 16, card: true, models: ['whisper-small'] }, {}]
  expect((await list()).nodes).toMatchObject([
    { state: 'ready', cores: 16, card: true, models: ['whisper-small'] },
  ])
  held = { [id]: [{ stage: 'render', key: 'k', sources: new Set(), results: new Set() }] }
  expect((await list()).nodes).toMatchObject([{ state: 'working', doing: ['Rendering the clip'] }])
  // Renewing its token makes no other node of it.
  expect((await renew(own)).status).toBe(200)
  expect((await list()).nodes).toHaveLength(1)
  const ended = await owner.call(`/studio/workers/${id}`, { method: 'DELETE' })
  expect(ended.json<StudioWorkers>().nodes).toMatchObject([{ state: 'revoked' }])
  const refused = await renew(own)
  expect([refused.status, refused.text]).toEqual([
    401,
    expect.stringContaining('This worker node was removed from the appliance') as string,
  ])
  const head = { key: null, headers: { authorization: `Bearer ${own}` } }
  expect((await server.call('/internal/worker', head)).status).toBe(401)
  reports = null
  expect(await list()).toMatchObject({ queueThere: false })
  expect(JSON.stringify(server.log)).not.toContain(token)
})

it('is for owners, and for appliances that take nodes', async () => {
  const editor = signInAs(server, 'editor')
  expect((await editor.call('/studio/workers')).status).toBe(403)
  expect((await editor.call('/studio/workers/tokens', { json: { name: 'x' } })).status).toBe(403)
  expect((await owner.call('/studio/workers/tokens', { json: { name: 'a b' } })).status).toBe(400)
  expect((await owner.call('/studio/workers/none', { method: 'DELETE' })).status).toBe(404)
  const alone = await startTestServer()
  try {
    const own = signInAs(alone, 'owner')
    expect((await own.call('/studio/workers')).json()).toMatchObject({ takesNodes: false, queueThere: true })
    expect((await own.call('/studio/workers/tokens', { json: { name: 'x' } })).status).toBe(409)
  } finally {
    await alone.close()
  }
})
