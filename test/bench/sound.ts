/**
 * Sound detection measured on recordings with known contents: voice activity, speakers, words and their times: `npm run
 * bench -- ears [--model whisper-base]`.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseModel } from '../../models/installed.ts'
import type { ModelTask } from '../../models/manifest.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runSoundEvents } from '../../workers/stages/sound-events/stage.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { fillerTables } from './sound-fillers.ts'
import { knownTextTable } from './sound-known-text.ts'
import { namedVoicesTables } from './sound-named.ts'
import { realVoicesTables, syntheticVoicesTable } from './sound-speakers.ts'
import { voiceTable } from './sound-voice.ts'
import { captionsTable, modelTable, proofTable } from './sound-words.ts'
import { hasMedia, MEDIA, media, modelFolders, NO_MEDIA, RATE, samplesOf, timed, times } from './media.ts'
import { qualityBench, type FigureTable, type QualityBench } from './report.ts'

type Handler = Parameters<typeof runStageForTest>[0]
interface Options {
  /** Speech model to measure; absent: the one that a run would use. */
  readonly model?: string
  readonly say?: (line: string) => void
}

/** About two minutes, and what a speech model takes for 110 s of speech. */
export async function runSoundBench({ model, say = () => undefined }: Options = {}): Promise<QualityBench> {
  const unmeasured: string[] = []
  const tables: FigureTable[] = []
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-ears-'))
  const skip = (why: string): void => {
    unmeasured.push(why)
    say(`not measured: ${why}`)
  }
  try {
    if (!hasMedia || !existsSync(MEDIA)) skip(`all of it, because ${NO_MEDIA}.`)
    else {
      tables.push(...(await withMedia(folder, model, say, skip)))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  skip(
    'speed on a graphics card: this was measured on a processor. The same command measures it on a machine that has one, where models run on it (`cutroom doctor` says so).',
  )
  return qualityBench('ears', { title: 'Ears', tables, unmeasured })
}

async function withMedia(
  folder: string,
  model: string | undefined,
  say: (line: string) => void,
  skip: (why: string) => void,
): Promise<FigureTable[]> {
  const tables: FigureTable[] = []
  const voices = await voiceTable(folder, say)
  if (voices === null)
    skip('voice activity, because its model is not installed: cutroom models install silero-vad')
  else tables.push(voices)
  const missing = await findMissing(['speakers', 'speaker-embedding'])
  if (missing.length > 0) skip(`speakers, because a model is not installed for: ${missing.join(', ')}`)
  else
    tables.push(
      ...(await realVoicesTables(folder, say)),
      ...(await namedVoicesTables(folder, say)),
      await syntheticVoicesTable(folder, say),
    )
  tables.push(await proofTable(), await captionsTable(folder, say), ...(await fillerTables(folder, say)))
  const known = await knownTextTable(folder, say)
  if (known === null)
    skip('the speech stage with known text, because its tokenizer (../shared/models) is not here')
  else tables.push(known)
  const speech = await modelTable(folder, model, say)
  if (speech !== null) tables.push(speech)
  else
    skip(
      `word error and word times of a speech model, for want of real weights${model === undefined ? '' : ` (${model} is not installed)`}. With them: \`cutroom models install whisper-base && npm run bench -- ears --model whisper-base --write docs/quality.md\`, likewise for the other speech models that \`cutroom models list\` names.`,
    )
  tables.push(await soundsTable(folder, say, skip))
  return tables
}

/** The tasks for which no model is installed. */
async function findMissing(tasks: readonly ModelTask[]): Promise<ModelTask[]> {
  const models = await Promise.all(tasks.map((task) => chooseModel(modelFolders(), task)))
  return tasks.filter((_, at) => models[at] === null)
}

/** Speed of the sound detectors alone: accuracy would need recordings of laughter and applause whose truth is known. */
async function soundsTable(
  folder: string,
  say: (line: string) => void,
  skip: (why: string) => void,
): Promise<FigureTable> {
  say('sound')
  const source = media('flite_rms_gettysburg.wav')
  const length = (await samplesOf(source)).length / RATE
  const listening = await timed(length, () =>
    runStageForTest(
      runAudio as Handler,
      { streamIndex: 0, durationSeconds: length },
      { inputs: { source }, root: join(folder, 'sound') },
    ),
  )
  const rows = [['reading the sound, levels and loudness', times(listening.speed)]]
  if ((await chooseModel(modelFolders(), 'sound-events')) === null)
    skip('sound events, because their model is not installed: cutroom models install yamnet')
  else {
    const { folder: audio, output } = listening.result
    const { speed } = await timed(length, () =>
      runStageForTest(
        runSoundEvents as Handler,
        {},
        {
          inputs: { audio },
          results: { audio: output },
          modelFolders: modelFolders(),
          root: join(folder, 'events'),
        },
      ),
    )
    rows.push(['laughter, applause, music', times(speed)])
    skip(
      'how often laughter and applause are heard rightly: there are no recordings of them with a known truth here.',
    )
  }
  return { title: 'Speed of listening', columns: ['what', 'real time on one core'], rows }
}
