/**
 * Runs whose nodes name pictures by address: fetched once, drawn, left out without harm when missing, and fetched for a
 * later render.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { getRun } from '../../server/db/runs.ts'
import { clips } from '../../server/db/schema.ts'
import { mediaAddresses } from '../../server/domain/rendering/register-media.ts'
import { readOperation } from '../../server/domain/operations/read-operation.ts'
import { queueRender, renderClip } from '../../server/domain/rendering/render-clip.ts'
import { runFetchAsset } from '../../workers/stages/fetch-asset/stage.ts'
import { serveBytes, startBadServer, type BadServer } from '../support/bad-server.ts'
import { node } from '../support/node-values.ts'
import { plainPng } from '../support/pictures.ts'
import { openRunEnvironment, pinned, type RunEnvironment } from '../support/run-environment.ts'
import { slotsOf } from '../support/run-on-jobs.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { colourOf, make, probeStreams, samplesOf } from './render-support.ts'

let house: RunEnvironment
let root: string
let talk: TinyTalk
let web: BadServer
/** Whether `/late.png` is. */
let isThere = false

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'
const text = (body: string, type = 'text/html') => serveBytes(Buffer.from(body), { type })

beforeAll(async () => {
  house = await openRunEnvironment()
  root = house.root
  talk = await makeTinyTalk(root)
  const png = (colour: string) => plainPng(64, 32, colour)
  const moving = join(root, 'move.mp4')
  const orange = 'color=c=0xff8000:s=64x36:r=25:d=1,format=rgb24'
  const tone = 'sine=frequency=880:sample_rate=48000:d=1'
  await make([
    '-f',
    'lavfi',
    '-i',
    orange,
    '-f',
    'lavfi',
    '-i',
    tone,
    '-c:a',
    'aac',
    '-c:v',
    'libx264',
    '-vf',
    'scale=out_color_matrix=bt709,format=yuv420p',
    '-colorspace',
    'bt709',
    moving,
  ])
  const late = await png('#ff00ff')
  web = await startBadServer({
    '/move.mp4': serveBytes(await readFile(moving), { type: 'video/mp4' }),
    '/logo.png': serveBytes(await png('#ff0000'), { type: 'image/png' }),
    '/card.png': serveBytes(await plainPng(64, 36, '#00ff00'), { type: 'text/plain' }),
    '/other.png': serveBytes(await png('#0000ff'), { type: 'image/png' }),
    '/moved.png': (_, response) => void response.writeHead(302, { location: '/logo.png' }).end(),
    '/away.png': (_, response) =>
      void response.writeHead(302, { location: 'http://169.254.169.254/x' }).end(),
    '/late.png': (request, response) =>
      isThere ? serveBytes(late, { type: 'image/png' })(request, response) : response.writeHead(404).end(),
    '/page.png': text('<!doctype html><html>sign in</html>', 'image/png'),
    '/logo.svg': text(SVG, 'image/svg+xml'),
    '/broken.png': serveBytes((await png('#ff0000')).subarray(0, 60), { type: 'image/png' }),
    '/huge.png': (_, response) => void response.writeHead(200, { 'content-length': '99999999' }).write('x'),
  })
})
afterAll(async () => {
  await house.close()
  await web.close()
})

