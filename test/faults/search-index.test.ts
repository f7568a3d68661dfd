/** The index of search by meaning, of an appliance that is killed in the middle of it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../server/db/client.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { openHome } from '../../server/home.ts'
import { serve } from '../support/appliance-process.ts'
import { addWorkflow, type TestServer } from '../support/server.ts'
import { addSpokenRun, spokenWords } from '../support/spoken-runs.ts'
import { makeTinyEmbedder } from '../support/tiny-embedder.ts'

const RUNS = 60
const SENTENCE = 'A bench stands by the wall, and nobody sits there before noon.'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-search-index-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

it('goes on after a kill, and has each run once and whole', { timeout: 150_000 }, async () => {
  const models = await makeTinyEmbedder(join(root, 'models'), [['bench', 'wall']])
  const folder = join(root, 'home')
  const home = openHome(folder)
  const db = openDatabase(home.database)
  const services = { home, db, now: Date.now }
  const { id: companyId } = createCompany(services, { id: 'acme', name: 'Acme' })
  const server = { services, companyId } as unknown as TestServer
  const workflowId = addWorkflow(server)
  for (let run = 0; run < RUNS; run += 1) {
    const words = spokenWords(
      Array.from({ length: 400 }, (_, at) => `${SENTENCE.slice(0, -1)} ${run} ${at}.`),
    )
    await addSpokenRun(server, { workflowId, words })
  }
  const indexed = (): number =>
    db.sqlite.prepare<[], { count: number }>('select count(*) as count from passage_indexes').get()?.count ??
    0
  const environment = { CUTROOM_MODELS: models, CUTROOM_MIN_FREE_BYTES: '0' }
  const first = await serve(folder, [], environment)
  await expect.poll(indexed, { timeout: 60_000, interval: 20 }).toBeGreaterThan(1)
  await first.stop('SIGKILL')
  const before = indexed()
  expect(before).toBeLessThan(RUNS)
  const second = await serve(folder, [], environment)
  try {
    await expect.poll(indexed, { timeout: 60_000 }).toBe(RUNS)
  } finally {
    await second.stop()
  }
  const rows = db.sqlite
    .prepare<[], { passages: number; stored: number; bytes: number; size: number }>(
      `select i.passages, length(i.vectors) as bytes, i.size,
         (select count(*) from passages p where p.run_id = i.run_id) as stored from passage_indexes i`,
    )
    .all()
  for (const { passages, stored, bytes, size } of rows)
    expect([stored, bytes]).toEqual([passages, passages * (4 + size)])
  db.close()
})
