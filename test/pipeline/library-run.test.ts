/** Files of the library in whole runs: whose they are, and the second video that is picked from them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config.ts'
import { keptAddress } from '../../server/contract/asset.ts'
import type { ClipDocument } from '../../server/contract/clip.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { listItems } from '../../server/db/library.ts'
import { getRunClip, listRunClips, type RunClip } from '../../server/db/run-clips.ts'
import { getRun } from '../../server/db/runs.ts'
import { clips, companies, media } from '../../server/db/schema.ts'
import { ownedFiles } from '../../server/domain/kept-files.ts'
import { addLibraryItem, folderNamed, deleteLibraryItem } from '../../server/domain/library.ts'
import { renderClip } from '../../server/domain/render-clip.ts'
import type { Services } from '../../server/domain/services.ts'
import { startJobs, type RunningJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { h264, makeMedia } from '../support/make-media.ts'
import { plainPng } from '../support/pictures.ts'
import { makeHome, queueRun, type TestHome } from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { colourOf } from './render-support.ts'

let root: string
let talk: TinyTalk
let place: TestHome
let jobs: RunningJobs
let services: Services

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-owned-'))
  talk = await makeTinyTalk(root)
  place = makeHome(join(root, 'home'))
  const { home, db } = place
  const other = { id: 'd', name: 'D', plan: 'starter' as const, features: [], createdAt: 1 }
  db.orm.insert(companies).values(other).run()
  const config = loadConfig({ home: home.root }, { CUTROOM_MIN_FREE_BYTES: '0' })
  const deps = { config, home, db, log: createLogger('error'), now: Date.now }
  jobs = await startJobs(deps)
  services = { ...deps, jobs }
})
afterAll(async () => {
  await jobs.stop()
  await place.remove()
  await rm(root, { recursive: true, force: true })
})

const node = (type: string, config: Record<string, unknown>): ResolvedNode => ({
  ...{ id: type, type, enabled: true, config },
})
const find = node('find_clips', { pinnedTimestamps: [{ start: 4, end: 8 }], pinnedTimestampsOnly: true })
const following = { signal: new AbortController().signal, onProgress: () => undefined }

/** Warnings of a run, without those about captions, which the talk brings along. */
const warningsOf = (runId: string) =>
  (getRun(place.db, runId)?.warnings ?? []).filter((warning) => !/caption/iu.test(warning))

async function runOf(companyId: string, nodes: ResolvedNode[]): Promise<{ clip: RunClip; runId: string }> {
  const { runId, operationId } = queueRun(place.db, talk.video, [find, ...nodes], companyId)
  jobs.wake()
  expect(await jobs.whenSettled(operationId, 60_000)).toMatchObject({ state: 'succeeded' })
  const [clip] = listRunClips(place.db, runId)
  if (clip === undefined) throw new Error('there is no clip')
  return { clip, runId }
}

function fileOf(mediaId: string | null): string {
  const row = place.db.orm
    .select()
    .from(media)
    .where(eq(media.id, mediaId ?? ''))
    .get()
  if (row === undefined) throw new Error('the clip was not rendered')
  return join(place.home.root, row.path)
}

/** An edit as update-clip saves it, and the clip as it is rendered then. */
async function edited(clip: RunClip, changes: Partial<ClipDocument>): Promise<string> {
  const document = { ...getRunClip(place.db, clip.id)!.document, ...changes }
  place.db.orm
    .update(clips)
    .set({ document, revision: clip.revision + 1 })
    .where(eq(clips.id, clip.id))
    .run()
  expect((await renderClip(services, { companyId: clip.companyId, clipId: clip.id })).status).toBe('finished')
  return fileOf(getRunClip(place.db, clip.id)?.renderedMedia ?? null)
}

const isRed = ([r, g, b]: readonly [number, number, number]) => r > 225 && g < 30 && b < 30
/** 20 % of 320 is 64x32 in the corner at the top left, 5 % is 16. */
const LOGO = '40:16:28:24'

