/** What operators ask of an appliance: whether it is ready, and its metrics. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { insertOperation } from '../../server/db/operations.ts'
import { operations } from '../../server/db/schema.ts'
import { addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

const TOKEN = 'the-token-of-the-metrics'
let server: TestServer
let closed: TestServer
beforeAll(async () => {
  const operate = { logFileBytes: 0, logFilesKept: 1, metricsToken: TOKEN }
  server = await startTestServer({ config: { operate } })
  closed = await startTestServer({ config: { minFreeBytes: Number.MAX_SAFE_INTEGER } })
})
afterAll(async () => {
  await server.close()
  await closed.close()
})

it('says that it is ready, and what keeps it from its work', async () => {
  const ready = await server.call('/ready', { key: null })
  expect([ready.status, ready.json()]).toEqual([
    200,
    {
      status: 'ready',
      checks: ['database', 'disk', 'work'].map((name) => ({ name, ok: true, message: '' })),
    },
  ])
  const full = await closed.call('/ready', { key: null })
  expect(full.status).toBe(503)
  expect(full.json()).toMatchObject({ status: 'not ready', checks: [{}, { name: 'disk', ok: false }, {}] })
})

it('shows its metrics to who has the token, and to nobody where there is none', async () => {
  const asking = { key: null, headers: { authorization: `Bearer ${TOKEN}` } }
  expect((await server.call('/metrics', { key: null })).status).toBe(401)
  expect((await server.call('/metrics', { key: 'another' })).status).toBe(401)
  expect((await closed.call('/metrics', asking)).status).toBe(404)
  addRun(server, { workflowId: addWorkflow(server), status: 'Processing' })
  await server.call('/studio/runs')
  const answer = await server.call('/metrics', asking)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toContain('text/plain; version=0.0.4')
  const text = answer.text
  expect(text).toMatch(/^cutroom_http_requests_total\{method="GET",route="\/studio\/runs",status="200"\} 1$/m)
  expect(text).toMatch(/^cutroom_http_request_seconds_count\{method="GET",route="\/studio\/runs"\} 1$/m)
  expect(text).toMatch(/^cutroom_runs\{status="Processing"\} 1$/m)
  expect(text).toMatch(/^cutroom_dead_operations 0$/m)
  expect(Number(/^cutroom_disk_free_bytes (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0)
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toContain(TOKEN)
})

it('counts the work once for each who asks, however many numbers are made of it', async () => {
  const { db, now } = server.services
  const work = { companyId: server.companyId, kind: 'render', now: now() - 60_000 } as const
  for (const subjectId of ['one', 'two']) insertOperation(db, { ...work, subjectId })
  const select = vi.spyOn(db.orm, 'select')
  const ask = { key: null, headers: { authorization: `Bearer ${TOKEN}` } }
  const { text } = await server.call('/metrics', ask)
  const counts = select.mock.calls.flat().filter((fields) => fields !== undefined && 'oldest' in fields)
  select.mockRestore()
  expect(text).toMatch(/^cutroom_operations\{kind="render",state="queued"\} 2$/m)
  const age = /^cutroom_oldest_operation_seconds\{kind="render",state="queued"\} (\S+)$/m.exec(text)?.[1]
  expect(Number(age)).toBeGreaterThanOrEqual(60)
  expect(counts).toHaveLength(1)
  db.orm.delete(operations).run()
  expect((await server.call('/metrics', ask)).text).not.toMatch(/^cutroom_operations\{/m)
})
