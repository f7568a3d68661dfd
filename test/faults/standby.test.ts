/** Two appliances: the second takes over from the first, with all that was acknowledged, and the first writes nothing more. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { cutroom } from '../support/appliance-process.ts'
import type { Answer } from '../support/bad-server.ts'
import { findRedis, whyNoRedis } from '../support/redis.ts'
import { hasS3, NO_S3 } from '../support/s3.ts'
import { makeStandbyPair, sendTriggers, type Serving, type StandbyPair } from '../support/standby-pair.ts'
import { startTcpGate } from '../support/tcp-gate.ts'
import { startWorkerProcess } from '../support/worker-node.ts'

const TEST_MS = 400_000

const hasRedis = findRedis() !== null
if (!hasS3()) process.stderr.write(`a standby is not tested: ${NO_S3}\n`)
if (!hasRedis) process.stderr.write(`${whyNoRedis}\n`)

let pair: StandbyPair | null = null
afterEach(async () => {
  await pair?.close()
  pair = null
})

function rowsIn<T>(home: string, query: string): T[] {
  const db = new Database(join(home, 'cutroom.sqlite'), { readonly: true })
  try {
    return db.prepare<[], T>(query).all()
  } finally {
    db.close()
  }
}

const runsIn = (home: string): string[] =>
  rowsIn<{ id: string }>(home, 'select id from runs order by id').map(({ id }) => id)

/** How often each run was told to be complete. */
const completionsIn = (home: string): number[] =>
  rowsIn<{ times: number }>(
    home,
    "select count(*) as times from events where type = 'run.completed' group by subject_id",
  ).map(({ times }) => times)

/** Every object of the bucket but what appliances write for a standby, with its content. */
async function contentOf(bucket: string): Promise<Map<string, string>> {
  const names = await readdir(bucket, { recursive: true, withFileTypes: true })
  const files = names.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const own = files.filter((file) => !file.startsWith(join(bucket, 'standby')))
  return new Map(
    await Promise.all(
      own.map(
        async (file) =>
          [
            file,
            createHash('sha256')
              .update(await readFile(file))
              .digest('hex'),
          ] as [string, string],
      ),
    ),
  )
}

/** A receiver of webhooks: each delivery's id, by what it tells. */
function collectHooks() {
  const told: { readonly event: string; readonly id: string }[] = []
  const answer: Answer = (request, response) => {
    told.push({
      event: String(request.headers['cutroom-event']),
      id: String(request.headers['cutroom-delivery']),
    })
    request.resume().on('end', () => response.writeHead(200).end())
  }
  return {
    answer,
    idsOf: (event: string) => new Set(told.filter((one) => one.event === event).map(({ id }) => id)),
  }
}

