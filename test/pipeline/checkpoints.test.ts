/** Stages that keep checkpoints: interrupted after each one of them, their results are those of an undisturbed attempt. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../server/contract/errors.ts'
import { PIECE_POSITIONS as SCORED_POSITIONS } from '../../workers/stages/active-speaker/score-range.ts'
import { runActiveSpeaker } from '../../workers/stages/active-speaker/stage.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runCaptions } from '../../workers/stages/captions/stage.ts'
import { runFaces } from '../../workers/stages/faces/stage.ts'
import { PIECE_POSITIONS } from '../../workers/stages/faces/watch-range.ts'
import { PIECE_POSITIONS as LOOKED_POSITIONS, runLookOver } from '../../workers/stages/look-over/stage.ts'
import { runSoundEvents } from '../../workers/stages/sound-events/stage.ts'
import { runSpeakers } from '../../workers/stages/speakers/stage.ts'
import { runVoice } from '../../workers/stages/voice/stage.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { makeTakes, takesSeconds, type Take } from '../support/grid-people.ts'
import { bundledTools, runStageForTest, type HarnessOptions } from '../support/stage-harness.ts'

type Handler = Parameters<typeof runStageForTest>[0]

const shared = join(import.meta.dirname, '..', '..', '..', 'shared')
const media = join(shared, 'media')
const present = existsSync(join(shared, 'models', 'face')) && existsSync(join(media, 'people', 'grid'))
if (!present)
  console.log('checkpoints: skipped, because the development media and models are not beside the project')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-checkpoints-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

class Death extends Error {}

/** Inside a piece it comes while ffmpeg's pictures are read, whose reader reports it as its own cause. */
const isDeath = (error: unknown): boolean =>
  error instanceof Death || (error instanceof AppError && error.cause instanceof Death)

interface Work {
  readonly handler: Handler
  readonly params: unknown
  readonly options: HarnessOptions
  /** It dies at positions that are multiples of this, and at the first few: a life for each would take very long. */
  readonly dieAt: number
}

/** All files of a result, and its output. */
async function resultOf(root: string, { handler, params, options }: Work) {
  const run = await runStageForTest(handler, params, { ...options, root })
  const names = (await readdir(run.folder)).sort()
  const files = await Promise.all(names.map((name) => readFile(join(run.folder, name), 'utf8')))
  return { output: run.output, names, files }
}

/** Dies at each new checkpoint, until an attempt makes none. Positions, and the result. */
async function interrupted(root: string, work: Work, onDeath: () => Promise<void> = () => Promise.resolve()) {
  const positions: number[] = []
  const onCheckpoint = (position: number): void => {
    positions.push(position)
    if (position % work.dieAt === 0 || positions.length < 4) throw new Death(String(position))
  }
  for (;;) {
    try {
      const result = await resultOf(root, { ...work, options: { ...work.options, onCheckpoint } })
      return { positions, result }
    } catch (error) {
      if (!isDeath(error)) throw error
      await onDeath()
    }
  }
}

const facesWork = (): Work => ({
  handler: runFaces as Handler,
  dieAt: PIECE_POSITIONS,
  params: {
    ranges: [
      { start: 0.4, end: 25.1 },
      { start: 3, end: 9 },
    ],
    streamIndex: 0,
    width: 1280,
    height: 720,
    hdr: false,
  },
  options: {
    inputs: { source: join(media, 'two_faces_two_voices_26s.mp4') },
    modelFolders: [join(shared, 'models')],
  },
})

async function speakersWork(): Promise<Work> {
  const source = join(media, 'two_faces_two_voices_26s.mp4')
  const root = join(folder, 'sound')
  const params = { streamIndex: 1, durationSeconds: 25.8 }
  const sound = await runStageForTest(runAudio as Handler, params, { inputs: { source }, root })
  return {
    handler: runSpeakers as Handler,
    dieAt: 1,
    params: { count: 0 },
    options: {
      inputs: { audio: sound.folder },
      results: { audio: sound.output },
      modelFolders: [join(shared, 'models')],
    },
  }
}

