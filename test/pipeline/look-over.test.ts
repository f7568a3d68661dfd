/** The quick look over a source: real ffmpeg on tiny videos whose cuts and movement are known, up to the choice of clips. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PictureFacts } from '../../server/contract/source-facts.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { runFindClips } from '../../workers/stages/find-clips/stage.ts'
import { runLookOver } from '../../workers/stages/look-over/stage.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { PLAIN_SETTINGS } from '../support/topics.ts'

const run = promisify(execFile)
const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
let root: string
let short: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-look-'))
  short = await makeVideo(
    'short.mp4',
    ['grey', 'moving', 'red', 'dark'],
    ['-c:v', 'libx264', '-preset', 'veryfast'],
  )
}, 60_000)
afterAll(() => rm(root, { recursive: true, force: true }))

/** Eight seconds each: a still card, a card on which a box runs about, noise, another card. */
const SCENES: Readonly<Record<string, string>> = {
  grey: 'color=c=gray:s=320x180:r=25:d=8',
  moving:
    'color=c=navy:s=320x180:r=25:d=8,geq=lum=if(lt(abs(mod(X-60*T\\,320)-60)\\,50)\\,220\\,40):cb=128:cr=128',
  red: 'color=c=red:s=320x180:r=25:d=8,drawbox=x=20:y=20:w=120:h=60:color=white:t=fill',
  dark: 'color=c=black:s=320x180:r=25:d=8,drawbox=x=160:y=60:w=120:h=90:color=yellow:t=fill',
}

async function makeVideo(name: string, scenes: readonly string[], codec: readonly string[]): Promise<string> {
  const path = join(root, name)
  const inputs = scenes.flatMap((scene) => ['-f', 'lavfi', '-i', SCENES[scene] ?? ''])
  const filter = `${scenes.map((_, at) => `[${at}:v]`).join('')}concat=n=${scenes.length}`
  await run(bundledTools().ffmpeg, [
    '-nostdin',
    '-v',
    'error',
    '-y',
    ...inputs,
    '-filter_complex',
    filter,
    '-pix_fmt',
    'yuv420p',
    ...codec,
    path,
  ])
  return path
}

async function look(path: string, durationSeconds: number, modelFolders: readonly string[] = []) {
  const result = await runStageForTest(
    runLookOver,
    { streamIndex: 0, durationSeconds, width: 320, height: 180 },
    { root: await mkdtemp(join(root, 'look-')), inputs: { source: path }, modelFolders },
  )
  const text = await readFile(join(result.folder, result.output.pictureFile), 'utf8')
  return { ...result, facts: JSON.parse(text) as PictureFacts }
}

const meanMotion = (facts: PictureFacts, from: number, to: number): number => {
  const inside = facts.looks.filter(([time]) => time > from && time < to)
  return inside.reduce((sum, [, motion]) => sum + motion, 0) / Math.max(1, inside.length)
}

