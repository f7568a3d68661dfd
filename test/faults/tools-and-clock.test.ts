/**
 * A clock that jumps while work is held, tools that exit, write garbage or hang at any of their calls, and a damaged page
 * of the database. The tools by `CUTROOM_FAULTS=long npm run faults`, the others with every `npm run faults`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { requestCancel } from '../../server/db/operations.ts'
import { getRun, listRunStages, reopenRun } from '../../server/db/runs.ts'
import { startJobs, type RunningJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { cutroom } from '../support/appliance-process.ts'
import {
  describeRun,
  makeHome,
  processesNaming,
  queueRun,
  settledRun,
  until,
  type TestHome,
} from '../support/run-on-jobs.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { ASKED, rounds, seeded } from './support/long.ts'
import { expectWholeHome } from './support/whole.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const CLIPS = 2
const DAY = 86_400_000
let root: string
let talk: TinyTalk
let place: TestHome
let jobs: RunningJobs | null = null
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-tools-'))
  talk = await makeTinyTalk(root)
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  place = makeHome(await mkdtemp(join(root, 'home-')))
})
afterEach(async () => {
  await jobs?.stop()
  jobs = null
  await place.remove()
})

async function start(options: { ffmpeg?: string; now?: () => number } = {}): Promise<RunningJobs> {
  const { home, db } = place
  const tool = omitUndefined({ CUTROOM_FFMPEG: options.ffmpeg })
  const config = loadConfig({ home: home.root }, { CUTROOM_MIN_FREE_BYTES: '0', ...tool })
  const now = options.now ?? Date.now
  jobs = await startJobs({ config, home, db, log: createLogger('error', () => undefined), now })
  return jobs
}
const whole = (runId: string, note: string, thumbnailsMayFail = false) =>
  expectWholeHome(place, { runId, clips: CLIPS, note, thumbnailsMayFail })
const finished = (runId: string) =>
  listRunStages(place.db, runId).filter(({ state }) => state === 'finished').length

it('does nothing twice and loses nothing when the clock jumps a day while work is leased', async () => {
  let jump = 0
  await start({ now: () => Date.now() + jump })
  const { runId } = queueRun(place.db, talk.video)
  jobs?.wake()
  for (const [stages, by] of [
    [2, DAY],
    [4, -2 * DAY],
    [7, 3 * DAY],
    [9, -2 * DAY],
  ] as const) {
    await until(
      () => finished(runId) >= stages,
      60_000,
      () => describeRun(place.db, runId),
    )
    jump += by
  }
  await whole(runId, 'clock')
  expect(listRunStages(place.db, runId).map(({ slot, attempts }) => [slot, attempts])).toEqual(
    listRunStages(place.db, runId).map(({ slot }) => [slot, 1]),
  )
})

type Fault = 'exits' | 'writes garbage' | 'hangs'
/** An ffmpeg that does as it should but once: at this call. */
function faulty(folder: string, fault: Fault, call: number): string {
  const real = bundledTools().ffmpeg
  const deed = {
    exits: 'exit 1',
    'writes garbage':
      'for last; do :; done\ncase "$last" in pipe:*|-) head -c 50000 /dev/urandom;; *) head -c 50000 /dev/urandom > "$last";; esac\nexit 0',
    hangs: 'exec sleep 600',
  }[fault]
  const path = join(folder, 'ffmpeg')
  const calls = join(folder, 'calls')
  // Questions about the build are none of the work, and neither are its trials.
  const program = `#!/bin/sh
case "$*" in *lavfi*|*ffmpeg-trial*|*"color=c=gray"*) exec '${real}' "$@";; *" -i "*) ;; *) exec '${real}' "$@";; esac
echo x >> '${calls}'
if [ "$(wc -l < '${calls}')" -eq ${call} ]; then echo "$@" > '${folder}/hit'; ${deed}; fi
exec '${real}' "$@"
`
  writeFileSync(path, program, { mode: 0o755 })
  return path
}

