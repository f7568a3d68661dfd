/** Endpoints for operators: readiness and metrics. */
import { copyFile, rename } from 'node:fs/promises'
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

it('reports that it is ready, or what prevents it from working', async () => {
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

it.skipIf(process.platform === 'win32')(
  'is not ready while its database is missing or replaced by another',
  async () => {
    const { database } = server.services.home
    const readyNow = async () => {
      const answer = await server.call('/ready', { key: null })
      return [answer.status, answer.json<{ checks: { ok: boolean }[] }>().checks[0]?.ok]
    }
    expect(await readyNow()).toEqual([200, true])
    await rename(database, `${database}.away`)
    expect(await readyNow()).toEqual([503, false])
    await copyFile(`${database}.away`, database)
    expect(await readyNow()).toEqual([503, false])
    await rename(`${database}.away`, database)
    expect(await readyNow()).toEqual([200, true])
  },
)

it.skipIf(process.platform === 'win32')(
  'is not ready with another database, even when it was exchanged before the first request',
  async () => {
    const own = await startTestServer()
    const { database } = own.services.home
    await rename(database, `${database}.away`)
    await copyFile(`${database}.away`, database)
    expect((await own.call('/ready', { key: null })).status).toBe(503)
    await own.close()
  },
)

it('shows its metrics to requests with the token, and to no request where no token is set', async () => {
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

it('logs every response with its request id when access logging is on', async () => {
  const lineOf = async (path: string) => {
    const { headers } = await server.call(path)
    const ofIt = () => server.log.find(({ requestId }) => requestId === headers['x-request-id'])
    // An answer may be here before what is noted of it.
    return vi.waitUntil(ofIt)
  }
  const refused = await lineOf('/clip?companyId=acme&clipId=none')
  expect(refused).toMatchObject({ level: 'debug', method: 'GET', route: '/clip', status: 404 })
  expect(await lineOf('/no/such/place')).toMatchObject({ level: 'debug', route: null, status: 404 })
})

it('reads the work once for each request, however many numbers are derived from it', async () => {
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
