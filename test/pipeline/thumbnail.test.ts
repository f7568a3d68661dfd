/** Thumbnails and stills: the picture that the export shows on that frame, without captions, and the best of a few. */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition, Layer } from '../../server/contract/composition.ts'
import { frameToTicks, TICKS_PER_SECOND, ticksToSeconds } from '../../server/contract/time.ts'
import { encodeWave } from '../../server/contract/clip-measurements.ts'
import type { ManualThumbnail } from '../../server/contract/manual-overrides/thumbnail.ts'
import { thumbnailDesign, thumbnailPlan } from '../../server/nodes/index.ts'
import { buildMoment } from '../../workers/media/arguments/render-moment.ts'
import { middleFrame } from '../../workers/media/arguments/render.ts'
import { sourcePath } from '../../workers/paths.ts'
import { takeStill } from '../../workers/stages/render/still.ts'
import { runThumbnail } from '../../workers/stages/thumbnail/stage.ts'
import { anyComposition, type AnyMaterial } from '../support/any-composition.ts'
import { ask, makeMedia, picture } from '../support/make-media.ts'
import { keepPicture, plainPng } from '../support/pictures.ts'
import { captionLayer, sampleComposition, TITLE } from '../support/sample-composition.ts'
import { measureSsim } from '../support/ssim.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { make, renderForTest } from './render-support.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-thumbnail-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function keep(file: string): Promise<string> {
  const bytes = await readFile(file)
  const digest = createHash('sha256').update(bytes).digest('hex')
  const path = sourcePath(join(root, 'sources'), digest)
  await mkdir(dirname(path), { recursive: true })
  await copyFile(file, path)
  return digest
}

async function pixelsOf(file: string): Promise<Uint8ClampedArray> {
  const image = await loadImage(await readFile(file))
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, image.width, image.height).data
}

function meanDifference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  expect(a.length).toBe(b.length)
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length
}

/** Structural likeness of a picture and of one frame of a clip, 0 to 1. */
async function likeness(still: string, clip: string, frame: number): Promise<number> {
  const form = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'
  const taken = `scale=in_color_matrix=bt601:in_range=pc,format=rgb24,${form}`
  return measureSsim(still, clip, [taken, `trim=start_frame=${frame}:end_frame=${frame + 1},setpts=0`])
}

/** Takes the thumbnail of a composition; copies it out of the way of the next one. */
async function thumbnailOf(composition: Composition, source: string, name = 'one') {
  const { output, folder } = await runStageForTest(runThumbnail, thumbnailPlan(composition), {
    inputs: { source },
    root,
  })
  const file = join(root, `${name}.jpg`)
  await copyFile(join(folder, output.file), file)
  return { ...output, file }
}

