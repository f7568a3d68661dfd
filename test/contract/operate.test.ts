/** What operators ask of an appliance: whether it is ready, and its metrics. */
import { afterAll, beforeAll, expect, it } from 'vitest'
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