/** Two filmed people of whom one speaks at a time, and all that `active-speaker` is given. */
async function activeSpeakerWork(): Promise<Work> {
  const root = join(folder, 'two')
  const source = join(folder, 'two.mp4')
  const people = [{ clip: 'lbbc2a' }, { clip: 'bbaf2n' }] as const
  const takes: Take[] = [0, 1, null, 1, 0].map((sound) => ({ people, sound }))
  await makeTakes(media, source, takes)
  const seconds = takesSeconds(takes)
  const picture = { streamIndex: 0, width: 720, height: 288, hdr: false }
  const inputs: Record<string, string> = { source }
  const results: Record<string, unknown> = {}
  const modelFolders = [join(shared, 'models')]
  const make = async (name: string, handler: unknown, params: object): Promise<void> => {
    const options = { inputs: { ...inputs }, results, modelFolders, root: join(root, name) }
    const made = await runStageForTest(handler as Handler, params as never, options)
    inputs[name] = made.folder
    results[name] = made.output
  }
  await make('audio', runAudio, { streamIndex: 1, durationSeconds: seconds })
  // The second range lies in the first one.
  const ranges = [
    { start: 0.4, end: seconds - 0.3 },
    { start: 6, end: 10 },
  ]
  await make('faces', runFaces, { ranges, ...picture })
  await make('voice', runVoice, {})
  await make('speakers', runSpeakers, { count: 0 })
  const options = { inputs, results, modelFolders }
  return { handler: runActiveSpeaker as Handler, dieAt: SCORED_POSITIONS, params: picture, options }
}

/** A stream of a filmed file end to end until it is that long. */
async function repeated(stream: 'v' | 'a', seconds: number): Promise<string> {
  const video = join(media, 'people', 'hamilton.mp4')
  const file = join(folder, `${stream}-${seconds}.mp4`)
  const words = `-v error -y -stream_loop -1 -i ${video} -map 0:${stream}:0 -t ${seconds} -c copy ${file}`
  await runTool({ executable: bundledTools().ffmpeg, args: words.split(' ') })
  return file
}

/** `seconds`: above 120, keyframes alone are looked at. */
async function lookOverWork(seconds: number): Promise<Work> {
  const source = await repeated('v', seconds)
  return {
    handler: runLookOver as Handler,
    dieAt: LOOKED_POSITIONS,
    params: { streamIndex: 0, durationSeconds: seconds, width: 640, height: 360 },
    options: { inputs: { source }, modelFolders: [join(shared, 'models')] },
  }
}

/** A stage that listens to people on a stage, with music and an audience. */
async function listeningWork(handler: unknown, given: object = {}): Promise<Work> {
  const source = await repeated('a', 200)
  const root = join(folder, 'heard')
  const params = { streamIndex: 0, durationSeconds: 200 }
  const sound = await runStageForTest(runAudio as Handler, params, { inputs: { source }, root })
  const captions = join(folder, 'captions')
  await mkdir(captions, { recursive: true })
  const times = ['00:12,000 --> 00:00:15,000', '01:11,000 --> 00:01:14,000', '02:13,000 --> 00:02:16,000']
  const cues = times.map((time, cue) => `${cue + 1}\n00:${time}\nHistory has its eyes on you\n`)
  await writeFile(join(captions, 'talk.srt'), cues.join('\n'))
  const options = {
    inputs: { audio: sound.folder, ingest: captions },
    results: { audio: sound.output },
    modelFolders: [join(shared, 'models')],
  }
  return { handler: handler as Handler, dieAt: 1, params: given, options }
}

