/**
 * fetch-asset on files of every kind: detected by their bytes, measured, limited by kind; by address, in a data:
 * address, and stored.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedFileAddress, type AssetKind } from '../../server/contract/asset.ts'
import { SOUND_NAMES, soundAddress } from '../../server/contract/sounds.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { runFetchAsset } from '../../workers/stages/fetch-asset/stage.ts'
import { serveBytes, startBadServer, type BadServer } from '../support/bad-server.ts'
import { plainPng } from '../support/pictures.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { make } from './render-support.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

let root: string
let web: BadServer
let png: Buffer
let wav: Buffer

const TONE = ['-f', 'lavfi', '-i', 'aevalsrc=0.1*sin(2*PI*1000*t):s=48000:d=2']
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-asset-'))
  const file = (name: string) => join(root, name)
  const bars = (size: string, rate: string) => ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=2`]
  await make([...bars('64x48', '25'), ...TONE, ...X264, '-c:a', 'aac', file('sound.mp4')])
  await make([...bars('64x48', '30000/1001'), ...X264, '-an', file('mute.mp4')])
  await make(['-i', file('mute.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90', file('turned.mp4')])
  await make([...bars('64x48', '25'), '-vf', 'format=yuva444p10', '-c:v', 'prores_ks', file('alpha.mov')])
  await make([
    ...bars('64x48', '25'),
    ...TONE,
    '-vf',
    'trim=end=1',
    ...X264,
    '-c:a',
    'aac',
    file('long-sound.mp4'),
  ])
  await make([...TONE, '-c:a', 'libmp3lame', file('music.mp3')])
  await make([...TONE, '-c:a', 'pcm_s16le', file('music.wav')])
  // Sound that carries its cover along, as shops sell it.
  png = await plainPng(64, 32, '#ff0000')
  await make([...TONE, '-c:a', 'aac', '-vn', file('only-sound.mp4')])
  await make([...bars('32x32', '10'), '-t', '0.5', file('moving.gif')])
  wav = (await readFile(file('music.wav'))).subarray(0, 40_000)
  const names = [
    'sound.mp4',
    'mute.mp4',
    'turned.mp4',
    'alpha.mov',
    'music.mp3',
    'only-sound.mp4',
    'moving.gif',
    'long-sound.mp4',
  ]
  const served = await Promise.all(
    names.map(async (name) => [`/${name}`, serveBytes(await readFile(file(name)))] as const),
  )
  const video = await readFile(file('sound.mp4'))
  const whole = await readFile(file('music.wav'))
  web = await startBadServer({
    ...Object.fromEntries(served),
    '/logo.png': serveBytes(png),
    '/cut.mp4': serveBytes(video.subarray(0, video.length >> 1)),
    '/page.mp4': serveBytes(Buffer.from('<!doctype html><html>sign in</html>'), { type: 'video/mp4' }),
    '/empty': serveBytes(Buffer.alloc(0)),
    // As small servers do (Python's http.server): all at once, and the connection is closed.
    '/closing.wav': (_, response) => {
      response.writeHead(200, { 'content-length': whole.length, connection: 'close' }).end(whole)
    },
    '/endless': (_, response) => {
      response.writeHead(200)
      const head = video.subarray(0, 64)
      const pour = (): void => {
        if (!response.destroyed) response.write(Buffer.concat([head, Buffer.alloc(200_000)]), pour)
      }
      pour()
    },
  })
}, 60_000)
afterAll(async () => {
  await web.close()
  await rm(root, { recursive: true, force: true })
})

const fetch = (
  address: string,
  kind: AssetKind,
  most = 2_000_000,
  { owned, minFreeBytes = 0 }: { owned?: boolean; minFreeBytes?: number } = {},
) => {
  const maxBytes = { image: 1_000_000, video: most, audio: 1_500_000 }
  const limits = { maxBytes, minFreeBytes, idleTimeoutSeconds: 2, totalTimeoutSeconds: 20 }
  const url = address.startsWith('/') ? web.url(address) : address
  const params = {
    url,
    kind,
    addresses: 'any' as const,
    ...limits,
    ...omitUndefined({ owned }),
  }
  return runStageForTest(runFetchAsset, params, { root })
}

describe('videos and sounds', () => {
  it('accepts a file that arrives at once from a server that then disconnects', async () => {
    for (let again = 0; again < 5; again += 1)
      expect((await fetch('/closing.wav', 'audio')).output).toMatchObject({ kind: 'audio' })
  })

  it.each(SOUND_NAMES)('takes the sound effect that comes with the appliance: %s', async (name) => {
    const { output } = await fetch(soundAddress(name), 'audio')
    expect(output).toMatchObject({ kind: 'audio', sound: { audioStream: 0 } })
    expect(await readdir(join(root, 'sources', output.digest.slice(0, 2)))).toContain(output.digest)
  })

  it('measures a video with its sound', async () => {
    const { output, progress } = await fetch('/sound.mp4', 'video')
    expect(output).toMatchObject({
      kind: 'video',
      mediaType: 'video/mp4',
      video: {
        width: 64,
        height: 48,
        frameRate: { numerator: 25, denominator: 1 },
        hasAudio: true,
        videoStream: 0,
      },
      sound: { audioStream: 1 },
    })
    if (output.kind !== 'video') return
    expect(output.video.duration / secondsToTicks(1)).toBeCloseTo(2, 1)
    // A sine of 0.1 in one channel: -23 dBFS, with K-weighting about as loud.
    expect(output.sound?.integratedLufs).toBeGreaterThan(-24.5)
    expect(output.sound?.integratedLufs).toBeLessThan(-21.5)
    expect(await readdir(join(root, 'sources', output.digest.slice(0, 2)))).toContain(output.digest)
    expect(progress.at(-1)).toBe(1)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  it('measures the lengths of picture and sound separately', async () => {
    const { output } = await fetch('/long-sound.mp4', 'video')
    if (output.kind !== 'video') throw new Error('no video')
    expect(output.video.duration / secondsToTicks(1)).toBeCloseTo(1, 2)
    expect((output.sound?.duration ?? 0) / secondsToTicks(1)).toBeCloseTo(2, 1)
  })

  it('reports properties of the picture: rotated, without sound, transparent', async () => {
    expect((await fetch('/turned.mp4', 'media')).output).toMatchObject({
      video: {
        width: 48,
        height: 64,
        hasAudio: false,
        frameRate: { numerator: 30000, denominator: 1001 },
        opaque: true,
      },
      sound: null,
    })
    expect((await fetch('/alpha.mov', 'video')).output).toMatchObject({ video: { opaque: false } })
  })

  it.each([
    ['/music.mp3', 'audio'],
    ['/music.mp3', 'media'],
    ['/only-sound.mp4', 'audio'],
    ['/only-sound.mp4', 'media'],
    ['/sound.mp4', 'audio'],
  ] as const)('takes the sound of %s as %s', async (path, kind) => {
    const { output } = await fetch(path, kind)
    expect(output).toMatchObject({ kind: 'audio', sound: { digest: output.digest } })
    if (output.kind === 'audio') expect(output.sound.duration / secondsToTicks(1)).toBeCloseTo(2, 0)
  })

  it('accepts pictures where either is allowed, and warns about an animated GIF', async () => {
    expect((await fetch('/logo.png', 'media')).output).toMatchObject({
      kind: 'image',
      picture: { width: 64 },
    })
    const { output, warnings } = await fetch('/moving.gif', 'media')
    expect(output).toMatchObject({ kind: 'image', picture: { width: 32, height: 32 } })
    expect(warnings).toEqual([expect.stringContaining('animated GIF')])
  })

  it.each([
    ['/logo.png', 'video', 'SOURCE_NOT_VIDEO', /still picture.*video is needed/],
    ['/logo.png', 'audio', 'SOURCE_NOT_VIDEO', /still picture.*sound is needed/],
    ['/music.mp3', 'video', 'SOURCE_NOT_VIDEO', /sound without a picture/],
    ['/only-sound.mp4', 'video', 'SOURCE_NOT_VIDEO', /no picture/],
    ['/sound.mp4', 'image', 'SOURCE_NOT_VIDEO', /only still pictures/],
    ['/mute.mp4', 'audio', 'SOURCE_NOT_VIDEO', /no sound/],
    ['/cut.mp4', 'video', 'SOURCE_NOT_VIDEO', /cut off/],
    ['/page.mp4', 'video', 'SOURCE_NOT_VIDEO', /web page/],
    ['/empty', 'video', 'SOURCE_NOT_VIDEO', /empty/],
    ['/endless', 'media', 'SOURCE_TOO_LARGE', /larger than 2 MB/],
  ] as const)('refuses %s as %s', async (path, kind, code, message) => {
    await expect(fetch(path, kind)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    })
  })

  it('holds a file to the limit of what it is', async () => {
    await expect(fetch('/sound.mp4', 'media', 5000)).rejects.toMatchObject({ code: 'SOURCE_TOO_LARGE' })
    expect((await fetch('/logo.png', 'media', 50)).output).toMatchObject({ kind: 'image' })
  })

  it('refuses a file that would leave less than the reserved disk space', async () => {
    await expect(fetch('/sound.mp4', 'media', undefined, { minFreeBytes: 1e15 })).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringMatching(/^The file needs \d+ MB: .* 1000000\.0 GB are to stay free/) as string,
    })
  })
})

describe('addresses that need no network', () => {
  it('reads pictures and sounds out of data: addresses', async () => {
    const picture = await fetch(`data:image/png;base64,${png.toString('base64')}`, 'image')
    expect(picture.output).toMatchObject({ picture: { width: 64, height: 32 } })
    const percent = [...png].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    expect((await fetch(`data:,${percent}`, 'image')).output.digest).toBe(picture.output.digest)
    const sound = await fetch(`data:audio/wav;base64,${wav.toString('base64')}`, 'audio')
    expect(sound.output).toMatchObject({ kind: 'audio', bytes: wav.length })
  })

  it.each([
    ['data:image/png', 'INVALID_URL', /comma/],
    ['data:image/png;base64,*?*', 'INVALID_URL', /base64/],
    ['data:text/html,<html>', 'SOURCE_NOT_VIDEO', /web page/],
    ['data:image/png;base64,', 'SOURCE_NOT_VIDEO', /empty/],
    [`data:,${'a'.repeat(10_000_001)}`, 'SOURCE_TOO_LARGE', /10 MB/],
  ])('refuses %.30s', async (url, code, message) => {
    await expect(fetch(url, 'image')).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    })
  })

  it('accepts a stored file by its SHA-256, and no other file of the disk', async () => {
    const { output } = await fetch('/sound.mp4', 'video')
    const kept = (digest: string, owned?: boolean) =>
      fetch(storedFileAddress(digest), 'video', 2_000_000, omitUndefined({ owned }))
    expect((await kept(output.digest, true)).output).toEqual(output)
    for (const owned of [undefined, false]) {
      await expect(kept(output.digest, owned)).rejects.toMatchObject({
        code: 'SOURCE_FORBIDDEN',
        message: expect.stringMatching(/No file of this company .* cutroom library add/) as string,
      })
    }
    await expect(kept('0'.repeat(64), true)).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      message: expect.stringMatching(/no longer in the home/) as string,
    })
    for (const url of [
      'cutroom-source:../../etc/passwd',
      `cutroom-source:${output.digest}/..`,
      'cutroom-source:',
    ]) {
      await expect(fetch(url, 'video')).rejects.toMatchObject({ code: 'INVALID_URL' })
    }
  })
})
