/** POST /clips/{clipId}/render when a render takes longer than its connection stays open. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operations } from '../../server/db/schema.ts'
import { renderAndWait } from '../../server/domain/rendering/render-clip.ts'
import type { SettledOperation } from '../../server/jobs/jobs.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import {
  addClip,
  addFacts,
  addMedia,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let client: DomainClient
let clipId = ''
beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  clipId = addClip(server, { workflowId, runId })
})
afterAll(() => server.close())

const render = (key: string) =>
  client.call<{ status: string }>('POST', `/clips/${clipId}/render`, { once: key })
const listed = () => server.services.db.orm.select().from(operations).all()

it('renders that outlast the longest wait continue: the response reports it, and the same request waits again', async () => {
  const { services } = server
  const patience: number[] = []
  const settled: (SettledOperation | null)[] = [null]
  const jobs = {
    ...services.jobs,
    whenSettled: (_id: string, waitMs: number) => {
      patience.push(waitMs)
      return Promise.resolve(settled.shift() ?? null)
    },
  }
  const requested = { companyId: 'acme', clipId, baseUrl: '' }
  const waited = await renderAndWait({ ...services, jobs }, requested, 5)
  expect(waited).toEqual({ clipId, status: 'rendering', operationId: listed()[0]?.id })
  await renderAndWait({ ...services, jobs }, requested)
  expect(patience).toEqual([5, 12 * 3_600_000])

  // Over HTTP: as documented, and not stored under its idempotency key.
  const waiter = server.jobs.whenSettled.bind(server.jobs)
  server.jobs.whenSettled = jobs.whenSettled
  const first = await render('long')
  expect([first.status, first.data]).toEqual([
    200,
    { clipId, status: 'rendering', operationId: listed()[0]?.id },
  ])
  const media = await addMedia(server, 'long.mp4', 'x')
  settled.push({ state: 'succeeded', result: { mediaId: media.id }, failure: null })
  const second = await render('long')
  server.jobs.whenSettled = waiter
  expect([second.status, second.data.status]).toEqual([200, 'finished'])
  expect(second.headers['idempotency-replayed']).toBeUndefined()
  expect((await render('long')).headers['idempotency-replayed']).toBe('true')
})