const CASES = (['exits', 'writes garbage', 'hangs'] as const).flatMap((fault) =>
  Array.from({ length: Math.min(rounds(12), 12) }, (_, call) => [fault, call + 1] as const),
)
it.runIf(ASKED).each(CASES)('detects an ffmpeg that %s at its call %i', async (fault, call) => {
  const folder = await mkdtemp(join(root, 'tool-'))
  await start({ ffmpeg: faulty(folder, fault, call) })
  const { runId, operationId } = queueRun(place.db, talk.video)
  jobs?.wake()
  const hit = join(folder, 'hit')
  const note = (): string =>
    `${fault} ${call}: ${existsSync(hit) ? readFileSync(hit, 'utf8') : 'not reached'}`
  const over = () => ['Completed', 'Error'].includes(getRun(place.db, runId)?.status ?? '')
  if (fault === 'hangs') {
    await until(
      () => existsSync(hit) || over(),
      90_000,
      () => describeRun(place.db, runId),
    )
    if (!over()) requestCancel(place.db, operationId, Date.now())
  }
  const run = await settledRun(place.db, runId, undefined, 120_000)
  if (run.status === 'Error') {
    expect(['STAGE_FAILED', 'RENDER_FAILED', 'CANCELLED', 'SOURCE_NOT_VIDEO'], note()).toContain(
      run.errorCode,
    )
    expect(await readdir(place.home.temporary), note()).toEqual([])
    place.db.sqlite.prepare("update operations set state = 'succeeded' where id = ?").run(operationId)
    expect(reopenRun(place.db, runId, Date.now())).not.toBeNull()
    jobs?.wake()
    await until(
      () => getRun(place.db, runId)?.status === 'Completed',
      120_000,
      () => `${note()} ${describeRun(place.db, runId)}`,
    )
  }
  await whole(runId, note(), true)
  await expectPlayable(note())
  expect(processesNaming(folder, /./), note()).toEqual([])
})

/** Every video that an address leads to can be decoded from its beginning to its end. */
async function expectPlayable(note: string): Promise<void> {
  const { home } = place
  for (const stage of ['render', 'cut'])
    for (const path of await readdir(join(home.artefacts, stage), { recursive: true })) {
      if (!path.endsWith('.mp4')) continue
      const args = ['-v', 'error', '-xerror', '-i', join(home.artefacts, stage, path), '-f', 'null', '-']
      expect(
        () => execFileSync(bundledTools().ffmpeg, args, { stdio: 'pipe' }),
        `${note} ${path}`,
      ).not.toThrow()
    }
}

it('finds a damaged page of the database, and the command restores a backup', async () => {
  const folder = await mkdtemp(join(root, 'damaged-'))
  const home = join(folder, 'home')
  const cli = (...words: string[]) => cutroom([...words, '--home', home, '--json'])
  expect((await cli('company', 'create', 'acme', '--name', 'Acme')).code).toBe(0)
  const backup = join(folder, 'backup.sqlite')
  expect((await cli('backup', backup)).code).toBe(0)
  const database = join(home, 'cutroom.sqlite')
  const sqlite = new Database(database)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const rootPage = sqlite
    .prepare<[], number>("select rootpage from sqlite_master where name = 'companies'")
    .pluck()
    .get()
  const page = Number(sqlite.pragma('page_size', { simple: true }))
  sqlite.close()
  const chance = seeded(7)
  const file = await open(database, 'r+')
  const noise = Buffer.from(Array.from({ length: page }, () => Math.floor(chance() * 256)))
  await file.write(noise, 0, page, ((rootPage ?? 1) - 1) * page)
  await file.close()
  const sick = JSON.parse((await cli('doctor')).stdout) as {
    checks: { name: string; state: string; mend?: string }[]
  }
  const found = sick.checks.find(({ name }) => name === 'database')
  expect([found?.state, found?.mend]).toEqual(['failure', expect.stringContaining('cutroom restore')])
  const damaged = join(folder, 'damaged.sqlite')
  writeFileSync(damaged, readFileSync(database))
  // What is damaged is no backup.
  expect((await cli('restore', damaged)).code).not.toBe(0)
  const restored = await cli('restore', backup)
  expect(restored.code, restored.stderr).toBe(0)
  const { kept } = JSON.parse(restored.stdout) as { kept: string }
  expect((await stat(kept)).size).toBeGreaterThan(0)
  const companies = JSON.parse((await cli('company', 'list')).stdout) as { id: string }[]
  expect(companies.map(({ id }) => id)).toContain('acme')
})
