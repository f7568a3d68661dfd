/** Sound events besides words: speech is none, a played chord is music. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SoundEvent } from '../../server/contract/source-facts.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runSoundEvents } from '../../workers/stages/sound-events/stage.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'

const shared = join(import.meta.dirname, '..', '..', '..', 'shared')
const present = existsSync(join(shared, 'models', 'audio-events')) && existsSync(join(shared, 'media'))
if (!present)
  console.log('sound events: skipped, because the development media and models are not beside the project')

type Handler = Parameters<typeof runStageForTest>[0]

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-sounds-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function eventsIn(source: string, seconds: number): Promise<SoundEvent[]> {
  const root = await mkdtemp(join(folder, 'run-'))
  const params = { streamIndex: 0, durationSeconds: seconds }
  const sound = await runStageForTest(runAudio as Handler, params, {
    inputs: { source },
    root: join(root, 'audio'),
  })
  const run = await runStageForTest(
    runSoundEvents as Handler,
    {},
    {
      root: join(root, 'events'),
      inputs: { audio: sound.folder },
      results: { audio: sound.output },
      modelFolders: [join(shared, 'models')],
    },
  )
  return JSON.parse(await readFile(join(run.folder, 'events.json'), 'utf8')) as SoundEvent[]
}

describe.skipIf(!present)('sound events', () => {
  it('are none in speech', async () => {
    expect(await eventsIn(join(shared, 'media', 'jfk.flac'), 11)).toEqual([])
    expect(await eventsIn(join(shared, 'media', 'flite_slt_alice.wav'), 41)).toEqual([])
  })

  it('are music where chords are played, from where they begin', async () => {
    const file = join(folder, 'song.wav')
    // Speech for ten seconds, then plucked chords that change twice a second.
    const note = (hertz: string) => `sin(2*PI*t*${hertz})*exp(-3*mod(t\\,0.5))`
    const step = 'pow(2\\,mod(floor(t*2)\\,5)/12)'
    const chord = ['220', '277', '330', '440', '660'].map((hertz) => note(`${hertz}*${step}`)).join('+')
    await promisify(execFile)(bundledTools().ffmpeg, [
      '-v',
      'error',
      '-y',
      '-t',
      '10',
      '-i',
      join(shared, 'media', 'flite_slt_alice.wav'),
      '-f',
      'lavfi',
      '-i',
      `aevalsrc=0.12*(${chord}):s=16000:d=12`,
      '-filter_complex',
      '[0:a]aresample=16000[a];[a][1:a]concat=n=2:v=0:a=1',
      '-ac',
      '1',
      file,
    ])
    const music = (await eventsIn(file, 22)).filter(({ kind }) => kind === 'music')
    expect(music.length).toBeGreaterThan(0)
    expect(music[0]?.start).toBeGreaterThan(9)
    expect(music[0]?.start).toBeLessThan(12)
    expect(music.at(-1)?.end).toBeGreaterThan(20)
  })
})
