/** Segments the sound in overlapping windows, identifies people by their voices, and assigns speakers to words. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'
import type { Transcript } from '../../../server/contract/transcript.ts'
import type { InstalledModel } from '../../../models/installed.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { findSpeakerModel } from '../../inference/find-model.ts'
import { loadSpeakerSegmentation } from '../../inference/speaker-segmentation.ts'
import { openWav, type WavFile } from '../../inference/wav-file.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { readResult, readTranscript } from '../read-results.ts'
import { assignSpeakers } from './pure/people.ts'
import { STEP_SECONDS, WINDOW_SECONDS, type SegmentedWindow } from './pure/chains.ts'
import { speakersOfWords, turnsOfWords, type Turn } from './pure/turns.ts'
import { CEPSTRA, cepstra, FRAME, HOP } from './pure/voiceprint.ts'

const FILE = 'transcript.json'
const TURNS = 'turns.json'
const RATE = 16_000
/** Progress after segmentation and after measuring the sound; the rest is comparison. */
const SEGMENTED = 0.8
const MEASURED = 0.9

type Context = StageContext<'transcript' | 'audio'>

export const runSpeakers: StageHandler<'speakers'> = async (context, params) => {
  const model = await findSpeakerModel(context.modelFolders)
  const transcript = context.hasInput('transcript') ? await readTranscript(context) : null
  const words = transcript?.words ?? []
  const hasSpeakers = words.some(({ speaker }) => speaker !== undefined)
  const detected = hasSpeakers ? null : await detectTurns(context, params.count, model)
  const turns = detected?.turns ?? turnsOfWords(words)
  if (transcript !== null) {
    const result: Transcript = hasSpeakers
      ? transcript
      : { ...transcript, words: speakersOfWords(words, turns) }
    await writeFile(join(context.folder, FILE), JSON.stringify(result))
  }
  await writeFile(join(context.folder, TURNS), JSON.stringify(turns))
  return omitUndefined({
    transcriptFile: transcript === null ? '' : FILE,
    wordCount: words.length,
    language: transcript?.language ?? '',
    turnsFile: TURNS,
    speakers: new Set(turns.map(({ speaker }) => speaker)).size,
    model: model.name,
    provider: detected?.provider,
  })
}

async function detectTurns(context: Context, count: number, model: InstalledModel) {
  const sound = await readResult(context, 'audio')
  await using wav = await openWav(join(context.input('audio'), sound.speechFile))
  await using segmentation = await loadSpeakerSegmentation(model, context)
  const { provider, segment } = segmentation
  const windows = await segmentSound(context, wav, segment)
  const rows = await measureCepstra(context, wav)
  return { turns: await runSteps(context, assignSpeakers(windows, rows, HOP / RATE, count)), provider }
}

async function segmentSound(
  context: Context,
  wav: WavFile,
  hear: (samples: Int16Array, startSeconds: number) => Promise<SegmentedWindow>,
): Promise<SegmentedWindow[]> {
  const windows: SegmentedWindow[] = []
  for (let start = 0; ; start += STEP_SECONDS) {
    throwIfCancelled(context.signal)
    context.progress(SEGMENTED * Math.min(1, start / Math.max(1, wav.durationSeconds)))
    windows.push(await hear(await wav.read(start, start + WINDOW_SECONDS), start))
    if (start + WINDOW_SECONDS >= wav.durationSeconds) return windows
  }
}

/** Lets a cancel through between two steps. */
async function runSteps(context: Context, steps: Generator<number, Turn[]>): Promise<Turn[]> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    context.progress(MEASURED + (1 - MEASURED) * step.value)
    await pause()
    throwIfCancelled(context.signal)
  }
}

/** Rows of cepstra read at a time: 10 s. */
const ROWS = 625

/** Cepstra of the whole sound: 3 KB per second, 12 MB per hour. */
async function measureCepstra(context: Context, wav: WavFile): Promise<Float32Array> {
  const samples = Math.floor(wav.durationSeconds * RATE)
  const count = Math.max(0, Math.floor((samples - FRAME) / HOP) + 1)
  const rows = new Float32Array(count * CEPSTRA)
  for (let row = 0; row < count; row += ROWS) {
    throwIfCancelled(context.signal)
    context.progress(SEGMENTED + (MEASURED - SEGMENTED) * (row / count))
    const last = Math.min(count, row + ROWS)
    const part = await wav.read((row * HOP) / RATE, ((last - 1) * HOP + FRAME) / RATE)
    rows.set(cepstra(part).subarray(0, (last - row) * CEPSTRA), row * CEPSTRA)
  }
  return rows
}
