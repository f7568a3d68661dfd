import { describe, expect, test } from 'vitest'
import type { SeenVideo } from './find-videos.ts'
import { recogniseFiles, settleFiles } from './settle.ts'

const file = (path: string, more: Partial<SeenVideo> = {}): SeenVideo => ({
  path,
  bytes: 10,
  modifiedAt: 1000,
  fileId: '1:1',
  sidecars: '',
  ...more,
})

describe('settleFiles', () => {
  const at = (now: number) => ({ now, settleMs: 10 })
  const names = (files: readonly SeenVideo[]) => files.map(({ path }) => path)

  test('a file is complete when neither its size, its time nor its subtitles have changed for long enough', () => {
    const first = settleFiles([file('a')], new Map(), at(0))
    expect([names(first.complete), first.settling]).toEqual([[], 1])
    const grown = settleFiles([file('a', { bytes: 11 })], first.unchanged, at(9))
    expect(names(settleFiles([file('a', { bytes: 11 })], grown.unchanged, at(18)).complete)).toEqual([])
    expect(names(settleFiles([file('a', { bytes: 11 })], grown.unchanged, at(19)).complete)).toEqual(['a'])
    const touched = settleFiles([file('a', { bytes: 11, modifiedAt: 2000 })], grown.unchanged, at(19))
    expect(names(touched.complete)).toEqual([])
    const subtitled = settleFiles([file('a', { sidecars: 'a.srt 1 1' })], first.unchanged, at(19))
    expect(names(subtitled.complete)).toEqual([])
  })

  test('file numbers do not matter, and a file that is gone is forgotten', () => {
    const first = settleFiles([file('a'), file('b')], new Map(), at(0))
    const second = settleFiles([file('a', { fileId: '9:9' })], first.unchanged, at(10))
    expect(names(second.complete)).toEqual(['a'])
    expect([...second.unchanged.keys()]).toEqual(['a'])
  })
})

describe('recogniseFiles', () => {
  const known = (id: string, path: string, more: Partial<SeenVideo> = {}) => ({ id, ...file(path, more) })

  test.each([
    ['the same file', [file('a')], [known('1', 'a')], [], []],
    ['with another file number', [file('a', { fileId: '2:2' })], [known('1', 'a')], [], ['1']],
    ['with other content', [file('a', { bytes: 11 })], [known('1', 'a')], ['a'], []],
    ['renamed', [file('b')], [known('1', 'a')], [], ['1']],
    ['hard-linked: the old path is there', [file('a'), file('b')], [known('1', 'a')], ['b'], []],
    ['another file with that number', [file('b', { bytes: 11 })], [known('1', 'a')], ['b'], []],
    [
      'its present content is the later row',
      [file('a', { bytes: 11 })],
      [known('1', 'a'), known('2', 'a', { bytes: 11 })],
      [],
      [],
    ],
  ])('%s', (_name, seen, rows, unknown, moved) => {
    const found = recogniseFiles(seen, rows)
    expect(found.unknown.map(({ path }) => path)).toEqual(unknown)
    expect(found.moved.map(({ id }) => id)).toEqual(moved)
  })
})