describe('a still of any composition', () => {
  it('is the one that its render leaves', async () => {
    const at = (name: string): string => join(root, name)
    const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '12', '-c:a', 'aac']
    const filmed = (size: string, rate: string, seconds: number): string[] => [
      '-f',
      'lavfi',
      '-i',
      `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
      '-f',
      'lavfi',
      '-i',
      `sine=f=440:d=${seconds}:sample_rate=48000`,
    ]
    const source = at('any.mp4')
    await make([...filmed('128x72', '25', 3), ...x264, source])
    await make([...filmed('64x48', '24', 1), ...x264, at('video.mp4')])
    await make(['-f', 'lavfi', '-i', 'sine=f=220:d=1', '-c:a', 'pcm_s16le', at('music.wav')])
    const material: AnyMaterial = {
      digest: await keep(source),
      width: 128,
      height: 72,
      seconds: 3,
      picture: await keepPicture(root, await plainPng(40, 30, '#ff453980'), {
        width: 40,
        height: 30,
        opaque: false,
      }),
      video: {
        digest: await keep(at('video.mp4')),
        width: 64,
        height: 48,
        duration: TICKS_PER_SECOND,
        frameRate: { numerator: 24, denominator: 1 },
        hasAudio: true,
        videoStream: 0,
        hdr: false,
        interlaced: false,
        opaque: true,
      },
      sound: {
        digest: await keep(at('music.wav')),
        audioStream: 0,
        duration: TICKS_PER_SECOND,
        integratedLufs: -20,
      },
    }
    const differences: number[] = []
    for (const any of fc.sample(anyComposition(material), { seed: 4, numRuns: 30 })) {
      // A still shows the take alone where the clip changes over to another (docs/decisions/0097).
      const isElsewhere = ({ cutFrame, frames }: NonNullable<typeof any.transitions>[number]): boolean =>
        Math.abs(cutFrame - middleFrame(any)) > frames
      const composition =
        any.transitions === undefined ? any : { ...any, transitions: any.transitions.filter(isElsewhere) }
      const render = await renderForTest(composition, source, root)
      const left = join(render.folder, render.output.thumbnailFile)
      const taken = join(root, 'still.jpg')
      const moment = buildMoment(composition, middleFrame(composition))
      await runStageForTest((context) => takeStill(context, moment, taken), {}, { inputs: { source }, root })
      const same = (await readFile(left)).equals(await readFile(taken))
      differences.push(same ? 0 : meanDifference(await pixelsOf(left), await pixelsOf(taken)))
    }
    // Byte for byte, but where places of a moving crop are rounded otherwise, or layers are joined otherwise.
    expect(differences.filter((difference) => difference === 0).length).toBeGreaterThanOrEqual(24)
    expect(Math.max(...differences)).toBeLessThan(2)
  }, 120_000)
})

describe('the thumbnail of a clip', () => {
  const SIZE = { width: 270, height: 480 }
  const SOURCE = { width: 640, height: 360, hasAudio: false }
  let source = ''
  let watermark: Layer
  beforeAll(async () => {
    const filmed = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=30:d=6', '-f', 'lavfi', '-i', 'sine=d=6']
    source = await makeMedia(root, 'source.mp4', [
      ...filmed,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '10',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '60',
      '-c:a',
      'aac',
    ])
    const asset = await keepPicture(root, await plainPng(60, 60, '#ff2d55ff'), {
      width: 60,
      height: 60,
      opaque: true,
    })
    const still = { kind: 'none' as const, frames: 0 }
    watermark = {
      kind: 'image',
      id: 'watermark',
      asset,
      fit: 'contain',
      background: null,
      opacity: 1,
      rect: { x: 800, y: 100, width: 200, height: 200 },
      startFrame: 0,
      endFrame: 150,
      intro: still,
      outro: still,
    }
  })

  /** Five seconds with title, watermark and captions. */
  const clip = (layout?: Composition['layout']): Composition => {
    const layers = [
      watermark,
      { ...TITLE, endFrame: 150 },
      captionLayer('words that nobody wants to see in the middle of a thumbnail', 14, 4),
    ]
    const made = sampleComposition({ ...SIZE, durationFrames: 150, source: SOURCE, fromFrame: 10, layers })
    return layout === undefined ? made : { ...made, layout }
  }
  const withoutCaptions = (composition: Composition): Composition => ({
    ...composition,
    layers: composition.layers.filter(({ kind }) => kind !== 'captions'),
  })
  const span = { startFrame: 0, endFrame: 150 }
  const whole = { x: 0, y: 0, width: 640, height: 360 }
  const half = (x: number, y: number) => ({
    crop: { x, y: 0, width: 405, height: 360 },
    rect: { x: 0, y, width: 1080, height: 960 },
  })
  const layouts: Record<string, Composition['layout']> = {
    'a crop that moves': [
      {
        kind: 'crop',
        ...span,
        eased: true,
        crop: { x: 20.5, y: 0, width: 202, height: 360 },
        cropTo: { x: 400.25, y: 0, width: 202, height: 360 },
      },
    ],
    'a whole picture over its blur': [
      { kind: 'fit', ...span, crop: whole, zoom: 1.2, background: 'blur', yOffsetPercent: 4 },
    ],
    'two panes': [{ kind: 'panes', ...span, panes: [half(0, 0), half(235, 960)], background: 'black' }],
  }

  it.each(Object.entries(layouts))('is the frame of the export without captions: %s', async (_, layout) => {
    const patches = [{ rect: { x: 280, y: 140, width: 60, height: 60 }, ...span }]
    const made = clip(layout)
    const composition: Composition = {
      ...made,
      source: { ...made.source, patches },
      zooms: [
        {
          startFrame: 20,
          endFrame: 140,
          scale: 1.3,
          xPercent: 40,
          yPercent: 60,
          easeInFrames: 4,
          easeOutFrames: 4,
        },
      ],
    }
    const taken = await thumbnailOf(composition, source)
    const plain = await renderForTest(withoutCaptions(composition), source, root)
    expect(await likeness(taken.file, plain.clip, taken.frame)).toBeGreaterThan(0.97)
    expect(await likeness(taken.file, plain.clip, (taken.frame + 75) % 150)).toBeLessThan(0.93)
  })

  it('is the same bytes twice, another one for another crop, and none the other for other words', async () => {
    const crop = (x: number): Composition['layout'] => [
      { kind: 'crop', ...span, crop: { x, y: 0, width: 202, height: 360 } },
    ]
    const bytes = async (composition: Composition): Promise<Buffer> =>
      readFile((await thumbnailOf(composition, source)).file)
    const first = await bytes(clip(crop(100)))
    expect((await bytes(clip(crop(100)))).equals(first)).toBe(true)
    expect((await bytes(withoutCaptions(clip(crop(100))))).equals(first)).toBe(true)
    expect((await bytes(clip(crop(140)))).equals(first)).toBe(false)
  })

  it('has the size of the clip, also of a source that is turned', async () => {
    const turned = await makeMedia(root, 'turned.mp4', [
      '-i',
      source,
      '-map',
      '0',
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=90',
    ])
    const made = sampleComposition({
      ...SIZE,
      durationFrames: 60,
      source: { width: 360, height: 640, hasAudio: false },
    })
    const taken = await thumbnailOf(made, turned)
    expect(taken).toMatchObject(SIZE)
    expect(await ask(taken.file, 'stream=codec_name,width,height,pix_fmt')).toMatch(
      /mjpeg\s+width=270\s+height=480\s+pix_fmt=yuvj420p/,
    )
    const { clip: rendered } = await renderForTest(made, turned, root)
    expect(await likeness(taken.file, rendered, taken.frame)).toBeGreaterThan(0.97)
  })

  it('shows what plays at a changed speed and after cuts', async () => {
    const made = sampleComposition({ ...SIZE, durationFrames: 40, source: SOURCE })
    const rate = made.output.frameRate
    const piece = (startFrame: number, endFrame: number, from: number, playbackRate: number) => ({
      startFrame,
      endFrame,
      playbackRate,
      sourceStart: frameToTicks(from, rate),
      sourceEnd: frameToTicks(from + (endFrame - startFrame) * playbackRate, rate),
    })
    const composition = {
      ...made,
      timeMap: [piece(0, 12, 4, 1), piece(12, 30, 30, 1.7), piece(30, 40, 120, 0.5)],
    }
    const rendered = await renderForTest(composition, source, root)
    for (const frame of [3, 12, 17, 29, 30, 37]) {
      const file = join(root, 'moment.jpg')
      const moment = buildMoment(composition, frame)
      await runStageForTest((context) => takeStill(context, moment, file), {}, { inputs: { source }, root })
      const own = await likeness(file, rendered.clip, frame)
      const next = await likeness(file, rendered.clip, frame < 39 ? frame + 2 : frame - 2)
      expect([frame, own > 0.97, own > next]).toEqual([frame, true, true])
    }
  })

  it('is of the sharp, lit part of a clip that is black, blurred, then good', async () => {
    const filter = ["drawbox=t=fill:color=black:enable='lt(t,2.5)'", "boxblur=12:enable='between(t,2.5,4.4)'"]
    const path = await makeMedia(root, 'mixed.mp4', [
      ...picture(7, '320x180', '30'),
      '-vf',
      filter.join(','),
      '-c:v',
      'libx264',
      '-pix_fmt',
      'yuv420p',
    ])
    const made = sampleComposition({
      ...SIZE,
      durationFrames: 150,
      fromFrame: 30,
      source: { width: 320, height: 180, hasAudio: false },
    })
    expect(ticksToSeconds((await thumbnailOf(made, path)).at)).toBeGreaterThan(4.4)
  })

  it('shows HDR with the light of ordinary video', async () => {
    const path = await makeMedia(root, 'hdr.mkv', [
      ...picture(3),
      '-pix_fmt',
      'yuv420p10le',
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc',
      '-color_primaries',
      'bt2020',
      '-color_trc',
      'smpte2084',
      '-colorspace',
      'bt2020nc',
    ])
    const made = sampleComposition({
      ...SIZE,
      durationFrames: 60,
      source: { width: 320, height: 180, hasAudio: false, hdr: true },
    })
    const green = (await pixelsOf((await thumbnailOf(made, path)).file)).filter((_, at) => at % 4 === 1)
    expect(green.reduce((sum, value) => sum + value, 0) / green.length).toBeGreaterThan(40)
  })

  it('of sound alone shows the wave where it is high', async () => {
    const levels = encodeWave(Array.from({ length: 150 }, (_, at) => (at > 60 && at < 80 ? 0.9 : 0.02)))
    const ground: Layer = {
      kind: 'shape',
      id: 'ground',
      rect: { x: 0, y: 0, width: 1080, height: 1920 },
      colour: '#000050',
      radius: 0,
      ...span,
    }
    const wave: Layer = {
      kind: 'audiogram',
      id: 'wave',
      rect: { x: 90, y: 800, width: 900, height: 300 },
      colour: '#00ff00',
      style: 'bars',
      levels,
      framesPerLevel: 1,
      ...span,
    }
    const silent = { ...SOURCE, hasVideo: false, hasAudio: true }
    const made = sampleComposition({ ...SIZE, durationFrames: 150, source: silent, layers: [ground, wave] })
    const sound = await makeMedia(root, 'only.mp3', ['-f', 'lavfi', '-i', 'sine=d=5'])
    const taken = await thumbnailOf(made, sound)
    expect([taken.frame > 60, taken.frame < 80]).toEqual([true, true])
    const pixels = await pixelsOf(taken.file)
    const green = pixels.reduce(
      (count, value, at) => count + (at % 4 === 1 && value > 180 && (pixels[at + 1] ?? 0) < 120 ? 1 : 0),
      0,
    )
    expect(green).toBeGreaterThan(1000)
    expect([pixels[0]! < 12, Math.abs(pixels[2]! - 80) < 12]).toEqual([true, true])
  })

  it('warns when there is no picture', async () => {
    // A seek in a transport stream finds nothing after its end; in other containers the last picture is still shown.
    const stream = await makeMedia(root, 'over.ts', ['-i', source, '-c', 'copy'])
    const over = { ...SOURCE, seeksLoosely: true as const }
    const made = sampleComposition({ ...SIZE, durationFrames: 60, source: over, fromFrame: 3000 })
    await expect(thumbnailOf(made, stream)).rejects.toMatchObject({ code: 'STAGE_FAILED' })
  })
})

describe('a designed thumbnail', () => {
  it('is the frame that was picked, with what was laid over it and cut out of it, as JPEG and PNG', async () => {
    // Red, then blue from second 2 on; a yellow box on the right is what is cut out.
    const filmed = [
      'color=c=0xd01010:s=640x360:r=30:d=4',
      "drawbox=0:0:640:360:0x1010d0:fill:enable='gte(t,2)',drawbox=480:100:120:160:0xf0e010:fill",
    ].join(',')
    const source = await makeMedia(root, 'designed.mp4', [
      '-f',
      'lavfi',
      '-i',
      filmed,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '10',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '60',
    ])
    const composition = sampleComposition({
      width: 270,
      height: 480,
      durationFrames: 120,
      fromFrame: 0,
      layers: [{ ...TITLE, endFrame: 120 }],
      source: { width: 640, height: 360, hasAudio: false },
    })
    const flat: Composition = {
      ...composition,
      layout: [
        { kind: 'crop', startFrame: 0, endFrame: 120, crop: { x: 100, y: 0, width: 202.5, height: 360 } },
      ],
    }
    const thumbnail: ManualThumbnail = {
      moment: 3,
      clipLayers: false,
      items: [
        {
          kind: 'shape',
          id: 's',
          xPercent: 50,
          yPercent: 90,
          widthPercent: 100,
          heightPercent: 20,
          form: 'rect',
          radius: 0,
          colour: '#00c000',
          colourTo: '',
          opacity: 1,
        },
        {
          kind: 'cutout',
          id: 'c',
          xPercent: 50,
          yPercent: 40,
          form: 'ellipse',
          sizePercent: 50,
          ratio: 1,
          fromX: 84.4,
          fromY: 50,
          fromWidth: 15,
          ringColour: '#ffffff',
          ringWidth: 60,
        },
      ],
    }
    const design = thumbnailDesign({
      composition: flat,
      document: { overrides: { thumbnail } },
      assets: new Map(),
    })
    const plan = thumbnailPlan(flat, undefined, design)
    for (const [png, magic] of [
      [true, [0x89, 0x50]],
      [false, [0xff, 0xd8]],
    ] as const) {
      const params = png ? { ...plan, png } : plan
      const { output, folder } = await runStageForTest(runThumbnail, params, { inputs: { source }, root })
      expect(output.frame).toBe(90)
      const file = join(folder, output.file)
      expect([...(await readFile(file)).subarray(0, 2)]).toEqual(magic)
      const pixels = await pixelsOf(file)
      const colour = (x: number, y: number): string =>
        [...pixels.subarray((y * 270 + x) * 4, (y * 270 + x) * 4 + 3)]
          .map((value) => (value > 128 ? '1' : '0'))
          .join('')
      // The picture at second 3 is blue, the bar green, the cut-out yellow in a white ring; its corners are no part of it.
      expect(colour(20, 40)).toBe('001')
      expect(colour(135, 440)).toBe('010')
      expect(colour(135, 192)).toBe('110')
      expect(colour(135 + 67 + 8, 192)).toBe('111')
      expect(colour(135 + 62, 192 + 62)).toBe('001')
      // The clip's own title is left out.
      expect(new Set(Array.from({ length: 26 }, (_, at) => colour(10 + at * 10, 300)))).toEqual(
        new Set(['001']),
      )
    }
  })
})