// Each of many lives loads its model anew.
describe.skipIf(!present)('a stage that dies at each of its checkpoints', { timeout: 300_000 }, () => {
  it('faces: ends with the same result, byte for byte, and each checkpoint reaches further', async () => {
    const undisturbed = await resultOf(join(folder, 'faces'), facesWork())
    expect(undisturbed.output).toMatchObject({ tracks: expect.any(Number) as number })
    const { positions, result } = await interrupted(join(folder, 'faces-died'), facesWork())
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    const pieces = positions.filter((position) => position % PIECE_POSITIONS === 0)
    expect(pieces).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((piece) => piece * PIECE_POSITIONS))
    expect(result).toEqual(undisturbed)
  })

  it('faces: makes anew what was damaged meanwhile', async () => {
    const root = join(folder, 'faces-damaged')
    const undisturbed = await resultOf(join(folder, 'faces-whole'), facesWork())
    let deaths = 0
    const { result } = await interrupted(root, facesWork(), async () => {
      deaths += 1
      if (deaths > 4) return
      const [name = ''] = await readdir(join(root, 'temporary'))
      const file = join(root, 'temporary', name)
      const bytes = await readFile(file)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4
      await writeFile(file, bytes)
    })
    expect(result).toEqual(undisturbed)
  })

  it('speakers: likewise', async () => {
    const work = await speakersWork()
    const undisturbed = await resultOf(join(folder, 'speakers'), work)
    const { positions, result } = await interrupted(join(folder, 'speakers-died'), work)
    expect(positions.length).toBeGreaterThanOrEqual(2)
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    expect(result).toEqual(undisturbed)
  })

  it('active-speaker: likewise, and inside of a piece', async () => {
    const work = await activeSpeakerWork()
    const undisturbed = await resultOf(join(folder, 'active'), work)
    const { positions, result } = await interrupted(join(folder, 'active-died'), work)
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b))
    const pieces = positions.filter((position) => position % SCORED_POSITIONS === 0)
    expect(pieces).toEqual([1, 2].map((piece) => piece * SCORED_POSITIONS))
    expect(positions.length, 'some are inside of a piece').toBeGreaterThan(pieces.length)
    expect(result).toEqual(undisturbed)
    const ranges = JSON.parse(result.files[0] ?? '') as { tracks: unknown[] }[]
    expect(ranges.map(({ tracks }) => tracks.length)).toEqual([2, 2])
  })

  it.each([
    ['pictures', 50, 2],
    ['keyframes', 620, 2],
  ])('look-over by %s: likewise', async (_name, seconds, count) => {
    const work = await lookOverWork(seconds)
    const undisturbed = await resultOf(join(folder, `look-${seconds}`), work)
    const { positions, result } = await interrupted(join(folder, `look-died-${seconds}`), work)
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b))
    const pieces = positions.filter((position) => position % LOOKED_POSITIONS === 0)
    expect(pieces).toEqual(Array.from({ length: count }, (_, piece) => (piece + 1) * LOOKED_POSITIONS))
    expect(positions.length, 'some are inside of a piece').toBeGreaterThan(pieces.length)
    expect(result).toEqual(undisturbed)
    const { looks } = JSON.parse(result.files[0] ?? '') as { looks: [number, number, number][] }
    const times = looks.map(([time]) => time)
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeGreaterThan(seconds - 10)
    expect(looks.some(([, , face]) => face > 0)).toBe(true)
  })

  const track = { kind: 'sidecar', file: 'talk.srt', format: 'srt', language: 'en' }
  it.each([
    ['voice', runVoice, 4, {}],
    ['sound-events', runSoundEvents, 7, {}],
    ['captions', runCaptions, 4, { track, durationSeconds: 200 }],
  ])('%s: likewise', async (name, handler, pages, given) => {
    const work = await listeningWork(handler, given)
    const undisturbed = await resultOf(join(folder, name), work)
    const { positions, result } = await interrupted(join(folder, `${name}-died`), work)
    expect(positions).toEqual(Array.from({ length: pages }, (_, page) => page + 1))
    expect(result).toEqual(undisturbed)
    expect(JSON.parse(result.files[0] ?? '')).not.toEqual([])
  })
})
