/** `cutroom operations list` and `retry` on a home, as a person types them; `cutroom worker` with what cannot be. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommandLine } from '../../server/cli/command-line.ts'
import { openDatabase } from '../../server/db/client.ts'
import { claimOperation, getOperation, insertOperation, settleOperation } from '../../server/db/operations.ts'
import { openHome } from '../../server/home.ts'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'cutroom-operations-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

async function cutroom(...words: string[]): Promise<{ code: number; out: string[]; notes: string[] }> {
  const [out, notes]: [string[], string[]] = [[], []]
  const terminal = {
    ...{ out: (line: string) => void out.push(line), note: (line: string) => void notes.push(line) },
    ...{ status: () => undefined, interactive: false, columns: 80 },
  }
  const code = await runCommandLine([...words, '--home', root], terminal)
  return { code, out, notes }
}

it('shows what was given up, and tries it again', async () => {
  const db = openDatabase(openHome(root).database)
  const failed = (code: 'RENDER_FAILED' | 'NO_SPEECH', subjectId: string): string => {
    const id = insertOperation(db, { companyId: 'acme', kind: 'render', subjectId, now: 5 })
    claimOperation(db, id, 'o', 5)
    settleOperation(db, id, 'o', 5, { state: 'failed', failure: { code, message: 'It broke.' } })
    return id
  }
  const dead = failed('RENDER_FAILED', 'clip-1')
  failed('NO_SPEECH', 'clip-2')
  const listed = await cutroom('operations', 'list', '--state', 'dead', '--json')
  expect(JSON.parse(listed.out[0] ?? '')).toMatchObject([
    { id: dead, kind: 'render', state: 'failed', failure: { code: 'RENDER_FAILED' } },
  ])
  const table = await cutroom('operations', 'list', '--state', 'dead')
  expect([table.code, table.out.length]).toEqual([0, 2])
  expect(table.out[1]).toMatch(new RegExp(`^${dead} .*RENDER_FAILED: It broke\\.$`))
  expect((await cutroom('operations', 'list', '--company', 'rival')).notes).toEqual(['There are none.'])
  expect((await cutroom('operations', 'list', '--state', 'odd')).code).toBe(2)

  const retried = await cutroom('operations', 'retry', dead, '--json')
  const { operationId } = JSON.parse(retried.out[0] ?? '') as { operationId: string }
  expect(getOperation(db, operationId)).toMatchObject({ state: 'queued', subjectId: 'clip-1' })
  expect((await cutroom('operations', 'list', '--state', 'dead')).out).toEqual([])
  const again = await cutroom('operations', 'retry', dead, '--json')
  expect([again.code, again.notes.at(-1)]).toEqual([1, expect.stringContaining('INVALID_STATE')])
  db.close()
})

it('a worker says what is wrong before it takes anything', async () => {
  const bare = await cutroom('worker', '--server', 'http://127.0.0.1:9', '--json')
  expect([bare.code, bare.notes.at(-1)]).toEqual([2, expect.stringContaining('service-token issue')])
  const nobody = await cutroom('worker', '--server', 'http://127.0.0.1:9', '--token', 'x', '--json')
  expect([nobody.code, nobody.notes.at(-1)]).toEqual([1, expect.stringContaining('No appliance answers')])
  // The home is free again.
  const twice = await cutroom('worker', '--server', 'http://127.0.0.1:9', '--token', 'x', '--json')
  expect(twice.notes.at(-1)).toContain('No appliance answers')
})
