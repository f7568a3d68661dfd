/** Who of two real people speaks, by the stages and the models that an inspection uses; skipped without the development media. */
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RangeSpeakers } from '../../server/contract/clip-measurements.ts'
import { runActiveSpeaker } from '../../workers/stages/active-speaker/stage.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runFaces } from '../../workers/stages/faces/stage.ts'
import { runVoice } from '../../workers/stages/voice/stage.ts'
import { makeTakes } from '../support/grid-people.ts'
import { runStageForTest, type StageRunForTest } from '../support/stage-harness.ts'

const shared = join(import.meta.dirname, '..', '..', '..', 'shared')
const present = ['models/asd-lr', 'models/asd', 'models/face', 'models/vad', 'media/people/grid'].every(
  (path) => existsSync(join(shared, path)),
)
if (!present)
  console.log('active-speaker: skipped, because the development media and models are not beside the project')

type Handler = Parameters<typeof runStageForTest>[0]

describe.skipIf(!present)('active-speaker', () => {
  let folder = ''
  const source = (): string => join(folder, 'two.mp4')
  const made: Record<string, StageRunForTest<unknown>> = {}
  const params = { streamIndex: 0, width: 720, height: 288, hdr: false }
  const run = (
    handler: unknown,
    given: object,
    inputs: readonly string[],
    models: string,
    signal?: AbortSignal,
  ) =>
    runStageForTest(handler as Handler, given as never, {
      inputs: {
        source: source(),
        ...Object.fromEntries(inputs.map((name) => [name, made[name]?.folder ?? ''])),
      },
      results: Object.fromEntries(inputs.map((name) => [name, made[name]?.output])),
      modelFolders: [models],
      ...(signal === undefined ? {} : { signal }),
    })
  const inputs = ['audio', 'faces', 'voice']

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cutroom-active-speaker-'))
    const people = [{ clip: 'lbbc2a' }, { clip: 'bbaf2n', still: true as const }]
    await makeTakes(join(shared, 'media'), source(), [{ people, sound: 0 }])
    const models = join(shared, 'models')
    made['audio'] = await run(runAudio, { streamIndex: 1, durationSeconds: 2.96 }, [], models)
    const ranges = [{ start: 0, end: 2.96 }]
    made['faces'] = await run(runFaces, { ranges, ...params }, ['audio'], models)
    made['voice'] = await run(runVoice, {}, ['audio'], models)
  })
  afterAll(async () => {
    const folders = Object.values(made).map((one) => join(one.folder, '..'))
    for (const path of [folder, ...folders]) await rm(path, { recursive: true, force: true })
  })

  it.each(['asd-lr', 'asd'])(
    'finds the one whose lips move while there is a voice, with %s',
    async (name) => {
      const models = await mkdtemp(join(folder, 'models-'))
      await cp(join(shared, 'models', name), join(models, name), { recursive: true })
      const { output, folder: made, warnings, progress } = await run(runActiveSpeaker, params, inputs, models)
      const [found] = JSON.parse(await readFile(join(made, 'active-speaker.json'), 'utf8')) as RangeSpeakers[]
      await rm(join(made, '..'), { recursive: true, force: true })
      const chosen = found?.samples.filter(({ track }) => track !== null) ?? []
      expect([found?.tracks.length, found?.samples.length, warnings]).toEqual([2, 15, []])
      expect(new Set(chosen.map(({ track }) => track)).size).toBe(1)
      // The sentence is from 0.5 to 2 s.
      expect(chosen[0]?.time).toBeGreaterThan(0.1)
      expect(chosen.at(-1)?.time).toBeLessThan(2.6)
      expect(chosen.length).toBeGreaterThan(6)
      for (const { confidence } of chosen) expect(confidence > 0.6 && confidence < 1).toBe(true)
      expect(output).toMatchObject({ model: name === 'asd' ? 'light-asd' : 'lr-asd', provider: 'cpu' })
      expect(progress.at(-1)).toBe(1)
    },
  )

  it('is cancelled, and names the model that is missing', async () => {
    const cancelled = run(runActiveSpeaker, params, inputs, join(shared, 'models'), AbortSignal.abort())
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(run(runActiveSpeaker, params, inputs, folder)).rejects.toMatchObject({
      code: 'MODEL_NOT_INSTALLED',
      message: expect.stringContaining('cutroom models install lr-asd') as string,
    })
  })
})
