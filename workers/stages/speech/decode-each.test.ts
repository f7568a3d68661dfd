import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeEach, keyOf, type Work } from './decode-each.ts'
import { windowsTogether } from './pure/plan-windows.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-decode-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const windows = [0, 1, 2, 3, 4].map((at) => ({ start: at * 10, end: at * 10 + 5 }))

/** A model that says which window it was given, and how many at once. */
function work(together: number, fails: (batch: number[]) => boolean = () => false) {
  const batches: number[][] = []
  const job: Work = {
    decoder: {
      name: 'some',
      setup: '{}',
      together,
      decode: (sounds) => {
        const batch = sounds.map((samples) => Math.round((samples[0] ?? 0) * 32_768))
        if (fails(batch)) return Promise.reject(new Error('out of memory'))
        batches.push(batch)
        return Promise.resolve(
          batch.map((at) => ({ pieces: [{ text: ` ${at}`, from: 0, to: 1 }], words: true })),
        )
      },
    },
    windows,
    wav: {
      read: (start) => Promise.resolve(Int16Array.of(start / 10)),
      features: () => Promise.reject(new Error('not requested')),
    },
    language: 'en',
    prompt: { tokens: [], used: [], left: [] },
  }
  return { job, batches }
}

function decoding() {
  const warnings: string[] = []
  const counts: number[] = []
  const context = {
    signal: new AbortController().signal,
    warn: (message: string) => void warnings.push(message),
  }
  const scratch = join(folder, 'windows.jsonl')
  return { warnings, counts, scratch, context, onDone: (count: number) => void counts.push(count) }
}

const texts = (done: Awaited<ReturnType<typeof decodeEach>>) =>
  windows.map((window) => done.get(keyOf(window))?.pieces[0]?.text)

describe('windows through the model', () => {
  it('go as many at once as suits the machine, and each is stored', async () => {
    const { job, batches } = work(2)
    const way = decoding()
    expect(texts(await decodeEach(job, way))).toEqual([' 0', ' 1', ' 2', ' 3', ' 4'])
    expect(batches).toEqual([[0, 1], [2, 3], [4]])
    expect(way.counts).toEqual([0, 2, 4, 5])
    expect((await readFile(way.scratch, 'utf8')).trim().split('\n')).toHaveLength(5)
  })

  it('are not decoded twice after an interruption, whatever was decoded with them', async () => {
    const first = work(3, (batch) => batch.includes(3))
    const way = decoding()
    await expect(decodeEach(first.job, way)).rejects.toThrow('out of memory')
    expect(first.batches).toEqual([[0, 1, 2]])
    const second = work(2)
    expect(texts(await decodeEach(second.job, way))).toEqual([' 0', ' 1', ' 2', ' 3', ' 4'])
    expect(second.batches).toEqual([[3, 4]])
  })

  it('go one by one where several are too much, with a warning', async () => {
    const { job, batches } = work(4, (batch) => batch.length > 1)
    const way = decoding()
    expect(texts(await decodeEach(job, way))).toEqual([' 0', ' 1', ' 2', ' 3', ' 4'])
    expect(batches).toEqual([[0], [1], [2], [3], [4]])
    expect(way.warnings).toEqual([expect.stringMatching(/4 parts at once failed .* part by part/)])
  })

  it('are never decoded together with those of another part, and not again where a part was decoded elsewhere', async () => {
    const long = [580, 590, 600, 610].map((start) => ({ start, end: start + 5 }))
    const alone = work(3)
    const job = { ...alone.job, windows: long }
    const way = decoding()
    const whole = await decodeEach(job, way)
    expect(alone.batches).toEqual([
      [58, 59],
      [60, 61],
    ])
    const decodedParts: string[] = []
    for (const part of [0, 1]) {
      const scratch = join(folder, `part-${part}.jsonl`)
      await decodeEach({ ...job, windows: long.slice(2 * part, 2 * part + 2) }, { ...way, scratch })
      decodedParts.push(scratch)
    }
    const joining = work(3, () => true)
    const joined = await decodeEach(
      { ...joining.job, windows: long },
      { ...way, scratch: join(folder, 'joined.jsonl'), decodedParts },
    )
    expect(joined).toEqual(whole)
  })

  it('are decoded again where other samples have come since', async () => {
    const ahead = work(1)
    const way = decoding()
    const scratch = join(folder, 'ahead.jsonl')
    await decodeEach({ ...ahead.job, windows: windows.slice(0, 3) }, { ...way, scratch })
    const whole = work(1)
    const { read } = whole.job.wav
    const wav = {
      ...whole.job.wav,
      read: async (start: number, end: number) => (start === 10 ? Int16Array.of(7) : read(start, end)),
    }
    const done = await decodeEach({ ...whole.job, wav }, { ...way, decodedParts: [scratch] })
    expect(whole.batches).toEqual([[7], [3], [4]])
    expect(texts(done)).toEqual([' 0', ' 7', ' 2', ' 3', ' 4'])
  })

  it('stop between two batches when the work is cancelled', async () => {
    const { job, batches } = work(2)
    const stop = new AbortController()
    const way = { ...decoding(), onDone: (count: number) => count === 2 && stop.abort() }
    const context = { ...way.context, signal: stop.signal }
    await expect(decodeEach(job, { ...way, context })).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(batches).toEqual([
      [0, 1],
      [2, 3],
    ])
  })
})

describe('how many at once', () => {
  it.each([
    ['cpu', 64, 100, 1],
    ['cuda', 64, 100, 8],
    ['cuda', 1, 100, 2],
    ['dml', 0.2, 100, 1],
    ['coreml', 2, 100, 5],
  ] as const)('on %s with %d GiB free and %d MiB each: %d', (provider, gigabytes, megabytes, expected) => {
    const memory = { freeBytes: gigabytes * 1024 ** 3, bytesEach: megabytes * 1024 ** 2 }
    expect(windowsTogether(provider, memory)).toBe(expected)
  })
})
