import {
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { list } from 'tar'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderEntries, tarHeader, tarStream } from './archive.ts'
import { readHeader, tarWriter } from './unpack.mjs'

let work: string
beforeEach(() => void (work = mkdtempSync(join(tmpdir(), 'cutroom-archive-'))))
afterEach(() => rmSync(work, { recursive: true, force: true }))

const LONG = `${'deep/'.repeat(20)}${'n'.repeat(90)}.txt`

function tree(): string {
  const folder = join(work, 'tree')
  mkdirSync(join(folder, LONG, '..'), { recursive: true })
  writeFileSync(join(folder, LONG), 'far down')
  writeFileSync(join(folder, 'empty'), '')
  writeFileSync(join(folder, 'block'), Buffer.alloc(512, 7))
  writeFileSync(join(folder, 'program'), '#!/bin/sh\n', { mode: 0o711 })
  return folder
}

/** Pieces of odd sizes, as a disk may give them. */
function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('what is packed comes out, for us and for others; twice the same bytes', async () => {
  const folder = tree()
  const entries = await folderEntries(folder, 'app')
  const packed = await buffer(Readable.from(tarStream(entries, 1_700_000_000)))
  writeFileSync(join(folder, 'program'), '#!/bin/sh\n')
  expect(
    (await buffer(Readable.from(tarStream(await folderEntries(folder, 'app'), 1_700_000_000)))).equals(
      packed,
    ),
  ).toBe(true)

  const seen: { path: string; mode: number; uid: number; time: number }[] = []
  writeFileSync(join(work, 'a.tar'), packed)
  await list({
    file: join(work, 'a.tar'),
    strict: true,
    onReadEntry: ({ path, mode = 0, uid = -1, mtime }) =>
      void seen.push({ path, mode, uid, time: (mtime?.getTime() ?? 0) / 1000 }),
  })
  expect(seen.map(({ path }) => path)).toEqual([...seen.map(({ path }) => path)].sort())
  expect(seen.find(({ path }) => path === 'app/program')).toMatchObject({
    mode: 0o755,
    uid: 0,
    time: 1_700_000_000,
  })
  expect(seen.find(({ path }) => path === 'app/empty')).toMatchObject({ mode: 0o644 })

  for (const size of [97, 511, 513, 100_000]) {
    const into = join(work, `out-${size}`)
    mkdirSync(into)
    await pipeline(Readable.from(pieces(packed, size)), tarWriter(into))
    expect(readFileSync(join(into, 'app', LONG), 'utf8')).toBe('far down')
    expect(readFileSync(join(into, 'app', 'block')).equals(Buffer.alloc(512, 7))).toBe(true)
    expect(statSync(join(into, 'app', 'program')).mode & 0o777).toBe(0o755)
    expect(statSync(join(into, 'app', 'empty')).size).toBe(0)
  }
})

test('links are not packed', async () => {
  const folder = tree()
  symlinkSync('/etc/passwd', join(folder, 'link'))
  await expect(folderEntries(folder, 'app')).rejects.toThrow('app/link is neither a file nor a folder')
})

const header = (name: string, kind?: string): Buffer => {
  const block = tarHeader({ name: 'x', file: '/x', bytes: 0, executable: false }, 0)
  block.fill(0, 0, 100)
  block.write(name, 0)
  if (kind !== undefined) block.write(kind, 156)
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

test.each(['../x', 'a/../../x', '/etc/x', 'a//x', '.', 'a\\b', ''])(
  'a name that points outside: %j',
  async (name) => {
    const into = join(work, 'into')
    mkdirSync(into)
    const archive = Buffer.concat([header(name), Buffer.alloc(1024)])
    await expect(pipeline(Readable.from([archive]), tarWriter(into))).rejects.toThrow('points outside')
    expect(readdirSync(work)).toEqual(['into'])
    expect(readdirSync(into)).toEqual([])
  },
)

test('links, repeats, damage and ends that are missing are refused', async () => {
  expect(() => readHeader(header('x', '2'))).toThrow('neither a file nor a folder')
  const damaged = header('x')
  damaged[5] = 1
  expect(() => readHeader(damaged)).toThrow('a header is damaged')
  const twice = Buffer.concat([header('x'), header('x'), Buffer.alloc(1024)])
  await expect(pipeline(Readable.from([twice]), tarWriter(work))).rejects.toThrow('EEXIST')
  await expect(pipeline(Readable.from([header('y')]), tarWriter(work))).rejects.toThrow('cut off')
})

test('a name that no archive can hold is said', () => {
  const entry = { name: `${'a'.repeat(120)}/b`, file: '/x', bytes: 0, executable: false }
  expect(readHeader(tarHeader(entry, 0))?.parts).toEqual(['a'.repeat(120), 'b'])
  expect(() => tarHeader({ ...entry, name: 'a'.repeat(120) }, 0)).toThrow('too long a name')
})
