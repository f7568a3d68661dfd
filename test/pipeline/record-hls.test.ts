/** Recording a live HLS event: what is stored of it, in which chunks, and what stops it. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sourcePath } from '../../workers/artefacts.ts'
import type { RecordedChunk } from '../../workers/stages/record/declaration.ts'
import { runRecord } from '../../workers/stages/record/stage.ts'
import {
  itemsOf,
  makeEventMedia,
  startEvent,
  type EventMedia,
  type EventOptions,
  type HlsEvent,
} from '../support/hls-event.ts'
import { ask } from '../support/make-media.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

type Params = Parameters<typeof runRecord>[1]

let root: string
let plain: EventMedia
let event: HlsEvent | null = null

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-record-'))
  plain = await makeEventMedia(root, { seconds: 10 })
})
afterEach(async () => {
  await event?.close()
  event = null
})
afterAll(() => rm(root, { recursive: true, force: true }))

const params = (url: string, change: Partial<Params> = {}): Params => ({
  url,
  addresses: 'any',
  chunkSeconds: 4,
  maxSeconds: 3600,
  maxBytes: 1e9,
  stallSeconds: 60,
  idleTimeoutSeconds: 10,
  minFreeBytes: 0,
  done: [],
  ...change,
})

let homes = 0
async function recorded(
  options: EventOptions,
  change: Partial<Params> & {
    master?: boolean
    signal?: AbortSignal
    onPart?: (value: unknown) => void
    home?: string
  } = {},
) {
  event = await startEvent(options)
  const { master = false, signal, onPart, home = join(root, `home-${homes++}`), ...rest } = change
  const run = await runStageForTest(runRecord, params(master ? event.masterUrl : event.url, rest), {
    root: home,
    ...omitUndefined({ signal, onPart }),
  })
  const chunks = run.output.chunks
  return { ...run, home, chunks, fileOf: (index: number) => fileOf(home, chunks[index]) }
}

const fileOf = (home: string, chunk: RecordedChunk | undefined) =>
  sourcePath(join(home, 'sources'), chunk?.digest ?? '')

/** Length of each stream and start of the file, measured. */
async function measured(path: string) {
  const text = await ask(path, 'stream=codec_type,duration,width:format=start_time,duration')
  const numbers = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=([\\d.-]+)$`, 'gm'))].map((m) => Number(m[1]))
  return { durations: numbers('duration'), start: numbers('start_time')[0], widths: numbers('width'), text }
}

describe('a live event', () => {
  it('is delivered in chunks while it is live, and the rest at its end', async () => {
    const shownAt: number[] = []
    const { output, chunks, parts, fileOf, warnings, home } = await recorded(
      { items: itemsOf(plain), window: 3 },
      { onPart: () => shownAt.push(event?.shown() ?? 0) },
    )
    expect(output).toMatchObject({ live: true, ended: 'end' })
    expect(chunks.map(({ index, offsetSeconds, seconds }) => [index, offsetSeconds, seconds])).toEqual([
      [0, 0, 4],
      [1, 4, 4],
      [2, 8, 2],
    ])
    expect(parts).toEqual(chunks)
    // The first chunk was out before the server had shown the sixth second.
    expect(shownAt[0]).toBeLessThan(6)
    expect(warnings).toEqual([])
    for (const [index, chunk] of chunks.entries()) {
      const { durations, start } = await measured(fileOf(index))
      expect(start).toBeCloseTo(0, 1)
      for (const duration of durations) expect(Math.abs(duration - chunk.seconds)).toBeLessThan(0.15)
      expect(chunk).toMatchObject({ mediaType: 'video/mp4', displayName: 'live' })
    }
    // Nothing but the state is left in the scratch folder.
    expect(await readdir(join(home, 'temporary'))).toEqual(['state.json'])
  })

  it('that is complete at the first look is one recording', async () => {
    const { output, chunks, parts, fileOf } = await recorded({ items: itemsOf(plain), step: Infinity })
    expect(output).toMatchObject({ live: false, ended: 'end' })
    expect(chunks).toHaveLength(1)
    expect(parts).toEqual([])
    expect((await measured(fileOf(0))).durations.every((length) => Math.abs(length - 10) < 0.15)).toBe(true)
  })

  it('goes over a discontinuity without a jump, and begins a chunk where the picture changes its size', async () => {
    const other = await makeEventMedia(root, { seconds: 3, frequency: 880 })
    const wide = await makeEventMedia(root, { seconds: 3, size: '640x360' })
    const [first, ...rest] = itemsOf(other)
    const [firstWide, ...restWide] = itemsOf(wide)
    if (first === undefined || firstWide === undefined) throw new Error('no media')
    const { chunks, fileOf } = await recorded(
      {
        items: [
          ...itemsOf(plain).slice(0, 3),
          { ...first, discontinuity: true },
          ...rest,
          { ...firstWide, discontinuity: true },
          ...restWide,
        ],
        step: 2,
      },
      { chunkSeconds: 20 },
    )
    expect(chunks.map(({ offsetSeconds, seconds }) => [offsetSeconds, seconds])).toEqual([
      [0, 6],
      [6, 3],
    ])
    const before = await measured(fileOf(0))
    const after = await measured(fileOf(1))
    expect(before.durations.every((length) => Math.abs(length - 6) < 0.3)).toBe(true)
    expect([before.widths, after.widths]).toEqual([[320], [640]])
  })

  it('goes over breaks that slide out of a playlist which does not count them', async () => {
    const other = itemsOf(await makeEventMedia(root, { seconds: 3, frequency: 880 }))
    const break1 = other[0]
    const break2 = itemsOf(plain)[0]
    if (break1 === undefined || break2 === undefined) throw new Error('no media')
    const items = [
      ...itemsOf(plain).slice(0, 3),
      { ...break1, discontinuity: true },
      ...other.slice(1),
      { ...break2, discontinuity: true },
      ...itemsOf(plain).slice(1, 3),
    ]
    const { chunks, fileOf } = await recorded({ items, window: 2, unnumbered: true }, { chunkSeconds: 20 })
    expect(chunks.map(({ seconds }) => seconds)).toEqual([9])
    const { durations } = await measured(fileOf(0))
    expect(durations.every((length) => Math.abs(length - 9) < 0.3)).toBe(true)
  })

  it('behind a login: segments are requested with the same credentials', async () => {
    event = await startEvent({ items: itemsOf(plain).slice(0, 3), login: 'me:secret' })
    const run = (url: string) =>
      runStageForTest(runRecord, params(url), { root: join(root, `home-${homes++}`) })
    expect((await run(event.url.replace('http://', 'http://me:secret@'))).output.chunks).toHaveLength(1)
    await expect(run(event.url)).rejects.toMatchObject({ code: 'SOURCE_FORBIDDEN' })
  })

  it('with a gap: a short one is passed over, behind a long one the next chunk begins', async () => {
    const items = itemsOf(plain).map((item) => {
      if (item.index === 2) return { ...item, hole: 'tag' as const }
      return item.index >= 4 && item.index <= 8 ? { ...item, hole: 'missing' as const } : item
    })
    const { chunks, warnings } = await recorded({ items }, { chunkSeconds: 20 })
    expect(chunks.map(({ offsetSeconds }) => offsetSeconds)).toEqual([0, 9])
    expect(warnings.join(' ')).toMatch(/The server has left a gap/)
    expect(warnings.join(' ')).toMatch(/HTTP 404/)
    expect(event?.requests).not.toContain('/live/segment/2')
  })

  it('that moved on between polls continues at its current place in the event', async () => {
    // Four segments a look, and only the newest two are shown.
    const { chunks, warnings } = await recorded(
      { items: itemsOf(plain), step: 4, window: 2, stamped: true },
      { chunkSeconds: 100 },
    )
    expect(event?.requests.filter((path) => path.includes('segment'))).toEqual(
      [2, 3, 6, 7, 8, 9].map((number) => `/live/segment/${number}`),
    )
    expect(chunks.map(({ offsetSeconds, seconds }) => [offsetSeconds, seconds])).toEqual([[0, 6]])
    expect(warnings.join(' ')).toMatch(/About 2 s of the stream went by/)
  })

  it('that stalls ends with what is there', async () => {
    const { output, chunks, warnings } = await recorded(
      { items: itemsOf(plain).slice(0, 6), endless: true, step: 3 },
      { stallSeconds: 1 },
    )
    expect(output.ended).toBe('stalled')
    expect(chunks.map(({ seconds }) => seconds)).toEqual([4, 2])
    expect(warnings.join(' ')).toMatch(/nothing new came for 1 seconds/)
  })

  it.each([3600, 2 ** 31])('that stalls is waited for within limits: %d s', async (target) => {
    const began = performance.now()
    const head = [`#EXT-X-TARGETDURATION:${target}`]
    const options = { items: itemsOf(plain).slice(0, 3), endless: true, step: 3, head }
    const { output } = await recorded(options, { stallSeconds: 2 })
    expect(output.ended).toBe('stalled')
    expect(performance.now() - began).toBeLessThan(30_000)
    // Nor is it polled without a pause.
    expect(event?.requests.filter((path) => path === '/live.m3u8').length).toBeLessThan(10)
  })

  it('ends at the longest time that is configured', async () => {
    const { output, chunks, warnings } = await recorded(
      { items: itemsOf(plain), endless: true },
      { maxSeconds: 5 },
    )
    expect(output.ended).toBe('limit')
    expect(chunks.map(({ seconds }) => seconds)).toEqual([4, 1])
    expect(warnings.join(' ')).toMatch(/longest time or size/)
  })
})

