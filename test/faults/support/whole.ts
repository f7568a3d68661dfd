/** What must hold of a home after any fault: nothing lost, nothing twice, nothing half, no orphan, nothing left lying. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { media, operations, runs } from '../../../server/db/schema.ts'
import { listRunClips } from '../../../server/db/run-clips.ts'
import { listRunStages } from '../../../server/db/runs.ts'
import { readResult } from '../../../workers/artefacts.ts'
import { STAGES, type StageName } from '../../../workers/stages/catalog.ts'
import {
  describeRun,
  processesNaming,
  settledRun,
  until,
  type JobsProcess,
  type TestHome,
} from '../../support/run-on-jobs.ts'

const TOOLS = /ff(mpeg|probe)/

/** Every stored source matches its name, and no download is in progress. */
async function expectSources({ home }: TestHome): Promise<void> {
  for (const group of await readdir(home.sources))
    for (const name of await readdir(join(home.sources, group))) {
      expect(group, `${name}: ${(await readdir(join(home.sources, group))).join(', ')}`).not.toBe('.partial')
      const content = await readFile(join(home.sources, group, name))
      expect(createHash('sha256').update(content).digest('hex')).toBe(name)
    }
}

/** Every result is whole, and some run has it: else it was made twice under two keys, or left behind. */
async function expectResults({ home, db }: TestHome): Promise<void> {
  const known = new Set(
    db.orm
      .select()
      .from(runs)
      .all()
      .flatMap(({ id }) => listRunStages(db, id).map(({ stage, key }) => `${stage}/${key}`)),
  )
  const found: string[] = []
  for (const stage of (await readdir(home.artefacts)) as StageName[])
    for (const group of await readdir(join(home.artefacts, stage)))
      for (const key of await readdir(join(home.artefacts, stage, group))) {
        found.push(`${stage}/${key}`)
        const { version } = STAGES[stage]
        expect(await readResult(home.artefacts, { stage, version, key }), `${stage}/${key}`).not.toBeNull()
      }
  expect(found.filter((name) => !known.has(name))).toEqual([])
}

interface Wanted {
  readonly runId: string
  /** How many the run makes. */
  readonly clips: number
  readonly jobs?: JobsProcess
  readonly note: string
  /** A tool that fails may cost a clip its thumbnail: a render takes it again, and the run has to warn about it. */
  readonly thumbnailsMayFail?: boolean
}

/** Waits for the run to be Completed and looks at all of the home. */
export async function expectWholeHome(
  place: TestHome,
  { runId, clips, jobs, note, thumbnailsMayFail = false }: Wanted,
): Promise<void> {
  const { db, home } = place
  const explain = (): string => `${note}: ${describeRun(db, runId, jobs)}`
  const run = await settledRun(db, runId, jobs, 120_000)
  expect(run.status, explain()).toBe('Completed')
  // The row of the operation follows the run's.
  await until(
    () =>
      db.orm
        .select()
        .from(operations)
        .all()
        .every(({ state }) => state === 'succeeded'),
    5000,
    explain,
  )
  const made = listRunClips(db, runId)
  expect(
    made.map(({ ordinal }) => ordinal),
    explain(),
  ).toEqual([...Array(clips).keys()])
  expect(made.every(({ published }) => published)).toBe(true)
  const unfinished = listRunStages(db, runId).filter(({ state }) => state !== 'finished')
  const without = thumbnailsMayFail ? unfinished.filter(({ stage }) => stage === 'thumbnail') : []
  expect(unfinished).toEqual(without)
  expect(run.warnings.filter((warning) => /thumbnail/i.test(warning))).toHaveLength(without.length)
  for (const { path, bytes } of db.orm.select().from(media).all())
    expect((await stat(join(home.root, path))).size, `${note}: ${path}`).toBe(bytes)
  await expectSources(place)
  await expectResults(place)
  await until(
    () => processesNaming(home.root, TOOLS).length === 0,
    5000,
    () => `${note}: tools are still running`,
  )
  await until(
    async () => (await readdir(home.temporary)).length === 0,
    5000,
    () => `${note}: temporary files stay`,
  )
  expect(db.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.sqlite.pragma('foreign_key_check')).toEqual([])
}
