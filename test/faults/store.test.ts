/** Runs whose footage and results lie in a bucket of a real store: from source to clip, with the store cut off, with the home emptied. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { getMedia } from '../../server/db/media.ts'
import { listRunClips } from '../../server/db/run-clips.ts'
import { getRun, listRunStages } from '../../server/db/runs.ts'
import { waitsForOf } from '../../server/domain/runs/waiting.ts'
import { findMediaById, mediaAddresses } from '../../server/domain/rendering/register-media.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { artefactFolder } from '../../workers/artefacts.ts'
import { STAGES } from '../../workers/stages/catalog.ts'
import { describeRun, queueRun, settledRun, TINY_NODES, until } from '../support/run-on-jobs.ts'
import { hasS3, NO_S3, startS3, type S3Server } from '../support/s3.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'

/** Of a slow machine for two runs. */
const TEST_MS = 560_000

if (!hasS3()) process.stderr.write(`runs with a store are not tested: ${NO_S3}\n`)

let root: string
let talk: TinyTalk
let s3: S3Server
let appliance: Appliance | null = null
let lines: string[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-stored-'))
  talk = await makeTinyTalk(root)
  if (hasS3()) s3 = await startS3(join(root, 'store'), ['studio'])
})
afterEach(async () => {
  await appliance?.stop()
  appliance = null
})
afterAll(async () => {
  if (hasS3()) await s3.stop()
  await rm(root, { recursive: true, force: true })
})

async function start(name: string): Promise<Appliance> {
  lines = []
  const config = loadConfig(
    { home: join(root, name), port: '0' },
    {
      CUTROOM_STORE: `s3://studio/${name}`,
      CUTROOM_S3_ENDPOINT: s3.endpoint,
      CUTROOM_S3_KEY_ID: s3.keyId,
      CUTROOM_S3_SECRET: s3.secret,
      CUTROOM_MIN_FREE_BYTES: '0',
    },
  )
  return (appliance = await startAppliance(
    config,
    createLogger('debug', (line) => void lines.push(line)),
  ))
}

/** Of a slow machine for a whole run. */
const PATIENCE_MS = 240_000

const inBucket = (name: string, ...path: string[]): string => join(root, 'store', 'studio', name, ...path)

function runIn({ services }: Appliance): string {
  const { runId } = queueRun(services.db, talk.video, TINY_NODES, 'local')
  services.jobs.wake()
  return runId
}

describe.skipIf(!hasS3())('a run with a store', () => {
  it(
    'has all of it there by its end; an emptied home works on from there',
    async () => {
      const own = await start('whole')
      const { services, url } = own
      const { db, home } = services
      const runId = runIn(own)
      const settled = await settledRun(db, runId, undefined, PATIENCE_MS)
      expect(settled, describeRun(db, runId)).toMatchObject({ status: 'Completed' })
      for (const { stage, key } of listRunStages(db, runId))
        expect(
          existsSync(inBucket('whole', 'artefacts', stage, key.slice(0, 2), key, 'result.json')),
          stage,
        ).toBe(true)
      const groups = (await readdir(home.sources)).filter((name) => !name.startsWith('.'))
      expect((await readdir(inBucket('whole', 'sources'))).sort()).toEqual(groups.sort())
      const [clip] = listRunClips(db, runId)
      const mediaId = clip?.renderedMedia ?? ''
      const address = mediaAddresses(services, url, [mediaId])(mediaId) ?? ''
      const whole = Buffer.from(await (await fetch(address)).arrayBuffer())

      await rm(home.artefacts, { recursive: true, force: true })
      await rm(home.sources, { recursive: true, force: true })
      expect(findMediaById(services, mediaId)).toBe(null)
      const again = await fetch(address)
      expect(again.status).toBe(200)
      expect(Buffer.from(await again.arrayBuffer()).equals(whole)).toBe(true)
      const part = await fetch(address, { headers: { range: 'bytes=100-299' } })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-299/${whole.length}`])
      expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(100, 300))).toBe(true)

      // Another run of the same video computes nothing anew: what it needs comes back.
      const second = runIn(own)
      expect(await settledRun(db, second, undefined, PATIENCE_MS), describeRun(db, second)).toMatchObject({
        status: 'Completed',
      })
      const stages = listRunStages(db, second).filter(({ stage }) => STAGES[stage].reuse === 'content')
      expect(stages.filter(({ reused }) => !reused).map(({ stage }) => stage)).toEqual([])
      for (const { stage, key } of stages)
        expect(existsSync(artefactFolder(home.artefacts, stage, key)), stage).toBe(true)

      // Taken down: the address answers so at once, and the objects go.
      const name = getMedia(db, mediaId)?.path ?? ''
      const folder = join(home.root, dirname(name))
      await rm(folder, { recursive: true, force: true })
      services.store?.remove(folder)
      expect((await fetch(address)).status).toBe(404)
      await expect.poll(() => existsSync(inBucket('whole', name))).toBe(false)
      expect(lines.join('\n')).not.toMatch(/X-Amz-Signature|secret-of-the-studio/)
    },
    TEST_MS,
  )

  it(
    'waits for a store that is cut off, and goes on by itself',
    async () => {
      const own = await start('cut-off')
      const { db } = own.services
      await s3.stop()
      const runId = runIn(own)
      const failed = await settledRun(db, runId, undefined, PATIENCE_MS)
      expect(failed, describeRun(db, runId)).toMatchObject({
        status: 'Error',
        errorCode: 'STORE_UNAVAILABLE',
      })
      const waiting = getRun(db, runId)
      expect(waiting === null ? null : waitsForOf(waiting, Date.now())).toBe('store')
      s3 = await startS3(join(root, 'store'), ['studio'], s3.port)
      const isDone = () => getRun(db, runId)?.status === 'Completed'
      await until(isDone, PATIENCE_MS, () => describeRun(db, runId))
      for (const { stage, key } of listRunStages(db, runId))
        expect(
          existsSync(inBucket('cut-off', 'artefacts', stage, key.slice(0, 2), key, 'result.json')),
          stage,
        ).toBe(true)
    },
    TEST_MS,
  )
})
