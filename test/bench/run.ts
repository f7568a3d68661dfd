/**
 * Run benchmark: an hour of 720p talk with captions through the default vertical workflow, by the real job machinery.
 * Prints the time of each stage, the sum of all but speech and final encode, and its ratio to the floor that no
 * implementation could leave out: reading and hashing the file once, decoding its sound once, decoding one frame of
 * each clip.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { getRun, listRunStages, type RunStage } from '../../server/db/runs.ts'
import { firstStart } from '../../server/domain/first-start.ts'
import { localFileSource, startLocalRun } from '../../server/domain/runs/start-run.ts'
import { listWorkflows } from '../../server/domain/workflows/workflows.ts'
import { openHome } from '../../server/home.ts'
import { startJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools } from '../support/stage-harness.ts'

const SAMPLE = join(import.meta.dirname, '..', '..', 'resources', 'sample')
const LIMIT_SECONDS = 180
/** Not counted: the limit is for everything else. */
const NOT_COUNTED = new Set(['speech', 'render'])

interface Options {
  /** Length of the source. */
  readonly seconds?: number
  readonly say?: (line: string) => void
}

/** Takes about five minutes for the hour. Final encodes are stopped once everything else is done. */
export async function runRunBench(options: Options = {}) {
  const { seconds = 3600, say = () => undefined } = options
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-run-'))
  try {
    const video = join(folder, 'talk.mp4')
    say(`making ${seconds} s of 720p with captions`)
    await makeLongTalk(video, seconds)
    const { stages, wallSeconds } = await runOnce(join(folder, 'home'), video, say)
    const floor = await floorSeconds(video, clipStarts(stages))
    return report(stages, wallSeconds, floor, seconds)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The bundled sample end to end as often as needed, streams copied, and its captions shifted along. */
export async function makeLongTalk(video: string, seconds: number): Promise<void> {
  const sample = join(SAMPLE, 'sample.mp4')
  const { stdout } = await runTool({
    executable: bundledTools().ffprobe,
    args: ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', sample],
  })
  const once = Number(stdout.toString())
  const times = Math.ceil(seconds / once)
  await runTool({
    executable: bundledTools().ffmpeg,
    args: [
      '-v',
      'error',
      '-y',
      '-stream_loop',
      String(times - 1),
      '-i',
      sample,
      '-map',
      '0:v:0',
      '-map',
      '0:a:0',
      '-t',
      String(seconds),
      '-c',
      'copy',
      '-movflags',
      '+faststart',
      video,
    ],
  })
  const captions = await readFile(join(SAMPLE, 'sample.srt'), 'utf8')
  const copies = Array.from({ length: times }, (_, index) => shifted(captions, index * once))
  await writeFile(video.replace(/\.mp4$/, '.srt'), copies.join('\n'))
}

function shifted(srt: string, by: number): string {
  return srt.replace(
    /(\d+):(\d\d):(\d\d),(\d{3})/g,
    (_whole, hours: string, minutes: string, rest: string, ms: string) => {
      const total =
        Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(rest) + by) * 1000) + Number(ms)
      const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
      const clock = `${two(total / 3_600_000)}:${two((total / 60_000) % 60)}:${two((total / 1000) % 60)}`
      return `${clock},${String(total % 1000).padStart(3, '0')}`
    },
  )
}

interface Floor {
  readonly read: number
  readonly sound: number
  readonly frames: number
}

async function floorSeconds(video: string, starts: readonly number[]): Promise<Floor> {
  const { ffmpeg } = bundledTools()
  const beforeRead = performance.now()
  await pipeline(createReadStream(video, { highWaterMark: 1 << 20 }), createHash('sha256'))
  const read = (performance.now() - beforeRead) / 1000
  const sound = await runTool({
    executable: ffmpeg,
    args: ['-v', 'error', '-i', video, '-vn', '-ar', '16000', '-ac', '1', '-f', 'null', '-'],
  })
  let frames = 0
  for (const start of starts) {
    const seek = ['-v', 'error', '-ss', String(start), '-i', video]
    frames += (await runTool({ executable: ffmpeg, args: [...seek, '-frames:v', '1', '-f', 'null', '-'] }))
      .milliseconds
  }
  return { read, sound: sound.milliseconds / 1000, frames: frames / 1000 }
}

