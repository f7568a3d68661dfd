/** Picture detection on real pictures: the development media, and portraits that talk in turns. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClipFaces, type FaceBoxes } from '../../server/contract/clip-measurements.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runFaces } from '../../workers/stages/faces/stage.ts'
import { makeScreen, SCREEN_SCENES } from '../support/screens.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { makeTalkingFaces, type Turn } from '../support/talking-faces.ts'

const shared = join(import.meta.dirname, '..', '..', '..', 'shared')
const media = join(shared, 'media')
const present = existsSync(join(shared, 'models', 'face')) && existsSync(media)
if (!present)
  console.log('faces: skipped, because the development media and models are not beside the project')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-faces-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function look(source: string, end: number, sound?: { folder: string; output: unknown }) {
  const params = { ranges: [{ start: 0, end }], streamIndex: 0, width: 1280, height: 720, hdr: false }
  const run = await runStageForTest(runFaces as Parameters<typeof runStageForTest>[0], params, {
    inputs: { source, ...(sound === undefined ? {} : { audio: sound.folder }) },
    results: sound === undefined ? {} : { audio: sound.output },
    modelFolders: [join(shared, 'models')],
  })
  const text = await readFile(join(run.folder, 'faces.json'), 'utf8')
  const [boxes] = JSON.parse(await readFile(join(run.folder, 'boxes.json'), 'utf8')) as FaceBoxes[]
  await rm(join(run.folder, '..'), { recursive: true, force: true })
  const [faces] = JSON.parse(text) as ClipFaces[]
  if (faces === undefined) throw new Error('nothing was looked at')
  expect(Value.Check(ClipFaces, faces)).toBe(true)
  expect(boxes?.tracks.map(({ id }) => id)).toEqual(faces.tracks.map(({ id }) => id))
  return { faces, boxes, output: run.output }
}

describe.skipIf(!present)('faces', () => {
  it('follows one that moves across the picture as one person', async () => {
    const { faces, boxes } = await look(join(media, 'moving_face_10s.mp4'), 10)
    expect(faces.shotStarts).toEqual([])
    expect(faces.tracks).toHaveLength(1)
    const points = faces.tracks[0]?.points ?? []
    expect([points[0]?.[0], points.at(-1)?.[0]]).toEqual([0, expect.closeTo(9.92, 1)])
    expect((points.at(-1)?.[1] ?? 0) - (points[0]?.[1] ?? 0)).toBeGreaterThan(0.5)
    // Four a second at least, whatever is thinned of what is stored.
    expect(boxes?.tracks[0]?.boxes.length).toBeGreaterThan(40)
  })

  it('finds two people, and no speaker when lips do not move', async () => {
    const source = join(media, 'two_faces_two_voices_26s.mp4')
    const params = { streamIndex: 1, durationSeconds: 25.8 }
    const sound = await runStageForTest(runAudio as Parameters<typeof runStageForTest>[0], params, {
      inputs: { source },
    })
    const { faces } = await look(source, 25.8, sound)
    await rm(join(sound.folder, '..'), { recursive: true, force: true })
    expect(faces.tracks).toHaveLength(2)
    expect(faces.tracks.map(({ speaking }) => speaking)).toEqual([[], []])
  })

  it('finds the webcam over a game to a few pixels, and none where a person stands before a whiteboard', async () => {
    const [game, board] = ['game, framed webcam at the side', 'before a whiteboard'].map((name) =>
      SCREEN_SCENES.find((scene) => scene.name === name),
    )
    if (game?.inset == null || board === undefined) throw new Error('no such scene')
    const { faces } = await look(await makeScreen(media, folder, game, 5), 5)
    expect(faces.screens).toHaveLength(1)
    const [screen] = faces.screens
    expect((screen?.end ?? 0) - (screen?.start ?? 0)).toBeGreaterThan(4)
    const pixels = screen?.inset?.map((share, at) => share * (at % 2 === 0 ? 1280 : 720)) ?? []
    expect(pixels.every((pixel, at) => Math.abs(pixel - (game.inset?.[at] ?? 0)) < 8)).toBe(true)
    expect((await look(await makeScreen(media, folder, board, 4), 4)).faces.screens).toEqual([])
  })

  it('detects which of two people talks, within half a second of each turn', async () => {
    const turns: Turn[] = [
      { who: 0, start: 0.5, end: 3 },
      { who: 1, start: 3.3, end: 6 },
      { who: 0, start: 6.2, end: 8.2 },
    ]
    const source = await makeTalkingFaces(media, folder, turns)
    const params = { streamIndex: 1, durationSeconds: 8.7 }
    const sound = await runStageForTest(runAudio as Parameters<typeof runStageForTest>[0], params, {
      inputs: { source },
    })
    const { faces } = await look(source, 8.7, sound)
    await rm(join(sound.folder, '..'), { recursive: true, force: true })
    const byPlace = faces.tracks.toSorted((a, b) => (a.points[0]?.[1] ?? 0) - (b.points[0]?.[1] ?? 0))
    expect(byPlace).toHaveLength(2)
    for (const { who, start, end } of turns) {
      const found = byPlace[who]?.speaking.find((one) => one.start < end && one.end > start)
      expect(Math.abs((found?.start ?? -9) - start), `start of ${start}`).toBeLessThan(0.5)
      expect(Math.abs((found?.end ?? -9) - end), `end of ${end}`).toBeLessThan(0.5)
    }
    // Of all moments with speech, the right person is found in nearly all.
    let right = 0
    let asked = 0
    for (let time = 0; time < 8.7; time += 0.04) {
      const turn = turns.find(({ start, end }) => time >= start && time < end)
      if (turn === undefined) continue
      asked += 1
      const says = byPlace.findIndex(({ speaking }) => speaking.some((s) => time >= s.start && time < s.end))
      if (says === turn.who) right += 1
    }
    console.log(`who speaks: right in ${((100 * right) / asked).toFixed(1)} % of the moments`)
    expect(right / asked).toBeGreaterThan(0.95)
  }, 60_000)
})
