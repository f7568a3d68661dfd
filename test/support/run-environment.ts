/** A home with jobs in this process, for tests of whole runs: from a file and its nodes to the finished clip. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { loadConfig, type Config } from '../../server/config/config.ts'
import type { ClipDocument } from '../../server/contract/clip.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import type { Db } from '../../server/db/client.ts'
import { getRunClip, listRunClips, type RunClip } from '../../server/db/run-clips.ts'
import { getRun } from '../../server/db/runs.ts'
import { clips, media } from '../../server/db/schema.ts'
import { renderClip } from '../../server/domain/rendering/render-clip.ts'
import type { Services } from '../../server/domain/services.ts'
import type { Home } from '../../server/home.ts'
import { startJobs, type RunningJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger, type Logger } from '../../server/log.ts'
import { node } from './node-values.ts'
import { describeRun, makeHome, queueRun } from './run-on-jobs.ts'

/** One clip that a run has made. */
export interface MadeClip {
  readonly runId: string
  readonly clip: RunClip
  /** Of the run, without those about captions, which test videos bring along. */
  readonly warnings: string[]
  /** The rendered file. */
  readonly file: string
}

export interface RunEnvironment {
  /** A folder for the test's own files; the home is in it. */
  readonly root: string
  readonly home: Home
  readonly db: Db
  readonly jobs: RunningJobs
  readonly services: Services
  /** Has a run carried out; its end, whatever it is. */
  run(
    source: string,
    nodes: readonly ResolvedNode[],
    companyId?: string,
  ): Promise<{ readonly runId: string; readonly state: string | undefined; readonly clips: RunClip[] }>
  /** The first clip of a run that must succeed. */
  clipOf(source: string, nodes: readonly ResolvedNode[], companyId?: string): Promise<MadeClip>
  /** Warnings of a run, without those about captions. */
  warningsOf(runId: string): string[]
  mediaOf(id: string | null | undefined): {
    readonly path: string
    readonly name: string
    readonly mediaType: string
  }
  /** The file of a rendered clip, by its media id. */
  fileOf(id: string | null | undefined): string
  /** Edits a clip as update-clip would and renders it; the file. */
  editAndRender(clip: RunClip, changes: Partial<ClipDocument>): Promise<string>
  close(): Promise<void>
}

export interface EnvironmentOptions {
  /** From `makeRoot`, where files must exist before the environment is opened. */
  readonly root?: string
  /** Variables of the appliance's environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** A last change to what is read from them. */
  readonly config?: (config: Config) => Config
  readonly log?: Logger
}

const RUN_MS = 120_000

/** The caller closes it, which removes its folder. There is one company, `c`. */
export async function openRunEnvironment(options: EnvironmentOptions = {}): Promise<RunEnvironment> {
  const root = options.root ?? (await makeRoot())
  const place = makeHome(join(root, 'home'))
  const { home, db } = place
  const loaded = loadConfig({ home: home.root }, { CUTROOM_MIN_FREE_BYTES: '0', ...options.environment })
  const config = options.config?.(loaded) ?? loaded
  const deps = { config, home, db, log: options.log ?? createLogger('error'), now: Date.now }
  const jobs = await startJobs(deps)
  const services: Services = { ...deps, jobs }

  const mediaOf: RunEnvironment['mediaOf'] = (id) => {
    const row = db.orm
      .select()
      .from(media)
      .where(eq(media.id, id ?? ''))
      .get()
    if (row === undefined) throw new Error('there is no such media')
    return { ...row, path: join(home.root, row.path) }
  }
  const warningsOf: RunEnvironment['warningsOf'] = (runId) =>
    (getRun(db, runId)?.warnings ?? []).filter((warning) => !/caption/iu.test(warning))
  const run: RunEnvironment['run'] = async (source, nodes, companyId) => {
    const { runId, operationId } = queueRun(db, source, nodes, companyId)
    jobs.wake()
    const ended = await jobs.whenSettled(operationId, RUN_MS)
    return { runId, state: ended?.state, clips: listRunClips(db, runId) }
  }
  return {
    root,
    home,
    db,
    jobs,
    services,
    run,
    mediaOf,
    warningsOf,
    fileOf: (id) => mediaOf(id).path,
    clipOf: async (source, nodes, companyId) => {
      const { runId, state, clips: made } = await run(source, nodes, companyId)
      const [clip] = made
      if (state !== 'succeeded' || clip === undefined)
        throw new Error(`the run made no clip (${state ?? 'still running'}): ${describeRun(db, runId)}`)
      return { runId, clip, warnings: warningsOf(runId), file: mediaOf(clip.renderedMedia).path }
    },
    editAndRender: async ({ id, companyId }, changes) => {
      const now = getRunClip(db, id)
      if (now === null) throw new Error('there is no such clip')
      const document = { ...now.document, ...changes }
      db.orm
        .update(clips)
        .set({ document, revision: now.revision + 1 })
        .where(eq(clips.id, id))
        .run()
      const answer = await renderClip(services, { companyId, clipId: id })
      if (answer.status !== 'finished')
        throw new Error(`the clip was not rendered: ${JSON.stringify(answer)}`)
      return mediaOf(getRunClip(db, id)?.renderedMedia).path
    },
    close: async () => {
      await jobs.stop()
      await place.remove()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** A folder for a test's files; the environment that is opened in it removes it. */
export function makeRoot(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'cutroom-test-run-'))
}

/** The run makes one clip, of these seconds of the source. */
export const pinned = (start: number, end: number): ResolvedNode =>
  node('find_clips', { pinnedTimestamps: [{ start, end }], pinnedTimestampsOnly: true })
