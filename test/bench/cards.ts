/**
 * `npm run bench -- cards`: an hour of talk with captions through the default vertical workflow as the studio starts it.
 * How soon the first card of Review can be played, compared with the last rendered file when every card is kept at once.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { listClipsOfRun } from '../../server/db/clips.ts'
import { getRun, listRunStages } from '../../server/db/runs.ts'
import { decideClips, renderKept } from '../../server/domain/review/decide.ts'
import { firstStart } from '../../server/domain/first-start.ts'
import { localFileSource, startLocalRun } from '../../server/domain/runs/start-run.ts'
import type { Services } from '../../server/domain/services.ts'
import { listWorkflows } from '../../server/domain/workflows/workflows.ts'
import { openHome } from '../../server/home.ts'
import { startJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { modelFolders } from './media.ts'
import { speedBench } from './report.ts'
import { makeLongTalk } from './run.ts'

/** The first card in less than this share of the time to the last file. */
const MAX_SHARE = 0.25
const COMPANY = 'local'

interface Options {
  /** Length of the source. */
  readonly seconds?: number
  readonly say?: (line: string) => void
}

/** Seconds from the start of the run. */
interface Moments {
  /** When each clip was listed, in the order of their listing. */
  readonly cards: readonly number[]
  /** When each file was finished, in the same way. */
  readonly files: readonly number[]
  /** Seconds of the stages before the first card, by name. */
  readonly stages: Readonly<Record<string, number>>
}

/** Takes as long as rendering the clips of an hour does. */
export async function runCardsBench({ seconds = 3600, say = () => undefined }: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-cards-'))
  try {
    const video = join(folder, 'talk.mp4')
    say(`making ${seconds} s of 720p with captions`)
    await makeLongTalk(video, seconds)
    return report(await review(join(folder, 'home'), video, say), seconds)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function review(root: string, video: string, say: (line: string) => void): Promise<Moments> {
  const config = { ...loadConfig({ home: root }, {}), modelFolders: modelFolders() }
  const home = openHome(root)
  const db = openDatabase(home.database)
  const deps = { config, home, db, log: createLogger('warn'), now: Date.now }
  const jobs = await startJobs(deps)
  try {
    await firstStart(deps)
    return await watch({ ...deps, jobs }, video, say)
  } finally {
    await jobs.stop()
    db.close()
  }
}

async function watch(services: Services, video: string, say: (line: string) => void): Promise<Moments> {
  const { db } = services
  const workflow = listWorkflows(services, { companyId: COMPANY }).find(
    ({ name }) => name === 'Vertical shorts',
  )
  const began = performance.now()
  const elapsed = (): number => (performance.now() - began) / 1000
  const source = localFileSource(video)
  const about = { companyId: COMPANY, workflowId: workflow?.id ?? '', source, isReviewed: true }
  const { triggerId: runId } = startLocalRun(services, about)
  const cards: number[] = []
  let stages: Record<string, number> = {}
  for (let done = false; !done; await pause(50)) {
    const run = getRun(db, runId)
    if (run?.status === 'Error') throw new Error(`the run failed: ${run.errorCode}: ${run.error}`)
    const listed = listClipsOfRun(db, runId).length
    if (cards.length === 0 && listed > 0)
      stages = Object.fromEntries(
        listRunStages(db, runId).map(({ slot, milliseconds }) => [slot, (milliseconds ?? 0) / 1000]),
      )
    while (cards.length < listed) {
      cards.push(elapsed())
      say(`card ${cards.length} after ${elapsed().toFixed(1)} s`)
    }
    done = run?.status === 'Completed'
  }
  const decisions = listClipsOfRun(db, runId).map(({ id }) => ({ clipId: id, review: 'kept' as const }))
  decideClips(services, { companyId: COMPANY, runId, decisions })
  const files: number[] = []
  for (const { operationId } of renderKept(services, { companyId: COMPANY, runId }).renders) {
    const settled = await services.jobs.whenSettled(operationId, 3_600_000)
    if (settled?.state !== 'succeeded') throw new Error(`a render ended as ${String(settled?.state)}`)
    files.push(elapsed())
    say(`file ${files.length} after ${elapsed().toFixed(1)} s`)
  }
  return { cards, files, stages }
}

function report({ cards, files, stages }: Moments, seconds: number) {
  const [first = NaN] = cards
  const last = files.at(-1) ?? NaN
  const share = first / last
  const one = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(1))
  const rows = cards.map((card, place) => [String(place + 1), one(card), one(files[place])])
  const work = Object.entries(stages).filter(([, time]) => time >= 0.1)
  const verdict = share < MAX_SHARE ? 'kept' : 'NOT kept'
  return speedBench(
    'cards',
    {
      title: 'How soon the first card can be played',
      tables: [
        {
          title: `${(seconds / 60).toFixed(0)} minutes with captions, as the studio starts it; all cards kept once all are found`,
          columns: ['nth', 'card after s', 'file after s'],
          rows,
          notes: [
            `The first card after ${(share * 100).toFixed(1)} % of the time to the last file; limit ${MAX_SHARE * 100} %: ${verdict}.`,
            `Stages that had ended by then, s: ${work.map(([slot, time]) => `${slot} ${one(time)}`).join(', ')}.`,
          ],
        },
      ],
      unmeasured: [],
    },
    { seconds, cards, files, stages, ratios: { firstCardOverLastFile: share }, limits: { share: MAX_SHARE } },
  )
}
