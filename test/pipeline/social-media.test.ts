/** A finished clip made to fit what a platform takes, by the real tools. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADAPTERS } from '../../server/adapters/social/registry.ts'
import { prepareMedia } from '../../server/adapters/social/prepare-media.ts'
import { loadConfig } from '../../server/config/config.ts'
import { openHome, type Home } from '../../server/home.ts'
import { ask, h264, makeMedia, picture, tone } from '../support/make-media.ts'
import { bundledTools } from '../support/stage-harness.ts'

let folder: string
let home: Home
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-fit-'))
  home = openHome(folder)
  const args = [...picture(3, '360x640'), ...tone(3), ...h264(), '-vf', 'noise=alls=40:allf=t', '-shortest']
  file = await makeMedia(folder, 'clip.mp4', args)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const { limits } = ADAPTERS.bluesky
const request = (video: Partial<(typeof limits)['video']>) => ({
  label: 'Bluesky',
  limits: { ...limits, video: { ...limits.video, ...video } },
  home,
  file,
  config: { ...loadConfig({ home: folder }, {}), ...bundledTools() },
  address: 'https://cutroom.test/clip.mp4',
  signal: new AbortController().signal,
})

it('one that fits is not touched', async () => {
  const media = await prepareMedia(request({}), (found) => Promise.resolve(found))
  expect(media).toMatchObject({ file, width: 360, height: 640, address: 'https://cutroom.test/clip.mp4' })
  expect([media.bytes, media.seconds]).toEqual([(await stat(file)).size, expect.closeTo(3, 1)])
})

it('one that is too large in bytes and in pixels is encoded again, plays as long, and is removed afterwards', async () => {
  const bytes = 330_000
  const { size } = await stat(file)
  expect(size).toBeGreaterThan(bytes)
  const made = await prepareMedia(request({ bytes, longSide: 320 }), async (media) => {
    const entries = 'stream=codec_name,pix_fmt,width,height'
    return { media, told: await ask(media.file, entries) }
  })
  expect(made.media).toMatchObject({ width: 180, height: 320, address: null })
  expect(made.media.bytes).toBeLessThanOrEqual(bytes)
  expect(made.media.seconds).toBeCloseTo(3, 1)
  expect(made.told).toMatch(/h264[^]*180[^]*320[^]*yuv420p[^]*aac/)
  expect(await readdir(home.temporary)).toEqual([])
})

it('one that cannot be made to fit is refused with a sentence', async () => {
  const short = prepareMedia(request({ seconds: { least: 5, most: 60 } }), () => Promise.resolve(0))
  await expect(short).rejects.toThrow(/Bluesky refuses the video: it takes videos of 5 to 60 seconds.*3\.0/)
  const tiny = prepareMedia(request({ bytes: 20_000 }), () => Promise.resolve(0))
  await expect(tiny).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})
