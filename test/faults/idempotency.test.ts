/**
 * kill -9 while triggers come in: each is retried with its Idempotency-Key until it is answered, and is one run in the end,
 * whether the kill came before the run, between run and answer, or after both.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { importWorkflow } from '../../server/domain/workflows/workflows.ts'
import { openHome } from '../../server/home.ts'
import { createLogger } from '../../server/log.ts'
import { DEFAULT_WORKFLOWS } from '../../server/nodes/index.ts'
import { fakeJobs } from '../support/server.ts'
import { rounds, seeded } from './support/long.ts'

const KILLS = rounds(40) + 1
const PER_KILL = 40
const companyId = 'acme'

let root = ''
let workflowId = ''
let key = ''
let child: ChildProcess | null = null
let url = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-once-'))
  const home = openHome(root)
  const db = openDatabase(home.database)
  const config = loadConfig({ home: root, port: '0' }, {})
  const services = { config, home, db, jobs: fakeJobs(), log: createLogger('error'), now: Date.now }
  createCompany(services, { id: companyId, name: 'Acme' })
  key = createApiKey(services, { companyId, name: 'test' }).key
  workflowId = importWorkflow(services, { companyId, file: DEFAULT_WORKFLOWS[0] }).workflowId
  db.close()
})
afterAll(async () => {
  await kill()
  await rm(root, { recursive: true, force: true })
})

async function start(): Promise<void> {
  const program = join(import.meta.dirname, '..', 'support', 'http-process.ts')
  child = spawn(process.execPath, [program, root], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  const [line] = (await once(lines, 'line')) as [string]
  url = line
}

async function kill(): Promise<void> {
  if (child === null) return
  const ended = once(child, 'close')
  child.kill('SIGKILL')
  await ended
  child = null
}

/** Triggers with this key until somebody answers; the run's id. */
async function trigger(n: number): Promise<string> {
  for (;;) {
    const answer = await fetch(`${url}/trigger-template`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `trigger-${n}`,
      },
      body: JSON.stringify({ companyId, workflowId, url: 'https://example.com/talk.mp4' }),
    })
      .then(async (response) => ({ status: response.status, body: (await response.json()) as object }))
      .catch(() => null)
    if (answer?.status === 200) return (answer.body as { triggerId: string }).triggerId
    if (answer !== null && answer.status < 500) throw new Error(JSON.stringify(answer))
    await pause(20)
  }
}

it('makes one run for each key', async () => {
  const chance = seeded(71)
  const ids: string[] = []
  await start()
  for (let round = 0; round < KILLS; round += 1) {
    const first = round * PER_KILL
    const all = Promise.all(Array.from({ length: PER_KILL }, (_, n) => trigger(first + n)))
    await pause(chance() * 300)
    await kill()
    await start()
    ids.push(...(await all))
  }
  const count = KILLS * PER_KILL
  expect(new Set(ids).size).toBe(count)
  expect(await Promise.all(Array.from({ length: count }, (_, n) => trigger(n)))).toEqual(ids)
  await kill()
  const db = openDatabase(openHome(root).database)
  const stored = db.sqlite.prepare('select id from runs').pluck().all()
  db.close()
  expect(stored.sort()).toEqual(ids.sort())
}, 600_000)
