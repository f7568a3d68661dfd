/** Sources behind web pages: shared files with a confirmation page, and videos by yt-dlp (a stand-in for it). */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../server/contract/errors.ts'
import { loadConfig } from '../../server/config/config.ts'
import { pageSources } from '../../server/domain/runs/source-access.ts'
import { startGuardProxy } from '../../workers/stages/ingest/guard-proxy.ts'
import { runIngest } from '../../workers/stages/ingest/stage.ts'
import { serveBytes, startBadServer, type Answer, type BadServer } from '../support/bad-server.ts'
import { environment, plan } from '../support/plan-case.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { installFakeYtDlp, type FakeYtDlp } from '../support/yt-dlp.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { measureSlowness } from '../support/pace.ts'

type Params = Parameters<typeof runIngest>[1]

const head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1')
const picture = Buffer.concat([head, randomBytes(300_000)])
const sound = randomBytes(50_000)
const whole = Buffer.concat([picture, sound])
const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.500\nHello there\n'
const html =
  (body: string): Answer =>
  (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!DOCTYPE html><html><body>${body}</body></html>`)
const form = (action: string): string =>
  `<form id="download-form" action="${action}" method="get"><input type="submit" value="Download anyway"/>` +
  '<input type="hidden" name="id" value="A&amp;B"><input type="hidden" name="confirm" value="t"></form>'

const PASSWORD = 'ada:top-secret'
const locked =
  (answer: Answer): Answer =>
  (request, response) => {
    const wanted = `Basic ${Buffer.from(PASSWORD).toString('base64')}`
    if (request.headers.authorization === wanted) answer(request, response)
    else response.writeHead(401).end()
  }

const answers: Record<string, Answer> = {
  '/shared': html(form('/get')),
  '/get': (request, response) => {
    const query = new URL(request.url ?? '/', 'http://x').searchParams
    if (query.get('id') === 'A&B' && query.get('confirm') === 't') serveBytes(picture)(request, response)
    else response.writeHead(400).end()
  },
  '/shared-elsewhere': html(form('http://127.0.0.2:9/get')),
  '/shared-again': html(form('/shared-again')),
  '/page': html('words'),
  '/picture': serveBytes(picture),
  '/sound': serveBytes(sound),
  '/locked/page': locked(html('words')),
  '/locked/picture': locked(serveBytes(picture)),
  '/locked/captions.vtt': locked((_request, response) => response.writeHead(200).end(vtt)),
  '/captions.vtt': (_request, response) => void response.writeHead(200).end(vtt),
}

let server: BadServer
let tools: string
let fake: FakeYtDlp
let ytDlp: string
let root: string
beforeAll(async () => {
  server = await startBadServer(answers)
  tools = await mkdtemp(join(tmpdir(), 'cutroom-yt-dlp-'))
  fake = await installFakeYtDlp(tools)
  ytDlp = fake.path
})
afterAll(async () => {
  await server.close()
  await rm(tools, { recursive: true, force: true })
})
beforeEach(async () => {
  server.seen.length = 0
  root = await mkdtemp(join(tmpdir(), 'cutroom-page-'))
  fake.forget()
})
afterEach(() => rm(root, { recursive: true, force: true }))

const ingest = (url: string, more: Partial<Params> = {}, signal?: AbortSignal) =>
  runStageForTest(
    runIngest,
    {
      source: { kind: 'url' as const, url },
      addresses: 'any' as const,
      known: null,
      pages: { ytDlp },
      maxBytes: 10 ** 9,
      minFreeBytes: 0,
      idleTimeoutSeconds: 5,
      totalTimeoutSeconds: 60,
      ...more,
    },
    { root, ...omitUndefined({ signal }) },
  )

async function failure(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw error as Error
  return error
}

const WATCH = 'https://www.youtube.com/watch?v=abc-EFGH_jk'
const talk = () => ({
  info: {
    id: 'abc-EFGH_jk',
    title: 'AC/DC: a talk. Part 2',
    language: 'en',
    extractor_key: 'Youtube',
    format_id: '137+140',
    webpage_url: WATCH,
    live_status: 'not_live',
    requested_formats: [{ filesize: picture.length }, { filesize: sound.length }],
    subtitles: {
      live_chat: [{ ext: 'json', url: server.url('/chat') }],
      de: [{ ext: 'vtt', url: server.url('/none.vtt') }],
      'en-GB': [
        { ext: 'json3', url: server.url('/none') },
        { ext: 'vtt', url: server.url('/captions.vtt') },
      ],
    },
  },
  files: [server.url('/picture'), server.url('/sound')],
})

describe('a shared file', () => {
  it('that is too large to be scanned is downloaded by the form on the page', async () => {
    const { output } = await ingest(server.url('/shared'), { pages: { refusal: 'no' } })
    expect(output).toMatchObject({ digest: digestOf(picture), mediaType: 'video/mp4' })
    expect(server.seen.map(({ path }) => path)).toEqual(['/shared', '/shared', '/get'])
  })

  it('is not searched on other hosts, nor endlessly', async () => {
    for (const path of ['/shared-elsewhere', '/shared-again']) {
      fake.knows({})
      const error = await failure(ingest(server.url(path), { pages: { refusal: 'Install it.' } }))
      expect([path, error.code]).toEqual([path, 'SOURCE_NOT_VIDEO'])
    }
    expect(server.seen.length).toBeLessThan(8)
  })
})

describe('a video on a page', () => {
  it('comes as one file, under its title, with the captions of the language that is spoken', async () => {
    fake.knows({ [WATCH]: talk() })
    const { output, folder, progress } = await ingest(WATCH)
    expect(output).toMatchObject({
      digest: digestOf(whole),
      bytes: whole.length,
      mediaType: 'video/mp4',
      unchanged: false,
      displayName: 'AC-DC a talk. Part 2.mp4',
      finalUrl: WATCH,
      etag: `"yt-dlp:Youtube:abc-EFGH_jk:137+140:${whole.length}"`,
      sidecars: [{ format: 'vtt', language: 'en-GB' }],
    })
    expect(await readFile(join(folder, output.sidecars[0]?.file ?? ''), 'utf8')).toBe(vtt)
    expect(progress.at(-1)).toBe(1)
    const made = fake.calls()
    expect(made.map((args) => args.at(-1))).toEqual([WATCH, expect.stringMatching(/page\.json$/)])
    for (const args of made) {
      expect(args).toContain('--ignore-config')
      expect(args.join(' ')).not.toMatch(/--exec|--proxy|cutroom:/)
      // The guard's password is in a file, and the file is deleted.
      const file = args[args.indexOf('--config-locations') + 1] ?? ''
      expect([isAbsolute(file), existsSync(file)]).toEqual([true, false])
    }
  })

  it('that is stored already is not fetched again', async () => {
    fake.knows({ [WATCH]: talk() })
    const { digest, bytes, etag, lastModified } = (await ingest(WATCH)).output
    server.seen.length = 0
    const again = await ingest(WATCH, { known: { digest, bytes, etag, lastModified } })
    expect(again.output).toMatchObject({ digest, unchanged: true })
    expect(server.seen.map(({ path }) => path)).toEqual(['/captions.vtt'])
  })

  it('may be on any page', async () => {
    const url = server.url('/page')
    fake.knows({ [url]: { info: { id: '1', title: 'One' }, files: [server.url('/picture')] } })
    const { output } = await ingest(url)
    expect(output).toMatchObject({
      digest: digestOf(picture),
      displayName: 'One.mp4',
      etag: null,
      sidecars: [],
    })
  })

  it('may need a password, which is sent to its own server only, and neither given to yt-dlp nor reported', async () => {
    const heard: (string | undefined)[] = []
    const elsewhere = await startBadServer({
      '/sound': (request, response) => {
        heard.push(request.headers.authorization)
        serveBytes(sound)(request, response)
      },
    })
    const plain = server.url('/locked/page')
    const files = [server.url('/locked/picture'), elsewhere.url('/sound')]
    const withPassword = (address: string): string => address.replace('://', `://${PASSWORD}@`)
    const captions = { en: [{ ext: 'vtt', url: server.url('/locked/captions.vtt') }] }
    for (const info of [{ webpage_url: withPassword(plain) }, { webpage_url: 'no address' }]) {
      fake.knows({ [plain]: { info: { id: '1', title: 'One', subtitles: captions, ...info }, files } })
      const { output } = await ingest(withPassword(plain))
      expect(output).toMatchObject({ digest: digestOf(whole), finalUrl: plain })
      expect(output.sidecars).toHaveLength(1)
      expect(JSON.stringify(output)).not.toContain('top-secret')
    }
    expect(heard).toEqual([undefined, undefined])
    expect(JSON.stringify(fake.calls())).not.toContain('top-secret')
    await elsewhere.close()
  })

  it('whose page or address yt-dlp reports with a password is reported without it', async () => {
    const page = server.url('/locked/page').replace('://', `://${PASSWORD}@`)
    fake.knows({})
    const unknown = await failure(ingest(page))
    fake.knows({ [WATCH]: { error: `[generic] ${page}: HTTP Error 503` } })
    const other = await failure(ingest(WATCH))
    expect([unknown.code, other.code]).toEqual(['SOURCE_NOT_VIDEO', 'SOURCE_UNREACHABLE'])
    expect(other.message).toContain(server.url('/locked/page'))
    expect(inspect([unknown, other], { depth: null })).not.toContain('top-secret')
  })

  it('is refused when its password would have to go through TLS that is not ours', async () => {
    const error = await failure(ingest(WATCH.replace('://', `://${PASSWORD}@`)))
    expect([error.code, error.message]).toEqual([
      'UNSUPPORTED_SOURCE_URL',
      expect.stringMatching(/password.*file itself/),
    ])
    expect(fake.calls()).toEqual([])
  })

  it('needs yt-dlp, and reports that before any request', async () => {
    const bare = pageSources(loadConfig({ home: root }, {}))
    const on = await failure(ingest(WATCH, { pages: bare }))
    expect([on.code, on.message]).toEqual([
      'UNSUPPORTED_SOURCE_URL',
      expect.stringMatching(/web page.*install it.*CUTROOM_YT_DLP/),
    ])
    const off = pageSources(loadConfig({ home: root }, { CUTROOM_NETWORK: 'off', CUTROOM_YT_DLP: ytDlp }))
    const page = await failure(ingest(server.url('/page'), { pages: off }))
    expect([page.code, page.message]).toEqual(['SOURCE_NOT_VIDEO', expect.stringMatching(/CUTROOM_NETWORK/)])
    expect(pageSources(loadConfig({ home: root }, { PATH: `/nonexistent:${tools}` }))).toEqual({ ytDlp })
    expect(fake.calls()).toEqual([])
  })

  it('is fetched as configured, in a run too', () => {
    const pages = { ytDlp }
    const [first] = plan({ environment: { ...environment, pages } }).ready
    expect([first?.stage, first?.params]).toEqual(['ingest', expect.objectContaining({ pages })])
    // The path of yt-dlp does not make it another download.
    expect(first?.keyParams).toEqual({ source: { kind: 'url', url: 'http://x/y.mp4' } })
  })

  it.each([
    [
      { error: '[youtube] abc: Private video. Sign in if you have access' },
      'SOURCE_FORBIDDEN',
      /everybody.*Private.*Choose one that opens without signing in/,
    ],
    [
      { error: '[youtube] abc: Sign in to confirm you’re not a bot' },
      'SOURCE_UNREACHABLE',
      /no more requests from this machine.*Try again later/,
    ],
    [{ error: 'Unsupported URL: https://x' }, 'SOURCE_NOT_VIDEO', /no video on this page/],
    [{ error: '[youtube] abc: HTTP Error 503' }, 'SOURCE_UNREACHABLE', /HTTP Error 503.*up to date/],
    [{ info: { _type: 'playlist', id: '1', entries: [] } }, 'UNSUPPORTED_SOURCE_URL', /list of videos/],
    [{ info: { id: '1', live_status: 'is_live' } }, 'UNSUPPORTED_SOURCE_URL', /livestream/],
    [{ info: { id: '1', live_status: 'is_upcoming' } }, 'SOURCE_UNREACHABLE', /not begun/],
    [{ info: { title: 'no id' } }, 'SOURCE_NOT_VIDEO', /No video/],
    [{ info: { id: '1', filesize: 10 ** 10 } }, 'SOURCE_TOO_LARGE', /larger/],
  ])('%j is reported as: %s', async (page, code, message) => {
    fake.knows({ [WATCH]: page })
    const error = await failure(ingest(WATCH))
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)])
    expect(fake.calls().length).toBe(1)
  })

  it('may not be larger than is accepted, whatever size the site declares', async () => {
    const page = talk()
    fake.knows({
      [WATCH]: { ...page, info: { ...page.info, requested_formats: [{ filesize: 1000 }] } },
    })
    expect((await failure(ingest(WATCH, { maxBytes: 100_000 }))).code).toBe('SOURCE_TOO_LARGE')
    expect(await readdir(join(root, 'sources'))).toEqual([])
  })

  it('is not fetched from addresses that the appliance may not use', async () => {
    fake.knows({ [WATCH]: talk() })
    // The stand-in's files are on the loopback; no name is resolved, so nothing leaves this machine.
    const error = await failure(ingest(WATCH, { addresses: 'public' }))
    expect([error.code, error.message]).toEqual([
      'SOURCE_FORBIDDEN',
      expect.stringMatching(/127\.0\.0\.1 leads to a network address/),
    ])
    expect(server.seen).toEqual([])
  })

  it('stops at once when it is cancelled', async () => {
    fake.knows({ [WATCH]: { hang: true } })
    const controller = new AbortController()
    const work = failure(ingest(WATCH, {}, controller.signal))
    while (fake.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    const started = performance.now()
    controller.abort()
    expect((await work).code).toBe('CANCELLED')
    expect(performance.now() - started).toBeLessThan(2000 * measureSlowness())
  })
})

