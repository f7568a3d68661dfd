/**
 * HDR that stays HDR: filmed people as HLG and PQ, made by ffmpeg, exported by the real stage and measured in decoded pixels. By every
 * build of ffmpeg that can make the profiles; `npm run install:ffmpegs` brings two.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { tryProfile } from '../../server/adapters/profile-trials.ts'
import { loadConfig } from '../../server/config/config.ts'
import type { HdrTransfer } from '../../server/contract/colour-matrix.ts'
import type { Composition, LayoutSpan } from '../../server/contract/composition.ts'
import type { Delivery, Profile } from '../../server/contract/profiles/profile.ts'
import { composeFor, requireProfile } from '../../server/domain/rendering/plan-delivery.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { runExport } from '../../workers/stages/export/stage.ts'
import { listInstalledFfmpegs } from '../support/installed-ffmpegs.ts'
import { sampleComposition, TITLE } from '../support/sample-composition.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { ffmpeg, ffprobe, make, QUIET } from './render-support.ts'

vi.setConfig({ testTimeout: 300_000 })

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared', 'media')
const FILMED = join(SHARED, 'two_faces_two_voices_26s.mp4')
const present = existsSync(FILMED)
if (!present)
  console.info('export-hdr: a made picture is used, because the development media are not beside the project')

const TRANSFERS: readonly HdrTransfer[] = ['hlg', 'pq']
const TAGS = { hlg: 'arib-std-b67', pq: 'smpte2084' } as const
/** Of white that is drawn: 203 nits (BT.2408). */
const WHITE = { hlg: 721, pq: 573 } as const
/** HLG with its system gamma over all colours; zscale is slow at it, and PQ has none. */
const EXACT = { hlg: ':agamma=0', pq: '' } as const
const SIZE = { width: 640, height: 360 }
const RATE = { numerator: 25, denominator: 1 }
const FRAMES = 20

let root = ''
const files: Record<string, string> = {}

