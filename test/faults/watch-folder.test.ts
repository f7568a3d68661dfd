/**
 * Watched folders on a real disk, with the real stages that bring files in: files that grow, are renamed while they are
 * copied, come with late subtitles, are met twice, go away with their share, and are five thousand.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import type { WatchFolder, WatchFolderRequest } from '../../server/contract/watch.ts'
import { getRun, listRunStages } from '../../server/db/runs.ts'
import { joinOrInsertExport } from '../../server/db/exports.ts'
import { getWatchFolder, listKnownFiles } from '../../server/db/watch.ts'
import { registerMedia } from '../../server/domain/rendering/register-media.ts'
import type { Services } from '../../server/domain/services.ts'
import { findVideos } from '../../server/domain/watch/find-videos.ts'
import {
  addWatchFolder,
  changeWatchFolder,
  describeWatchFolder,
  retryWatched,
} from '../../server/domain/watch/watch-folders.ts'
import { importWorkflow } from '../../server/domain/workflows/workflows.ts'
import { runInBackground } from '../../server/jobs/background-stages.ts'
import { createStages } from '../../server/jobs/orchestrator.ts'
import { startWatchLoop } from '../../server/jobs/watch-loop.ts'
import { createLogger } from '../../server/log.ts'
import type { Jobs } from '../../server/jobs/jobs.ts'
import { makeHome, until, type TestHome } from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { measureSlowness } from '../support/pace.ts'

const TIMES = { lookMs: 100, laterMs: 1000 }
const GRAPH = {
  name: 'Plain',
  description: '',
  nodes: [{ id: 'find', type: 'find_clips', config: {} }],
  edges: [],
}

let root: string
let talk: TinyTalk
let bytes: Buffer
let place: TestHome
let services: Services
let engine: { stop(): Promise<unknown> }
let workflowId: string
let loop: { stop(): Promise<void> }

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-watch-'))
  talk = await makeTinyTalk(root)
  bytes = readFileSync(talk.video)
  const home = await mkdtemp(join(root, 'home-'))
  place = makeHome(home)
  const config = loadConfig({ home }, { CUTROOM_MIN_FREE_BYTES: '0' })
  const log = createLogger('error')
  const made = createStages({ config, home: place.home, log }, null)
  engine = made.engine
  // What is queued stays queued: this is about what is taken.
  const jobs: Jobs = {
    runInBackground: (work) => runInBackground(made.stages, work),
    wake: () => undefined,
    whenSettled: () => Promise.resolve(null),
    cancel: () => undefined,
    stop: () => Promise.resolve(),
  }
  services = { config, home: place.home, db: place.db, log, jobs, now: Date.now }
  workflowId = importWorkflow(services, { companyId: 'c', file: GRAPH }).workflowId
  loop = startWatchLoop(services, TIMES)
}, 60_000)
afterAll(async () => {
  await loop.stop()
  await engine.stop()
  await place.remove()
  await rm(root, { recursive: true, force: true })
})
const newFolder = (): Promise<string> => mkdtemp(join(root, 'in-'))

function watch(folder: string, more: Partial<WatchFolderRequest> = {}): Promise<WatchFolder> {
  return addWatchFolder(services, {
    companyId: 'c',
    workflowId,
    folder,
    settleSeconds: 1,
    roots: null,
    ...more,
  })
}
const filesOf = (id: string) => describeWatchFolder(services, id, 100).files
const shown = (id: string) => describeWatchFolder(services, id, 1).folder
const runsOf = (id: string) => filesOf(id).flatMap(({ run }) => (run === null ? [] : [run.id]))
const explain = (id: string) => () => JSON.stringify(describeWatchFolder(services, id, 20))
const taken = (id: string, count: number) =>
  until(() => filesOf(id).filter(({ state }) => state === 'taken').length >= count, 20_000, explain(id))
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** The runs are over, so that others may begin. */
const endRuns = () => place.db.sqlite.prepare("update operations set state = 'succeeded'").run()
const digestOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** A copier in a process of its own: writes the file in parts, with pauses. */
function writeSlowly(path: string, content: string, parts: number, pauseMs: number): ChildProcess {
  const code = `
    const { readFileSync, appendFileSync, writeFileSync } = require('node:fs')
    const [path, content, parts, pause] = process.argv.slice(1)
    const all = readFileSync(content), size = Math.ceil(all.length / Number(parts))
    writeFileSync(path, '')
    let part = 0
    const next = () => {
      appendFileSync(path, all.subarray(part * size, (part + 1) * size))
      if (++part < Number(parts)) setTimeout(next, Number(pause))
    }
    next()`
  return spawn(process.execPath, ['-e', code, path, content, String(parts), String(pauseMs)], {
    stdio: 'inherit',
  })
}

