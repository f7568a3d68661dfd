/** `cutroom operations list` and `retry` on a home, as a person types them; `cutroom worker` with what cannot be. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../server/db/client.ts'
import { claimOperation, getOperation, insertOperation, settleOperation } from '../../server/db/operations.ts'
import { runs } from '../../server/db/schema.ts'
import { openHome } from '../../server/home.ts'
import { typedCommands } from '../support/typed-commands.ts'

const { home, cutroom, json } = typedCommands()

it('lists dead letters, and retries them', async () => {
  const db = openDatabase(openHome(home()).database)
  const failed = (code: 'RENDER_FAILED' | 'NO_SPEECH', subjectId: string): string => {
    const id = insertOperation(db, { companyId: 'acme', kind: 'render', subjectId, now: 5 })
    claimOperation(db, id, 'o', 5)
    settleOperation(db, id, 'o', 5, { state: 'failed', failure: { code, message: 'It broke.' } })
    return id
  }
  const dead = failed('RENDER_FAILED', 'clip-1')
  failed('NO_SPEECH', 'clip-2')
  expect(await json('operations', 'list', '--state', 'dead')).toMatchObject([
    { id: dead, kind: 'render', state: 'failed', failure: { code: 'RENDER_FAILED' } },
  ])
  const table = await cutroom('operations', 'list', '--state', 'dead')
  expect([table.code, table.out.length]).toEqual([0, 2])
  expect(table.out[1]).toMatch(new RegExp(`^${dead} .*RENDER_FAILED: It broke\\.$`))
  expect((await cutroom('operations', 'list', '--company', 'rival')).notes).toEqual(['There are none.'])
  expect((await cutroom('operations', 'list', '--state', 'odd')).code).toBe(2)

  const { operationId } = await json<{ operationId: string }>('operations', 'retry', dead)
  expect(getOperation(db, operationId)).toMatchObject({ state: 'queued', subjectId: 'clip-1' })
  expect((await cutroom('operations', 'list', '--state', 'dead')).out).toEqual([])
  const again = await cutroom('operations', 'retry', dead, '--json')
  expect([again.code, again.notes.at(-1)]).toEqual([1, expect.stringContaining('INVALID_STATE')])
  db.close()
})

const failedRun = (code: string, id: string): void => {
  const db = openDatabase(openHome(home()).database)
  const values = {
    id,
    companyId: 'acme',
    workflowId: 'w',
    status: 'Error' as const,
    channel: 'current' as const,
  }
  const source = { kind: 'file' as const, path: '/gone.mp4', displayName: 'gone.mp4' }
  const snapshot = { workflowId: 'w', workflowName: 'W', nodes: [], originalUrl: 'a', keywords: [], source }
  const rest = {
    pipelineVersion: '1',
    warnings: [],
    createdAt: 1,
    updatedAt: 1,
    error: 'It broke.',
    errorCode: code,
  }
  db.orm
    .insert(runs)
    .values({ ...values, ...rest, snapshot: { ...snapshot, channel: 'current', pipelineVersion: '1' } })
    .run()
  db.close()
}

it('lets everything go on that may succeed now, unless the disk is still full', async () => {
  await cutroom('company', 'create', 'acme', '--name', 'Acme')
  for (const code of ['DISK_FULL', 'MODEL_NOT_INSTALLED', 'SOURCE_UNREACHABLE', 'NO_SPEECH', 'CANCELLED'])
    failedRun(code, `run-${code}`)
  await writeFile(join(home(), 'config.json'), JSON.stringify({ minFreeBytes: 2 ** 52 }))
  for (const words of [
    ['resume', '--all'],
    ['resume', 'run-DISK_FULL'],
    ['operations', 'retry', '--all'],
  ]) {
    const { code, notes } = await cutroom(...words)
    expect([words, code, notes.at(-1)]).toEqual([words, 1, expect.stringContaining('The disk is still full')])
  }
  await rm(join(home(), 'config.json'))
  expect(await json('resume', '--all')).toEqual({
    resumed: 3,
    runs: ['run-DISK_FULL', 'run-MODEL_NOT_INSTALLED', 'run-SOURCE_UNREACHABLE'],
    left: { NO_SPEECH: 1, CANCELLED: 1 },
  })
  const again = await cutroom('resume', '--all')
  expect([again.code, again.out]).toEqual([0, ['0 runs go on.']])
  expect((await cutroom('resume')).code).toBe(2)
  expect((await cutroom('resume', 'x', '--all')).code).toBe(2)

  const db = openDatabase(openHome(home()).database)
  for (let at = 0; at < 205; at += 1) {
    const id = insertOperation(db, { companyId: 'acme', kind: 'render', subjectId: `lost-${at}`, now: 5 })
    claimOperation(db, id, 'o', 5)
    settleOperation(db, id, 'o', 5, {
      state: 'failed',
      failure: { code: 'RENDER_FAILED', message: 'It broke.' },
    })
  }
  const retried = await json<{ retried: number; operations: string[] }>('operations', 'retry', '--all')
  expect([retried.retried, new Set(retried.operations).size]).toEqual([205, 205])
  expect(await json('operations', 'retry', '--all')).toEqual({ retried: 0, operations: [], left: {} })
  db.close()
})

it('a worker reports what is wrong before it takes any task', async () => {
  const bare = await cutroom('worker', '--server', 'http://127.0.0.1:9', '--json')
  expect([bare.code, bare.notes.at(-1)]).toEqual([2, expect.stringContaining('service-token issue')])
  const nobody = await cutroom('worker', '--server', 'http://127.0.0.1:9', '--token', 'x', '--json')
  expect([nobody.code, nobody.notes.at(-1)]).toEqual([1, expect.stringContaining('No appliance answers')])
  // The home is free again.
  const twice = await cutroom('worker', '--server', 'http://127.0.0.1:9', '--token', 'x', '--json')
  expect(twice.notes.at(-1)).toContain('No appliance answers')
})