/** All of it; its address, as a source of runs. */
async function sendUpload({ url }: Serving, key: string, video: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'tus-resumable': '1.0.0' }
  const name = Buffer.from('talk.mp4').toString('base64')
  const begun = await fetch(`${url}/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(video.length), 'upload-metadata': `filename ${name}` },
  })
  expect(begun.status).toBe(201)
  const { pathname } = new URL(begun.headers.get('location') ?? '', url)
  const sent = await fetch(`${url}${pathname}`, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(video),
  })
  expect(sent.status).toBe(204)
  return pathname
}

describe.skipIf(!hasS3())('a standby', () => {
  it(
    'takes over by command, with every run; the first ends and says what to do',
    async () => {
      pair = await makeStandbyPair(false)
      const first = await pair.serve('first')
      const second = await pair.follow('second')
      const ids: string[] = []
      for (const name of ['talk-1', 'talk-2']) ids.push(await first.client.trigger(pair.talk(name)))
      await expect.poll(async () => (await first.client.results(ids[0] ?? '')).progress).toBeGreaterThan(0.2)

      const { code, stdout, stderr } = await cutroom(
        ['standby', 'promote', '--home', pair.home('second'), '--json'],
        { environment: pair.environment },
      )
      expect([code, stderr]).toEqual([0, expect.any(String)])
      expect(JSON.parse(stdout)).toMatchObject({ epoch: 2, serving: true })
      expect(await first.process.ended).toBe(1)
      const last = JSON.parse(first.process.stderr.at(-1) ?? '{}') as Record<string, unknown>
      expect(last).toMatchObject({ code: 'NOT_IN_CHARGE' })
      expect(JSON.stringify(last)).toContain('cutroom standby')

      const now = await pair.serving(second)
      for (const id of ids) {
        const results = await now.client.settled(id, 200_000)
        expect([results.status, results.error]).toEqual(['Completed', undefined])
      }
      expect(runsIn(pair.home('second'))).toEqual([...ids].sort())

      // The first may not be started as if nothing had been, and no command changes its database.
      const again = await cutroom(['serve', '--port', '0', '--home', pair.home('first')], {
        environment: pair.environment,
      })
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('took over')])
      const command = await cutroom(['company', 'create', 'b', '--name', 'B', '--home', pair.home('first')])
      expect([command.code, command.stderr]).toEqual([1, expect.stringContaining('took over')])
      const doctor = await cutroom(['doctor', '--json', '--home', pair.home('first')], {
        environment: pair.environment,
      })
      expect(doctor.stdout).toContain('another appliance is in charge (epoch 2')

      // It follows in its turn, and takes what the other one has.
      const back = await pair.follow('first')
      await cutroom(['standby', 'promote', '--home', pair.home('first')], { environment: pair.environment })
      expect(await second.ended).toBe(1)
      const home = await pair.serving(back)
      expect((await home.client.results(ids[0] ?? '')).status).toBe('Completed')
      expect(runsIn(pair.home('first'))).toEqual([...ids].sort())
    },
    TEST_MS,
  )
})

describe.skipIf(!hasS3() || !hasRedis)('a standby with a lease', () => {
  it(
    'has every acknowledged run once, where the first was killed while they came in',
    async () => {
      pair = await makeStandbyPair(true)
      const first = await pair.serve('first')
      const second = await pair.follow('second')
      const sending = sendTriggers(pair, first.url, 6)
      await expect.poll(() => sending.acknowledged.size, { interval: 5 }).toBeGreaterThanOrEqual(2)
      const before = new Map(sending.acknowledged)
      first.process.child.kill('SIGKILL')
      const began = performance.now()
      const now = await pair.serving(second)
      const took = performance.now() - began
      process.stderr.write(`took over in ${Math.round(took)} ms\n`)
      expect(took).toBeLessThan(30_000)
      sending.turnTo(now.url)
      const acknowledged = await sending.done
      for (const [key, id] of before) expect(acknowledged.get(key)).toBe(id)
      // The same keys again are the same runs.
      const again = sendTriggers(pair, now.url, 6)
      expect([...(await again.done)].sort()).toEqual([...acknowledged].sort())
      const ids = [...acknowledged.values()]
      for (const id of ids) expect((await now.client.settled(id, 300_000)).status).toBe('Completed')
      expect(runsIn(pair.home('second'))).toEqual([...ids].sort())
      expect(completionsIn(pair.home('second'))).toEqual(ids.map(() => 1))
    },
    TEST_MS,
  )

  it(
    'leaves a first that was stopped and goes on nothing to write, and that one ends',
    async () => {
      pair = await makeStandbyPair(true)
      const first = await pair.serve('first')
      const second = await pair.follow('second')
      const ids = [
        await first.client.trigger(pair.talk('talk-1')),
        await first.client.trigger(pair.talk('talk-2')),
      ]
      await expect.poll(async () => (await first.client.results(ids[0] ?? '')).progress).toBeGreaterThan(0.2)
      first.process.child.kill('SIGSTOP')
      const now = await pair.serving(second)
      for (const id of ids) expect((await now.client.settled(id, 300_000)).status).toBe('Completed')
      const clips = (await now.client.results(ids[0] ?? '')).clips.map(({ id }) => id)
      // What was said is made ready for the search after a run has ended, by the second.
      const { bucket } = pair
      const isIndexed = async () =>
        [...(await contentOf(bucket)).keys()].some((name) => /\/passages\/.*\/result\.json$/.test(name))
      await expect.poll(isIndexed, { timeout: 60_000 }).toBe(true)
      const content = await contentOf(pair.bucket)

      // A request that waits at its door, and all that was going on in it.
      const late = fetch(`${first.url}/trigger-template`, {
        method: 'POST',
        headers: { authorization: `Bearer ${pair.tenant.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          companyId: pair.tenant.companyId,
          workflowId: pair.tenant.workflowId,
          url: pair.talk('talk-3'),
        }),
      }).then(
        ({ status }) => status,
        () => 'no answer',
      )
      first.process.child.kill('SIGCONT')
      expect(await first.process.ended).toBe(1)
      expect(JSON.parse(first.process.stderr.at(-1) ?? '{}')).toMatchObject({ code: 'NOT_IN_CHARGE' })
      expect([503, 'no answer']).toContain(await late)
      await pause(2000)
      expect(await contentOf(pair.bucket)).toEqual(content)
      expect(runsIn(pair.home('second'))).toEqual([...ids].sort())
      expect((await now.client.results(ids[0] ?? '')).clips.map(({ id }) => id)).toEqual(clips)
      expect(completionsIn(pair.home('second'))).toEqual([1, 1])
      // Whoever is in charge goes on, with the same Redis.
      const next = await now.client.trigger(pair.talk('talk-4'))
      expect((await now.client.settled(next, 200_000)).status).toBe('Completed')
    },
    TEST_MS,
  )

  it(
    'needs the key of the first, outlives a Redis that restarts, and has uploads and what webhooks were to say',
    async () => {
      const hooks = collectHooks()
      pair = await makeStandbyPair(true, { '/hook': hooks.answer })
      const first = await pair.serve('first')
      const made = await cutroom(
        [
          'webhook',
          'create',
          '--company',
          pair.tenant.companyId,
          '--url',
          pair.hook,
          '--home',
          pair.home('first'),
        ],
        { environment: pair.environment },
      )
      expect([made.code, made.stderr]).toEqual([0, expect.any(String)])
      const refused = pair.start('second')
      expect(await refused.ended).toBe(1)
      expect(JSON.parse(refused.stderr.at(-1) ?? '{}')).toMatchObject({ code: 'SECRETS_KEY_UNAVAILABLE' })
      const second = await pair.follow('second')
      const doctor = async () =>
        (
          await cutroom(['doctor', '--json', '--home', pair?.home('first') ?? ''], {
            environment: pair?.environment ?? {},
          })
        ).stdout
      await expect.poll(doctor, { timeout: 60_000 }).toContain('it is followed')

      await pair.redis?.stop()
      await pause(3000)
      await pair.redis?.start()
      // Longer than a lease that nobody holds is waited for.
      await pause(8000)
      expect(second.child.exitCode).toBe(null)
      expect((await fetch(`${first.url}/ready`)).status).toBe(200)

      const video = await readFile(pair.upload)
      const path = await sendUpload(first, pair.tenant.key, video)
      const id = await first.client.trigger(path)
      first.process.child.kill('SIGKILL')
      const now = await pair.serving(second)
      const results = await now.client.settled(id, 300_000)
      expect([results.status, results.error]).toEqual(['Completed', undefined])
      expect(completionsIn(pair.home('second'))).toEqual([1])
      // A webhook may say a thing twice under the same id, and never under two.
      await expect.poll(() => hooks.idsOf('run.completed').size, { timeout: 60_000 }).toBe(1)
      await pause(2000)
      expect(hooks.idsOf('run.completed').size).toBe(1)
    },
    TEST_MS,
  )

  it(
    'goes on with the worker node of the first, which works on under the same address',
    async () => {
      pair = await makeStandbyPair(true, {}, { CUTROOM_QUEUE: 'bullmq' })
      const first = await pair.serve('first')
      const issued = await cutroom(
        [
          'service-token',
          'issue',
          '--subject',
          'node',
          '--for',
          'worker',
          '--json',
          '--home',
          pair.home('first'),
        ],
        { environment: pair.environment },
      )
      const { token } = JSON.parse(issued.stdout) as { token: string }
      // The first token of a home makes its key, which the standby needs.
      const second = await pair.follow('second')
      const gate = await startTcpGate(Number(new URL(first.url).port))
      const node = startWorkerProcess(pair.home('node'), { server: gate.url, token })
      try {
        await node.working
        const ids: string[] = []
        for (const name of ['talk-1', 'talk-2', 'talk-3'])
          ids.push(await first.client.trigger(pair.talk(name)))
        // While the node has one of them.
        await node.when((line) => line.message === 'took a task' && line.stage === 'render')
        first.process.child.kill('SIGKILL')
        gate.shut()
        const now = await pair.serving(second)
        gate.turnTo(Number(new URL(now.url).port))
        gate.open()
        const before = node.lines.length
        for (const id of ids) {
          const results = await now.client.settled(id, 300_000)
          expect([results.status, results.error]).toEqual(['Completed', undefined])
        }
        expect(runsIn(pair.home('second'))).toEqual([...ids].sort())
        expect(completionsIn(pair.home('second'))).toEqual([1, 1, 1])
        expect(node.child.exitCode).toBe(null)
        const done = node.lines.slice(before).filter(({ message }) => message === 'a stage was carried out')
        expect(done.length).toBeGreaterThan(0)
      } finally {
        await node.kill('SIGKILL')
        await gate.close()
      }
    },
    TEST_MS,
  )
})