describe.concurrent('a file', () => {
  it('is taken once it has stopped growing, whole, with the subtitles that came after it', async () => {
    const folder = await newFolder()
    const { id } = await watch(folder)
    const path = join(folder, 'talk.mp4')
    const writer = writeSlowly(path, talk.video, 6, 500)
    const ended = new Promise((resolve) => writer.once('exit', resolve))
    await until(() => shown(id).status.settling === 1, 10_000, explain(id))
    await ended
    expect(filesOf(id)).toEqual([])
    await wait(600)
    await copyFile(talk.captions, join(folder, 'talk.de.srt'))
    await wait(600)
    // Longer than the settling time after the video, and shorter after its subtitles.
    expect(filesOf(id)).toEqual([])
    await taken(id, 1)
    const [file] = filesOf(id)
    const run = getRun(place.db, file?.run?.id ?? '')
    expect(run?.sourceDigest).toBe(digestOf(bytes))
    const [ingest] = listRunStages(place.db, run?.id ?? '')
    expect(ingest).toMatchObject({ slot: 'ingest', state: 'finished' })
    expect((ingest?.output as { sidecars: unknown[] }).sidecars).toMatchObject([
      { language: 'de', format: 'srt' },
    ])
    expect(readFileSync(path).equals(bytes)).toBe(true)
  }, 40_000)

  it('that is renamed while it is copied, or written under a temporary name, is taken once under its last name', async () => {
    const folder = await newFolder()
    const { id } = await watch(folder)
    const writer = writeSlowly(join(folder, 'first.mp4'), talk.video, 4, 400)
    const ended = new Promise((resolve) => writer.once('exit', resolve))
    await until(() => existsSync(join(folder, 'first.mp4')), 5000, explain(id))
    await wait(500)
    await rename(join(folder, 'first.mp4'), join(folder, 'second.mp4'))
    await ended
    // What went on under the first name is the rest, and no video.
    await rm(join(folder, 'first.mp4'), { force: true })
    await writeFile(join(folder, 'second.mp4'), bytes)
    for (const name of [
      '.third.mp4.Xy12',
      '~third.mp4',
      'third.mp4.part',
      'third.mp4.tmp',
      '.syncthing.a.mp4.tmp',
    ])
      await writeFile(join(folder, name), bytes)
    await writeFile(join(folder, 'fourth.mp4'), bytes)
    await writeFile(join(folder, 'fourth.mp4.aria2'), '')
    await taken(id, 1)
    await wait(1500)
    expect(filesOf(id).map(({ path, state }) => [path, state])).toEqual([['second.mp4', 'taken']])
    expect(shown(id).status.files).toBe(1)
  }, 40_000)

  it('that was taken is not taken again when it is renamed, moved, touched or copied; new content is', async () => {
    const folder = await newFolder()
    await copyFile(talk.video, join(folder, 'talk.mp4'))
    const { id } = await watch(folder)
    await taken(id, 1)
    await mkdir(join(folder, 'done'))
    await rename(join(folder, 'talk.mp4'), join(folder, 'done', 'moved.mp4'))
    await until(() => filesOf(id)[0]?.path === 'done/moved.mp4', 10_000, explain(id))
    // As on a share that gives new file numbers: a copy, and the old one gone.
    await copyFile(join(folder, 'done', 'moved.mp4'), join(folder, 'again.mp4'))
    await rm(join(folder, 'done', 'moved.mp4'))
    await until(() => filesOf(id)[0]?.path === 'again.mp4', 20_000, explain(id))
    await utimes(join(folder, 'again.mp4'), 1_700_000_000, 1_700_000_000)
    await copyFile(join(folder, 'again.mp4'), join(folder, 'copy.mp4'))
    await until(() => filesOf(id).some(({ state }) => state === 'duplicate'), 20_000, explain(id))
    expect(runsOf(id)).toHaveLength(1)
    await appendFile(join(folder, 'again.mp4'), Buffer.alloc(1000))
    await taken(id, 2)
    expect(runsOf(id)).toHaveLength(2)
    expect(
      filesOf(id)
        .filter(({ state }) => state === 'taken')
        .map(({ path }) => path),
    ).toEqual(['again.mp4', 'again.mp4'])
  }, 60_000)

  it('that is no video fails once, and is tried again when it changes or a person says so', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'broken.mp4'), Buffer.concat([bytes.subarray(0, 4000), Buffer.alloc(9000)]))
    const { id } = await watch(folder)
    await until(() => filesOf(id)[0]?.state === 'failed', 20_000, explain(id))
    const [failed] = filesOf(id)
    expect(failed?.problem).toMatch(/\w/)
    await wait(1500)
    expect(filesOf(id)).toEqual([failed])
    expect(retryWatched(services, { folderId: id, fileId: failed?.id ?? '' })).toEqual({ retried: 1 })
    await until(() => filesOf(id).some((one) => one.id !== failed?.id), 20_000, explain(id))
    await writeFile(join(folder, 'broken.mp4'), bytes)
    await taken(id, 1)
    expect(runsOf(id)).toHaveLength(1)
  }, 60_000)

  it('that a link leads to is not followed, nor a linked folder', async () => {
    const folder = await newFolder()
    const outside = await mkdtemp(join(root, 'outside-'))
    await copyFile(talk.video, join(outside, 'secret.mp4'))
    await symlink(join(outside, 'secret.mp4'), join(folder, 'link.mp4'))
    await symlink(outside, join(folder, 'linked'))
    const { id } = await watch(folder)
    await wait(2000)
    expect([shown(id).status.files, filesOf(id)]).toEqual([0, []])
  })
})