describe('a quick look over the picture', () => {
  it('finds cuts to a quarter of a second and movement where it is, in a short video', async () => {
    const { facts, output, progress } = await look(short, 32)
    expect(facts.cuts).toHaveLength(3)
    facts.cuts.forEach((cut, at) => expect(Math.abs(cut - 8 * (at + 1))).toBeLessThanOrEqual(0.26))
    expect(output).toMatchObject({ cuts: 3, pictures: facts.looks.length })
    expect(facts.looks.length).toBeGreaterThan(120)
    expect(meanMotion(facts, 8.6, 15.9)).toBeGreaterThan(20 * Math.max(0.001, meanMotion(facts, 0.6, 7.9)))
    expect(facts.looks.every(([, , face]) => face === -1)).toBe(true)
    expect(progress.at(-1)).toBeGreaterThan(0.9)
  }, 60_000)

  // More than two minutes: keyframes alone. A still or moving scene of forty seconds is five of eight.
  const long = (...names: string[]) => names.flatMap((name) => Array<string>(5).fill(name))

  it('finds them by keyframes alone in a long video, whose encoder marks its cuts', async () => {
    const scenes = long('grey', 'moving', 'red', 'dark')
    const path = await makeVideo('long.mp4', scenes, ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '125'])
    const { facts } = await look(path, 160)
    expect(facts.looks.length).toBeLessThan(80)
    const [first, second, third] = [40, 80, 120].map((at) =>
      facts.cuts.find((cut) => Math.abs(cut - at) < 0.1),
    )
    expect([first, second, third].every((cut) => cut !== undefined)).toBe(true)
    // The box moves for ever within its own scene: only its restart is a cut.
    expect(facts.cuts.filter((cut) => cut < 39 || cut > 81)).toEqual([third])
    expect(meanMotion(facts, 41, 79)).toBeGreaterThan(0.1)
    expect(meanMotion(facts, 81, 119)).toBeLessThan(0.02)
  }, 60_000)

  it('finds them in a long video with a keyframe every two seconds, whatever happens', async () => {
    const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '50', '-sc_threshold', '0']
    const path = await makeVideo('regular.mp4', long('grey', 'red', 'dark', 'grey'), codec)
    const { facts } = await look(path, 160)
    expect(facts.cuts).toHaveLength(3)
    facts.cuts.forEach((cut, at) => expect(Math.abs(cut - 40 * (at + 1))).toBeLessThanOrEqual(2))
  }, 60_000)

  it('is cancelled in the middle, and fails where there is no picture to read', async () => {
    const stop = new AbortController()
    const params = { streamIndex: 0, durationSeconds: 32, width: 320, height: 180 }
    const going = runStageForTest(runLookOver, params, {
      inputs: { source: short },
      root: join(root, 'x'),
      signal: stop.signal,
    })
    stop.abort()
    await expect(going).rejects.toMatchObject({ code: 'CANCELLED' })
    await writeFile(join(root, 'no.mp4'), 'no video')
    await expect(look(join(root, 'no.mp4'), 32)).rejects.toMatchObject({ code: 'STAGE_FAILED' })
  }, 30_000)

  const models = join(SHARED, 'models')
  const faces = join(SHARED, 'media', 'moving_face_10s.mp4')
  it.skipIf(!existsSync(models) || !existsSync(faces))(
    'sees whether a face is there (skipped without the development models beside the project)',
    async () => {
      const { facts, output } = await look(faces, 10, [models])
      expect(output.model).toBe('yunet')
      expect(facts.looks.every(([, , face]) => face > 0.004)).toBe(true)
      const blank = await look(short, 32, [models])
      expect(blank.facts.looks.every(([, , face]) => face === 0)).toBe(true)
    },
    60_000,
  )
})

