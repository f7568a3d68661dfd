/** Two appliances: the second takes over from the first, with all that was acknowledged, and the first writes nothing more. */
import { afterEach, describe, expect, it } from 'vitest'
import Database from 'better-sqlite3'
import { join } from 'node:path'
import { cutroom } from '../support/appliance-process.ts'
import { hasS3, NO_S3 } from '../support/s3.ts'
import { makeStandbyPair, type StandbyPair } from '../support/standby-pair.ts'

const TEST_MS = 300_000

if (!hasS3()) process.stderr.write(`a standby is not tested: ${NO_S3}\n`)

let pair: StandbyPair | null = null
afterEach(async () => {
  await pair?.close()
  pair = null
})

function runsIn(home: string): { id: string; status: string }[] {
  const db = new Database(join(home, 'cutroom.sqlite'), { readonly: true })
  try {
    return db.prepare<[], { id: string; status: string }>('select id, status from runs order by id').all()
  } finally {
    db.close()
  }
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
        expect([results.status, results.error, second.stderr.slice(-5)]).toEqual([
          'Completed',
          undefined,
          expect.any(Array),
        ])
      }
      expect(runsIn(pair.home('second')).map(({ id }) => id)).toEqual([...ids].sort())

      // The first may not be started as if nothing had been, and no command changes its database.
      const again = await cutroom(['serve', '--port', '0', '--home', pair.home('first')], {
        environment: pair.environment,
      })
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('took over')])
      const command = await cutroom([
        'company',
        'create',
        'late',
        '--name',
        'Late',
        '--home',
        pair.home('first'),
      ])
      expect([command.code, command.stderr]).toEqual([1, expect.stringContaining('took over')])
    },
    TEST_MS,
  )
})
