/** What the platform's callbacks do to the queue, and that they need a service's identity; dead letters by the studio. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunSnapshot } from '../../server/contract/run.ts'
import { applyToDispatch, getDispatch, insertDispatch } from '../../server/db/dispatches.ts'
import {
  claimOperation,
  getOperation,
  insertOperation,
  requestCancel,
  settleOperation,
} from '../../server/db/operations.ts'
import { createRunWithOperation, advanceRun, getRun } from '../../server/db/runs.ts'
import { operations, runs, workflowDispatches } from '../../server/db/schema.ts'
import { newId } from '../../server/ids.ts'
import { recoverDispatches, startReadyDispatches } from '../../server/jobs/work-loop.ts'
import { MAX_OPERATION_ATTEMPTS } from '../../server/jobs/queue.ts'
import { domainClient, serviceClient, type DomainClient } from '../support/domain.ts'
import { addCompany, startTestServer, type TestServer } from '../support/server.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const MINUTE = 60_000
let time = 1_800_000_000_000
let server: TestServer
let service: Pick<DomainClient, 'call'>
let tenant: DomainClient
beforeAll(async () => {
  server = await startTestServer({ now: () => time })
  service = await serviceClient(server)
  tenant = await domainClient(server)
})
afterAll(() => server.close())
beforeEach(() => {
  const { orm } = server.services.db
  orm.delete(operations).run()
  orm.delete(workflowDispatches).run()
  orm.delete(runs).run()
})

const snapshot: RunSnapshot = {
  workflowId: 'w',
  workflowName: 'W',
  nodes: [],
  originalUrl: 'http://x/y.mp4',
  keywords: [],
  source: { kind: 'url', url: 'http://x/y.mp4' },
  channel: 'current',
  pipelineVersion: '1.0.0',
}

const queued = (more: { kind?: 'run' | 'render'; companyId?: string; at?: number } = {}) =>
  insertOperation(server.services.db, {
    companyId: more.companyId ?? 'acme',
    kind: more.kind ?? 'render',
    subjectId: newId(),
    now: more.at ?? time,
  })
const operation = (id: string) => getOperation(server.services.db, id)

function addDispatch(at = time): { id: string; runId: string; operationId: string } {
  const ids = { id: newId(), runId: newId(), operationId: newId() }
  insertDispatch(server.services.db, {
    ...ids,
    companyId: 'acme',
    clientId: 'c',
    workflowId: 'w',
    workflowRevision: 1,
    snapshot,
    warnings: [],
    state: 'queued',
    availableAt: at,
    createdAt: at,
    updatedAt: at,
  })
  return ids
}
const dispatch = (id: string) => getDispatch(server.services.db, id)
const lease = (id: string, owner = 'other') =>
  applyToDispatch(server.services.db, id, { kind: 'claim', owner, now: time }, time)

const CALLBACKS = [
  '/internal/operations/x/execute',
  '/internal/operations:execute',
  '/internal/operations:reconcile',
  '/internal/workflow-dispatches/x/execute',
  '/internal/workflow-dispatches:execute',
  '/internal/workflow-dispatches:reconcile',
]

describe('callbacks', () => {
  it.each(CALLBACKS)('%s needs the identity of a service', async (path) => {
    for (const requested of [
      () => service.call('POST', path, { token: null, json: {} }),
      () => service.call('POST', path, { token: 'a.b.c', json: {} }),
      () => service.call('POST', path, { token: tenant.token, json: {} }),
      () => tenant.call('POST', path, { json: {} }),
      () => service.call('POST', path, { token: server.key, json: {} }),
    ]) {
      const { status, error } = await requested()
      expect([status, error.code]).toEqual([401, 'UNAUTHENTICATED'])
    }
  })

  it('about unknown ids are answered as not found', async () => {
    for (const [path, json] of [
      ['/internal/operations/nothing/execute', undefined],
      ['/internal/operations:execute', { operationId: 'nothing' }],
      ['/internal/workflow-dispatches/nothing/execute', undefined],
      ['/internal/workflow-dispatches:execute', { dispatchId: 'nothing' }],
    ] as const) {
      const { status, error } = await service.call('POST', path, omitUndefined({ json }))
      expect([status, error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  it.each([
    ['/internal/operations:execute', {}, 'operationId'],
    ['/internal/operations:execute', { operationId: 7 }, 'operationId'],
    ['/internal/operations:execute', { operationId: 'x', more: 1 }, 'more'],
    ['/internal/workflow-dispatches:execute', { operationId: 'x' }, 'dispatchId'],
    ...['/internal/operations:reconcile', '/internal/workflow-dispatches:reconcile'].flatMap(
      (path): [string, object, string][] => [
        [path, { limit: 0 }, 'limit'],
        [path, { limit: 501 }, 'limit'],
        [path, { limit: 1.5 }, 'limit'],
        [path, { minimumAgeSeconds: 59 }, 'minimumAgeSeconds'],
        [path, { minimumAgeSeconds: 86_401 }, 'minimumAgeSeconds'],
        [path, { more: true }, 'more'],
      ],
    ),
  ])('%s refuses %j', async (path, json, field) => {
    const { status, error } = await service.call('POST', path, { json })
    expect([status, error.code, error.details?.['field']]).toEqual([400, 'VALIDATION_FAILED', field])
  })
})

describe('executing an operation', () => {
  const both = async (id: string) => {
    const byPath = await service.call('POST', `/internal/operations/${id}/execute`)
    const byBody = await service.call('POST', '/internal/operations:execute', { json: { operationId: id } })
    expect([byBody.status, byBody.data]).toEqual([byPath.status, byPath.data])
    return [byPath.status, byPath.data['outcome'], byPath.data['state']]
  }

  it('wakes the queue for a waiting operation', async () => {
    const wakes = server.jobs.wakes
    expect(await both(queued())).toEqual([200, 'accepted', 'queued'])
    expect(server.jobs.wakes).toBe(wakes + 2)
  })

  it('is acknowledged without effect for an operation that runs, has ended, or waits for its time', async () => {
    const { db } = server.services
    const wakes = server.jobs.wakes
    const running = queued()
    claimOperation(db, running, 'other', time)
    expect(await both(running)).toEqual([202, 'leased', 'running'])
    for (const state of ['succeeded', 'failed', 'cancelled'] as const) {
      const id = queued()
      claimOperation(db, id, 'other', time)
      settleOperation(db, id, 'other', time, { state })
      expect(await both(id)).toEqual([202, 'finished', state])
    }
    expect(await both(queued({ at: time + MINUTE }))).toEqual([202, 'waiting', 'queued'])
    expect(server.jobs.wakes).toBe(wakes)
  })
})

describe('reconciling operations', () => {
  const reconcile = async (json?: object) =>
    (await service.call('POST', '/internal/operations:reconcile', omitUndefined({ json }))).data

  it('reconciles only what is old enough, and not again right after', async () => {
    const old = queued({ at: time - 6 * MINUTE })
    queued({ at: time - 4 * MINUTE })
    queued({ at: time + MINUTE })
    const wakes = server.jobs.wakes
    expect(await reconcile()).toEqual({ examined: 1, requeued: 1, ended: 0 })
    expect(operation(old)).toMatchObject({ state: 'queued', updatedAt: time })
    expect(server.jobs.wakes).toBe(wakes + 1)
    expect(await reconcile({})).toEqual({ examined: 0, requeued: 0, ended: 0 })
    expect(await reconcile({ minimumAgeSeconds: 120 })).toEqual({ examined: 1, requeued: 1, ended: 0 })
  })

  it('requeues what a dead lease holder left, and ends what was lost too often or was to be cancelled', async () => {
    const { db } = server.services
    const again = queued()
    const worn = queued()
    const unwanted = queued()
    const alive = queued()
    for (const id of [again, worn, unwanted, alive]) claimOperation(db, id, 'other', time)
    const most = MAX_OPERATION_ATTEMPTS.render
    db.orm.update(operations).set({ attempts: most }).where(eq(operations.id, worn)).run()
    requestCancel(db, unwanted, time)
    time += 10 * MINUTE
    db.orm
      .update(operations)
      .set({ leaseUntil: time + 1 })
      .where(eq(operations.id, alive))
      .run()
    expect(await reconcile()).toEqual({ examined: 3, requeued: 1, ended: 2 })
    expect([again, worn, unwanted, alive].map((id) => operation(id)?.state)).toEqual([
      'queued',
      'failed',
      'cancelled',
      'running',
    ])
  })

  it('ends the run of an operation that it ends', async () => {
    const { db } = server.services
    const { runId, operationId } = createRunWithOperation(db, { companyId: 'acme', snapshot, now: time })
    claimOperation(db, operationId, 'other', time)
    requestCancel(db, operationId, time)
    time += 10 * MINUTE
    expect(await reconcile()).toMatchObject({ ended: 1 })
    expect(getRun(db, runId)).toMatchObject({ status: 'Error', errorCode: 'CANCELLED' })
  })

  it('handles at most the requested number, lost ones first', async () => {
    const { db } = server.services
    const lost = queued()
    claimOperation(db, lost, 'other', time)
    for (let count = 0; count < 4; count++) queued()
    time += 10 * MINUTE
    expect(await reconcile({ limit: 3 })).toEqual({ examined: 3, requeued: 3, ended: 0 })
    expect(operation(lost)?.state).toBe('queued')
    expect(await reconcile({ limit: 3 })).toEqual({ examined: 2, requeued: 2, ended: 0 })
  })
})

describe('executing a dispatch', () => {
  const execute = (id: string) => service.call('POST', `/internal/workflow-dispatches/${id}/execute`)

  it('starts its run, and responds the same to a repeated request', async () => {
    const { id, runId, operationId } = addDispatch()
    const first = await execute(id)
    expect([first.status, first.data]).toEqual([200, { id, state: 'done', outcome: 'accepted' }])
    const again = await service.call('POST', '/internal/workflow-dispatches:execute', {
      json: { dispatchId: id },
    })
    expect([again.status, again.data['outcome']]).toEqual([200, 'finished'])
    expect(operation(operationId)).toMatchObject({ kind: 'run', subjectId: runId, state: 'queued' })
    expect(server.services.db.orm.select().from(runs).all()).toHaveLength(1)
  })

  it('is acknowledged with 202 while it is leased, or before its time', async () => {
    const held = addDispatch()
    lease(held.id)
    const answer = await execute(held.id)
    expect([answer.status, answer.data]).toEqual([202, { id: held.id, state: 'leased', outcome: 'leased' }])
    const later = await execute(addDispatch(time + MINUTE).id)
    expect([later.status, later.data['outcome']]).toEqual([202, 'waiting'])
  })

  it('makes one run for concurrent requests, and after a crash between lease and run', async () => {
    const { id, runId } = addDispatch()
    lease(id, 'dead')
    time += 10 * MINUTE
    const reconciled = await service.call('POST', '/internal/workflow-dispatches:reconcile')
    expect(reconciled.data).toEqual({ examined: 1, requeued: 1, ended: 0 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => execute(id)))
    expect(answers.filter(({ data }) => data['outcome'] === 'accepted')).toHaveLength(1)
    startReadyDispatches(server.services, 'loop')
    expect(
      server.services.db.orm
        .select()
        .from(runs)
        .all()
        .map((row) => row.id),
    ).toEqual([runId])
  })

  it('is retried later when it fails, and given up in the end without a partial run', async () => {
    const { id, runId, operationId } = addDispatch()
    // Something else has the id of its operation: the run cannot be stored.
    const { db } = server.services
    insertOperation(db, { id: operationId, companyId: 'acme', kind: 'render', subjectId: 's', now: time })
    const outcomes: unknown[] = []
    for (let attempt = 0; attempt < MAX_OPERATION_ATTEMPTS.dispatch + 1; attempt++) {
      outcomes.push((await execute(id)).data['outcome'])
      time += MINUTE
    }
    expect(outcomes).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'finished', 'finished'])
    expect(dispatch(id)).toMatchObject({ state: 'failed', failure: { code: 'INTERRUPTED' } })
    expect(getRun(db, runId)).toBeNull()
  })
})

describe('the work loop', () => {
  it('starts what is queued, and resumes what a dead process had leased', () => {
    const waiting = addDispatch()
    const held = addDispatch()
    lease(held.id, 'dead')
    startReadyDispatches(server.services, 'loop')
    expect([dispatch(waiting.id)?.state, dispatch(held.id)?.state]).toEqual(['done', 'leased'])
    recoverDispatches(server.services, time)
    expect(dispatch(held.id)?.state).toBe('leased')
    recoverDispatches(server.services, null)
    expect(dispatch(held.id)?.state).toBe('queued')
    startReadyDispatches(server.services, 'loop')
    expect(dispatch(held.id)?.state).toBe('done')
  })
})

describe('dead letters', () => {
  const list = async (state: string, key?: string) =>
    (await server.call(`/studio/operations?state=${state}`, omitUndefined({ key }))).json<{
      operations: { id: string; failure: { code: string } | null }[]
    }>().operations
  const retry = (id: string, key?: string) =>
    server.call(`/studio/operations/${id}/retry`, {
      method: 'POST',
      ...omitUndefined({ key }),
    })
  const fail = (id: string, code: 'INTERRUPTED' | 'NO_SPEECH' | 'RENDER_FAILED') => {
    claimOperation(server.services.db, id, 'o', time)
    settleOperation(server.services.db, id, 'o', time, { state: 'failed', failure: { code, message: code } })
    return id
  }

  it('are operations that failed, could succeed, and were not retried', async () => {
    const gaveUp = fail(queued(), 'INTERRUPTED')
    const hopeless = fail(queued(), 'NO_SPEECH')
    queued()
    expect((await list('dead')).map(({ id }) => id)).toEqual([gaveUp])
    expect(new Set((await list('failed')).map(({ id }) => id))).toEqual(new Set([gaveUp, hopeless]))
    const answer = await retry(gaveUp)
    const { operationId } = answer.json<{ operationId: string }>()
    expect(operation(operationId)).toMatchObject({
      state: 'queued',
      kind: 'render',
      attempts: 0,
      subjectId: operation(gaveUp)?.subjectId,
    })
    expect(operation(gaveUp)?.state).toBe('failed')
    expect(await list('dead')).toEqual([])
    const twice = await retry(gaveUp)
    expect([twice.status, twice.json()['code']]).toEqual([409, 'INVALID_STATE'])
    const running = await retry(operationId)
    expect([running.status, running.json()['code']]).toEqual([409, 'INVALID_STATE'])
  })

  it('of a run resume the run when retried', async () => {
    const { db } = server.services
    const { runId, operationId } = createRunWithOperation(db, { companyId: 'acme', snapshot, now: time })
    fail(operationId, 'INTERRUPTED')
    advanceRun(db, runId, 'Error', time, { code: 'INTERRUPTED', message: 'x' })
    const { operationId: next } = (await retry(operationId)).json<{ operationId: string }>()
    expect(operation(next)).toMatchObject({ kind: 'run', subjectId: runId, state: 'queued' })
    expect(getRun(db, runId)).toMatchObject({ status: 'Processing', errorCode: null })
  })

  it('include confirmed runs that could not be started: retried, they keep their published ids', async () => {
    const { id, runId, operationId } = addDispatch()
    for (let times = 0; times < MAX_OPERATION_ATTEMPTS.dispatch; times += 1) {
      time += 10 * MINUTE
      lease(id, 'dead')
      recoverDispatches(server.services, null)
    }
    expect(dispatch(id)?.state).toBe('failed')
    const seen = { id: operationId, kind: 'dispatch', subjectId: runId, failure: { code: 'INTERRUPTED' } }
    expect(await list('dead')).toMatchObject([seen])
    expect(await list('failed')).toMatchObject([seen])
    expect([await list('queued'), await list('running')]).toEqual([[], []])
    const { key } = addCompany(server, `other-${newId().slice(0, 4)}`)
    expect(await list('dead', key)).toEqual([])
    expect((await retry(operationId, key)).status).toBe(404)

    expect((await retry(operationId)).json()).toEqual({ operationId })
    expect(await list('dead')).toEqual([])
    expect(await list('queued')).toMatchObject([{ id: operationId, attempts: 0, failure: null }])
    expect((await retry(operationId)).json()['code']).toBe('INVALID_STATE')
    startReadyDispatches(server.services, 'o')
    expect(getRun(server.services.db, runId)).toMatchObject({ id: runId, status: 'Pending' })
    expect(await list('queued')).toMatchObject([{ id: operationId, kind: 'run' }])
  })

  it('of another company are not found', async () => {
    const { key } = addCompany(server, `other-${newId().slice(0, 4)}`)
    const id = fail(queued(), 'INTERRUPTED')
    expect(await list('dead', key)).toEqual([])
    expect((await retry(id, key)).json()['code']).toBe('NOT_FOUND')
    const odd = await server.call('/studio/operations?state=odd')
    expect([odd.status, odd.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
  })
})

it('a render can be cancelled by clients that may render, and nothing else can', async () => {
  const cancel = vi.spyOn(server.jobs, 'cancel')
  const stop = (id: string, key?: string) =>
    server.call(`/studio/operations/${id}/cancel`, {
      method: 'POST',
      ...omitUndefined({ key }),
    })
  const id = queued()
  const { key } = addCompany(server, `other-${newId().slice(0, 4)}`)
  expect((await stop(id, key)).status).toBe(404)
  const { operationId } = createRunWithOperation(server.services.db, {
    companyId: 'acme',
    snapshot,
    now: time,
  })
  expect((await stop(operationId)).status).toBe(404)
  expect(cancel).not.toHaveBeenCalled()
  expect((await stop(id)).json()).toEqual({ operationId: id })
  expect(cancel).toHaveBeenCalledExactlyOnceWith(id)
  claimOperation(server.services.db, id, 'o', time)
  settleOperation(server.services.db, id, 'o', time, { state: 'cancelled' })
  expect((await stop(id)).json()['code']).toBe('INVALID_STATE')
  cancel.mockRestore()
})