describe.concurrent('a folder', () => {
  it('renders everything, unless its workflow says by itself that clips wait for Review', async () => {
    const folder = await newFolder()
    const [find] = GRAPH.nodes
    const nodes = [{ ...find, config: { renderEverything: false } }]
    const waits = importWorkflow(services, { companyId: 'c', file: { ...GRAPH, name: 'Waits', nodes } })
    await copyFile(talk.video, join(folder, 'talk.mp4'))
    const { id } = await watch(folder)
    const other = await mkdtemp(join(root, 'in-'))
    await copyFile(talk.video, join(other, 'talk.mp4'))
    const named = { companyId: 'c', folder: other, settleSeconds: 1, roots: null }
    const reviewed = await addWatchFolder(services, { ...named, workflowId: waits.workflowId })
    await taken(id, 1)
    await taken(reviewed.id, 1)
    const endOf = (of: string) => getRun(place.db, runsOf(of)[0] ?? '')?.snapshot.endsAt
    expect([endOf(id), endOf(reviewed.id)]).toEqual([undefined, 'found'])
  }, 40_000)

  it('that goes away keeps what is known, says so, and goes on by itself', async () => {
    const folder = await newFolder()
    await copyFile(talk.video, join(folder, 'talk.mp4'))
    const { id } = await watch(folder)
    await taken(id, 1)
    await rename(folder, `${folder}-away`)
    await until(() => shown(id).status.problem?.includes('is not there now') === true, 10_000, explain(id))
    expect(filesOf(id)).toHaveLength(1)
    await writeFile(join(`${folder}-away`, 'new.mp4'), Buffer.concat([bytes, Buffer.alloc(10)]))
    await rename(`${folder}-away`, folder)
    await taken(id, 2)
    expect(shown(id).status.problem).toBe(null)
    expect(runsOf(id)).toHaveLength(2)
  }, 40_000)

  it('has two runs open at most, the oldest first, and none while it is paused', async () => {
    const folder = await newFolder()
    for (const [place_, name] of ['c', 'a', 'b'].entries()) {
      await writeFile(join(folder, `${name}.mp4`), Buffer.concat([bytes, Buffer.alloc(place_ + 1)]))
      await utimes(join(folder, `${name}.mp4`), 1_700_000_000 + place_, 1_700_000_000 + place_)
    }
    const { id } = await watch(folder)
    await taken(id, 2)
    await wait(1500)
    expect(
      filesOf(id)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['a.mp4', 'c.mp4'])
    expect(shown(id).status.waiting).toBe(1)
    changeWatchFolder(services, id, 'paused')
    endRuns()
    await wait(1500)
    expect(filesOf(id)).toHaveLength(2)
    changeWatchFolder(services, id, 'active')
    await taken(id, 3)
  }, 40_000)
})

