import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../server/contract/errors.ts'
import { sourcePath } from '../../workers/paths.ts'
import { runIngest } from '../../workers/stages/ingest/stage.ts'
import { serveBytes, startBadServer, type Answer, type BadServer } from '../support/bad-server.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { measureSlowness } from '../support/pace.ts'

type Params = Parameters<typeof runIngest>[1]

/** Looks like an MP4 by its first bytes; ingest does not look deeper. */
const video = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1'),
  randomBytes(400_000),
])
const digest = createHash('sha256').update(video).digest('hex')
const page = Buffer.from(`<!DOCTYPE html><html><body>${'words '.repeat(2000)}</body></html>`)
const srt = '1\n00:00:01,000 --> 00:00:02,500\nHello there\n\n2\n00:00:03,000 --> 00:00:04,000\nAgain\n'

let endlessBytes = 0
let flaky = 0
const endless: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': 3 * 1024 ** 3 })
  const send = (): void => {
    while (!response.destroyed && response.write(page)) endlessBytes += page.length
    if (!response.destroyed) response.once('drain', send)
  }
  send()
}
/** Drops the connection after 150 kB, twice, then gives the rest. */
const dropping: (validators: Record<string, string>) => Answer = (validators) => (request, response) => {
  const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const head = { 'content-type': 'video/mp4', 'content-length': video.length - start, ...validators }
  const range = { 'content-range': `bytes ${start}-${video.length - 1}/${video.length}` }
  response.writeHead(start > 0 ? 206 : 200, start > 0 ? { ...head, ...range } : head)
  if (flaky++ < 2)
    response.write(video.subarray(start, start + 150_000), () => setTimeout(() => response.destroy(), 20))
  else response.end(video.subarray(start))
}

/** In a form that is not percent-encoded. */
const PASSWORD = 'ada:100%'
const locked: (answer: Answer) => Answer = (answer) => (request, response) => {
  const wanted = `Basic ${Buffer.from(PASSWORD).toString('base64')}`
  if (request.headers.authorization === wanted) answer(request, response)
  else response.writeHead(401).end()
}

