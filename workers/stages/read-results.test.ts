import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTranscript } from './read-results.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-transcript-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const saying = (...words: string[]) => ({
  origin: 'sidecar-captions',
  language: 'en',
  detail: '',
  words: words.map((word, place) => ({ word, start: place, end: place + 1 })),
})
const write = (file: string, value: unknown) => writeFile(join(folder, file), JSON.stringify(value))
const read = (transcriptFile: string) =>
  readTranscript({ input: () => folder, inputResult: () => Promise.resolve({ transcriptFile }) })

test('those who ask for the same words are given the same, which nobody can change', async () => {
  await write('one.json', saying('count', 'first'))
  const first = await read('one.json')
  expect(first).toEqual(saying('count', 'first'))
  expect(await read('one.json')).toBe(first)
  expect(() => first.words.pop()).toThrow(TypeError)
  expect(() => Object.assign(first.words[0] ?? {}, { word: 'fix' })).toThrow(TypeError)
})

test('other words are read: of another file, and where the file was made anew', async () => {
  await write('one.json', saying('count'))
  await write('two.json', saying('fix'))
  expect((await read('one.json')).words[0]?.word).toBe('count')
  expect((await read('two.json')).words[0]?.word).toBe('fix')
  await write('two.json', saying('never', 'whisper'))
  expect((await read('two.json')).words.map(({ word }) => word)).toEqual(['never', 'whisper'])
})

test('what is not a transcript is refused, and not kept', async () => {
  await write('one.json', { words: 'none' })
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(read('one.json')).rejects.toMatchObject({ code: 'STAGE_FAILED' })
})