describe('what is seen in the choice of clips', () => {
  const words: TranscriptWord[] = Array.from({ length: 180 }, (_, index) => {
    const start = 1 + Math.floor(index / 9) * 4 + (index % 9) * 0.3
    const word = index % 9 === 8 ? 'wall.' : index % 9 === 0 ? 'The' : 'garden'
    return { word, start, end: start + 0.28 }
  })

  async function choose(facts: PictureFacts | null) {
    const folder = await mkdtemp(join(root, 'choose-'))
    await mkdir(join(folder, 'seen'))
    const transcript = { origin: 'sidecar-captions', language: 'en', detail: '', words }
    await writeFile(join(folder, 't.json'), JSON.stringify(transcript))
    await writeFile(join(folder, 'seen', 'p.json'), JSON.stringify(facts))
    const settings = { ...PLAIN_SETTINGS, minLength: 8, maxLength: 14, maxClips: 9 }
    const picture = facts === null ? {} : { picture: join(folder, 'seen') }
    return runStageForTest(
      runFindClips,
      { settings, durationSeconds: 82, senses: { name: 'x' } },
      {
        root: folder,
        inputs: { transcript: folder, ...picture },
        results: { transcript: { transcriptFile: 't.json' }, picture: { pictureFile: 'p.json' } },
      },
    )
  }
  const looks = (motion: (at: number) => number, face: (at: number) => number): PictureFacts['looks'] =>
    Array.from({ length: 42 }, (_, at) => [at * 2, motion(at * 2), face(at * 2)])
  const inside = (at: number): boolean => at >= 44 && at <= 58
  const still = {
    cuts: [],
    looks: looks(
      () => 0.1,
      () => -1,
    ),
  }
  type Chosen = Awaited<ReturnType<typeof choose>>
  const clipAt = ({ output }: Chosen, second: number) =>
    output.candidates.find(({ start, end }) => start <= second && end >= second)

  it('prefers where more moves, reports it, and stores the figures', async () => {
    const moving = {
      cuts: [],
      looks: looks(
        (at) => (inside(at) ? 0.6 : 0.1),
        () => -1,
      ),
    }
    const clip = clipAt(await choose(moving), 51)
    const plain = clipAt(await choose(still), 51)
    expect(clip?.score ?? 0).toBeGreaterThan(plain?.score ?? 100)
    expect(clip?.scoreReasons.find(({ name }) => name === 'emotion')?.reason).toBe(
      'More moves in the picture than elsewhere.',
    )
    expect(clip?.features?.motion ?? 0).toBeGreaterThan(0.7)
    expect(plain?.features?.motion).toBe(0)
    expect(clip?.features).not.toHaveProperty('faces')
    expect(clip?.features?.cuts).toBe(0)
  })

  it('prefers a quick rhythm, and an opening on a face where faces are rare', async () => {
    const cutting = {
      cuts: [45, 47, 49, 51, 53, 55],
      looks: looks(
        () => 0.1,
        () => -1,
      ),
    }
    const quick = clipAt(await choose(cutting), 50)
    const plain = clipAt(await choose(still), 50)
    expect(quick?.score ?? 0).toBeGreaterThan(plain?.score ?? 100)
    expect(quick?.scoreReasons.find(({ name }) => name === 'emotion')?.reason).toMatch(
      /^It cuts \d\d times a minute, more than elsewhere\.$/,
    )
    expect(quick?.features?.cuts ?? 0).toBeGreaterThan(15)
    const facing = {
      cuts: [],
      looks: looks(
        () => 0.1,
        (at) => (at >= 44 && at <= 48 ? 0.05 : 0),
      ),
    }
    const face = clipAt(await choose(facing), 46)
    const faceless = clipAt(
      await choose({
        ...facing,
        looks: looks(
          () => 0.1,
          () => 0,
        ),
      }),
      46,
    )
    // It opens on the face, and is worth more for it.
    expect((face?.start ?? 0) >= 44 && (face?.start ?? 99) <= 48).toBe(true)
    expect(face?.score ?? 0).toBeGreaterThan(faceless?.score ?? 100)
    const hookOf = (clip: typeof face): number =>
      clip?.scoreReasons.find(({ name }) => name === 'hook')?.score ?? 0
    expect(hookOf(face)).toBeGreaterThan(hookOf(faceless))
    expect(face?.features?.faces ?? 0).toBeGreaterThan(0.2)
  })

  it('changes nothing where the picture is the same throughout, and warns when it has too little information', async () => {
    const plain = await choose(null)
    const even = await choose({
      cuts: [],
      looks: looks(
        () => 0.3,
        () => 0.05,
      ),
    })
    const bare = (result: typeof plain) => result.output.candidates.map(({ features: _, ...rest }) => rest)
    expect(bare(even)).toEqual(bare(plain))
    const sparse = await choose({
      cuts: [],
      looks: [
        [0, 0, -1],
        [40, 1, -1],
        [80, 0, -1],
      ],
    })
    expect(bare(sparse)).toEqual(bare(plain))
    expect(sparse.warnings.join()).toContain('keyframes are too far apart')
  })
})

describe('a video without words and without sound', () => {
  it('yields clips between its cuts, chosen by the picture', async () => {
    const folder = await mkdtemp(join(root, 'mute-'))
    const { folder: seen, output } = await look(short, 32)
    const settings = { ...PLAIN_SETTINGS, minLength: 6, maxLength: 10, maxClips: 1 }
    const { output: found, warnings } = await runStageForTest(
      runFindClips,
      { settings, durationSeconds: 32, senses: { name: 'mute' } },
      { root: folder, inputs: { picture: seen }, results: { picture: output } },
    )
    const [clip] = found.candidates
    expect(Math.abs((clip?.start ?? 0) - 8)).toBeLessThan(0.3)
    expect(Math.abs((clip?.end ?? 0) - 16)).toBeLessThan(0.3)
    expect(clip?.title).toBe('mute 0:08')
    expect(clip?.whyPicked).toBe(
      'Chosen by its picture alone: more moves in the picture than elsewhere; ends at a cut.',
    )
    expect(found.summary).toMatch(/^1 clip was chosen by picture from \d+ stretches between cuts/)
    expect(warnings).toEqual([])
    const plain = runStageForTest(
      runFindClips,
      { settings, durationSeconds: 32 },
      { root: await mkdtemp(join(root, 'mute-')) },
    )
    await expect(plain).rejects.toMatchObject({ code: 'NO_SPEECH' })
  }, 60_000)
})