const answers: Record<string, Answer> = {
  '/locked.mp4': locked(serveBytes(video)),
  '/locked.srt': locked((_request, response) => response.writeHead(200).end(srt)),
  '/good.mp4': serveBytes(video),
  '/good.srt': (_request, response) => response.writeHead(200).end(srt),
  '/good.vtt': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  '/again.mp4': serveBytes(video, { etag: '"other"' }),
  '/page': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  '/endless.mp4': endless,
  '/empty.mp4': (_request, response) => response.writeHead(200, { 'content-length': 0 }).end(),
  '/talk.mp4': (_request, response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end(srt),
  '/secret.mp4': (_request, response) => response.writeHead(403).end(),
  '/silent.mp4': () => undefined,
  '/stalls.mp4': (_request, response) =>
    void response.writeHead(200, { 'content-length': 10_000 }).flushHeaders(),
  '/short.mp4': (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': video.length + 5000 })
    response.write(video, () => setTimeout(() => response.destroy(), 20))
  },
  '/long.mp4': (_request, response) => {
    response.socket?.end(
      `HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: 200000\r\n\r\n${video.toString('latin1')}`,
      'latin1',
    )
  },
  '/drops.mp4': dropping({ etag: '"d"' }),
  '/drops-bare.mp4': dropping({}),
  '/busy.mp4': (request, response) => {
    if (flaky++ < 1) response.writeHead(503).end()
    else serveBytes(video)(request, response)
  },
  '/huge.mp4': (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    const send = (): void => {
      while (!response.destroyed && response.write(video)) continue
      if (!response.destroyed) response.once('drain', send)
    }
    send()
  },
  '/declared.mp4': (_request, response) =>
    void response.writeHead(200, { 'content-length': 10 ** 15 }).flushHeaders(),
  '/hop': (_request, response) => response.writeHead(302, { location: '/good.mp4' }).end(),
  '/circle': (_request, response) => response.writeHead(302, { location: '/circle' }).end(),
  '/to-metadata': (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/to-file': (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
}

let server: BadServer
let root: string
beforeAll(async () => {
  server = await startBadServer(answers)
})
afterAll(() => server.close())
beforeEach(async () => {
  flaky = 0
  server.seen.length = 0
  root = await mkdtemp(join(tmpdir(), 'cutroom-ingest-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

function params(source: Params['source'], more: Partial<Params> = {}): Params {
  const limits = { maxBytes: 10 ** 9, minFreeBytes: 0, idleTimeoutSeconds: 2, totalTimeoutSeconds: 60 }
  return { source, addresses: 'any', known: null, ...limits, ...more }
}

const fetchIn = (path: string, more: Partial<Params> = {}, signal?: AbortSignal) =>
  runStageForTest(
    runIngest,
    params({ kind: 'url', url: path.includes('://') ? path : server.url(path) }, more),
    {
      root,
      ...omitUndefined({ signal }),
    },
  )

async function failure(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw error as Error
  return error
}

/** Files anywhere under the sources folder. */
async function leftovers(): Promise<string[]> {
  const found = await readdir(join(root, 'sources'), { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

describe('a good address', () => {
  it('is stored once under its digest, with its sidecar and the server’s headers', async () => {
    const { output, folder, progress } = await fetchIn('/good.mp4')
    expect(output).toMatchObject({
      digest,
      bytes: video.length,
      displayName: 'good.mp4',
      mediaType: 'video/mp4',
    })
    expect(output).toMatchObject({ etag: '"v1"', unchanged: false, finalUrl: server.url('/good.mp4') })
    expect(await readFile(sourcePath(join(root, 'sources'), digest))).toEqual(video)
    expect(output.sidecars).toHaveLength(1)
    expect(output.sidecars[0]).toMatchObject({ format: 'srt', language: 'und' })
    expect(await readFile(join(folder, output.sidecars[0]?.file ?? ''), 'utf8')).toBe(srt)
    expect(progress.at(-1)).toBe(1)
    await fetchIn('/again.mp4')
    expect(await leftovers()).toEqual([digest])
  })

  it('is not transferred again when the ETag still matches, and is when the stored file is missing', async () => {
    const known = { digest, bytes: video.length, etag: '"v1"', lastModified: null }
    await fetchIn('/good.mp4')
    const again = await fetchIn('/good.mp4', { known })
    expect(again.output).toMatchObject({ digest, unchanged: true, mediaType: 'video/mp4', etag: '"v1"' })
    expect(server.seen.filter((request) => request.path === '/good.mp4').at(-1)?.ifNoneMatch).toBe('"v1"')
    await rm(sourcePath(join(root, 'sources'), digest))
    expect((await fetchIn('/good.mp4', { known })).output).toMatchObject({ digest, unchanged: false })
  })

  it('with a user and a password is fetched with its captions, and reported without them', async () => {
    const url = server.url('/locked.mp4')
    const { output } = await fetchIn(url.replace('://', `://${PASSWORD}@`))
    expect(output).toMatchObject({ digest, finalUrl: url })
    expect(output.sidecars).toHaveLength(1)
  })

  it('is followed through redirects', async () => {
    expect((await fetchIn('/hop')).output).toMatchObject({ digest, finalUrl: server.url('/good.mp4') })
  })
})

describe('a connection that breaks', () => {
  it('resumes where it stopped, checked by the validator', async () => {
    expect((await fetchIn('/drops.mp4')).output.digest).toBe(digest)
    const asked = server.seen.filter((request) => request.path === '/drops.mp4')
    expect(asked).toHaveLength(3)
    expect(asked.slice(1).every((request) => request.range !== undefined && request.ifRange === '"d"')).toBe(
      true,
    )
    expect(await leftovers()).toEqual([digest])
  })

  it('resumes without a validator only over bytes that are still the same', async () => {
    expect((await fetchIn('/drops-bare.mp4')).output.digest).toBe(digest)
    const ranges = server.seen.map((request) => request.range).filter((range) => range !== undefined)
    expect(ranges.length).toBeGreaterThanOrEqual(2)
    expect(Number(/\d+/.exec(ranges[0] ?? '')?.[0])).toBeLessThanOrEqual(150_000 - 64 * 1024)
  })

  it('is tried again after a server error', async () => {
    expect((await fetchIn('/busy.mp4')).output.digest).toBe(digest)
  })

  it('resumes in a later attempt what a cancelled one left', async () => {
    const controller = new AbortController()
    const slow: Answer = (_request, response) => {
      response.writeHead(200, { 'content-length': video.length, etag: '"v1"' })
      response.write(video.subarray(0, 200_000), () => setTimeout(() => controller.abort(), 100))
    }
    answers['/later.mp4'] = slow
    expect((await failure(fetchIn('/later.mp4', {}, controller.signal))).code).toBe('CANCELLED')
    answers['/later.mp4'] = serveBytes(video)
    expect((await fetchIn('/later.mp4')).output.digest).toBe(digest)
    expect(server.seen.filter((request) => request.path === '/later.mp4').at(-1)?.range).toBe('bytes=200000-')
  })
})

describe('more than one process', () => {
  it('resumes what a process killed by SIGKILL had written', async () => {
    answers['/killed.mp4'] = (_request, response) => {
      response.writeHead(200, { 'content-length': video.length, etag: '"v1"' })
      response.write(video.subarray(0, 250_000))
    }
    const program = join(import.meta.dirname, '..', 'support', 'ingest-parent.ts')
    const child = spawn(process.execPath, [program, root, server.url('/killed.mp4')], { stdio: 'inherit' })
    const written = async (): Promise<number> => {
      const [name] = await readdir(join(root, 'sources', '.partial')).catch(() => [])
      const data =
        name === undefined
          ? null
          : await stat(join(root, 'sources', '.partial', name, 'data')).catch(() => null)
      return data?.size ?? 0
    }
    await expect.poll(written, { timeout: 15_000 }).toBe(250_000)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    answers['/killed.mp4'] = serveBytes(video)
    expect((await fetchIn('/killed.mp4')).output.digest).toBe(digest)
    expect(server.seen.filter(({ path }) => path === '/killed.mp4').at(-1)?.range).toBe('bytes=250000-')
    expect(await leftovers()).toEqual([digest])
  })

  it('lets two fetch the same address at once', async () => {
    const [one, two] = await Promise.all([fetchIn('/good.mp4'), fetchIn('/good.mp4')])
    expect([one.output.digest, two.output.digest]).toEqual([digest, digest])
    expect(await leftovers()).toEqual([digest])
  })
})

describe('bad addresses', () => {
  it.each([
    ['/missing.mp4', 'SOURCE_UNREACHABLE', /no file at this address \(HTTP 404\)/],
    ['/secret.mp4', 'SOURCE_FORBIDDEN', /refuses access/],
    ['/page', 'SOURCE_NOT_VIDEO', /web page/],
    ['/empty.mp4', 'SOURCE_NOT_VIDEO', /empty/],
    ['/talk.mp4', 'SOURCE_NOT_VIDEO', /subtitle file/],
    ['/circle', 'SOURCE_UNREACHABLE', /redirects too many times/],
    ['/to-file', 'SOURCE_FORBIDDEN', /only http and https/],
    ['/to-metadata', 'SOURCE_FORBIDDEN', /does not fetch from/],
    ['/declared.mp4', 'SOURCE_TOO_LARGE', /larger than/],
    ['http://169.254.169.254/', 'SOURCE_FORBIDDEN', /does not fetch from/],
    ['http://[::ffff:169.254.1.1]/', 'SOURCE_FORBIDDEN', /does not fetch from/],
    ['http://no-such-host.invalid/a.mp4', 'SOURCE_UNREACHABLE', /./],
    ['ftp://example.com/a.mp4', 'UNSUPPORTED_SOURCE_URL', /http/],
  ])('%s: %s', async (path, code, message) => {
    const error = await failure(fetchIn(path))
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)])
    expect(await leftovers()).toEqual([])
  })

  it('three gigabytes of HTML are refused after a few kilobytes', async () => {
    const error = await failure(fetchIn('/endless.mp4', { maxBytes: 10 ** 10 }))
    expect(error.code).toBe('SOURCE_NOT_VIDEO')
    expect(endlessBytes).toBeLessThan(20 * 1024 ** 2)
    expect(await leftovers()).toEqual([])
  })

  it('a server that never sends a byte ends with the idle timeout', async () => {
    for (const path of ['/silent.mp4', '/stalls.mp4']) {
      const started = performance.now()
      const error = await failure(fetchIn(path, { idleTimeoutSeconds: 1 }))
      expect([error.code, error.message]).toEqual([
        'SOURCE_UNREACHABLE',
        expect.stringMatching(/sent nothing for 1/),
      ])
      expect(performance.now() - started).toBeLessThan(4000 * measureSlowness())
    }
  })

  it('a declared length above the received one is an error that names both', async () => {
    const error = await failure(fetchIn('/short.mp4'))
    expect([error.code, error.message]).toEqual([
      'SOURCE_UNREACHABLE',
      expect.stringMatching(/promised 405\d+ bytes/),
    ])
    expect(await leftovers()).toEqual([])
  })

  it('a declared length below the received one is an error, not half a file', async () => {
    const error = await failure(fetchIn('/long.mp4'))
    expect([error.code, error.message]).toEqual([
      'SOURCE_UNREACHABLE',
      expect.stringMatching(/declares 200000 bytes/),
    ])
    expect(await leftovers()).toEqual([])
  })

  it('a file that cannot fit is refused before it is fetched', async () => {
    const error = await failure(fetchIn('/declared.mp4', { maxBytes: 10 ** 16 }))
    expect([error.code, error.message]).toEqual(['DISK_FULL', expect.stringMatching(/needs 1000000.0 GB/)])
    expect(await leftovers()).toEqual([])
  })

  it('refuses a file that would leave less than the reserved disk space, of any length and from any source', async () => {
    const limits = { maxBytes: 10 ** 16, minFreeBytes: 10 ** 15 }
    const path = join(root, 'own.mp4')
    await writeFile(path, video)
    const refusals = [
      await failure(fetchIn('/good.mp4', limits)),
      await failure(fetchIn('/huge.mp4', limits)),
      await failure(runStageForTest(runIngest, params({ kind: 'file', path }, limits), { root })),
    ]
    expect(refusals.map(({ code, message }) => [code, message])).toEqual([
      ['DISK_FULL', expect.stringMatching(/^The video needs \d+ MB: .* 1000000\.0 GB are to stay free/)],
      ['DISK_FULL', expect.stringMatching(/^The video does not fit: /)],
      ['DISK_FULL', expect.stringMatching(/^The video needs \d+ MB: /)],
    ])
    expect(await leftovers()).toEqual([])
  })

  it('an endless file ends at the size limit, a slow one at the total timeout', async () => {
    expect((await failure(fetchIn('/huge.mp4', { maxBytes: 5_000_000 }))).code).toBe('SOURCE_TOO_LARGE')
    answers['/drip.mp4'] = (_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(video.subarray(0, 100)), 50)
      response.on('close', () => clearInterval(drip))
    }
    const error = await failure(fetchIn('/drip.mp4', { totalTimeoutSeconds: 1 }))
    expect([error.code, error.message]).toEqual([
      'SOURCE_UNREACHABLE',
      expect.stringMatching(/did not finish within 1 seconds/),
    ])
    expect(await leftovers()).toEqual([])
  })

  it('private addresses are refused under the policy "public", by number, by name and behind a redirect', async () => {
    const port = new URL(server.url('/')).port
    for (const url of [
      server.url('/good.mp4'),
      `http://localhost:${port}/good.mp4`,
      `http://[::1]:${port}/good.mp4`,
    ]) {
      expect((await failure(fetchIn(url, { addresses: 'public' }))).code).toBe('SOURCE_FORBIDDEN')
    }
    expect(server.seen).toEqual([])
  })
})

describe('local files', () => {
  const local = (path: string, more: Partial<Params> = {}) =>
    runStageForTest(runIngest, params({ kind: 'file', path }, more), { root })

  it('are copied with their sidecars and not copied again while unchanged', async () => {
    const path = join(root, 'My talk.mp4')
    await writeFile(path, video)
    await writeFile(join(root, 'My talk.de-AT.srt'), srt)
    await writeFile(join(root, 'My talk.mp4.vtt'), `WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n`)
    await writeFile(join(root, 'My talk two.srt'), srt)
    const { output } = await local(path)
    expect(output).toMatchObject({ digest, displayName: 'My talk.mp4', finalUrl: null, unchanged: false })
    expect(output.sidecars.map(({ language, format }) => `${language} ${format}`)).toEqual([
      'de-AT srt',
      'und vtt',
    ])
    const { bytes, etag, lastModified } = output
    expect((await local(path, { known: { digest, bytes, etag, lastModified } })).output.unchanged).toBe(true)
    expect((await stat(path)).size).toBe(video.length)
    expect(await leftovers()).toEqual([digest])
  })

  it('that are missing, empty, a folder or text are refused with a message', async () => {
    await writeFile(join(root, 'empty.mp4'), '')
    await writeFile(join(root, 'talk.mp4'), srt)
    const codes = []
    for (const name of ['none.mp4', 'empty.mp4', '.', 'talk.mp4'])
      codes.push((await failure(local(join(root, name)))).code)
    expect(codes).toEqual(['SOURCE_UNREACHABLE', 'SOURCE_NOT_VIDEO', 'SOURCE_NOT_VIDEO', 'SOURCE_NOT_VIDEO'])
  })
})
