/** Sources for which ffmpeg needs more options: RGB pictures, ten channels, scores of cuts. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rgbPicture } from '../../server/contract/colour-matrix.ts'
import { loudnessArguments, renderArguments } from '../../workers/media/arguments/render.ts'
import { SOFTWARE, videoEncoder } from '../../workers/media/arguments/render-encoder.ts'
import { OLD_DIALECT } from '../../workers/media/arguments/dialect.ts'
import { MAX_GRAPH_CHARACTERS, withGraphFile } from '../../workers/media/long-graph.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runCut } from '../../workers/stages/cut/stage.ts'
import { runProbe } from '../../workers/stages/probe/stage.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { ffmpeg, make, plain, probeStreams, renderForTest, RATE, samplesOf, spans } from './render-support.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-unusual-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const loudest = (samples: Float32Array): number =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

describe('pictures of red, green and blue', () => {
  const shape = { width: 1280, height: 720 }

  it.each([
    ['gbrp', ['-c:v', 'libx264rgb', '-qp', '0', '-preset', 'ultrafast'], 'mkv'],
    ['rgb24', ['-c:v', 'png'], 'mov'],
  ])('as %s keep their colours', async (_name, codec, form) => {
    const source = join(root, `rgb.${form}`)
    const picture = 'color=c=0xc83c28:s=1280x720:r=30:d=0.5,format=rgb24'
    await make(['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', 'sine=d=0.5', ...codec, source])
    const { output } = await runStageForTest(runProbe, {}, { inputs: { source }, root })
    const { video } = output
    if (video === null) throw new Error('no picture was found')
    expect(rgbPicture(video)).toEqual({ rgb: true })
    const composition = plain({ ...shape, durationFrames: 10, source: shape })
    const { colourMatrix: _unknown, ...known } = composition.source
    const told = { ...composition, source: { ...known, ...rgbPicture(video) } }
    const { clip } = await renderForTest(told, source, root)
    // The file's own values, as BT.709 has them for 200, 60, 40 (ITU-R BT.709-6, 3.3 and 3.4).
    const frame = ['-vf', 'crop=2:2:640:360', '-frames:v', '1', '-pix_fmt', 'yuv420p', '-f', 'rawvideo', '-']
    const [luma = 0, , , , blue = 0, red = 0] = await make(['-ss', '0.1', '-i', clip, ...frame])
    for (const [index, [value, wanted]] of [
      [luma, 91],
      [blue, 105],
      [red, 190],
    ].entries())
      expect(Math.abs((value ?? 0) - (wanted ?? 0)), `${index}: ${luma}, ${blue}, ${red}`).toBeLessThan(3)
  })

  it('are distinguished from YCbCr by their format', () => {
    const of = (pixelFormat: string, colourSpace = 'unknown') => rgbPicture({ pixelFormat, colourSpace })
    for (const name of ['gbrp10le', 'rgb24', 'bgra', '0rgb', 'argb', 'x2rgb10le', 'pal8', 'rgba64be'])
      expect(of(name), name).toEqual({ rgb: true })
    for (const name of ['yuv420p', 'yuvj444p', 'nv12', 'gray', 'p010le', 'uyvy422'])
      expect(of(name), name).toEqual({})
  })
})

describe('ten channels that nothing arranges', () => {
  it('use their first two in the speech, the raw cut and the render, and the probe warns about it', async () => {
    const source = join(root, 'ten.mov')
    const tones = Array.from({ length: 10 }, (_, index) => [
      '-f',
      'lavfi',
      '-i',
      `sine=f=${300 + 100 * index}:d=2`,
    ])
    const merge = `${tones.map((_, index) => `[${index + 1}]`).join('')}amerge=inputs=10[sound]`
    const picture = 'testsrc2=s=320x180:r=30:d=2'
    const codec = ['-c:v', 'mpeg4', '-c:a', 'pcm_s16le']
    const mapped = ['-filter_complex', merge, '-map', '0:v', '-map', '[sound]']
    await make(['-f', 'lavfi', '-i', picture, ...tones.flat(), ...mapped, ...codec, source])
    const probed = await runStageForTest(runProbe, {}, { inputs: { source }, root })
    const facts = probed.output
    expect(facts.audio?.channels).toBe(10)
    expect(facts.warnings).toEqual([expect.stringContaining('has 10 channels')])
    const params = {
      streamIndex: facts.audio?.streamIndex ?? -1,
      durationSeconds: 2,
      manyChannels: true,
    } as const
    const heard = await runStageForTest(runAudio, params, { inputs: { source }, root })
    expect(heard.output).toMatchObject({ silent: false, durationSeconds: 2 })
    const whole = { start: 0, end: 2 * 705_600_000 }
    const cut = await runStageForTest(runCut, whole, {
      inputs: { source, probe: 'unused' },
      results: { probe: facts },
      root: join(root, 'cut'),
    })
    expect(loudest(await samplesOf(join(cut.folder, cut.output.file)))).toBeGreaterThan(0.1)
    const shape = { width: 320, height: 180 }
    const composition = plain({ ...shape, durationFrames: 30, source: shape })
    const told = { ...composition, source: { ...composition.source, manyChannels: true as const } }
    const { clip } = await renderForTest(told, source, root)
    expect(loudest(await samplesOf(clip))).toBeGreaterThan(0.1)
  })
})

describe('filters that are too long for a command line', () => {
  it('are read from a file, by the passes that measure and by the one that renders', async () => {
    const source = join(root, 'long.mkv')
    const seconds = 14
    const cuts = 65
    const picture = `testsrc2=s=64x36:r=30:d=${seconds}`
    const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '30', '-c:a', 'pcm_s16le']
    await make(['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', `sine=d=${seconds}`, ...codec, source])
    const shape = { width: 64, height: 36 }
    const pieces = Array.from({ length: cuts }, (_, index) => [index * 6, 4] as const)
    const length = cuts * 4
    const composition = {
      ...plain({ ...shape, durationFrames: length, source: shape }),
      timeMap: spans(pieces),
      audio: { integratedLufs: -14, truePeakDb: -1.5, crossfadeMs: 10, edgeFadeMs: 15 },
    }
    const encoder = videoEncoder(SOFTWARE, { preset: 'ultrafast', crf: 8 }, { ...shape, frameRate: RATE })
    const command = { composition, sourceFile: '/s', outputFile: '/o', stillFile: null, encoder, bands: [] }
    for (const args of [
      renderArguments({ ...command, gain: null }),
      loudnessArguments(composition, '/s', null),
    ])
      expect(args[args.indexOf('-filter_complex') + 1]?.length ?? 0).toBeGreaterThan(MAX_GRAPH_CHARACTERS)
    const { clip, folder } = await renderForTest(composition, source, root)
    const { video, audio } = await probeStreams(clip)
    expect(Number(video.nb_frames)).toBe(length)
    expect(Math.abs(Number(audio.duration) - length / 30)).toBeLessThan(0.05)
    expect((await readdir(folder)).filter((name) => name.startsWith('filter-graph'))).toEqual([])
  })

  it('are longer than any argument may be', async () => {
    const graph = `${' '.repeat(140_000)}[0:v]hflip[out]`
    const input = ['-f', 'lavfi', '-i', 'color=s=16x16:d=0.1']
    const args = [...input, '-filter_complex', graph, '-map', '[out]', '-f', 'null', '-']
    const run = (given: readonly string[]) => runTool({ executable: ffmpeg, args: given, timeoutSeconds: 30 })
    await expect(withGraphFile(args, { dialect: OLD_DIALECT, folder: root }, run)).resolves.toBeDefined()
    if (process.platform === 'linux') await expect(async () => run(args)).rejects.toThrow('E2BIG')
  })
})
