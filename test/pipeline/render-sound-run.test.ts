/** Whole runs with music by address: one of several, the same again, ducked, with music of its own under the end card. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config.ts'
import type { SoundAsset } from '../../server/contract/composition.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { getRunClip, listRunClips } from '../../server/db/run-clips.ts'
import { getRun } from '../../server/db/runs.ts'
import { clips, media } from '../../server/db/schema.ts'
import { renderClip } from '../../server/domain/render-clip.ts'
import type { Services } from '../../server/domain/services.ts'
import { startJobs, type RunningJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { serveBytes, startBadServer, type BadServer } from '../support/bad-server.ts'
import { node } from '../support/node-values.ts'
import { plainPng } from '../support/pictures.ts'
import { makeHome, queueRun, slotsOf, type TestHome } from '../support/run-on-jobs.ts'
import { leftOf, toneLevel } from '../support/sounds.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { loudnessOf, make, probeStreams } from './render-support.ts'

let root: string
let talk: TinyTalk
let place: TestHome
let jobs: RunningJobs
let services: Services
let web: BadServer

/** Tones by their address. */
const TONES = { '/low.mp3': 1700, '/high.mp3': 2300, '/end.m4a': 3100, '/chosen.mp3': 2900 } as const

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-music-'))
  talk = await makeTinyTalk(root)
  const served = await Promise.all(
    Object.entries(TONES).map(async ([path, hertz]) => {
      const file = join(root, path.slice(1))
      // The first moment of the MP3s is not like the rest and no header says how long they are: they look longer.
      const noise = path.endsWith('mp3') ? '+0.0001*random(0)*gte(t\\,1)' : ''
      const tone = ['-f', 'lavfi', '-i', `aevalsrc='0.2*sin(2*PI*${hertz}*t)${noise}':s=44100:d=5`]
      await make([...tone, ...(path.endsWith('mp3') ? ['-q:a', '6', '-write_xing', '0'] : []), file])
      return [path, serveBytes(await readFile(file))] as const
    }),
  )
  const card = serveBytes(await plainPng(64, 36, '#00ff00'), { type: 'image/png' })
  web = await startBadServer({ ...Object.fromEntries(served), '/card.png': card })
  place = makeHome(join(root, 'home'))
  const { home, db } = place
  const config = loadConfig({ home: home.root }, { CUTROOM_MIN_FREE_BYTES: '0' })
  const deps = { config, home, db, log: createLogger('error'), now: Date.now }
  jobs = await startJobs(deps)
  services = { ...deps, jobs }
})
afterAll(async () => {
  await jobs.stop()
  await place.remove()
  await web.close()
  await rm(root, { recursive: true, force: true })
})

/** The file of a rendered clip. */
function fileOf(mediaId: string | null | undefined): string {
  const row = place.db.orm
    .select()
    .from(media)
    .where(eq(media.id, mediaId ?? ''))
    .get()
  if (row === undefined) throw new Error('the clip was not rendered')
  return join(place.home.root, row.path)
}

async function run(nodes: readonly ResolvedNode[]) {
  const queued = queueRun(place.db, talk.video, nodes)
  jobs.wake()
  expect(await jobs.whenSettled(queued.operationId, 60_000)).toMatchObject({ state: 'succeeded' })
  const [clip] = listRunClips(place.db, queued.runId)
  if (clip === undefined) throw new Error('the run made no clip')
  return { runId: queued.runId, clip, file: fileOf(clip.renderedMedia) }
}

describe('a run with music', () => {
  // Something is said from 4 to 7.2 s.
  const found = node('find_clips', { pinnedTimestamps: [{ start: 4, end: 8 }], pinnedTimestampsOnly: true })
  const music = (): ResolvedNode =>
    node('add_music', {
      background_music_options: [
        { url: web.url('/low.mp3'), volume: 0.5, name: 'Low' },
        { url: web.url('/high.mp3'), volume: 0.5, name: 'High' },
      ],
    })
  const outro = (): ResolvedNode =>
    node('add_outro', {
      end_card_option: { url: web.url('/card.png'), duration: 2 },
      outro_music_option: { url: web.url('/end.m4a') },
    })

  it('plays one of the tracks, the same again, and what the card has; an edit plays another', async () => {
    const first = await run([found, music(), outro()])
    const picked = first.clip.document.backgroundMusicOption?.['name']
    const [heard, other] = picked === 'Low' ? [1700, 2300] : [2300, 1700]
    expect(picked).toMatch(/^(Low|High)$/u)
    const samples = await leftOf(first.file)
    expect((await probeStreams(first.file)).video.nb_frames).toBe(String(150))
    const spoken = toneLevel(samples, heard, 0.8, 3)
    // Half as loud as speech: 6 dB under it, and 12 more while it goes on.
    expect(Math.abs(spoken + 14 + 6 + 12)).toBeLessThan(2.5)
    expect(toneLevel(samples, other, 0.5, 3.9)).toBeLessThan(-65)
    expect(toneLevel(samples, TONES['/end.m4a'], 0.5, 3.9)).toBeLessThan(-65)
    expect(toneLevel(samples, TONES['/end.m4a'], 4.4, 4.9)).toBeGreaterThan(-24)
    expect(toneLevel(samples, heard, 5.1, 5.9)).toBeLessThan(-60)
    const { integrated, peak } = await loudnessOf(first.file)
    expect(Math.abs(integrated + 14)).toBeLessThanOrEqual(0.5)
    expect(peak).toBeLessThan(-1)
    const warnings = getRun(place.db, first.runId)?.warnings ?? []
    expect(warnings.filter((warning) => /music|outro/u.test(warning))).toEqual([])
    const fetched = [...slotsOf(place.db, first.runId).values()].flatMap(({ slot, output }) =>
      slot.startsWith('asset:') ? [output as { kind: string; sound?: SoundAsset }] : [],
    )
    expect(fetched.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'audio', 'audio', 'image'])
    // As long as they are, and not as their first moment makes one guess.
    for (const { sound } of fetched)
      if (sound !== undefined)
        expect(Math.abs(sound.duration - secondsToTicks(5))).toBeLessThan(secondsToTicks(0.1))

    const again = await run([found, music(), outro()])
    expect(again.clip.document.backgroundMusicOption).toEqual(first.clip.document.backgroundMusicOption)

    const option = { url: web.url('/chosen.mp3'), volume: 1 }
    const document = { ...first.clip.document, backgroundMusicOption: option }
    const { id } = first.clip
    place.db.orm.update(clips).set({ document, revision: 2 }).where(eq(clips.id, id)).run()
    expect((await renderClip(services, { companyId: 'c', clipId: id })).status).toBe('finished')
    const edited = await leftOf(fileOf(getRunClip(place.db, id)?.renderedMedia))
    expect(toneLevel(edited, TONES['/chosen.mp3'], 0.8, 3)).toBeGreaterThan(spoken + 4)
    expect(toneLevel(edited, heard, 0.8, 3.8)).toBeLessThan(-65)
  })
})