describe('a file of one company', () => {
  it('is used by that company alone, whichever way its SHA-256 came', async () => {
    await writeFile(join(root, 'red.png'), await plainPng(64, 32, '#ff0000'))
    const { item } = await addLibraryItem(
      services,
      { companyId: 'c', path: join(root, 'red.png'), tags: [] },
      following,
    )
    const digest = listItems(place.db, 'c').find(({ id }) => id === item.id)?.digest ?? ''
    expect([ownedFiles(services, 'c')(digest), ownedFiles(services, 'd')(digest)]).toEqual([true, false])
    const watermark = { url: keptAddress(digest), position: 1, size: 20, padding: 5 }
    const nodes = [node('add_watermark', { watermark_config: watermark })]
    const [mine, theirs] = [await runOf('c', nodes), await runOf('d', nodes)]
    const refused =
      'is left out: No file of this company has this SHA-256. Add it to the library first: cutroom library add FILE'
    expect(warningsOf(mine.runId)).toEqual([])
    expect(isRed(await colourOf(fileOf(mine.clip.renderedMedia), 20, LOGO))).toBe(true)
    expect(warningsOf(theirs.runId)).toEqual([expect.stringContaining(refused)])
    expect(isRed(await colourOf(fileOf(theirs.clip.renderedMedia), 20, LOGO))).toBe(false)

    // By an edit, and as b-roll in a document: the same refusal. What the company has fetched, its own source, is its own.
    const insert = {
      ...{ id: 'i', start: 6, end: 7.5, provider: 'library' as const, kind: 'image' as const },
      ...{ url: keptAddress(digest), sourceStart: 0, matched: 'x', name: 'x', credit: '' },
    }
    const endCardOption = { url: keptAddress(digest), duration: 1 }
    const bare = await runOf('d', [node('add_broll', {})])
    const file = await edited(bare.clip, { endCardOption, broll: { inserts: [insert] } })
    for (const frame of [70, 110]) expect(isRed(await colourOf(file, frame, '100:60:100:60'))).toBe(false)
    const said = warningsOf(bare.runId).filter((warning) => warning.includes('No file of this company'))
    expect(said.length).toBeGreaterThanOrEqual(2)
    expect(ownedFiles(services, 'd')(theirs.clip.sourceDigest)).toBe(true)
  }, 60_000)
})

describe('add_brainrot without an address', () => {
  const COLOURS = { green: '0x00ff00', blue: '0x0000ff', red: '0xff0000' } as const
  const ids = new Map<string, string>()

  beforeAll(async () => {
    for (const [name, colour] of Object.entries(COLOURS)) {
      const picture = ['-f', 'lavfi', '-i', `color=${colour}:size=320x180:rate=25:duration=1`]
      await makeMedia(root, `${name}.mp4`, [...picture, ...h264()])
    }
    const folder = (name: string) => folderNamed(services, { companyId: 'c', name }).id
    const add = async (name: string, tags: string[], folderId: string | null) => {
      const input = { companyId: 'c', path: join(root, `${name}.mp4`), tags, folderId, tagByName: false }
      ids.set(name, (await addLibraryItem(services, input, following)).item.id)
    }
    await add('green', [], folder('Parkour'))
    await add('blue', [], folder('GamePlay'))
    await add('red', ['slime'], null)
  }, 60_000)

  /** Which colour fills the lower half of the picture, in the middle of it. */
  async function shown(file: string): Promise<string> {
    const [r, g, b] = await colourOf(file, 50, '200:60:60:110')
    const full = [r > 200, g > 200, b > 200].map(Number).join('')
    return ({ '100': 'red', '010': 'green', '001': 'blue' } as Record<string, string>)[full] ?? 'other'
  }
  const second = (config: Record<string, unknown>) => [node('add_brainrot', { brainrot_config: config })]

  it.each([
    ['a folder, whatever its letters', { category: 'parkour ' }, 'green'],
    ['the usual folders', { randomVideoUrl: true }, 'blue'],
    ['a tag', { category: 'Slime', randomVideoUrl: true }, 'red'],
  ])(
    'plays a video of %s',
    async (_name, config, colour) => {
      const { clip, runId } = await runOf('c', second(config))
      expect(warningsOf(runId)).toEqual([])
      expect(await shown(fileOf(clip.renderedMedia))).toBe(colour)
      expect(clip.document.secondVideos).toMatchObject([{ name: `${colour}.mp4` }])
    },
    60_000,
  )

  it('stays with what was picked, and says how to add one where there is none', async () => {
    const { clip } = await runOf('c', second({ category: 'slime' }))
    const more = { companyId: 'c', path: join(root, 'green.mp4'), tags: ['slime'], tagByName: false }
    await addLibraryItem(services, more, following)
    await deleteLibraryItem(services, { companyId: 'c', itemId: ids.get('red') ?? '' })
    const file = await edited(clip, { endTimestamp: clip.document.endTimestamp - 0.5 })
    expect(await shown(file)).toBe('red')
    const again = await runOf('c', second({ category: 'slime' }))
    expect(again.clip.document.secondVideos).toMatchObject([{ name: 'green.mp4' }])
    // Another company has none of these.
    const without = await runOf('d', second({ category: 'slime' }))
    expect(without.clip.document.secondVideos).toBeUndefined()
    expect(warningsOf(without.runId)).toEqual([
      expect.stringMatching(/no video of the category "slime".* cutroom library add FILE --folder "slime"$/),
    ])
  }, 90_000)
})
