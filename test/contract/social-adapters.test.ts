/** Adapters alone, request by request: what a platform's documentation requires, and what it may respond. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  METRICS_AT_ONCE,
  type Memo,
  type PublishJob,
  type SocialMedia,
} from '../../server/adapters/social/adapter.ts'
import { createSocialHttp } from '../../server/adapters/social/http.ts'
import { linkedinVersion } from '../../server/adapters/social/linkedin.ts'
import { metaFailure } from '../../server/adapters/social/meta.ts'
import { ADAPTERS } from '../../server/adapters/social/registry.ts'
import type { Platform } from '../../server/contract/post.ts'
import {
  startFake,
  type Fake,
  type FakeAnswer,
  type FakeRequest,
  type Platformer,
} from '../support/fake-platforms.ts'
import { FAKES } from '../support/fakes.ts'

const START = Date.UTC(2026, 5, 1, 12)
const open: Platformer[] = []
afterEach(() => Promise.all(open.splice(0).map((fake) => fake.close())))

/** A file of so many bytes, which is removed at the end of the test. */
async function videoOf(bytes: number): Promise<SocialMedia> {
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-adapters-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'clip.mp4')
  await writeFile(file, Buffer.alloc(bytes, 7))
  return { file, bytes, seconds: 6, width: 576, height: 1024, mediaType: 'video/mp4', address: null }
}

/** A post on its way to a platform that answers as `fake`; `aheadMs`: how far our clock is ahead of the platform's. */
async function jobAt(
  platform: Platform,
  { fake = FAKES[platform], aheadMs = 0, bytes = 0 }: { fake?: Fake; aheadMs?: number; bytes?: number } = {},
) {
  const server = await startFake(fake, () => START)
  open.push(server)
  const signal = AbortSignal.timeout(30_000)
  const now = () => START + aheadMs
  const { label, addresses, uploadHosts } = ADAPTERS[platform]
  let memo: Memo = {}
  const job: PublishJob = {
    account: {
      id: 'a',
      platform,
      nativeId: 'UCme',
      handle: '@me',
      scopes: [],
      settings: {},
      tokens: { access: 'token' },
    },
    app: null,
    now,
    signal,
    key: 'k',
    startedAt: now(),
    media: bytes === 0 ? null : await videoOf(bytes),
    cover: null,
    http: createSocialHttp({
      label,
      addresses,
      uploadHosts,
      override: server.url,
      network: 'on',
      reach: 'any',
      now,
      signal,
    }),
    post: { id: 'p', text: 'Look at this', title: 'Title', visibility: 'public', firstComment: null },
    memo: () => memo,
    remember: (changes) => void (memo = { ...memo, ...changes }),
    sending: () => Promise.resolve(),
    notTaken: () => undefined,
    progress: () => undefined,
  }
  return { job, server, adapter: ADAPTERS[platform] }
}

describe('TikTok', () => {
  it('gets requests for twenty counters at a time, and none for posts without an id', async () => {
    const { job, adapter } = await jobAt('tiktok')
    const ids = Array.from({ length: METRICS_AT_ONCE }, (_, n) => String(n + 100))
    expect([...(await adapter.metrics(job, [...ids, 'v_pub_file~v2-1.7'])).keys()]).toEqual(ids)
    expect((await adapter.metrics(job, ['v_pub_file~v2-1.7'])).size).toBe(0)
  })
})

describe('a cover', () => {
  const picture = () => Promise.resolve(new Uint8Array([0xff, 0xd8, 7]))
  /** What a platform was sent; `instead`: an answer in place of the usual one. */
  async function sentTo(platform: Platform, instead: (path: string) => FakeAnswer | null = () => null) {
    const sent: FakeRequest[] = []
    const fake: Fake = (request, state) => {
      sent.push(request)
      return instead(request.path) ?? FAKES[platform](request, state)
    }
    const { job, adapter } = await jobAt(platform, { fake, bytes: 1000 })
    const published = await adapter.publish({ ...job, cover: { seconds: 2.5, picture } })
    return { published, sentTo: (end: string) => sent.find(({ path }) => path.endsWith(end)) }
  }

  it('is a moment of the video on TikTok and Instagram', async () => {
    const tiktok = (await sentTo('tiktok')).sentTo('/video/init/')
    expect(tiktok?.json).toMatchObject({ post_info: { video_cover_timestamp_ms: 2500 } })
    const instagram = (await sentTo('instagram')).sentTo('/media')
    expect(instagram?.json).toMatchObject({ thumb_offset: '2500' })
  })

  it('is a picture on YouTube; one that is refused leaves the video there, and says so', async () => {
    const { sentTo: sentToYouTube, published } = await sentTo('youtube')
    expect([...(sentToYouTube('/thumbnails/set')?.body ?? [])]).toEqual([0xff, 0xd8, 7])
    expect(published).not.toHaveProperty('note')
    const forbidden = { status: 403, json: { error: { message: 'The channel may set no thumbnails.' } } }
    const refused = await sentTo('youtube', (path) => (path.endsWith('/thumbnails/set') ? forbidden : null))
    expect(refused.published).toMatchObject({
      nativeId: expect.any(String) as string,
      note: expect.stringMatching(/^The cover is missing: .*may set no thumbnails/) as string,
    })
  })
})

