/** Cuts out the faces where there is a voice, and compares their lips with that and other sounds. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { FaceBoxes } from '../../../server/contract/clip-measurements.ts'
import { openCheckpoints } from '../../checkpoints.ts'
import { loadActiveSpeaker } from '../../inference/active-speaker.ts'
import { findActiveSpeakerModel } from '../../inference/find-model.ts'
import { openWav } from '../../inference/wav-file.ts'
import { stageError, type StageHandler } from '../context.ts'
import { readJson, readResult } from '../read-results.ts'
import { readStretches } from '../voice/read-stretches.ts'
import { RATE } from './pure/crops.ts'
import type { RangeScores } from './pure/evidence.ts'
import { findSpeakers } from './pure/who-speaks.ts'
import { planWindows, type Turn } from './pure/windows.ts'
import { scoreRange, splitWindows, type Context } from './score-range.ts'

const FILE = 'active-speaker.json'

const Turns = Type.Array(Type.Object({ start: Type.Number(), end: Type.Number(), speaker: Type.Integer() }))

export const runActiveSpeaker: StageHandler<'active-speaker'> = async (context, params) => {
  const installed = await findActiveSpeakerModel(context.modelFolders)
  const ranges = await readBoxes(context)
  const voice = await readStretches(context)
  const turns = await readTurns(context)
  const sound = await readResult(context, 'audio')
  await using wav = await openWav(join(context.input('audio'), sound.speechFile))
  await using model = await loadActiveSpeaker(installed, context)
  const planned = ranges.map((range) => ({ range, own: planWindows(range, voice) }))
  const windows = planned.flatMap(({ own }) => own)
  const checkpoints = openCheckpoints(context)
  const work = { context, params, wav, model, windows, turns, checkpoints }
  const scores: RangeScores[] = []
  let pieces = 0
  for (const { range, own } of planned) {
    scores.push(await scoreRange(work, range, own, pieces))
    pieces += splitWindows(own).length
  }
  const speakers = findSpeakers(scores, voice, turns)
  await writeFile(join(context.folder, FILE), JSON.stringify(speakers))
  const faceSeconds = windows.reduce(
    (sum, { pictures, tracks }) => sum + (tracks.length * pictures) / RATE,
    0,
  )
  return { file: FILE, faceSeconds, model: installed.name, provider: model.provider }
}

/** The boxes of all ranges. Results of older versions have none. */
async function readBoxes(context: Context): Promise<FaceBoxes[]> {
  const { boxesFile } = await readResult(context, 'faces')
  if (boxesFile === undefined)
    throw stageError('STAGE_FAILED', 'The faces are a result of an older version. Run the workflow again.')
  return JSON.parse(await readFile(join(context.input('faces'), boxesFile), 'utf8')) as FaceBoxes[]
}

async function readTurns(context: Context): Promise<Turn[]> {
  if (!context.hasInput('speakers')) return []
  const { turnsFile } = await readResult(context, 'speakers')
  return readJson(join(context.input('speakers'), turnsFile), Turns, 'The turns of the speakers')
}
