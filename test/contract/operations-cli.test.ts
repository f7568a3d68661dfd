/** `cutroom operations list` and `retry` on a home, as a person types them; `cutroom worker` with what cannot be. */
import { expect, it } from 'vitest'
import { openDatabase } from '../../server/db/client.ts'
import { claimOperation, getOperation, insertOperation, settleOperation } from '../../server/db/operations.ts'
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

it('a worker reports what is wrong before it takes any task', async () => {
  const bare = await cutroom('worker', '--server', 'http://127.0.0.1:9', '--json')
  expect([bare.code, bare.notes.at(-1)]).toEqual([2, expect.stringContaining('service-token issue')])
  const nobody = await cutroom('worker', '--server', 'http://127.0.0.1:9', '--token', 'x', '--json')
  expect([nobody.code, nobody.notes.at(-1)]).toEqual([1, expect.stringContaining('No appliance answers')])
  // The home is free again.
  const twice = await cutroom('worker', '--server', 'http://127.0.0.1:9', '--token', 'x', '--json')
  expect(twice.notes.at(-1)).toContain('No appliance answers')
})
