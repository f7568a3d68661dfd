/** B-roll in a whole run: pictures of the library and of services outside, at the words that name them. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { addLibraryItem, folderNamed } from '../../server/domain/library/library.ts'
import { mediaAddresses } from '../../server/domain/rendering/register-media.ts'
import { renderClip } from '../../server/domain/rendering/render-clip.ts'
import type { AppError } from '../../server/contract/errors.ts'
import { serviceStates } from '../../server/domain/runs/plan/broll-providers.ts'
import { runSearchBroll } from '../../workers/stages/search-broll/stage.ts'
import { environment, failed, found, heard, plan, snapshotOf, words } from '../support/plan-case.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { createLogger } from '../../server/log.ts'
import { serveBytes, startBadServer, type BadServer } from '../support/bad-server.ts'
import { h264, makeMedia } from '../support/make-media.ts'
import { node } from '../support/node-values.ts'
import { plainPng } from '../support/pictures.ts'
import {
  makeRoot,
  openRunEnvironment,
  pinned,
  type MadeClip,
  type RunEnvironment,
} from '../support/run-environment.ts'
import { slotsOf } from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { installFakeYtDlp, type FakeYtDlp } from '../support/yt-dlp.ts'
import { make } from './render-support.ts'

let house: RunEnvironment
let root: string
let services: RunEnvironment['services']
let talk: TinyTalk
let web: BadServer
let ytDlp: FakeYtDlp
const log: string[] = []
const asked: { path: string; query: URLSearchParams; headers: IncomingMessage['headers']; body: string }[] =
  []

const answering =
  (answer: (query: URLSearchParams) => unknown, status = 200) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://x')
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      asked.push({ path: url.pathname, query: url.searchParams, headers: request.headers, body })
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer(url.searchParams)))
    })
  }

const WATCH = 'https://www.youtube.com/watch?v=abc-EFGH_jk'
const SECRETS = ['google-secret', 'youtube-secret', 'getty-secret', 'getty-key']

beforeAll(async () => {
  root = await makeRoot()
  talk = await makeTinyTalk(root)
  const colour = (name: string) => ['-f', 'lavfi', '-i', `color=${name}:size=320x180:rate=25:duration=2`]
  await makeMedia(root, 'machine.mp4', [...colour('0x00ff00'), ...h264()])
  await makeMedia(root, 'youtube.mp4', [...colour('0xffff00'), ...h264()])
  ytDlp = await installFakeYtDlp(join(root, 'tools'))
  web = await startBadServer(await serviceAnswers())
  ytDlp.knows({ [WATCH]: { files: [web.url('/youtube.mp4')] } })
  const address = web.url('')
  house = await openRunEnvironment({
    root,
    environment: {
      CUTROOM_YT_DLP: ytDlp.path,
      CUTROOM_YOUTUBE_KEY: 'youtube-secret',
      CUTROOM_GOOGLE_IMAGES_KEY: 'google-secret',
      CUTROOM_GOOGLE_IMAGES_ENGINE: 'engine-1',
      CUTROOM_GETTY_KEY: 'getty-key',
      CUTROOM_GETTY_SECRET: 'getty-secret',
    },
    config: (loaded) => {
      const { google_images, youtube, getty } = loaded.pictureServices
      return {
        ...loaded,
        pictureServices: {
          google_images: { ...google_images, address },
          youtube: { ...youtube, address },
          getty: { ...getty, address },
        },
      }
    },
    log: createLogger('debug', (line) => void log.push(line)),
  })
  services = house.services
})
afterAll(async () => {
  await house.close()
  await web.close()
})

/** Answers as the services' documentation shows them. */
async function serviceAnswers() {
  const picture = (name: string) => plainPng(400, 200, name)
  return {
    '/google.png': serveBytes(await picture('#ff00ff'), { type: 'image/png' }),
    '/youtube.mp4': serveBytes(await readFile(join(root, 'youtube.mp4')), { type: 'video/mp4' }),
    '/getty.png': serveBytes(await picture('#00ffff'), { type: 'image/png' }),
    '/customsearch/v1': answering((query) => ({
      items: [
        { title: 'A script', link: 'javascript:alert(1)', mime: 'image/png' },
        { title: 'A drawing', link: web.url('/x.svg'), mime: 'image/svg+xml' },
        ...(query.get('q') === 'episode'
          ? [
              {
                title: 'Episode',
                link: web.url('/google.png'),
                mime: 'image/png',
                displayLink: 'example.com',
                image: { contextLink: 'https://example.com/page' },
              },
            ]
          : []),
      ],
    })),
    '/youtube/v3/search': answering((query) => ({
      items:
        query.get('q') === 'machine'
          ? [
              {
                id: { kind: 'youtube#video', videoId: 'abc-EFGH_jk' },
                snippet: { title: 'Secrets &amp; lies', channelTitle: 'Maker' },
              },
              { id: { kind: 'youtube#channel', channelId: 'x' }, snippet: {} },
            ]
          : [],
    })),
    ...Object.fromEntries(
      [401, 429, 503].map((status) => [`/status/${status}/customsearch/v1`, answering(() => ({}), status)]),
    ),
    '/oauth2/token': answering(() => ({ access_token: 'token-1', token_type: 'Bearer', expires_in: '1800' })),
    '/v3/search/images': answering((query) => ({
      result_count: 2,
      images:
        query.get('phrase') === 'disaster'
          ? [
              { id: '1', title: 'Not ours', largest_downloads: [] },
              {
                id: '83454804',
                title: 'Laughing',
                artist: 'Ann',
                largest_downloads: [
                  { product_type: 'easyaccess', uri: 'https://api.example/v3/downloads/images/83454804' },
                ],
              },
            ]
          : [],
    })),
    '/v3/downloads/images/83454804': answering(() => ({ uri: web.url('/getty.png?signature=s') })),
  }
}