describe('a run', () => {
  it('draws a picture that is written into its address, and does not repeat the address anywhere', async () => {
    const noise = "geq=r='200+random(1)*55':g='random(2)*20':b='random(3)*20'"
    const filter = ['-f', 'lavfi', '-i', `nullsrc=s=400x200:r=1:d=1,format=rgb24,${noise}`]
    const png = await make([...filter, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe', '-'])
    const url = `data:image/png;base64,${png.toString('base64')}`
    expect(url.length).toBeGreaterThan(100_000)
    const broken = `data:image/png;base64,${'A'.repeat(200_000)}`
    const made = await house.clipOf(talk.video, [
      pinned(4, 6),
      node('add_watermark', { watermark_config: { url, position: 1, size: 20, padding: 5 } }),
      node('media_overlay', { media_overlay_config: { mediaUrl: broken } }),
    ])
    const [red, green, blue] = await colourOf(made.file, 20, '40:16:28:24')
    expect([red > 200, green < 40, blue < 40]).toEqual([true, true, true])
    const run = getRun(house.db, made.runId)
    const said = run?.warnings.filter((warning) => warning.includes('mediaUrl')) ?? []
    expect(said).toEqual([expect.stringMatching(/^media_overlay_config\.mediaUrl \(data:\) is left out: /)])
    const { snapshot: _asked, ...told } = { ...run }
    expect(JSON.stringify([told, [...slotsOf(house.db, made.runId)]])).not.toContain('AAAAAAAA')
  }, 90_000)

  it('draws the watermark between its offsets, appends the card, and goes without what is not there', async () => {
    const made = await house.clipOf(talk.video, [
      pinned(4, 7.2),
      node('add_watermark', {
        watermark_config: {
          url: web.url('/moved.png'),
          position: 1,
          size: 20,
          padding: 5,
          startOffset: 1,
          endOffset: 1,
        },
      }),
      node('add_outro', { end_card_option: { url: web.url('/card.png'), duration: 1 } }),
      node('media_overlay', { media_overlay_config: { mediaUrl: web.url('/nothing.png?key=secret') } }),
    ])
    const { clip, file, warnings } = made
    expect((await probeStreams(file)).video.nb_frames).toBe(String(80 + 25))
    // 20 % of 320 is 64x32, 5 % is 16: the middle of the logo.
    const logo = '40:16:28:24'
    const red = [expect.toSatisfy(over(235)), expect.toSatisfy(under(20)), expect.toSatisfy(under(20))]
    for (const frame of [25, 40, 54]) expect(await colourOf(file, frame, logo)).toEqual(red)
    for (const frame of [0, 24, 55, 79]) expect(await colourOf(file, frame, logo)).not.toEqual(red)
    const [r, g, b] = await colourOf(file, 100, '200:100:60:40')
    expect([r < 20, g > 235, b < 20]).toEqual([true, true, true])
    expect(warnings).toEqual([
      `media_overlay_config.mediaUrl (${web.url('/nothing.png')}) is left out: There is no file at this address (HTTP 404). Check the address.`,
    ])
    expect([...slotsOf(house.db, made.runId)].filter(([slot]) => slot.startsWith('asset:'))).toHaveLength(3)

    // An unedited clip is answered from what the run made; another logo is fetched for the render that shows it.
    const before = web.seen.length
    const again = await renderClip(house.services, { companyId: 'c', clipId: clip.id })
    const { renderedMedia } = clip
    expect(again.renderUrl).toBe(mediaAddresses(house.services, '', [renderedMedia])(renderedMedia))
    // Only what was not there is asked for again.
    expect(web.seen.slice(before).map(({ path }) => path)).toEqual(['/nothing.png'])
    const watermarkConfig = { url: web.url('/other.png'), position: 9, size: 20, padding: 5 }
    const edited = await house.editAndRender(clip, { watermarkConfig })
    const blue = await colourOf(edited, 10, '40:16:252:140')
    expect([blue[0] < 20, blue[1] < 20, blue[2] > 235]).toEqual([true, true, true])
    const requests = web.seen.map(({ path }) => path)
    expect(requests.filter((path) => path === '/logo.png')).toHaveLength(1)
    // A failed fetch is retried by a new render.
    expect(requests.filter((path) => path === '/nothing.png')).toHaveLength(3)
  })
})

describe('a render that lost something', () => {
  it('says so, refuses where strict was asked for, and says nothing once the file is there', async () => {
    const made = await house.clipOf(talk.video, [
      pinned(4, 6),
      node('media_overlay', { media_overlay_config: { mediaUrl: web.url('/late.png') } }),
    ])
    const { id: clipId } = made.clip
    const lost = {
      code: 'FILE_LEFT_OUT',
      field: 'media_overlay_config.mediaUrl',
      message: expect.stringContaining('HTTP 404') as string,
      clipId,
    }
    expect(made.clip.renderWarnings).toEqual([lost])
    const render = (strict: boolean) => renderClip(house.services, { companyId: 'c', clipId, strict })
    expect(await render(false)).toMatchObject({ status: 'finished', warnings: [lost] })
    const refused = await render(true)
    expect(refused).toMatchObject({
      status: 'failed',
      code: 'RENDER_INCOMPLETE',
      details: { warnings: [lost] },
    })
    expect(refused.renderUrl).toBeUndefined()
    isThere = true
    const whole = await render(true)
    expect([whole.status, whole.warnings, whole.renderUrl === undefined]).toEqual([
      'finished',
      undefined,
      false,
    ])
    const told = house.db.sqlite
      .prepare(
        "select type, json_extract(data, '$.warnings[0].code') code from events where subject_id = ? and type in ('clip.rendered', 'render.finished') order by seq",
      )
      .all(clipId)
    expect(told.at(0)).toEqual({ type: 'clip.rendered', code: 'FILE_LEFT_OUT' })
    expect(told.slice(-2)).toEqual([
      { type: 'clip.rendered', code: null },
      { type: 'render.finished', code: null },
    ])
  })
})

describe('a render job with strict', () => {
  it('ends as RENDER_INCOMPLETE, without the file, where it finds that something is missing', async () => {
    const made = await house.clipOf(talk.video, [pinned(4, 6), node('add_title_overlay')])
    const { id: clipId } = made.clip
    const titleConfig = { fontFamily: 'No Such Font' }
    await house.editAndRender(made.clip, { titleConfig, title: 'A title' })
    // No file: the job itself has to find out.
    house.db.orm.update(clips).set({ renderKey: null, renderedMedia: null }).where(eq(clips.id, clipId)).run()
    const job = async (strict: boolean) => {
      const address = { companyId: 'c', clipId, strict, baseUrl: '' }
      const { id: operationId } = queueRender(house.services, address)
      await house.jobs.whenSettled(operationId, 60_000)
      return readOperation(house.services, { companyId: 'c', operationId, baseUrl: '' })
    }
    const lost = { code: 'FONT_NOT_FOUND', field: 'titleConfig.fontFamily', clipId }
    const failed = await job(true)
    expect(failed).toMatchObject({
      state: 'failed',
      error: { code: 'RENDER_INCOMPLETE', details: { warnings: [lost] } },
    })
    expect(JSON.stringify(failed)).not.toContain('/media/')
    const done = await job(false)
    expect(done).toMatchObject({ state: 'succeeded', result: { warnings: [lost] } })
    expect(done.result?.['renderUrl']).toMatch(/\/media\//)
  })

  it('is not joined by one without, nor the other way round', async () => {
    const made = await house.clipOf(talk.video, [pinned(4, 6)])
    const address = { companyId: 'c', clipId: made.clip.id, baseUrl: '' }
    const ids = [true, false, true, false].map(
      (strict) => queueRender(house.services, { ...address, strict }).id,
    )
    expect([ids[0] === ids[2], ids[1] === ids[3], new Set(ids).size]).toEqual([true, true, 2])
    for (const id of ids) expect((await house.jobs.whenSettled(id, 60_000))?.state).toBe('succeeded')
  })
})

describe('a run with videos', () => {
  it('draws one over the clip and ends with another, which has sound', async () => {
    const made = await house.clipOf(talk.video, [
      pinned(4, 6),
      node('media_overlay', {
        media_overlay_config: {
          mediaUrl: web.url('/move.mp4'),
          xPosition: 25,
          yPosition: 25,
          startOffset: 1,
        },
      }),
      node('add_outro', { end_card_option: { url: web.url('/move.mp4'), isVideo: true } }),
    ])
    const { file, warnings } = made
    expect((await probeStreams(file)).video.nb_frames).toBe(String(50 + 25))
    // 64x36 of 1920x1080 units on 320x180: about ten pixels around the first quarter.
    const isOrange = async (frame: number, crop: string): Promise<boolean> => {
      const [r, g, b] = await colourOf(file, frame, crop)
      return r > 235 && Math.abs(g - 128) < 12 && b < 20
    }
    expect([await isOrange(24, '4:2:78:44'), await isOrange(26, '4:2:78:44')]).toEqual([false, true])
    expect(await isOrange(70, '200:100:60:40')).toBe(true)
    const samples = await samplesOf(file)
    const tail = samples.subarray(2.2 * 48_000, 2.7 * 48_000)
    const level = 10 * Math.log10(tail.reduce((sum, value) => sum + value * value, 0) / tail.length)
    expect(level).toBeGreaterThan(-30)
    expect(warnings).toEqual([])
    expect(web.seen.filter(({ path }) => path === '/move.mp4')).toHaveLength(1)
  })
})

const over = (least: number) => (value: number) => value > least
const under = (most: number) => (value: number) => value < most

describe('fetch-asset', () => {
  const fetch = (path: string, addresses: 'any' | 'public' = 'any') => {
    const maxBytes = { image: 1_000_000, video: 2_000_000, audio: 1_500_000 }
    const limits = { maxBytes, minFreeBytes: 0, idleTimeoutSeconds: 2, totalTimeoutSeconds: 5 }
    const url = path.startsWith('/') ? web.url(path) : path
    return runStageForTest(runFetchAsset, { url, kind: 'image' as const, addresses, ...limits }, { root })
  }

  it('keeps a picture by its content, whatever the server calls it', async () => {
    const { output } = await fetch('/card.png')
    expect(output).toMatchObject({
      mediaType: 'image/png',
      picture: { width: 64, height: 36, opaque: true },
    })
    expect((await fetch('/moved.png')).output.digest).toBe((await fetch('/logo.png')).output.digest)
  })

  it.each([
    ['/page.png', 'SOURCE_NOT_VIDEO', /web page/],
    ['/logo.svg', 'SOURCE_NOT_VIDEO', /SVG/],
    ['/broken.png', 'SOURCE_NOT_VIDEO', /damaged/],
    ['/huge.png', 'SOURCE_TOO_LARGE', /larger than 1 MB/],
    ['/away.png', 'SOURCE_FORBIDDEN', /169\.254\.169\.254/],
    ['ftp://host.test/logo.png', 'UNSUPPORTED_SOURCE_URL', /ftp:/],
    ['not an address', 'INVALID_URL', /not a valid address/],
  ])('refuses %s with %s', async (path, code, message) => {
    await expect(fetch(path)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    })
  })

  it('does not reach a private address where only public ones are allowed', async () => {
    await expect(fetch('/logo.png', 'public')).rejects.toMatchObject({ code: 'SOURCE_FORBIDDEN' })
  })
})