describe('forms of a stream', () => {
  it('encrypted by AES-128 is opened with its key', async () => {
    const { chunks, fileOf } = await recorded({ items: itemsOf(plain).slice(0, 3), key: randomBytes(16) })
    expect(chunks).toHaveLength(1)
    expect((await measured(fileOf(0))).durations.every((length) => Math.abs(length - 3) < 0.15)).toBe(true)
  })

  it('fMP4 with a map', async () => {
    const media = await makeEventMedia(root, { seconds: 6, form: 'fmp4' })
    const { chunks, fileOf } = await recorded({ items: itemsOf(media) })
    expect(chunks.map(({ seconds }) => seconds)).toEqual([4, 2])
    const second = await measured(fileOf(1))
    expect(second.start).toBeCloseTo(0, 1)
    expect(second.durations.every((length) => Math.abs(length - 2) < 0.2)).toBe(true)
  })

  it('a master playlist with sound of its own: the largest picture up to 1080 lines, both in one file', async () => {
    const silent = await makeEventMedia(root, { seconds: 6, tracks: 'picture' })
    const sound = await makeEventMedia(root, { seconds: 6, tracks: 'sound' })
    const { chunks, fileOf } = await recorded(
      {
        items: itemsOf(silent),
        sound: itemsOf(sound).slice(0, 6),
        master: [
          '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x",DEFAULT=YES,URI="sound.m3u8"',
          '#EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=3840x2160,AUDIO="a"',
          'huge.m3u8',
          '#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=1280x720,AUDIO="a"',
          'live.m3u8',
          '#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=426x240,AUDIO="a"',
          'small.m3u8',
        ],
      },
      { master: true },
    )
    expect(chunks.map(({ seconds }) => seconds)).toEqual([4, 2])
    for (const [index, length] of [4, 2].entries()) {
      const { durations, text } = await measured(fileOf(index))
      expect(text).toMatch(/codec_type=video[\s\S]*codec_type=audio/)
      expect(durations.every((duration) => Math.abs(duration - length) < 0.25)).toBe(true)
    }
    expect(event?.requests).not.toContain('/huge.m3u8')
  })
})