async function runWith(nodes: ResolvedNode[]): Promise<MadeClip> {
  const made = await house.clipOf(talk.video, nodes)
  return { ...made, warnings: made.warnings.filter((warning) => warning.startsWith('add_broll')) }
}

type Colour = [red: boolean, green: boolean, blue: boolean]
const RED: Colour = [true, false, false]
const GREEN: Colour = [false, true, false]

/** Whether each frame's middle is of one colour: full or none of each part, which the talk's own test picture never is. */
async function framesOf(file: string): Promise<(frame: number, colour: Colour) => boolean> {
  const filter = 'crop=60:60:130:60,scale=1:1:flags=area'
  const bytes = await make([
    '-i',
    file,
    '-map',
    '0:v',
    '-vf',
    filter,
    '-vsync',
    '0',
    '-pix_fmt',
    'rgb24',
    '-f',
    'rawvideo',
    '-',
  ])
  return (frame, colour) =>
    colour.every((full, at) => {
      const value = bytes[frame * 3 + at] ?? 128
      return full ? value > 225 : value < 30
    })
}

const following = { signal: new AbortController().signal, onProgress: () => undefined }

describe('a library of two', () => {
  it('is shown at the words that name it, never in the first 2 s, and follows an edit', async () => {
    await writeFile(join(root, 'red.png'), await plainPng(90, 160, '#ff0000'))
    const folderId = folderNamed(services, { companyId: 'c', name: 'Mine' }).id
    const add = (path: string, tags: string[]) =>
      addLibraryItem(services, { companyId: 'c', path: join(root, path), tags, folderId }, following)
    // "nobody" is also spoken in the first second of the clip, and has to be skipped there.
    await add('red.png', ['secrets', 'nobody'])
    await add('machine.mp4', ['tired'])
    const broll = { broll_frequency: 'high', library_folder_ids: [folderId], enable_ai_broll: true }
    const { clip, warnings, runId, file } = await runWith([pinned(4, 24), node('add_broll', broll)])
    expect(warnings).toEqual([
      'add_broll: no model that makes pictures is part of this appliance; none are made.',
    ])
    const inserts = clip.document.broll?.inserts ?? []
    expect(inserts.map(({ matched, kind, start }) => [matched, kind, Math.round(start)])).toEqual([
      [expect.stringMatching(/^secret$|^nobody$/), 'image', 12],
      ['tired,', 'video', 20],
    ])
    const shows = await framesOf(file)
    for (const frame of Array.from({ length: 50 }, (_, at) => at)) {
      expect([frame, shows(frame, RED), shows(frame, GREEN)]).toEqual([frame, false, false])
    }
    const frames = inserts.map(({ start, end }) => [Math.round((start - 4) * 25), Math.round((end - 4) * 25)])
    for (const [at, colour] of [RED, GREEN].entries()) {
      const [from = 0, to = 0] = frames[at] ?? []
      expect(to - from).toBeGreaterThanOrEqual(50)
      expect(to - from).toBeLessThanOrEqual(100)
      expect(to).toBeLessThanOrEqual(20 * 25 - 25)
      const seen = [from - 1, from, from + 20, to - 1, to].map((frame) => shows(frame, colour))
      expect(seen).toEqual([false, true, true, true, false])
    }
    expect([...slotsOf(house.db, runId)].filter(([slot]) => slot.startsWith('asset:'))).toHaveLength(2)

    // The same response comes from the cache; a clip that begins a second before the words keeps its hook.
    const again = await renderClip(services, { companyId: 'c', clipId: clip.id })
    const { renderedMedia } = clip
    expect(again.renderUrl).toBe(mediaAddresses(services, '', [renderedMedia])(renderedMedia))
    const cut = await framesOf(await house.editAndRender(clip, { startTimestamp: 11 }))
    expect([30, 49, 50, 60].map((frame) => cut(frame, RED))).toEqual([false, false, true, true])
  }, 120_000)

  it('warns when nothing fits, or a folder is missing', async () => {
    const { clip, warnings } = await runWith([
      pinned(28, 36),
      node('add_broll', { library_folder_ids: ['nowhere'] }),
    ])
    expect(clip.document.broll).toEqual({ inserts: [] })
    expect(warnings).toEqual([
      'add_broll: the library has no folder "nowhere" (library_folder_ids).',
      'add_broll: there is nothing to show. Add pictures to the library with: cutroom library add DIR',
    ])
  }, 60_000)
})

