/** Use of the disk, by kind, and what of it may be removed: nothing that an address, a run or a clip needs. */
import { statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import {
  CLEANABLE,
  type Cleanable,
  type CleanPlan,
  type SettingsTask,
  type Storage,
} from '../../contract/settings.ts'
import { isCachedResult, anyOperationOpen, listStoredArtefacts, storedBytes } from '../../db/retention.ts'
import { getSetting, JOINED_FOOTAGE } from '../../db/settings.ts'
import { freeBytes } from '../../../workers/media/disk.ts'
import { STAGES, type StageName } from '../../../workers/stages/catalog.ts'
import type { Services } from '../services.ts'
import { listUnusedUploads } from '../library/uploads.ts'
import { backupsFolder } from './backups.ts'
import { NOTHING, sizeOf, sum, takeOut, type Removable } from './retention.ts'
import { startTask } from './tasks.ts'

type Deps = Pick<Services, 'config' | 'home' | 'db' | 'now' | 'log' | 'store'>

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Use by kind, measured now. A new kind is one more entry. */
export async function storageUse(services: Deps): Promise<Storage> {
  const { home, config } = services
  const files = ['', '-wal', '-shm'].map((end) => home.database + end)
  const [sources, models, uploads, backups, database] = await Promise.all([
    sizeOf(home.sources),
    sizeOf(home.models),
    sizeOf(home.uploads),
    sizeOf(backupsFolder(services)),
    Promise.all(files.map(sizeOf)).then(sum),
  ])
  const results = await resultsUse(services)
  const sizes = { sources, ...results, models, uploads, backups, database }
  return {
    kinds: KINDS.map(([kind, label, about]) => ({ kind, label, about, ...sizes[kind] })),
    freeBytes: await freeBytes(home.root),
    minFreeBytes: config.minFreeBytes,
    folder: home.root,
  }
}

/** Results of these stages are kinds of their own; those of others are clips where an address leads to them, else the cache. */
const KIND_OF_STAGE: Readonly<Record<string, 'proxies' | 'previews' | 'words' | undefined>> = {
  cut: 'proxies',
  filmstrip: 'previews',
  peaks: 'previews',
  speech: 'words',
  captions: 'words',
  speakers: 'words',
  'transcript-file': 'words',
  passages: 'words',
} satisfies Partial<Record<StageName, 'proxies' | 'previews' | 'words'>>

async function resultsUse({ home, db }: Pick<Deps, 'home' | 'db'>) {
  const use = { clips: NOTHING, proxies: NOTHING, previews: NOTHING, words: NOTHING, cache: NOTHING }
  const shown = new Map(storedBytes(db).map((one) => [one.stage, one]))
  for (const stage of await readdir(home.artefacts).catch(() => [])) {
    const all = await sizeOf(join(home.artefacts, stage))
    const kind = KIND_OF_STAGE[stage]
    const { bytes, files } = shown.get(stage) ?? NOTHING
    if (kind !== undefined) use[kind] = sum([use[kind], all])
    else {
      use.clips = sum([use.clips, { bytes, files }])
      const rest = { bytes: Math.max(0, all.bytes - bytes), files: Math.max(0, all.files - files) }
      use.cache = sum([use.cache, rest])
    }
  }
  return use
}

const KINDS = [
  ['sources', 'Sources', 'Videos that came in, once per content, and what the library holds.'],
  [
    'clips',
    'Clips',
    'Finished files of clips and their pictures. Their addresses do not expire, so they stay.',
  ],
  [
    'proxies',
    'Cuts and proxies',
    'The part of a video that each clip is edited from, and its copy for scrubbing.',
  ],
  ['previews', 'Filmstrips and waveforms', 'What the studio draws beside a video and a clip.'],
  ['words', 'Transcripts', 'The words of each video, who speaks, and what search by meaning reads.'],
  ['cache', 'Work between', 'Other results of steps, so that nothing is computed twice.'],
  ['models', 'Models', 'Models in the home. Those in folders of your own are not counted.'],
  [
    'uploads',
    'Uploads',
    'Files that came in by the studio or the public API; gone after a day, once no run needs them.',
  ],
  ['backups', 'Backups', 'Copies of the database that were made here.'],
  ['database', 'Database', 'Workflows, runs, clips, posts, people, the audit log.'],
] as const

/** How each kind that may go is found. */
const FIND: Readonly<Record<Cleanable, (services: Deps) => Promise<Removable[]>>> = {
  uploads: async (services) =>
    (await listUnusedUploads(services)).map(({ bytes, remove }) => ({ bytes, files: 1, remove })),
  cache: unneededResults,
  'partial-models': unfinishedModels,
}

const WORDS: Readonly<Record<Cleanable, readonly [label: string, about: string]>> = {
  uploads: ['Uploads that no run needs', 'Older than a day, or left unfinished.'],
  cache: [
    'Results that nothing refers to',
    'Older than a day, of no run and behind no address. What is asked for again is computed again.',
  ],
  'partial-models': [
    'Unfinished downloads of models',
    'Untouched for an hour. The next download begins from the start.',
  ],
}

/** What a download or an unpacking left. A command line's, which is no task of ours, writes on: what is younger is left. */
async function unfinishedModels(services: Deps): Promise<Removable[]> {
  const scratch = join(services.home.models, '.partial')
  const found: Removable[] = []
  for (const name of await readdir(scratch).catch(() => [])) {
    const path = join(scratch, name)
    const size = await sizeOf(path)
    const canBeCut = async (): Promise<boolean> => services.now() - (await lastTouched(path)) >= HOUR
    const remove = async (): Promise<boolean> => {
      if (!(await canBeCut())) return false
      await rm(path, { recursive: true, force: true })
      return true
    }
    if (size.files > 0 && (await canBeCut())) found.push({ ...size, remove })
  }
  return found
}

/** When something at or below a path was written last; epoch milliseconds. */
async function lastTouched(path: string): Promise<number> {
  const entries = await readdir(path).catch(() => [])
  const times = await Promise.all(entries.map((name) => lastTouched(join(path, name))))
  return Math.max((await stat(path).catch(() => null))?.mtimeMs ?? 0, ...times)
}

/** Results of stages that are part of no run and behind no address; none while there is work. */
async function unneededResults(services: Deps): Promise<Removable[]> {
  const { home, db } = services
  if (anyOperationOpen(db)) return []
  const referenced = listStoredArtefacts(db)
  // What lay there before this database came may be of one that was lost and comes back.
  const since = Number(getSetting(db, JOINED_FOOTAGE) ?? 0)
  const found: Removable[] = []
  for (const stage of Object.keys(STAGES) as StageName[]) {
    const folder = join(home.artefacts, stage)
    for (const group of await readdir(folder).catch(() => []))
      for (const key of await readdir(join(folder, group)).catch(() => [])) {
        const path = join(folder, group, key)
        const facts = await stat(path).catch(() => null)
        if (facts === null || facts.mtimeMs < since || services.now() - facts.mtimeMs < DAY) continue
        if (referenced.has(`${stage}/${key}`)) continue
        const remove = (): Promise<boolean> => takeResult(services, { stage, key, path })
        found.push({ ...(await sizeOf(path)), remove })
      }
  }
  return found
}

/**
 * Work may have begun and ended since it was found, so everything is checked again in the step that moves the folder.
 */
function takeResult(
  services: Deps,
  { stage, key, path }: { stage: StageName; key: string; path: string },
): Promise<boolean> {
  return takeOut(services, path, () => {
    const facts = statSync(path, { throwIfNoEntry: false })
    const isOld = facts !== undefined && services.now() - facts.mtimeMs >= DAY
    return isOld && !isCachedResult(services.db, stage, key)
  })
}

/** What would go, and how much. Nothing is touched. */
export async function planCleanUp(
  services: Deps,
  kinds: readonly Cleanable[] = CLEANABLE,
): Promise<CleanPlan> {
  const items: CleanPlan['items'] = []
  for (const kind of new Set(kinds)) {
    const [label, about] = WORDS[kind]
    items.push({ kind, label, about, ...sum(await FIND[kind](services)) })
  }
  return { items }
}

/** Begins to remove it. INVALID_STATE while runs or renders are going on and results are among it. */
export function startCleanUp(services: Deps, kinds: readonly Cleanable[]): SettingsTask {
  if (kinds.includes('cache') && anyOperationOpen(services.db))
    throw new AppError('INVALID_STATE', {
      message: 'Runs or renders are going on. Clean up results when they have ended.',
    })
  return startTask(services, {
    kind: 'clean-up',
    subject: 'storage',
    work: async ({ signal, onProgress }) => {
      const found: Removable[] = []
      for (const kind of new Set(kinds)) found.push(...(await FIND[kind](services)))
      let gone = NOTHING
      let stayed = 0
      for (const [at, one] of found.entries()) {
        signal.throwIfAborted()
        onProgress(at / found.length, `${at} of ${found.length} looked at`)
        if (await one.remove()) gone = sum([gone, one])
        else stayed += 1
      }
      const { files, bytes } = gone
      const summary = `${files} ${files === 1 ? 'file' : 'files'} removed, ${(bytes / 1e6).toFixed(1)} MB.`
      return stayed === 0
        ? summary
        : `${summary} ${stayed} of ${found.length} stayed: they may be needed by now.`
    },
  })
}
