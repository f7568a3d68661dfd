/** Power cuts over all that an appliance writes; 200 of them, with their outcomes as a table: `npm run faults:power`. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asRecording, cutPower, type DiskKind } from './power/disk.ts'
import { cutOnce } from './power/judge.ts'
import { record, whyNoTrace } from './power/record.ts'
import { readTrace, type Event } from './power/trace.ts'
import { ASKED, rounds, seeded } from './support/long.ts'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'cutroom-power-'))))
afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))

const hex = (text: string): string => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16)}`).join('')

it('reads what strace tells of a file, also where calls of two threads are told in pieces', () => {
  const file = `21<${hex('/d/a')}>`
  const lines = [
    `7 openat(AT_FDCWD<${hex('/d')}>, "${hex('a')}", O_WRONLY|O_CREAT, 0600) = ${file}`,
    `7 write(${file}, "${hex('hello')}", 5 <unfinished ...>`,
    `8 fsync(${file} <unfinished ...>`,
    '7 <... write resumed>) = 5',
    '8 <... fsync resumed>) = 0',
    `7 pwrite64(${file}, "${hex('HE')}"..., 4096, 8192) = 4096`,
    `7 unlinkat(3<${hex('/d')}>, "${hex('gone')}", 0) = -1 ENOENT (No such file)`,
    `7 rename("${hex('/d/a')}", "${hex('/d/b')}") = 0`,
    `7 mkdir("${hex('/elsewhere')}", 0700) = 0`,
  ]
  expect(readTrace(lines, (path) => path.startsWith('/d'))).toEqual([
    { kind: 'open', path: '/d/a', empties: false },
    { kind: 'write', path: '/d/a', at: null, bytes: 5, data: Buffer.from('hello') },
    // It began before the write had ended.
    { kind: 'sync', path: '/d/a', began: 1 },
    { kind: 'write', path: '/d/a', at: 8192, bytes: 4096, data: null },
    { kind: 'move', from: '/d/a', to: '/d/b' },
  ])
})

describe('a disk without power', () => {
  const write = (path: string, text: string): Event => {
    const data = Buffer.from(text)
    return { kind: 'write', path, at: null, bytes: data.length, data }
  }
  const events: Event[] = [
    { kind: 'open', path: '/d/kept', empties: true },
    write('/d/kept', 'kept'),
    { kind: 'sync', path: '/d/kept', began: 2 },
    { kind: 'sync', path: '/d', began: 3 },
    write('/d/kept', ' and more'),
    { kind: 'open', path: '/d/late', empties: true },
    write('/d/late', 'late'),
    { kind: 'sync', path: '/d/late', began: 7 },
    { kind: 'move', from: '/d/late', to: '/d/kept' },
  ]
  async function contents(kind: DiskKind): Promise<Set<string>> {
    const found = new Set<string>()
    for (let seed = 1; seed <= 60; seed += 1) {
      const into = join(root, `${kind}-${seed}`)
      const recorded = { ...asRecording(events, '/d'), atTheEnd: new Map<number, never>() }
      await cutPower(recorded, { until: events.length, kind, chance: seeded(seed), into })
      found.add(await readFile(join(into, 'kept'), 'utf8'))
    }
    return found
  }

  it('has what was synced, and of the rest any part', async () => {
    const found = await contents('strict')
    for (const text of found) expect(text).toMatch(/^(kept( and more)?|late)$/)
    expect([...found].sort()).toEqual(['kept', 'kept and more', 'late'])
  })

  it('keeps names in their order where it has a journal', async () => {
    expect([...(await contents('journal'))].sort()).toEqual(['kept', 'kept and more', 'late'])
  })
})

const why = whyNoTrace()
if (why !== null) console.log(`power cuts of a whole appliance are skipped: ${why}`)

it.skipIf(why !== null)(
  'leaves a home on which the appliance starts, with all that was promised',
  async () => {
    const count = ASKED ? rounds(200) : 12
    const recorded = await record(await mkdtemp(join(root, 'recorded-')))
    expect(recorded.promised.length).toBeGreaterThan(5)
    for (let seed = 1; seed <= count; seed += 1)
      expect(await cutOnce(recorded, seed, root, false)).toMatchObject({ outcome: 'started', faults: [] })
  },
  1_800_000,
)