/** Two people who talk, as ordinary video; and the same as HDR, its white at 203 nits. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-hdr-'))
  files['sdr'] = join(root, 'sdr.mkv')
  const input = present ? ['-ss', '3', '-i', FILMED] : ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=3', '-f', 'lavfi', '-i', 'anullsrc=d=3'] // prettier-ignore
  const tags = [
    '-colorspace',
    'bt709',
    '-color_primaries',
    'bt709',
    '-color_trc',
    'bt709',
    '-color_range',
    'tv',
  ]
  await make([...input, '-t', '1', '-vf', 'scale=640:360,format=yuv420p', '-r', '25', '-c:v', 'ffv1', ...tags, '-c:a', 'pcm_s16le', files['sdr']]) // prettier-ignore
  for (const transfer of TRANSFERS) {
    const file = join(root, `${transfer}.mkv`)
    files[transfer] = file
    const convert = `zscale=tin=709:pin=709:min=709:rin=tv:t=${TAGS[transfer]}:p=2020:m=2020_ncl:r=tv:npl=203${EXACT[transfer]},format=yuv420p10le`
    const hdrTags = ['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020', '-color_trc', TAGS[transfer], '-color_range', 'tv'] // prettier-ignore
    await make(['-i', files['sdr'], '-vf', convert, '-c:v', 'ffv1', ...hdrTags, '-c:a', 'copy', file])
  }
}, 240_000)
afterAll(() => rm(root, { recursive: true, force: true }))

const frames = { startFrame: 0, endFrame: FRAMES }
const UPRIGHT = { x: 200, y: 0, width: 202, height: 360 }

function clip(layout: LayoutSpan[], size = SIZE): Composition {
  const base = sampleComposition({
    ...size,
    frameRate: RATE,
    durationFrames: FRAMES,
    source: { ...SIZE, hdr: true, colourMatrix: 'bt2020' },
    layers: [
      // White and yellow boxes, over which there is nothing but a dot.
      box('white', '#ffffff', 20),
      box('yellow', '#ffd60a', 80),
    ],
  })
  return { ...base, layout, audio: QUIET }
}

function box(id: string, colour: string, yPercent: number): Composition['layers'][number] {
  return {
    ...TITLE,
    id,
    text: 'MMMMMMMMMM',
    endFrame: FRAMES,
    fadeFrames: 0,
    face: { ...TITLE.face, colour, fontSize: 90 },
    backdrop: { ...TITLE.backdrop, colour, fill: 'block', radius: 0, paddingX: 40, paddingY: 40 },
    yPercent,
  }
}

const STILL: LayoutSpan[] = [{ kind: 'crop', ...frames, crop: { x: 0, y: 0, ...SIZE } }]

async function exported(build: string, profile: Profile, composition: Composition, source: string) {
  const config = { ...loadConfig({ home: join(root, 'home') }, {}), ffmpeg: build, ffprobe }
  const trial = await tryProfile(config, profile)
  if (!trial.available) throw new Error(trial.why)
  const params = { composition, delivery: profile.delivery as Delivery, encoder: trial.encoder }
  const run = await runStageForTest(
    (context: StageContext, given: typeof params) => runExport(context, given),
    params,
    { root: await mkdtemp(join(root, 'run-')), inputs: { source }, tools: { ffmpeg: build, ffprobe } },
  )
  return { ...run, file: join(run.folder, run.output.file) }
}

/** The picture's samples on one frame, as they are coded: ten bits, or eight where `format` says so. */
async function samplesOn(
  file: string,
  frame: number,
  filters = 'null',
  format = 'yuv420p10le',
): Promise<number[]> {
  const graph = `select=eq(n\\,${frame}),${filters}`
  // By a build that has a decoder for AV1 and takes its bits as they are.
  const executable = listInstalledFfmpegs().at(-1)?.path ?? ffmpeg
  const args = [
    '-v',
    'error',
    '-i',
    file,
    '-vf',
    graph,
    '-frames:v',
    '1',
    '-pix_fmt',
    format,
    '-f',
    'rawvideo',
    '-',
  ]
  const { stdout } = await runTool({ executable, args, timeoutSeconds: 60 })
  return format.endsWith('10le')
    ? [...new Uint16Array(stdout.buffer, stdout.byteOffset, stdout.byteLength / 2)]
    : [...stdout]
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Luma and both chromas of a rectangle with an even size, means. */
async function colourAt(file: string, crop: string): Promise<number[]> {
  const [width = 0, height = 0] = crop.split(':').map(Number)
  const all = await samplesOn(file, 10, `crop=${crop}`)
  const luma = width * height
  return [all.slice(0, luma), all.slice(luma, luma * 1.25), all.slice(luma * 1.25)].map(mean)
}

async function streamOf(file: string): Promise<Record<string, unknown>> {
  const args = ['-v', 'error', '-show_streams', '-select_streams', 'v', '-of', 'json', file]
  const { stdout } = await runTool({ executable: ffprobe, args, timeoutSeconds: 60 })
  return (JSON.parse(stdout.toString('utf8')) as { streams: Record<string, unknown>[] }).streams[0] ?? {}
}

/** Mean difference of two pictures' luma, in parts of their range. */
function apart(one: readonly number[], other: readonly number[], range: number): number {
  expect(one).toHaveLength(other.length)
  return mean(one.map((value, at) => Math.abs(value - (other[at] ?? 0)))) / range
}

it('is refused by the bundled build, which says what it cannot', async () => {
  const config = { ...loadConfig({ home: join(root, 'home') }, {}), ffmpeg, ffprobe }
  for (const name of ['hevc-hdr', 'av1-hdr'])
    expect(await tryProfile(config, requireProfile(name))).toMatchObject({
      available: false,
      why: expect.stringMatching(/This ffmpeg cannot make it: .*(?:overlay|yuv420p10|libsvtav1)/) as string,
    })
})

const builds = listInstalledFfmpegs()
it.skipIf(builds.length > 0)('needs another ffmpeg: npm run install:ffmpegs', ({ skip }) => skip())

describe.each(builds)('by $name', ({ path }) => {
  describe.each(TRANSFERS)('%s', (transfer) => {
    const HDR = { hdr: transfer }
    const compose = (composition: Composition): Composition =>
      composeFor(requireProfile('hevc-hdr'), composition, transfer)

    it('stays it: ten bits, its tags, the pictures of the source, and what is drawn at reference white', async () => {
      const composition = compose(clip(STILL))
      expect(composition.output).toMatchObject(HDR)
      const run = await exported(path, requireProfile('hevc-hdr'), composition, files[transfer] ?? '')
      expect(run.warnings).toEqual([])
      expect(await streamOf(run.file)).toMatchObject({
        codec_name: 'hevc',
        profile: 'Main 10',
        pix_fmt: 'yuv420p10le',
        color_transfer: TAGS[transfer],
        color_primaries: 'bt2020',
        color_space: 'bt2020nc',
        color_range: 'tv',
        nb_frames: String(FRAMES),
      })
      // Between the boxes: the people.
      const people = 'crop=640:100:0:130'
      const kept = await samplesOn(run.file, 10, people)
      const filmed = await samplesOn(files[transfer] ?? '', 10, people)
      expect(apart(kept.slice(0, 64_000), filmed.slice(0, 64_000), 876)).toBeLessThan(0.006)
      const [luma = 0, cb = 0, cr = 0] = await colourAt(run.file, '16:8:312:44')
      expect(Math.abs(luma - WHITE[transfer])).toBeLessThan(4)
      expect([Math.abs(cb - 512), Math.abs(cr - 512)].every((off) => off < 4)).toBe(true)
      // What another converter makes of the same yellow.
      const wanted = await convertedYellow(transfer)
      const yellow = await colourAt(run.file, '16:8:312:300')
      yellow.forEach((value, at) => expect(Math.abs(value - (wanted[at] ?? 0))).toBeLessThan(8))
    })

    it('is cut out, blurred behind itself and moved as ordinary video is', async () => {
      const upright = { width: 270, height: 480 }
      const layouts: LayoutSpan[][] = [
        [{ kind: 'fit', ...frames, crop: { x: 0, y: 0, ...SIZE }, zoom: 1, background: 'blur' }],
        [{ kind: 'crop', ...frames, crop: UPRIGHT, cropTo: { ...UPRIGHT, x: 241 }, eased: true }],
      ]
      for (const layout of layouts) {
        const bare = { ...clip(layout, upright), layers: [] }
        const run = await exported(path, requireProfile('hevc-hdr'), compose(bare), files[transfer] ?? '')
        const sdr: Composition = { ...bare, source: { ...bare.source, hdr: false, colourMatrix: 'bt709' } }
        const usual = await exported(path, requireProfile('social-1080'), sdr, files['sdr'] ?? '')
        const back = `zscale=t=709:p=709:m=709:r=tv:npl=203,format=yuv420p`
        const one = await samplesOn(run.file, 7, back, 'yuv420p')
        const other = await samplesOn(usual.file, 7, 'null', 'yuv420p')
        const luma = upright.width * upright.height
        const kind = layout[0]?.kind ?? ''
        // Behind the fitted picture it is darkened in other steps.
        const seen = kind === 'fit' ? [luma * 0.36, luma * 0.64] : [0, luma]
        const off = apart(one.slice(...seen), other.slice(...seen), 219)
        console.info(`${basename(path)} ${transfer} ${kind}: ${(off * 100).toFixed(2)} % apart`)
        expect(off).toBeLessThan(0.012)
      }
    })
  })

  it('makes AV1 of it where an encoder with ten bits is built in', async ({ skip }) => {
    const profile = requireProfile('av1-hdr')
    const config = { ...loadConfig({ home: join(root, 'home') }, {}), ffmpeg: path, ffprobe }
    const trial = await tryProfile(config, profile)
    if (!trial.available) return skip()
    const run = await exported(path, profile, composeFor(profile, clip(STILL), 'hlg'), files['hlg'] ?? '')
    const [luma = 0] = await colourAt(run.file, '16:8:312:44')
    expect(Math.abs(luma - WHITE.hlg)).toBeLessThan(6)
  })
})

/** Ordinary video's yellow in HDR, by zscale. */
async function convertedYellow(transfer: HdrTransfer): Promise<number[]> {
  const file = join(root, `yellow-${transfer}.mkv`)
  const picture = 'color=c=0xffd60a:s=64x64:r=25:d=0.44,format=gbrp,zscale=m=709:r=tv,format=yuv444p'
  const convert = `zscale=tin=709:pin=709:min=709:rin=tv:t=${TAGS[transfer]}:p=2020:m=2020_ncl:r=tv:npl=203${EXACT[transfer]},format=yuv444p10le,format=yuv420p10le`
  await make(['-f', 'lavfi', '-i', `${picture},${convert}`, '-c:v', 'ffv1', file])
  return colourAt(file, '16:8:16:16')
}

describe('an SDR profile of an HDR source', () => {
  it.each(TRANSFERS)(
    'brings %s to what the people were filmed as, with a little less of the white',
    async (transfer) => {
      const bare = { ...clip(STILL), layers: [] }
      const run = await exported(ffmpeg, requireProfile('social-1080'), composeFor(requireProfile('social-1080'), bare), files[transfer] ?? '') // prettier-ignore
      expect(run.warnings).toEqual(['The source is HDR; this file is not (BT.709).'])
      expect(await streamOf(run.file)).toMatchObject({ pix_fmt: 'yuv420p', color_transfer: 'bt709', color_space: 'bt709' }) // prettier-ignore
      const luma = 640 * 360
      const both = [await samplesOn(run.file, 10, 'null', 'yuv420p'), await samplesOn(files['sdr'] ?? '', 10, 'null', 'yuv420p')] // prettier-ignore
      const [made = [], filmed = []] = both.map((all) => all.slice(0, luma))
      const [madeColours = [], filmedColours = []] = both.map((all) => all.slice(luma))
      // HLG's system gamma is applied to each colour alone.
      expect(apart(madeColours, filmedColours, 224)).toBeLessThan(transfer === 'hlg' ? 0.015 : 0.006)
      // Up to half of the light of white nothing is changed, which is 164 of 235 on a screen of gamma 2.4.
      const dark = filmed.flatMap((value, at) =>
        value > 20 && value < 160 ? [Math.abs(value - (made[at] ?? 0))] : [],
      )
      expect(dark.length).toBeGreaterThan(10_000)
      expect(mean(dark)).toBeLessThan(3)
      const bright = filmed.flatMap((value, at) => (value > 200 ? [value - (made[at] ?? 0)] : []))
      if (bright.length > 500) {
        expect(mean(bright)).toBeGreaterThan(0)
        expect(mean(bright)).toBeLessThan(30)
      }
    },
  )
})