it('bare sound next to a picture starts where its tags place it', async () => {
  const silent = await makeEventMedia(root, { seconds: 6, tracks: 'picture' })
  const sound = await makeEventMedia(root, { seconds: 6, tracks: 'packed' })
  const { chunks, fileOf } = await recorded(
    {
      items: itemsOf(silent),
      sound: itemsOf(sound).slice(0, 6),
      master: [
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x",DEFAULT=YES,URI="sound.m3u8"',
        '#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=320x180,AUDIO="a"',
        'live.m3u8',
      ],
    },
    { master: true },
  )
  expect(chunks.map(({ seconds }) => seconds)).toEqual([4, 2])
  for (const [index, length] of [4, 2].entries()) {
    const text = await ask(fileOf(index), 'stream=codec_type,start_time,duration')
    const values = [...text.matchAll(/^(?:start_time|duration)=([\d.]+)$/gm)].map((match) => Number(match[1]))
    const [pictureStart = 9, , soundStart = 9] = values
    expect(Math.abs(pictureStart - soundStart)).toBeLessThan(0.15)
    for (const duration of [values[1], values[3]])
      expect(Math.abs((duration ?? 0) - length)).toBeLessThan(0.3)
  }
})

describe('refusals', () => {
  const failure = async (options: EventOptions, change: Partial<Params> = {}) =>
    recorded(options, change).then(
      () => null,
      (error: unknown) => error,
    )

  it('a stream that is protected against copying', async () => {
    const head = ['#EXT-X-KEY:METHOD=SAMPLE-AES,KEYFORMAT="com.apple.streamingkeydelivery",URI="skd://x"']
    expect(await failure({ items: itemsOf(plain), head })).toMatchObject({
      code: 'UNSUPPORTED_SOURCE_URL',
      message: expect.stringMatching(/protected against copying/) as string,
    })
    expect(event?.requests.filter((path) => path.includes('segment'))).toEqual([])
  })

  it('a segment that leads to a forbidden address', async () => {
    const [first, ...rest] = itemsOf(plain)
    if (first === undefined) throw new Error('no media')
    const hole = { redirect: 'http://169.254.169.254/latest/meta-data' }
    expect(await failure({ items: [{ ...first, hole }, ...rest] })).toMatchObject({
      code: 'SOURCE_FORBIDDEN',
    })
  })

  it('the same in the middle of an event: the earlier recording is stored', async () => {
    const hole = { redirect: 'http://[fd00:ec2::254]/' }
    const items = itemsOf(plain).map((item) => (item.index === 6 ? { ...item, hole } : item))
    const { output, chunks, warnings } = await recorded({ items })
    expect(output.ended).toBe('stalled')
    expect(chunks.map(({ seconds }) => seconds)).toEqual([4, 2])
    expect(warnings.join(' ')).toMatch(/ended early.*does not fetch from/)
  })

  it('loopback, where only public addresses are allowed', async () => {
    expect(await failure({ items: itemsOf(plain) }, { addresses: 'public' })).toMatchObject({
      code: 'SOURCE_FORBIDDEN',
    })
    expect(event?.requests).toEqual([])
  })

  it('what does not fit: on the disk, or under the largest size of a source', async () => {
    const items = itemsOf(plain).slice(0, 3)
    expect(await failure({ items }, { minFreeBytes: Number.MAX_SAFE_INTEGER })).toMatchObject({
      code: 'DISK_FULL',
    })
    await event?.close()
    expect(await failure({ items, step: Infinity }, { maxBytes: 1000 })).toMatchObject({
      code: 'SOURCE_TOO_LARGE',
    })
  })

  it.each([
    ['<html></html>', 'SOURCE_NOT_VIDEO'],
    ['#EXTM3U\n#EXTINF:nonsense,\na.ts\n', 'SOURCE_NOT_VIDEO'],
  ])('what is no playlist: %j', async (text, code) => {
    event = await startEvent({ items: [], master: [] })
    const { createServer } = await import('node:http')
    const server = createServer((_, response) => response.end(text))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const home = join(root, `home-${homes++}`)
    await expect(
      runStageForTest(runRecord, params(`http://127.0.0.1:${port}/a.m3u8`), { root: home }),
    ).rejects.toMatchObject({ code })
    server.close()
  })
})

