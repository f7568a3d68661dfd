/** Workflows and runs of the domain API: lists, the confirmed run, and that nothing of another tenant is there. */
import fc from 'fast-check'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workflowDispatches, workflows } from '../../server/db/schema.ts'
import { getOperation } from '../../server/db/operations.ts'
import { getRun } from '../../server/db/runs.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { executeDispatch } from '../../server/domain/runs/run-workflow.ts'
import { domainClient, type DomainAnswer, type DomainClient } from '../support/domain.ts'
import { addCompany, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

let time = Date.now()
let server: TestServer
let client: DomainClient
let rival: DomainClient
let workflowId: string
beforeAll(async () => {
  server = await startTestServer({ now: () => time })
  client = await domainClient(server)
  createCompany(server.services, { id: 'rival', name: 'Rival' })
  rival = await domainClient(server, { companyId: 'rival' })
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())

let keys = 0
const once = () => `key-${++keys}`
const INPUT = { url: 'https://example.com/talk.mp4', values: { orientation: 'vertical' } }
const post = (path: string, json: unknown, as = client): Promise<DomainAnswer<Record<string, unknown>>> =>
  as.call('POST', path, { json, once: once() })
const decide = (id: string, decision = 'approve') => post(`/confirmations/${id}:decide`, { decision })

/** An approved confirmation of this request. */
async function confirmed(request: object): Promise<string> {
  const { status, data } = await post('/workflows:prepare-run', request)
  expect(status).toBe(201)
  await decide(String(data['id']))
  return String(data['id'])
}

describe('GET /workflows', () => {
  it('returns all of them, once each, oldest first, whatever the page size', async () => {
    const other = await domainClient(server, {
      companyId: addCompany(server, 'many').companyId,
    })
    const made: string[] = []
    for (let count = 0; count < 7; count++) {
      // Several at the same moment: the id decides then.
      if (count % 3 === 0) time += 1000
      made.push(addWorkflow(server, 'many'))
    }
    const whole = (await other.call<{ id: string }[]>('GET', '/workflows')).data.map(({ id }) => id)
    expect([...whole].sort()).toEqual([...made].sort())
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), async (limit) => {
        const walked: string[] = []
        for (let cursor: string | null = '', calls = 0; cursor !== null && calls < 20; calls++) {
          const from: string = cursor === '' ? '' : `&cursor=${cursor}`
          const page = await other.call<{ id: string }[]>('GET', `/workflows?limit=${limit}${from}`)
          expect(page.data.length).toBeLessThanOrEqual(limit)
          walked.push(...page.data.map(({ id }) => id))
          cursor = page.meta.nextCursor
        }
        expect(walked).toEqual(whole)
      }),
      { numRuns: 9 },
    )
    const { meta } = await other.call('GET', '/workflows?limit=2')
    const stolen = await client.call('GET', `/workflows?cursor=${meta.nextCursor}`)
    expect([stolen.status, stolen.error.code]).toEqual([400, 'INVALID_CURSOR'])
    for (const limit of [0, 101]) {
      const { error } = await client.call('GET', `/workflows?limit=${limit}`)
      expect([error.code, error.details?.['field']]).toEqual(['VALIDATION_FAILED', 'limit'])
    }
  })

  it('is the public API’s route without a delegation', async () => {
    const answer = await server.call('/workflows?companyId=acme')
    expect(Object.keys(answer.json())).toEqual(['workflows'])
  })

  it('returns one with its graph and its revision, which changes with the workflow', async () => {
    const before = await client.call('GET', `/workflows/${workflowId}`)
    expect(before.data).toMatchObject({ id: workflowId, name: 'Vertical shorts' })
    expect(before.etag).toBe(`"${String(before.data['revision'])}"`)
    expect((before.data['nodes'] as unknown[]).length).toBeGreaterThan(1)
    const { orm } = server.services.db
    orm.update(workflows).set({ revision: 2 }).where(eq(workflows.id, workflowId)).run()
    const after = await client.call('GET', `/workflows/${workflowId}`)
    expect(after.etag).not.toBe(before.etag)
  })
})