describe('the proxy that yt-dlp is given', () => {
  const ask = async (proxy: string, target: string, password?: string): Promise<string> => {
    const { hostname, port, username, password: own } = new URL(proxy)
    const socket = connect(Number(port), hostname)
    const pair = Buffer.from(`${username}:${password ?? own}`).toString('base64')
    socket.write(
      `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${pair}\r\n\r\n`,
    )
    let answer = ''
    for await (const chunk of socket) {
      answer += String(chunk)
      if (answer.endsWith('established\r\n\r\n')) socket.write('GET /picture HTTP/1.0\r\n\r\n')
    }
    return answer
  }

  it('tunnels to allowed addresses only, for clients with its password', async () => {
    const { host } = new URL(server.url('/'))
    const proxy = await startGuardProxy('any')
    try {
      expect(await ask(proxy.url, host)).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 OK/)
      expect(await ask(proxy.url, host, 'guessed')).toMatch(/^HTTP\/1\.1 407/)
      expect(await ask(proxy.url, '169.254.169.254:80')).toMatch(/^HTTP\/1\.1 403/)
      expect(await ask(proxy.url, '[::ffff:169.254.169.254]:80')).toMatch(/^HTTP\/1\.1 403/)
      expect(proxy.refusal()?.code).toBe('SOURCE_FORBIDDEN')
    } finally {
      await proxy.close()
    }
    const strict = await startGuardProxy('public')
    try {
      expect(await ask(strict.url, `localhost:${new URL(server.url('/')).port}`)).toMatch(/^HTTP\/1\.1 502/)
      expect(strict.refusal()?.code).toBe('SOURCE_FORBIDDEN')
    } finally {
      await strict.close()
    }
  })
})