it('resumes from the disk, and a delivered chunk stays the same', async () => {
  const home = join(root, `home-${homes++}`)
  const stop = new AbortController()
  // The event pauses in the second chunk, and the recording is killed there.
  const server = await startEvent({ items: itemsOf(plain), holdAt: 6 })
  event = server
  const parts: RecordedChunk[] = []
  const first = runStageForTest(runRecord, params(server.url), {
    root: home,
    signal: stop.signal,
    onPart: (value) => parts.push(value as RecordedChunk),
  }).catch((error: unknown) => error)
  await expect
    .poll(() => server.requests.filter((path) => path === '/live/segment/5').length, { timeout: 30_000 })
    .toBe(1)
  await expect.poll(() => server.requests.at(-1), { timeout: 30_000 }).toBe('/live.m3u8')
  stop.abort()
  expect(await first).toBeInstanceOf(Error)
  expect(parts.map(({ index }) => index)).toEqual([0])
  server.release()
  const second = await runStageForTest(runRecord, params(server.url), { root: home })
  expect(second.output.chunks[0]).toEqual(parts[0])
  expect(second.output.chunks.map(({ seconds }) => seconds)).toEqual([4, 4, 2])
  expect(second.parts).toEqual(second.output.chunks)
  // No segment was fetched twice.
  const segments = server.requests.filter((path) => path.includes('/segment/'))
  expect(new Set(segments).size).toBe(segments.length)
})

it('resumes after the last delivered chunk when the scratch folder is missing', async () => {
  const first = await recorded({ items: itemsOf(plain).slice(0, 4), step: 2 })
  await event?.close()
  const [done] = first.chunks
  if (done === undefined) throw new Error('no chunk')
  const { output, parts } = await recorded({ items: itemsOf(plain).slice(4, 7), step: 2 }, { done: [done] })
  expect(output.chunks.map(({ index, offsetSeconds, seconds }) => [index, offsetSeconds, seconds])).toEqual([
    [0, 0, 4],
    [1, 4, 3],
  ])
  expect(parts).toEqual(output.chunks)
})