describe('a run that is confirmed', () => {
  it('is prepared, approved, dispatched, and started once', async () => {
    const request = { workflowId, input: INPUT, nodeConfigs: { find_clips: { min_length: 20 } } }
    const prepared = await post('/workflows:prepare-run', request)
    expect([prepared.status, prepared.data['state'], prepared.data['action']]).toEqual([
      201,
      'pending',
      'run_workflow',
    ])
    expect(prepared.data['preview']).toMatchObject({ workflowName: 'Vertical shorts', url: INPUT.url })
    const confirmationId = String(prepared.data['id'])
    const early = await post('/workflows:run', { ...request, confirmationId })
    expect([early.status, early.error.code]).toEqual([409, 'CONFIRMATION_NOT_APPROVED'])
    await decide(confirmationId)

    const key = once()
    const wakes = server.jobs.wakes
    const send = () =>
      client.call('POST', '/workflows:run', { json: { ...request, confirmationId }, once: key })
    const first = await send()
    const second = await send()
    expect([first.status, first.data['state'], second.text]).toEqual([202, 'queued', first.text])
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(server.jobs.wakes).toBe(wakes + 1)
    const { id, runId, operationId } = first.data as Record<string, string>
    expect((await client.call('GET', `/runs/${runId}`)).data).toMatchObject({ id: runId, status: 'Pending' })
    expect((await rival.call('GET', `/runs/${runId}`)).error.code).toBe('NOT_FOUND')

    for (const owner of ['one', 'two', 'three']) executeDispatch(server.services, { id: id ?? '', owner })
    const run = getRun(server.services.db, runId ?? '')
    expect(run?.snapshot.nodes.find(({ type }) => type === 'find_clips')?.config['min_length']).toBe(20)
    expect(getOperation(server.services.db, operationId ?? '')).toMatchObject({
      kind: 'run',
      state: 'queued',
      subjectId: runId,
    })
    const again = await post('/workflows:run', { ...request, confirmationId })
    expect([again.status, again.error.code]).toEqual([409, 'CONFIRMATION_CONSUMED'])
    expect((await client.call('GET', `/runs/${runId}`)).data['source']).toBe(INPUT.url)
  })

  it('is valid for exactly the prepared request, and for the client that prepared it', async () => {
    const request = { workflowId, input: INPUT }
    const confirmationId = await confirmed(request)
    const changed = [
      { ...request, input: { ...INPUT, url: 'https://example.com/other.mp4' } },
      { ...request, input: { url: INPUT.url } },
      { ...request, nodeConfigs: { find_clips: { min_length: 30 } } },
      { ...request, workflowId: addWorkflow(server) },
    ]
    for (const json of changed) {
      const { status, error } = await post('/workflows:run', { ...json, confirmationId })
      expect([status, error.code]).toEqual([409, 'CONFIRMATION_MISMATCH'])
    }
    const colleague = await domainClient(server, { clientId: 'colleague' })
    const theirs = await post('/workflows:run', { ...request, confirmationId }, colleague)
    expect(theirs.error.code).toBe('CONFIRMATION_MISMATCH')
    expect((await post('/workflows:run', { ...request, confirmationId }, rival)).error.code).toBe('NOT_FOUND')
    // None of those has used it up.
    expect((await post('/workflows:run', { ...request, confirmationId })).status).toBe(202)
  })

  it('is refused when it was declined, has expired, or the workflow was changed since', async () => {
    const request = { workflowId, input: INPUT }
    const declined = String((await post('/workflows:prepare-run', request)).data['id'])
    await decide(declined, 'decline')
    const no = await post('/workflows:run', { ...request, confirmationId: declined })
    expect(no.error.code).toBe('CONFIRMATION_NOT_APPROVED')

    const stale = await confirmed(request)
    const before = await client.call('GET', `/workflows/${workflowId}`)
    const expectedWorkflowRevision = String(before.data['revision'])
    const { orm } = server.services.db
    orm.update(workflows).set({ revision: 3 }).where(eq(workflows.id, workflowId)).run()
    const changed = await post('/workflows:run', { ...request, confirmationId: stale })
    expect(changed.error.code).toBe('CONFIRMATION_MISMATCH')
    const told = await post('/workflows:prepare-run', { ...request, expectedWorkflowRevision })
    expect([told.status, told.error.code]).toEqual([412, 'PRECONDITION_FAILED'])

    const late = await confirmed(request)
    time += 15 * 60_000
    const expired = await post('/workflows:run', { ...request, confirmationId: late })
    expect([expired.status, expired.error.code]).toEqual([410, 'CONFIRMATION_EXPIRED'])
    time -= 15 * 60_000
  })

  it.each([
    [{}, 'workflowId'],
    [{ workflowId: 'x' }, 'input.url'],
    [{ workflowId: 'x', input: {} }, 'input.url'],
    [{ workflowId: '$', input: { url: 'nowhere' } }, 'url'],
    [{ workflowId: '$', input: { url: 7 } }, 'input.url'],
    [{ workflowId: '$', input: { ...INPUT, more: 1 } }, 'input.more'],
    [{ workflowId: '$', input: INPUT, companyId: 'rival' }, 'companyId'],
    [{ workflowId: '$', input: { ...INPUT, values: { companyId: 'rival' } } }, 'input.values.companyId'],
    [
      { workflowId: '$', input: { ...INPUT, values: { minLengthTarget: 'long' } } },
      'input.values.minLengthTarget',
    ],
    [{ workflowId: '$', input: INPUT, nodeConfigs: { find_clips: 7 } }, 'nodeConfigs.find_clips'],
    [{ workflowId: '$', input: INPUT, confirmationId: 'x' }, 'confirmationId'],
  ])('is refused before anything is stored: %j', async (json, field) => {
    const request = 'workflowId' in json && json.workflowId === '$' ? { ...json, workflowId } : json
    const { status, error } = await post('/workflows:prepare-run', request)
    expect([status, error.code, error.details?.['field']]).toEqual([400, 'VALIDATION_FAILED', field])
  })

  it('is refused when it is nested too deeply', async () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown
    const ask = (levels: number) =>
      post('/workflows:prepare-run', { workflowId, input: { ...INPUT, values: { x: nested(levels) } } })
    const { status, error } = await ask(1000)
    expect([status, error.code, error.details?.['field']]).toEqual([400, 'VALIDATION_FAILED', 'body'])
    expect([(await ask(61)).status, (await ask(62)).status]).toEqual([201, 400])
  })

  it('requires a confirmation, a workflow of this tenant, and valid settings of the nodes', async () => {
    const request = { workflowId, input: INPUT }
    const bare = await post('/workflows:run', request)
    expect([bare.status, bare.error.details?.['field']]).toEqual([400, 'confirmationId'])
    expect((await post('/workflows:prepare-run', request, rival)).error.code).toBe('NOT_FOUND')
    const wrong = await post('/workflows:prepare-run', {
      ...request,
      nodeConfigs: { find_clips: { min_length: 'x' } },
    })
    expect([wrong.status, wrong.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  it('is reported as failed when its dispatch failed', async () => {
    const request = { workflowId, input: INPUT }
    const confirmationId = await confirmed(request)
    const { data } = await post('/workflows:run', { ...request, confirmationId })
    const failure = { code: 'INTERRUPTED' as const, message: 'Given up.' }
    server.services.db.orm
      .update(workflowDispatches)
      .set({ state: 'failed', failure })
      .where(eq(workflowDispatches.id, String(data['id'])))
      .run()
    const run = await client.call('GET', `/runs/${String(data['runId'])}`)
    expect(run.data).toMatchObject({ status: 'Error', error: failure })
  })
})

describe('another tenant', () => {
  it('sees no workflow and no run', async () => {
    const runId = addRun(server, { workflowId })
    expect((await client.call('GET', `/runs/${runId}`)).status).toBe(200)
    for (const path of [
      `/workflows/${workflowId}`,
      `/runs/${runId}`,
      '/runs/nothing',
      '/workflows/nothing',
    ]) {
      const { status, error } = await rival.call('GET', path)
      expect([status, error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await rival.call('GET', '/workflows')).data).toEqual([])
  })
})