describe('one after another', () => {
  it('leaves what was there before when it is told so, and waits where the disk is full', async () => {
    const folder = await newFolder()
    await copyFile(talk.video, join(folder, 'old.mp4'))
    const { id } = await watch(folder, { skipExisting: true })
    await until(() => filesOf(id)[0]?.state === 'skipped', 10_000, explain(id))
    const config = { ...services.config, minFreeBytes: 2 ** 50 }
    await loop.stop()
    loop = startWatchLoop({ ...services, config }, TIMES)
    await writeFile(join(folder, 'new.mp4'), Buffer.concat([bytes, Buffer.alloc(10)]))
    await until(() => shown(id).status.problem?.includes('new.mp4') === true, 20_000, explain(id))
    expect(runsOf(id)).toEqual([])
    await loop.stop()
    loop = startWatchLoop(services, TIMES)
    await taken(id, 1)
    expect(filesOf(id).map(({ path, state }) => [path, state])).toEqual([
      ['new.mp4', 'taken'],
      ['old.mp4', 'skipped'],
    ])
  }, 40_000)

  it('may not hold the home or its own clips, and is named by the studio below its roots only', async () => {
    const folder = await newFolder()
    const add = (more: object) =>
      addWatchFolder(services, { companyId: 'c', workflowId, folder, roots: null, ...more })
    await expect(add({ output: join(folder, 'clips') })).rejects.toThrow(/lies in the watched folder/)
    expect(readdirSync(folder)).toEqual([])
    await expect(add({ folder: place.home.sources })).rejects.toThrow(/own files/)
    await expect(add({ folder: root })).rejects.toThrow(/own files/)
    await expect(add({ folder: 'relative' })).rejects.toThrow(/whole path/)
    await expect(add({ folder: join(folder, 'none') })).rejects.toThrow(/no such folder/)
    await expect(add({ roots: [] })).rejects.toThrow(/CUTROOM_WATCH_ROOTS/)
    await expect(add({ roots: [folder], folder: '/etc' })).rejects.toThrow(/may not name this folder/)
    await symlink('/etc', join(folder, 'way-out'))
    await expect(add({ roots: [folder], folder: join(folder, 'way-out') })).rejects.toThrow(/may not name/)
    const output = await mkdtemp(join(root, 'out-'))
    await add({ roots: [root], output })
    await expect(add({})).rejects.toThrow(/watched for this company already/)
    await expect(add({ folder: output })).rejects.toThrow(/would be taken as videos/)
  })

  it('of five thousand files is looked through without keeping others waiting', async () => {
    const folder = await newFolder()
    for (let number = 0; number < 5000; number += 1) {
      const name = String(number).padStart(4, '0')
      await writeFile(join(folder, `${name}.mp4`), name)
      if (number % 10 === 0) await writeFile(join(folder, `${name}.srt`), name)
    }
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const began = performance.now()
    const { videos } = await findVideos(folder, { skip: null, signal: new AbortController().signal })
    const findMs = performance.now() - began
    const { id } = await watch(folder, { skipExisting: true })
    await until(() => getWatchFolder(place.db, id)?.skipsExisting === false, 30_000, explain(id))
    const first = delay.max / 1e6
    delay.reset()
    expect(videos).toHaveLength(5000)
    expect(listKnownFiles(place.db, id)).toHaveLength(5000)
    // Further looks, at what is known.
    await wait(4000)
    const worst = delay.max / 1e6
    delay.disable()
    console.log(
      `5,000 files: found in ${findMs.toFixed(0)} ms; the event loop waited ${first.toFixed(0)} ms at most at the first look, ${worst.toFixed(0)} ms later`,
    )
    expect(findMs).toBeLessThan(5000 * measureSlowness())
    expect(Math.max(first, worst)).toBeLessThan(250 * measureSlowness())
    expect(shown(id).status).toMatchObject({ files: 5000, settling: 0, waiting: 0, problem: null })
  }, 120_000)
})

