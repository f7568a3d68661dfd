/** The render stage on tiny media: what the picture looks like. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition } from '../../server/contract/composition.ts'
import { CAPTION_STYLE, captionLayer, TITLE } from '../support/sample-composition.ts'
import {
  LOSSLESS,
  MIDDLE,
  SIZE,
  colourOf,
  countingSource,
  lumaOf,
  make,
  plain,
  probeStreams,
  renderForTest,
} from './render-support.ts'

let root = ''
let counting = ''
let number = 0
const nextRoot = (): string => join(root, `run-${(number += 1)}`)

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-render-test-'))
  counting = join(root, 'counting.mkv')
  await make([...countingSource(200), ...LOSSLESS, counting])
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('picture', () => {
  it('lights the spoken word on its very frame, and titles fade', async () => {
    const dark = join(root, 'dark.mkv')
    await make([
      '-f',
      'lavfi',
      '-i',
      'color=c=black:s=640x360:r=30:d=3',
      '-f',
      'lavfi',
      '-i',
      'anullsrc',
      '-t',
      '3',
      ...LOSSLESS,
      dark,
    ])
    const style = {
      ...CAPTION_STYLE,
      face: { ...CAPTION_STYLE.face, outline: null, shadow: null, colour: '#ffffff' },
      spoken: { ...CAPTION_STYLE.spoken, colour: '#ff0000', transitionFrames: 0 },
      animation: 'none' as const,
    }
    const layers = [captionLayer('HHHH MMMM', 15, 2, style), { ...TITLE, startFrame: 0, endFrame: 30 }]
    const composition = { ...plain({ durationFrames: 60, layers }) }
    const run = await renderForTest(composition, dark, nextRoot())
    const greenOfSecondWord = async (frame: number): Promise<number> =>
      (await colourOf(run.clip, frame, '120:40:340:240'))[1]
    expect(await greenOfSecondWord(14)).toBeGreaterThan(30)
    expect(await greenOfSecondWord(15)).toBeLessThan(15)
    // After the last cue nothing is left.
    const after = await lumaOf(run.clip, '640:120:0:200')
    expect(after[29]).toBeGreaterThan(after[30] ?? 255)
    expect(Math.max(...after.slice(31))).toBeLessThanOrEqual(1)
    const title = await lumaOf(run.clip, '200:30:220:46')
    expect(title[0]).toBeLessThan(title[4] ?? 0)
    expect(title[15]).toBeGreaterThan(120)
    expect(title[31]).toBeLessThanOrEqual(1)
  })

  it('keeps the colours of what is drawn', async () => {
    const style = {
      ...CAPTION_STYLE,
      face: { ...CAPTION_STYLE.face, outline: null, shadow: null },
      spoken: { ...CAPTION_STYLE.spoken, mode: 'none' as const },
      backdrop: {
        ...CAPTION_STYLE.backdrop,
        fill: 'block' as const,
        colour: '#6d3bf5',
        opacity: 1,
        paddingX: 200,
      },
      animation: 'none' as const,
    }
    const run = await renderForTest(
      plain({ layers: [captionLayer('I', 40, 1, style)] }),
      counting,
      nextRoot(),
    )
    const [red, green, blue] = await colourOf(run.clip, 20, '20:12:270:253')
    expect(Math.abs(red - 0x6d)).toBeLessThanOrEqual(3)
    expect(Math.abs(green - 0x3b)).toBeLessThanOrEqual(3)
    expect(Math.abs(blue - 0xf5)).toBeLessThanOrEqual(3)
  })

  it('tags BT.709, square pixels, 4:2:0, and puts the index first', async () => {
    const run = await renderForTest(plain(), counting, nextRoot())
    const { video, audio } = await probeStreams(run.clip)
    expect(video).toMatchObject({
      codec_name: 'h264',
      width: 640,
      height: 360,
      pix_fmt: 'yuv420p',
      sample_aspect_ratio: '1:1',
      color_space: 'bt709',
      color_transfer: 'bt709',
      color_primaries: 'bt709',
      avg_frame_rate: '30/1',
      nb_frames: '40',
    })
    expect(audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000', channels: 2 })
    expect(Number(video.start_time)).toBe(0)
    expect(Number(audio.start_time)).toBe(0)
    const bytes = await readFile(run.clip)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  })

  it('crops at the given place, span by span', async () => {
    const halves = join(root, 'halves.mkv')
    const picture = 'color=c=0x200000:s=640x360:r=30:d=2,drawbox=x=320:y=0:w=320:h=360:color=0xc0c0c0:t=fill'
    await make([
      '-f',
      'lavfi',
      '-i',
      picture,
      '-f',
      'lavfi',
      '-i',
      'anullsrc',
      '-t',
      '2',
      ...LOSSLESS,
      halves,
    ])
    const crop = { y: 0, width: 202, height: 360 }
    const composition: Composition = {
      ...plain({ width: 270, height: 480, durationFrames: 30 }),
      layout: [
        { kind: 'crop', startFrame: 0, endFrame: 10, crop: { ...crop, x: 20 } },
        { kind: 'crop', startFrame: 10, endFrame: 20, crop: { ...crop, x: 400 } },
        {
          kind: 'fit',
          startFrame: 20,
          endFrame: 30,
          crop: { x: 0, y: 0, width: 640, height: 360 },
          zoom: 1,
          background: 'blur',
        },
      ],
    }
    const run = await renderForTest(composition, halves, nextRoot())
    const luma = await lumaOf(run.clip, '100:40:85:220')
    expect(luma).toHaveLength(30)
    expect(Math.max(...luma.slice(0, 10))).toBeLessThan(40)
    expect(Math.min(...luma.slice(10, 20))).toBeGreaterThan(170)
    expect(luma[25]).toBeGreaterThan(60)
    expect(luma[25]).toBeLessThan(160)
    // The blurred surroundings are not black on the bright side.
    expect((await colourOf(run.clip, 25, '40:40:220:20'))[1]).toBeGreaterThan(60)
  })

  it('turns rotated sources and takes odd sizes', async () => {
    const upright = join(root, 'upright.mp4')
    const rotated = join(root, 'rotated.mp4')
    const picture =
      'color=c=black:s=321x181:r=30:d=2,drawbox=x=0:y=0:w=321:h=90:color=white:t=fill,format=yuv444p'
    await make([
      '-f',
      'lavfi',
      '-i',
      picture,
      '-f',
      'lavfi',
      '-i',
      'anullsrc',
      '-t',
      '2',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-c:a',
      'aac',
      upright,
    ])
    await make(['-i', upright, '-c', 'copy', '-metadata:s:v', 'rotate=90', rotated])
    const composition = plain({
      width: 180,
      height: 320,
      durationFrames: 30,
      source: { width: 181, height: 321 },
    })
    const run = await renderForTest(composition, rotated, nextRoot())
    const { video } = await probeStreams(run.clip)
    expect([video.width, video.height, video.nb_frames]).toEqual([180, 320, '30'])
    // The direction in which ffmpeg itself rotates it: the white top is on the left then.
    const left = await lumaOf(run.clip, '40:200:20:60')
    const right = await lumaOf(run.clip, '40:200:120:60')
    expect(left[10]).toBeGreaterThan(235)
    expect(right[10]).toBeLessThan(20)
  })

  it('converts BT.601 pictures', async () => {
    const sd = join(root, 'sd.mp4')
    const green =
      'color=c=0x20a040:s=640x360:r=30:d=2,format=rgb24,scale=out_color_matrix=bt601,format=yuv420p'
    await make([
      '-f',
      'lavfi',
      '-i',
      green,
      '-f',
      'lavfi',
      '-i',
      'anullsrc',
      '-t',
      '2',
      '-c:v',
      'libx264',
      '-qp',
      '0',
      '-preset',
      'ultrafast',
      '-c:a',
      'aac',
      sd,
    ])
    const composition = plain()
    composition.source.colourMatrix = 'bt601'
    const run = await renderForTest(composition, sd, nextRoot())
    const [red, g, blue] = await colourOf(run.clip, 5, MIDDLE)
    expect(Math.abs(red - 0x20)).toBeLessThanOrEqual(4)
    expect(Math.abs(g - 0xa0)).toBeLessThanOrEqual(4)
    expect(Math.abs(blue - 0x40)).toBeLessThanOrEqual(4)
  })

  it('brings HDR down to BT.709', async () => {
    const hdr = join(root, 'hdr.mkv')
    // A PQ ramp; 0.58 of the range is about 200 nits, the white of ordinary video.
    const ramp = 'color=c=black:s=640x360:r=30:d=2,format=yuv420p10,geq=lum=64+876*X/W:cb=512:cr=512'
    const tags = [
      '-colorspace',
      'bt2020nc',
      '-color_primaries',
      'bt2020',
      '-color_trc',
      'smpte2084',
      '-color_range',
      'tv',
    ]
    const sound = ['-f', 'lavfi', '-i', 'anullsrc', '-t', '1', '-c:a', 'pcm_s16le']
    await make(['-f', 'lavfi', '-i', ramp, ...sound, '-c:v', 'ffv1', ...tags, hdr])
    const run = await renderForTest(
      plain({ durationFrames: 10, source: { ...SIZE, hdr: true } }),
      hdr,
      nextRoot(),
    )
    const at = async (x: number): Promise<number> => (await lumaOf(run.clip, `8:64:${x}:148`))[5] ?? -1
    // 18 % of 203 nits is 0.49 of the range on a screen of gamma 2.4; only little of the range of white is used for
    // brighter light.
    const dark = await at(8)
    const grey = await at(259)
    const white = await at(368)
    const bright = await at(620)
    expect(dark).toBeLessThan(20)
    expect(Math.abs(grey - 125)).toBeLessThan(5)
    expect(white).toBeGreaterThan(218)
    expect(white).toBeLessThan(235)
    expect(bright).toBeGreaterThan(250)
    expect((await probeStreams(run.clip)).video.color_transfer).toBe('bt709')
  })

  it.each([
    ['light alone', [], { unknownPrimaries: true }],
    ['light and matrix', ['-colorspace', 'bt2020nc'], { unknownPrimaries: true, colourMatrix: 'bt2020' }],
    // Constant luminance is mostly signalled by mistake, and is never more than a little off.
    [
      'light, primaries and another matrix',
      ['-colorspace', 'bt2020c', '-color_primaries', 'bt2020'],
      { colourMatrix: 'bt2020' },
    ],
  ] as const)('treats HDR with the wrong %s as HDR', async (_name, said, known) => {
    const hdr = join(root, `untagged-${said.length}.mkv`)
    // White and red of 203 nits in BT.2020.
    const picture =
      "color=c=black:s=640x360:r=30:d=1,format=yuv420p10,geq=lum='if(lt(X,320),572,273)':cb='if(lt(X,160),512,439)':cr='if(lt(X,160),512,766)'"
    const sound = ['-f', 'lavfi', '-i', 'anullsrc', '-t', '1', '-c:a', 'pcm_s16le']
    await make([
      '-f',
      'lavfi',
      '-i',
      picture,
      ...sound,
      '-c:v',
      'ffv1',
      '-color_trc',
      'smpte2084',
      ...said,
      hdr,
    ])
    const composition = plain({ durationFrames: 5, source: { ...SIZE, hdr: true } })
    const { colourMatrix: _unknown, ...source } = composition.source
    const run = await renderForTest({ ...composition, source: { ...source, ...known } }, hdr, nextRoot())
    const white = await colourOf(run.clip, 2, '64:64:100:148')
    expect(Math.min(...white)).toBeGreaterThan(210)
    const [red, green, blue] = await colourOf(run.clip, 2, '64:64:480:148')
    expect(red).toBeGreaterThan(200)
    expect(Math.max(green, blue)).toBeLessThan(60)
  })

  it('weaves interlaced pictures back together', async () => {
    const fields = join(root, 'fields.mkv')
    const motion =
      "color=c=black:s=640x360:r=60:d=2,geq=lum='if(lt(abs(X-40-8*N),20),235,16)':cb=128:cr=128,format=yuv420p"
    const sound = ['-f', 'lavfi', '-i', 'anullsrc', '-t', '1']
    await make([
      '-f',
      'lavfi',
      '-i',
      `${motion},interlace`,
      ...sound,
      '-flags',
      '+ilme+ildct',
      ...LOSSLESS,
      fields,
    ])
    const combed = await make([
      '-i',
      fields,
      '-vf',
      'select=eq(n\\,10),format=gray',
      '-frames:v',
      '1',
      '-f',
      'rawvideo',
      '-',
    ])
    const run = await renderForTest(
      plain({ durationFrames: 20, source: { ...SIZE, interlaced: true } }),
      fields,
      nextRoot(),
    )
    const woven = await make([
      '-i',
      run.clip,
      '-vf',
      'select=eq(n\\,10),format=gray',
      '-frames:v',
      '1',
      '-f',
      'rawvideo',
      '-',
    ])
    // Combing is a difference between neighbouring lines where there is none between every second one.
    const combing = (frame: Buffer): number => {
      let sum = 0
      for (let at = 640 * 100; at < 640 * 260; at++)
        sum += Math.abs((frame[at] ?? 0) - (frame[at + 640] ?? 0))
      return sum / (640 * 160)
    }
    expect(combing(combed)).toBeGreaterThan(4)
    expect(combing(woven)).toBeLessThan(1)
  })

  it('takes a still from the middle', async () => {
    const run = await renderForTest(plain(), counting, nextRoot())
    const still = join(run.folder, run.output.thumbnailFile)
    const bytes = await make([
      '-i',
      still,
      '-vf',
      `crop=${MIDDLE},scale=1:1:flags=area,format=rgb24`,
      '-f',
      'rawvideo',
      '-',
    ])
    // Frame 20 of the source: luma 36 of 219 steps above black.
    expect(Math.abs((bytes[1] ?? 0) - (20 * 255) / 219)).toBeLessThanOrEqual(4)
  })
})
