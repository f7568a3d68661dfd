/** Archives that were made to do harm: what they leave on the disk, and outside of the folder that they were given. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { unpackArchive } from '../../models/unpack.ts'

let root = ''
let into = ''
let outside = ''
let count = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-hostile-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  const own = join(root, String((count += 1)))
  into = join(own, 'deep', 'into')
  outside = join(own, 'outside')
  await mkdir(into, { recursive: true })
  await mkdir(outside)
  await writeFile(join(outside, 'victim'), 'as it was')
})

interface TarEntry {
  readonly name: string
  readonly data?: string
  /** 0 file, 1 hard link, 2 symbolic link, 3 device, 6 pipe. */
  readonly type?: string
  readonly link?: string
  readonly mode?: string
  /** The size in the header, when it is false. */
  readonly size?: number
}

/** A tar with entries that no tool would write. */
function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, data = '', type = '0', link = '', mode = '0000644', size }) => {
    const head = Buffer.alloc(512)
    const octal = (size ?? data.length).toString(8).padStart(11, '0')
    head.write(name, 0)
    head.write(`${mode}\0${'0000000'}\0${'0000000'}\0${octal}\0${'00000000000'}\0        `, 100)
    head.write(`${type}${link}`, 156)
    head.write('ustar\u000000', 257)
    const sum = head.reduce((total, byte) => total + byte, 0)
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const body = Buffer.alloc(Math.ceil(data.length / 512) * 512)
    body.write(data)
    return [head, body]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

/** Unpacks; everything that is in the folder then. Null when it was refused. */
async function unpack(bytes: Buffer, name = 'a.tar'): Promise<string[] | null> {
  const file = join(root, `${count}-${name}`)
  await writeFile(file, bytes)
  try {
    await unpackArchive(file, into, undefined, { files: 50, bytes: 1_000_000 })
    return readdirSync(into, { recursive: true, encoding: 'utf8' }).sort()
  } catch {
    return null
  }
}

/** Nothing changed outside, and nothing inside leads there. */
function expectUnharmed(): void {
  expect(readFileSync(join(outside, 'victim'), 'utf8')).toBe('as it was')
  expect(readdirSync(outside)).toEqual(['victim'])
  expect(readdirSync(join(into, '..'))).toEqual(['into'])
  for (const name of readdirSync(into, { recursive: true, encoding: 'utf8' })) {
    const facts = lstatSync(join(into, name))
    expect([name, facts.isFile() || facts.isDirectory(), facts.nlink > 1 && facts.isFile()]).toEqual([
      name,
      true,
      false,
    ])
  }
}

test.each<[string, () => TarEntry[]]>([
  [
    'a folder that is a link, and a file in it',
    () => [
      { name: 'door', type: '2', link: outside },
      { name: 'door/victim', data: 'changed' },
    ],
  ],
  [
    'a hard link to a file outside, and a file over it',
    () => [
      { name: 'alias', type: '1', link: join(outside, 'victim') },
      { name: 'alias', data: 'changed' },
    ],
  ],
  [
    'a link that is swapped for a folder later',
    () => [
      { name: 'x/y', data: 'a' },
      { name: 'x', type: '2', link: outside },
      { name: 'x/victim', data: 'changed' },
    ],
  ],
  [
    'a device and a pipe',
    () => [
      { name: 'null', type: '3' },
      { name: 'pipe', type: '6' },
    ],
  ],
  ['an absolute path', () => [{ name: join(outside, 'new'), data: 'changed' }]],
  ['a path that climbs', () => [{ name: '../../outside/new', data: 'changed' }]],
  ['a path that climbs from inside', () => [{ name: 'a/../../../outside/new', data: 'changed' }]],
  ['a file that says to be far larger than the archive', () => [{ name: 'a', data: 'x', size: 900_000 }]],
])('a tar with %s', async (_what, entries) => {
  await unpack(tarOf(entries()))
  expectUnharmed()
})

test('a tar that gives rights and owners: neither is taken from it', async () => {
  const left = await unpack(tarOf([{ name: 'tool', data: '#!/bin/sh', mode: '0006755' }]))
  expect(left).toEqual(['tool'])
  expect(lstatSync(join(into, 'tool')).mode & 0o7777).toBe(0o644)
})

test('a nested archive bomb: what unpacks a thousandfold stops at the limit', async () => {
  const bomb = gzipSync(tarOf([{ name: 'zeros', data: '\0'.repeat(20_000_000) }]))
  expect(bomb.length).toBeLessThan(30_000)
  expect(await unpack(bomb, 'a.tar.gz')).toBeNull()
  expect(readdirSync(into).every((name) => lstatSync(join(into, name)).size <= 1_000_000)).toBe(true)
})

test('many empty files end at the limit', async () => {
  const many = Array.from({ length: 200 }, (_, index) => ({ name: `f${index}` }))
  expect(await unpack(tarOf(many))).toBeNull()
  expect(readdirSync(into).length).toBeLessThanOrEqual(50)
})

/** A zip of one stored file; `says`: the size that its headers give. */
function zipOf(name: string, data: Buffer, says = data.length): Buffer {
  const head = Buffer.alloc(30)
  const entry = Buffer.alloc(46)
  const end = Buffer.alloc(22)
  head.writeUInt32LE(0x04034b50, 0)
  entry.writeUInt32LE(0x02014b50, 0)
  for (const [buffer, shift] of [
    [head, 0],
    [entry, 2],
  ] as const) {
    buffer.writeUInt16LE(20, 4 + shift)
    buffer.writeUInt32LE(says, 18 + shift)
    buffer.writeUInt32LE(says, 22 + shift)
    buffer.writeUInt16LE(Buffer.byteLength(name), 26 + shift)
  }
  const list = Buffer.concat([entry, Buffer.from(name)])
  const at = 30 + Buffer.byteLength(name) + data.length
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([head, Buffer.from(name), data, list, end])
}

test.each(['..\\..\\outside\\new', 'C:\\outside\\new', '//host/share/new', '\\\\host\\share\\new'])(
  'a zip that names %s',
  async (name) => {
    await unpack(zipOf(name, Buffer.from('changed')), 'a.zip')
    expectUnharmed()
    expect(existsSync(join(into, '..', '..', 'outside', 'new'))).toBe(false)
  },
)

test('a zip whose header has a larger or smaller size than its contents', async () => {
  expect(await unpack(zipOf('a', Buffer.alloc(2000), 900_000), 'more.zip')).toBeNull()
  await unpack(zipOf('b', Buffer.alloc(500_000), 10), 'less.zip')
  if (existsSync(join(into, 'b'))) expect((await readFile(join(into, 'b'))).length).toBeLessThanOrEqual(10)
  expectUnharmed()
})