describe('finished clips', () => {
  let made = 0
  /** A clip of the run as a render leaves it: a file in the home and a row. */
  function render(runId: string, clipId: string, title: string, content: string, document = {}): void {
    const mediaId = keep(content)
    place.db.sqlite
      .prepare(
        `insert into clips (id, company_id, workflow_id, run_id, ordinal, source_digest, published, title, duration, virality_score, document, rendered_media, created_at, updated_at)
         values (?, 'c', 'w', ?, ?, 'd', 1, ?, 1, 1, ?, ?, ?, ?)
         on conflict (id) do update set rendered_media = excluded.rendered_media, updated_at = excluded.updated_at`,
      )
      .run(clipId, runId, made, title, JSON.stringify(document), mediaId, Date.now(), Date.now())
  }
  /** A file in the home with an address. */
  function keep(content: string): string {
    made += 1
    const path = join('artefacts', 'render', `clip-${made}.mp4`)
    mkdirSync(join(place.home.root, 'artefacts', 'render'), { recursive: true })
    writeFileSync(join(place.home.root, path), content)
    return registerMedia(services, { companyId: 'c', path, name: 'clip.mp4', mediaType: 'video/mp4' })
  }
  /** A file of a delivery profile as its operation leaves it. */
  function deliver(clipId: string, profile: string, content: string): void {
    const now = Date.now()
    const { id } = joinOrInsertExport(place.db, { companyId: 'c', clipId, profile, now })
    const result = JSON.stringify({ mediaId: keep(content), revision: 1, warnings: [] })
    place.db.sqlite
      .prepare("update operations set state = 'succeeded', result = ?, updated_at = ? where id = ?")
      .run(result, now, id)
  }

  it('are written once each under free names, replaced by a new render, and wait for an absent folder', async () => {
    const folder = await newFolder()
    const output = await mkdtemp(join(root, 'out-'))
    await copyFile(talk.video, join(folder, 'talk.mp4'))
    const { id } = await watch(folder, { output })
    await taken(id, 1)
    const runId = runsOf(id)[0] ?? ''
    await chmod(output, 0o770)
    const secret = join(root, 'outside.txt')
    await writeFile(secret, 'untouched')
    await symlink(secret, join(output, 'talk - Linked.mp4'))
    await writeFile(join(output, '.cutroom-00000000-0000-4000-8000-000000000000.part'), 'left by a kill')
    const written = (name: string, content: string) =>
      until(
        () => existsSync(join(output, name)) && readFileSync(join(output, name), 'utf8') === content,
        20_000,
        explain(id),
      )
    render(runId, `${id}-1`, 'Café: a story', 'one')
    await written('talk - Café a story.mp4', 'one')
    expect((await stat(join(output, 'talk - Café a story.mp4'))).mode & 0o777).toBe(0o660)
    render(runId, `${id}-2`, 'cafe\u0301: A STORY', 'two')
    await written('talk - café A STORY (2).mp4', 'two')
    render(runId, `${id}-3`, 'Linked', 'three')
    await written('talk - Linked (2).mp4', 'three')
    expect(readFileSync(secret, 'utf8')).toBe('untouched')

    await rm(join(output, 'talk - café A STORY (2).mp4'))
    render(runId, `${id}-1`, 'Café: a story', 'one again')
    await written('talk - Café a story.mp4', 'one again')
    await rename(output, `${output}-away`)
    render(runId, `${id}-4`, 'While away', 'four')
    await until(
      () => shown(id).status.outputProblem?.includes('is not there now') === true,
      20_000,
      explain(id),
    )
    expect(existsSync(output)).toBe(false)
    await rename(`${output}-away`, output)
    await written('talk - While away.mp4', 'four')
    expect(readdirSync(output).toSorted()).toEqual([
      'talk - Café a story.mp4',
      'talk - Linked (2).mp4',
      'talk - Linked.mp4',
      'talk - While away.mp4',
    ])
    expect(shown(id).counts.clips).toBe(4)
  }, 60_000)

  it('have the newest file of their own delivery profile beside them, and no other', async () => {
    const folder = await newFolder()
    const output = await mkdtemp(join(root, 'out-'))
    // Another content than that of the test before.
    await writeFile(join(folder, 'talk.mp4'), Buffer.concat([bytes, Buffer.alloc(8)]))
    const { id } = await watch(folder, { output })
    await taken(id, 1)
    const written = (name: string, content: string) =>
      until(
        () => existsSync(join(output, name)) && readFileSync(join(output, name), 'utf8') === content,
        20_000,
        explain(id),
      )
    const asks = { deliveryConfig: { profile: 'prores-422-hq' } }
    const clipId = `${id}-1`
    deliver(clipId, 'gif', 'somebody’s own')
    deliver(clipId, 'prores-422-hq', 'first')
    render(runsOf(id)[0] ?? '', clipId, 'Delivered', 'clip', asks)
    await written('talk - Delivered.mp4', 'clip')
    await written('talk - Delivered.prores-422-hq.mov', 'first')
    await wait(5)
    deliver(clipId, 'prores-422-hq', 'second')
    await written('talk - Delivered.prores-422-hq.mov', 'second')
    // What a person takes away stays away, also when another clip is written.
    await rm(join(output, 'talk - Delivered.prores-422-hq.mov'))
    render(runsOf(id)[0] ?? '', `${id}-2`, 'Off', 'off', {
      deliveryConfig: { enabled: false, profile: 'gif' },
    })
    deliver(`${id}-2`, 'gif', 'not asked for')
    await written('talk - Off.mp4', 'off')
    await wait(3000)
    expect(readdirSync(output).toSorted()).toEqual(['talk - Delivered.mp4', 'talk - Off.mp4'])
  }, 60_000)
})
