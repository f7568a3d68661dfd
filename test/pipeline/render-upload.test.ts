/** Finished files are within what the platforms publish about uploads, at every frame rate that clips can have. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLATFORMS_WITH_ENCODING, uploadProblems, type UploadedFile } from '../support/upload-limits.ts'
import { rationalToNumber, type Rational } from '../../server/contract/time.ts'
import { outputFrameRate } from '../../server/nodes/settings.ts'
import { captionLayer, sampleComposition } from '../support/sample-composition.ts'
import { ask } from '../support/make-media.ts'
import { countingSource, make, renderForTest } from './render-support.ts'

let root = ''
let source = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-upload-'))
  source = join(root, 'source.mp4')
  await make([...countingSource(45), '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', source])
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** Whether `moov` comes before `mdat` among the file's boxes. */
function startsFast(bytes: Buffer): boolean {
  for (let at = 0; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (name === 'moov') return true
    if (name === 'mdat') return false
    at += Math.max(8, bytes.readUInt32BE(at))
  }
  return false
}

async function look(clip: string): Promise<UploadedFile> {
  const bytes = await readFile(clip)
  const fields = async (stream: string, names: string): Promise<Map<string, string>> => {
    const lines = (await ask(clip, `stream=${names}`, ['-select_streams', stream])).trim().split('\n')
    return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  }
  const video = await fields(
    'v:0',
    'codec_name,profile,level,pix_fmt,field_order,avg_frame_rate,width,height,duration',
  )
  const audio = await fields('a:0', 'codec_name,sample_rate,channels')
  const [numerator = 0, denominator = 1] = (video.get('avg_frame_rate') ?? '').split('/').map(Number)
  return {
    videoCodec: video.get('codec_name') ?? '',
    audioCodec: audio.get('codec_name') ?? '',
    profile: video.get('profile') ?? '',
    level: Number(video.get('level')),
    pixelFormat: video.get('pix_fmt') ?? '',
    framesPerSecond: numerator / denominator,
    interlaced: !['progressive', 'unknown'].includes(video.get('field_order') ?? ''),
    width: Number(video.get('width')),
    height: Number(video.get('height')),
    audioRate: Number(audio.get('sample_rate')),
    channels: Number(audio.get('channels')),
    bytes: bytes.length,
    seconds: Number(video.get('duration')),
    fastStart: startsFast(bytes),
  }
}

const RATES: readonly Rational[] = [
  { numerator: 24_000, denominator: 1001 },
  { numerator: 12, denominator: 1 },
  { numerator: 120, denominator: 1 },
]

describe('uploads', () => {
  it.each(RATES.map((rate) => [rationalToNumber(rate).toFixed(2), rate] as const))(
    'takes clips of sources with %s frames a second',
    async (_name, given) => {
      const frameRate = outputFrameRate(given)
      const layers = [captionLayer('To be uploaded', 8, 3)]
      const composition = sampleComposition({
        durationFrames: 24,
        frameRate,
        layers,
        source: { width: 640, height: 360 },
      })
      const { clip } = await renderForTest(
        composition,
        source,
        join(root, rationalToNumber(given).toFixed(0)),
      )
      const file = await look(clip)
      expect(PLATFORMS_WITH_ENCODING.flatMap((preset) => uploadProblems(file, preset))).toEqual([])
      expect(file).toMatchObject({
        width: 1080,
        height: 1920,
        fastStart: true,
        audioRate: 48_000,
      })
    },
  )

  it('reports what is wrong with an invalid clip', async () => {
    const other = join(root, 'other.mp4')
    const picture = ['-f', 'lavfi', '-i', 'testsrc=s=320x180:r=15:d=1', '-f', 'lavfi', '-i', 'sine=d=1']
    const slow = ['-pix_fmt', 'yuv444p', '-c:v', 'libx264', '-c:a', 'aac', '-ar', '32000']
    await make([...picture, ...slow, other])
    const file = await look(other)
    const problems = PLATFORMS_WITH_ENCODING.flatMap((preset) => uploadProblems(file, preset))
    for (const part of ['High 4:4:4', 'yuv444p', '15 frames', '320x180', '32000', 'index']) {
      expect(problems.join(' ')).toContain(part)
    }
  })
})