describe('external services', () => {
  it('are requested as documented, the chosen files are fetched, and no key is written anywhere', async () => {
    const broll = {
      broll_frequency: 'high',
      use_broll_library: false,
      allowed_methods: ['google_images', 'youtube', 'getty'],
    }
    const { clip, warnings, file } = await runWith([pinned(4, 34), node('add_broll', broll)])
    const inserts = clip.document.broll?.inserts ?? []
    expect(inserts.map(({ provider, matched, url, name }) => [provider, matched, url, name])).toEqual([
      ['google_images', 'episode.', web.url('/google.png'), 'Episode'],
      ['youtube', 'machine', 'cutroom-broll:youtube:abc-EFGH_jk', 'Secrets & lies'],
      ['getty', 'disaster,', 'cutroom-broll:getty:83454804_easyaccess', 'Laughing'],
    ])
    expect(warnings).toEqual([
      'add_broll: name the maker of a picture. Google Images: example.com, https://example.com/page',
      'add_broll: name the maker of a picture. YouTube: Maker, https://www.youtube.com/watch?v=abc-EFGH_jk, CC BY',
      'add_broll: name the maker of a picture. Getty Images: Ann, Getty Images 83454804',
    ])
    const shows = await framesOf(file)
    const colours: Colour[] = [
      [true, false, true],
      [true, true, false],
      [false, true, true],
    ]
    for (const [at, { start, end }] of inserts.entries()) {
      const frame = Math.round(((start + end) / 2 - 4) * 25)
      expect([at, shows(frame, colours[at] ?? RED)]).toEqual([at, true])
    }

    const first = (path: string) => asked.find((one) => one.path === path)
    expect(Object.fromEntries(first('/customsearch/v1')?.query ?? [])).toMatchObject({
      key: 'google-secret',
      cx: 'engine-1',
      searchType: 'image',
      safe: 'active',
      rights: expect.stringContaining('cc_publicdomain') as string,
    })
    expect(Object.fromEntries(first('/youtube/v3/search')?.query ?? [])).toMatchObject({
      key: 'youtube-secret',
      part: 'snippet',
      type: 'video',
      videoLicense: 'creativeCommon',
    })
    expect(Object.fromEntries(new URLSearchParams(first('/oauth2/token')?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'getty-key',
      client_secret: 'getty-secret',
    })
    const [fetched = []] = ytDlp.calls()
    expect(fetched.slice(-2)).toEqual(['--', WATCH])
    expect(fetched).toContain('--ignore-config')
    // Each of its connections uses the guard, whose password must not be in the list of processes.
    expect(fetched).toEqual(expect.arrayContaining(['--config-locations', '--cutroom-guard']))
    expect(fetched.join(' ')).not.toMatch(/--proxy|cutroom:/)
    const headers = { 'api-key': 'getty-key', authorization: 'Bearer token-1' }
    expect(first('/v3/search/images')).toMatchObject({ headers })
    const download = first('/v3/downloads/images/83454804')
    expect(download?.headers).toMatchObject(headers)
    expect(Object.fromEntries(download?.query ?? [])).toEqual({
      auto_download: 'false',
      product_type: 'easyaccess',
    })
  }, 120_000)

  it('are asked for a file once, whatever runs show it, and their keys are written nowhere', async () => {
    const downloads = () => asked.filter(({ path }) => path.startsWith('/v3/downloads')).length
    const before = downloads()
    const broll = { broll_frequency: 'high', use_broll_library: false, allowed_methods: ['getty'] }
    const { clip } = await runWith([pinned(6, 34), node('add_broll', broll)])
    expect(clip.document.broll?.inserts).toMatchObject([{ provider: 'getty' }])
    expect([before, downloads()]).toEqual([1, 1])
    const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    )
    expect(files.length).toBeGreaterThan(10)
    for (const { parentPath, name } of files) {
      const bytes = await readFile(join(parentPath, name))
      for (const secret of [...SECRETS, 'token-1'])
        expect([name, bytes.includes(secret)]).toEqual([name, false])
    }
    for (const secret of [...SECRETS, 'token-1']) expect(log.join('\n')).not.toContain(secret)
    expect(log.length).toBeGreaterThan(0)
  }, 120_000)

  it('that refuse are reported, without the key', async () => {
    const away = { ...services.config.pictureServices.getty, address: web.url('/away') }
    const pictureServices = { ...services.config.pictureServices, getty: away }
    const access = serviceStates({ ...services.config, pictureServices }).getty
    if (access.state !== 'ready') throw new Error('getty should be ready')
    const params = { provider: 'getty' as const, queries: ['a'], perQuery: 5, access: access.access }
    const searching = runStageForTest(runSearchBroll, params, { root: join(root, 'stage') })
    const failure = await searching.then(
      () => null,
      (error: unknown) => error as Error,
    )
    expect(failure).toMatchObject({ code: 'SOURCE_UNREACHABLE' })
    expect(failure?.message).toContain('Getty Images answered with an error (HTTP 404)')
    for (const [status, code] of [
      [401, 'SOURCE_FORBIDDEN'],
      [429, 'SOURCE_FORBIDDEN'],
      [503, 'SOURCE_UNREACHABLE'],
    ] as const) {
      const query = `/status/${status}`
      const google = {
        ...access.access,
        keys: { key: 'google-secret', engine: 'e' },
        address: web.url(query),
      }
      const asking = runStageForTest(
        runSearchBroll,
        { ...params, provider: 'google_images' as const, access: google },
        { root: join(root, 'stage') },
      )
      const error = await asking.then(
        () => null,
        (reason: unknown) => reason as AppError,
      )
      expect([status, error?.code]).toEqual([status, code])
      expect(JSON.stringify([error?.message, error?.details, String(error?.cause)])).not.toContain('secret')
    }
  }, 30_000)

  it('are not requested without their keys, nor with the network off; a warning names the setting or the service', () => {
    const bare = serviceStates(loadConfig({ home: root }, {}))
    expect(Object.values(bare).map((one) => (one.state === 'refused' ? one.why : ''))).toEqual([
      'Google Images is not asked: it needs your own CUTROOM_GOOGLE_IMAGES_KEY ("googleImagesKey" in config.json) and CUTROOM_GOOGLE_IMAGES_ENGINE ("googleImagesEngine" in config.json).',
      'YouTube is not asked: it needs your own CUTROOM_YOUTUBE_KEY ("youtubeKey" in config.json) and CUTROOM_YT_DLP ("ytDlp" in config.json).',
      'Getty Images is not asked: it needs your own CUTROOM_GETTY_KEY ("gettyKey" in config.json) and CUTROOM_GETTY_SECRET ("gettySecret" in config.json).',
    ])
    const off = serviceStates({ ...services.config, network: 'off' })
    expect(Object.values(off).map((one) => (one.state === 'refused' ? one.why : ''))).toEqual([
      'Google Images is not asked: the network is off (CUTROOM_NETWORK).',
      'YouTube is not asked: the network is off (CUTROOM_NETWORK).',
      'Getty Images is not asked: the network is off (CUTROOM_NETWORK).',
    ])
    const candidates = found.candidates.map((one) => ({ ...one, keywords: ['sea', 'Sea', 'ship'] }))
    const rows = { ...heard, captions: words, 'find-clips': { ...found, candidates } }
    const planned = plan({
      rows,
      snapshot: snapshotOf([
        node('find_clips', {}),
        node('add_broll', { allowed_methods: ['getty', 'youtube'] }),
      ]),
      environment: { ...environment, services: bare },
    })
    expect(planned.warnings.filter((one) => one.startsWith('add_broll'))).toEqual([
      expect.stringContaining('add_broll: Getty Images is not asked: it needs your own CUTROOM_GETTY_KEY'),
      expect.stringContaining('add_broll: YouTube is not asked: it needs your own CUTROOM_YOUTUBE_KEY'),
    ])
    expect(planned.slots.some(({ stage }) => stage === 'search-broll')).toBe(false)
    const [search, ...more] = plan({
      rows,
      snapshot: snapshotOf([node('add_broll', { allowed_methods: ['getty'] })]),
      environment: { ...environment, services: serviceStates(services.config) },
    }).ready
    expect([search?.slot, more]).toEqual(['broll:getty', []])
    // A service that fails is named, and the clips are made without it.
    const without = plan({
      rows: { ...rows, 'broll:getty': failed('SOURCE_FORBIDDEN', 'It refuses.') },
      snapshot: snapshotOf([node('add_broll', { allowed_methods: ['getty'] })]),
      environment: { ...environment, services: serviceStates(services.config) },
    })
    expect([without.makeClips, without.failure]).toEqual([true, undefined])
    expect(without.warnings).toContain('add_broll: nothing came from Getty Images. It refuses.')
    expect(search?.keyParams).toEqual({ provider: 'getty', queries: ['sea', 'ship'], perQuery: 5 })
  })
})