describe('a post whose response was cut off', () => {
  it.each(['twitter', 'facebook', 'linkedin'] as const)(
    'is found on %s by its text when our clock is ten minutes ahead',
    async (platform) => {
      const { job, adapter } = await jobAt(platform, { aheadMs: 600_000 })
      const sent = await adapter.publish(job)
      expect(sent).toMatchObject({ nativeId: expect.any(String) as string })
      expect(await adapter.find(job)).toEqual(sent)
    },
  )

  it('is found on Threads too, whose container does not name its post', async () => {
    const { job, adapter } = await jobAt('threads', { aheadMs: 600_000 })
    await adapter.publish(job)
    await adapter.publish(job)
    const sent = await adapter.publish(job)
    job.remember({ published: null })
    expect(await adapter.find(job)).toEqual(sent)
  })

  it('is found on X when its text has an address', async () => {
    const { job, adapter } = await jobAt('twitter')
    const named = { ...job, post: { ...job.post, text: 'More at cutroom.app today' } }
    expect(await adapter.find(named)).toBeNull()
    const sent = await adapter.publish(named)
    expect(await adapter.find(named)).toEqual(sent)
  })
})

describe('an upload', () => {
  it.each(['youtube', 'facebook'] as const)(
    'is given up for now when %s accepts no bytes',
    async (platform) => {
      const nothing =
        platform === 'youtube' ? { status: 308 } : { json: { start_offset: '0', end_offset: '9' } }
      const fake: Fake = (request, state) =>
        request.method === 'PUT' ||
        /name="upload_phase"\r\n\r\ntransfer/.test(request.body.toString('latin1'))
          ? nothing
          : FAKES[platform](request, state)
      const { job, adapter } = await jobAt(platform, { fake, bytes: 9000 })
      await expect(adapter.publish(job)).rejects.toMatchObject({ details: { reason: 'transient' } })
    },
  )

  it('is not finished twice on X when the response was lost', async () => {
    let ended = 0
    const fake: Fake = (request, state) =>
      request.path.endsWith('/finalize') && ++ended > 1
        ? { status: 400, json: { detail: 'Segments do not add up.' } }
        : FAKES.twitter(request, state)
    const { job, server, adapter } = await jobAt('twitter', { fake, bytes: 9000 })
    server.fault = { after: 2, kind: 'cut' }
    await expect(adapter.publish(job)).rejects.toMatchObject({ details: { reason: 'transient' } })
    expect(ended).toBe(1)
    for (let tries = 0; tries < 3 && server.state.posts.length === 0; tries++) await adapter.publish(job)
    expect([ended, server.state.posts.length]).toEqual([1, 1])
  })
})

describe('Meta', () => {
  const answering = (platform: 'instagram' | 'threads' | 'facebook', error: object) =>
    jobAt(platform, { fake: () => ({ status: 400, json: { error } }) })

  it.each(['instagram', 'threads', 'facebook'] as const)(
    'does not take a post for deleted because %s does not know a counter',
    async (platform) => {
      const { job, adapter } = await answering(platform, { code: 100, message: 'metric[0] must be one of' })
      await expect(adapter.metrics(job, ['71'])).rejects.toThrow(/metric\[0\]/)
    },
  )

  it.each([
    [-1, 'transient'],
    [-2, 'transient'],
    [9007, 'transient'],
    [9, 'rate_limited'],
    [352, 'rejected'],
  ])('code %d of Instagram is %s', async (code, reason) => {
    const { job, adapter } = await answering('instagram', { code, message: 'words' })
    job.remember({ container: '1', bytes: null })
    await expect(adapter.find(job)).rejects.toMatchObject({ details: { reason } })
  })

  it.each([
    ['instagram', { status_code: 'ERROR', status: 'Error: 2207053' }, 'transient', 'has trouble'],
    ['instagram', { status_code: 'ERROR', status: 'Error: 2207026' }, 'rejected', 'refuses the video'],
    ['threads', { status: 'ERROR', error_message: 'UNKNOWN' }, 'transient', 'has trouble'],
    [
      'threads',
      { status: 'ERROR', error_message: 'FAILED_DOWNLOADING_VIDEO' },
      'transient',
      'CUTROOM_PUBLIC_URL',
    ],
  ] as const)('%s: a container with the status %j is discarded', async (platform, json, reason, reported) => {
    const { job, adapter } = await jobAt(platform, { fake: () => ({ json }) })
    job.remember({ container: '1', bytes: null })
    const error = await adapter.find(job).then(
      () => null,
      (refusal: unknown) => refusal,
    )
    expect(error).toMatchObject({ details: { reason }, message: expect.stringContaining(reported) as string })
    expect(job.memo()['container']).toBeNull()
  })

  it('reports errors of the file upload host, and retries when it asks for that', () => {
    const received = (retriable: boolean) =>
      metaFailure('Instagram', {
        status: 400,
        headers: {},
        text: '',
        retryAfterMs: null,
        aheadMs: 0,
        json: {
          debug_info: { retriable, type: 'ProcessingFailedError', message: 'Request processing failed' },
        },
      })
    expect(received(true)).toMatchObject({ details: { reason: 'transient' } })
    expect(received(false)).toMatchObject({
      message: 'Instagram refuses the post: Request processing failed.',
      details: { reason: 'rejected' },
    })
  })
})

describe('LinkedIn', () => {
  it('gets requests for an API version that it serves, whatever year it is', async () => {
    expect(linkedinVersion(Date.UTC(2026, 10, 21))).toBe('202605')
    expect(linkedinVersion(Date.UTC(2031, 4, 31))).toBe('203011')
    const { job, server, adapter } = await jobAt('linkedin')
    expect(await adapter.publish(job)).toMatchObject({ nativeId: expect.stringMatching(/^urn:/) as string })
    server.state.now = () => START + 3 * 365 * 86_400_000
    await expect(adapter.publish(job)).rejects.toThrow(
      /not active\. Look whether this machine's clock is right/,
    )
  })
})