function clipStarts(stages: readonly RunStage[]): number[] {
  const found = stages.find(({ slot }) => slot === 'find-clips')?.output as {
    candidates: { start: number }[]
  }
  return found.candidates.map(({ start }) => start)
}

/**
 * A run of the default vertical workflow until `enough`. `models`: folders; none: the home's. `isReviewed`: as in the studio,
 * nothing is rendered.
 */
export async function runOnce(
  root: string,
  video: string,
  say: (line: string) => void,
  models: readonly string[] = [],
  enough: (stages: readonly RunStage[]) => boolean = allButRendersDone,
  isReviewed = false,
) {
  const config = {
    ...loadConfig({ home: root }, {}),
    ...(models.length === 0 ? {} : { modelFolders: models }),
  }
  const home = openHome(root)
  const db = openDatabase(home.database)
  const deps = { config, home, db, log: createLogger('warn'), now: Date.now }
  const jobs = await startJobs(deps)
  try {
    await firstStart(deps)
    const workflow = listWorkflows(deps, { companyId: 'local' }).find(
      ({ name }) => name === 'Vertical shorts',
    )
    const began = performance.now()
    const { triggerId } = startLocalRun(
      { ...deps, jobs },
      { companyId: 'local', workflowId: workflow?.id ?? '', source: localFileSource(video), isReviewed },
    )
    for (let reported = ''; ;) {
      const run = getRun(db, triggerId)
      if (run?.status === 'Error') throw new Error(`the run failed: ${run.errorCode}: ${run.error}`)
      const stages = listRunStages(db, triggerId)
      if (run !== null && run.stage !== reported) say(`${(run.progress * 100).toFixed(0)} % ${run.stage}`)
      reported = run?.stage ?? ''
      if (run?.status === 'Completed' || enough(stages)) {
        return { stages, wallSeconds: (performance.now() - began) / 1000 }
      }
      await pause(250)
    }
  } finally {
    await jobs.stop()
    db.close()
  }
}

/** Each clip that was found has its cut, thumbnail and transcript. */
function allButRendersDone(stages: readonly RunStage[]): boolean {
  const finished = stages.filter(({ state }) => state === 'finished')
  const found = finished.find(({ slot }) => slot === 'find-clips')?.output as
    { candidates: unknown[] } | undefined
  if (found === undefined) return false
  return ['cut', 'thumbnail', 'transcript-file', 'peaks'].every(
    (stage) =>
      finished.filter((row) => row.stage === stage).length >=
      (stage === 'peaks' ? 1 : found.candidates.length),
  )
}

function report(rows: readonly RunStage[], wallSeconds: number, floor: Floor, sourceSeconds: number) {
  const stages: Record<string, { count: number; seconds: number }> = {}
  for (const { stage, milliseconds } of rows) {
    const entry = (stages[stage] ??= { count: 0, seconds: 0 })
    if (milliseconds === null) continue
    entry.count += 1
    entry.seconds += milliseconds / 1000
  }
  const counted = Object.entries(stages).filter(([stage]) => !NOT_COUNTED.has(stage))
  const sum = counted.reduce((total, [, { seconds }]) => total + seconds, 0)
  const bare = floor.read + floor.sound + floor.frames
  const lines = Object.entries(stages).map(
    ([stage, { count, seconds }]) =>
      `${stage.padEnd(16)} ${String(count).padStart(3)} x ${seconds.toFixed(2).padStart(8)} s${NOT_COUNTED.has(stage) ? '   (not counted)' : ''}`,
  )
  const round = (value: number) => Number(value.toFixed(2))
  return {
    table: [
      ...lines,
      `sum without speech and final encode: ${sum.toFixed(1)} s of ${LIMIT_SECONDS} s, ${(sum / bare).toFixed(2)} x the floor (${bare.toFixed(1)} s)`,
      `wall time until all of that was done (encodes ran beside it): ${wallSeconds.toFixed(1)} s`,
    ].join('\n'),
    json: {
      name: 'run',
      sourceSeconds,
      stages: Object.fromEntries(
        Object.entries(stages).map(([stage, value]) => [stage, { ...value, seconds: round(value.seconds) }]),
      ),
      sumSeconds: round(sum),
      limitSeconds: LIMIT_SECONDS,
      floorSeconds: { read: round(floor.read), sound: round(floor.sound), frames: round(floor.frames) },
      ratios: { sumOverFloor: round(sum / bare) },
      wallSeconds: round(wallSeconds),
    },
  }
}
