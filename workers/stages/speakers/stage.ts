/** Segments the sound in overlapping windows, finds people by their voices, and assigns speakers to words. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'
import type { Transcript } from '../../../server/contract/transcript.ts'
import { formatInstallCommand } from '../../../models/install.ts'
import { openCheckpoints, type Checkpoints } from '../../checkpoints.ts'
import type { InstalledModel } from '../../../models/installed.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { findSpeakerModels, type SpeakerModels } from '../../inference/find-model.ts'
import { loadSpeakerSegmentation } from '../../inference/speaker-segmentation.ts'
import { loadVoiceEmbedding } from '../../inference/voice-embedding.ts'
import { openWav, type WavFile } from '../../inference/wav-file.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { readJson, readResult, readTranscript } from '../read-results.ts'
import {
  chainVoices,
  momentsOf,
  piecesOf,
  STEP_SECONDS,
  WINDOW_SECONDS,
  type SegmentedWindow,
} from './pure/chains.ts'
import type { VoicedPiece } from './pure/cluster.ts'
import { levelled, moveToUsual } from './pure/front-end.ts'
import { BLOCK_SECONDS, blockLevels, gainsOf, withGains } from './pure/levels.ts'
import { assignChains, assignSpeakers } from './pure/people.ts'
import { turnsOfWords, withSpeakers, type Turn } from './pure/turns.ts'
import { continueVoices, measureSpeakers, SpeakerVoices, type SpeakerVoice } from './pure/voices.ts'

const FILE = 'transcript.json'
const TURNS = 'turns.json'
const VOICES = 'voices.json'
/** Progress after segmentation and after measuring voices; the rest is comparison. */
const SEGMENTED = 0.6
const MEASURED = 0.95
/** Shorter pieces, in seconds, say too little about the voice. */
const MIN_VOICED = 0.6
/** Sound read at a time for its levels, seconds. */
const PAGE_SECONDS = 60
/** Windows, or pieces of a voice, of one checkpoint. */
const AT_ONCE = 32

type Context = StageContext<'transcript' | 'audio' | 'voices'>

export const runSpeakers: StageHandler<'speakers'> = async (context, params) => {
  const models = await findSpeakerModels(context.modelFolders)
  const transcript = context.hasInput('transcript') ? await readTranscript(context) : null
  const words = transcript?.words ?? []
  const hasSpeakers = words.some(({ speaker }) => speaker !== undefined)
  const detected = hasSpeakers ? null : await detectTurns(context, params.count, models)
  const turns = detected?.turns ?? turnsOfWords(words)
  if (transcript !== null) {
    const result: Transcript = hasSpeakers ? transcript : withSpeakers(transcript, turns)
    await writeFile(join(context.folder, FILE), JSON.stringify(result))
  }
  await writeFile(join(context.folder, TURNS), JSON.stringify(turns))
  const voices = detected?.voices ?? (await readEarlierVoices(context))
  if (voices !== null) await writeFile(join(context.folder, VOICES), JSON.stringify(voices))
  return omitUndefined({
    transcriptFile: transcript === null ? '' : FILE,
    wordCount: words.length,
    language: transcript?.language ?? '',
    turnsFile: TURNS,
    voicesFile: voices === null ? undefined : VOICES,
    speakers: countSpeakers(turns),
    model: models.segmentation.name,
    embedding: detected === null ? undefined : models.embedding?.name,
    provider: detected?.provider,
  })
}

async function detectTurns(context: Context, count: number, models: SpeakerModels) {
  const sound = await readResult(context, 'audio')
  await using wav = await openWav(join(context.input('audio'), sound.speechFile))
  const checkpoints = openCheckpoints(context)
  const { windows, provider } = await segmentSound(context, wav, models.segmentation, checkpoints)
  const chains = chainVoices(windows)
  const moments = momentsOf(windows, chains)
  if (models.embedding === null) {
    const install = formatInstallCommand('wespeaker-resnet34-lm')
    context.warn(
      `A voice that pauses for long may be counted as another speaker, and the number of speakers is not limited, because no voice embedding is installed. Install one with: ${install}`,
    )
    const turns = assignChains(moments)
    // Nothing says that a voice of this part of a stream is one of the parts before, so each is a new one.
    return { ...(await continueStream(context, turns, measureSpeakers([], turns, ''), 1)), provider }
  }
  const pieces = piecesOf(moments)
  const { voices, sameVoice } = await measureVoices(
    context,
    { wav, pieces, checkpoints, before: windows.length + AT_ONCE },
    models.embedding,
  )
  const voiced = pieces.map((piece, at): VoicedPiece => ({ ...piece, voice: voices[at] ?? null }))
  const steps = assignSpeakers({ chains, moments, pieces: voiced }, sameVoice, count)
  const turns = await runSteps(context, steps)
  const found = countSpeakers(turns)
  if (found < count)
    context.warn(`${count} speakers were given, but only ${found} can be told apart by their voices.`)
  const own = measureSpeakers(voiced, turns, models.embedding.name)
  return { ...(await continueStream(context, turns, own, sameVoice)), provider }
}

/** The turns with the numbers that their speakers have in the stream, of which this may be a part, and all its voices. */
async function continueStream(
  context: Context,
  turns: readonly Turn[],
  own: readonly SpeakerVoice[],
  sameVoice: number,
): Promise<{ turns: Turn[]; voices: SpeakerVoice[] }> {
  const { labels, voices } = continueVoices((await readEarlierVoices(context)) ?? [], own, sameVoice)
  return {
    turns: turns.map((turn) => ({ ...turn, speaker: labels.get(turn.speaker) ?? turn.speaker })),
    voices,
  }
}

/** The voices of a stream so far; null where this is no later part of one. */
async function readEarlierVoices(context: Context): Promise<SpeakerVoice[] | null> {
  if (!context.hasInput('voices')) return null
  const { voicesFile } = await readResult(context, 'voices')
  if (voicesFile === undefined) return null
  return readJson(join(context.input('voices'), voicesFile), SpeakerVoices, 'The voices of the stream')
}

const countSpeakers = (turns: readonly Turn[]): number => new Set(turns.map(({ speaker }) => speaker)).size

async function segmentSound(context: Context, wav: WavFile, model: InstalledModel, checkpoints: Checkpoints) {
  await using segmentation = await loadSpeakerSegmentation(model, context)
  const { provider, segment } = segmentation
  const gains = gainsOf(await measureLevels(context, wav))
  const count = Math.max(1, Math.ceil((wav.durationSeconds - WINDOW_SECONDS) / STEP_SECONDS - 1e-9) + 1)
  const windows: SegmentedWindow[] = []
  const makeSome = async (first: number): Promise<SegmentedWindow[]> => {
    const made: SegmentedWindow[] = []
    for (let at = first; at < Math.min(count, first + AT_ONCE); at += 1) {
      throwIfCancelled(context.signal)
      const start = at * STEP_SECONDS
      context.progress(SEGMENTED * Math.min(1, start / Math.max(1, wav.durationSeconds)))
      const samples = await wav.read(start, start + WINDOW_SECONDS)
      made.push(await segment(withGains(samples, wav.sampleRate, start, gains), start))
    }
    return made
  }
  for (let first = 0; first < count; first += AT_ONCE)
    windows.push(...(await checkpoints.keep(`windows-${first}`, first + AT_ONCE, () => makeSome(first))))
  return { windows, provider }
}

/** Levels of the whole sound: 40 bytes per second. */
async function measureLevels(context: Context, wav: WavFile): Promise<Float32Array> {
  const levels = new Float32Array(Math.ceil(wav.durationSeconds / BLOCK_SECONDS) + 1)
  let count = 0
  for (let start = 0; start < wav.durationSeconds; start += PAGE_SECONDS) {
    throwIfCancelled(context.signal)
    const page = blockLevels(await wav.read(start, start + PAGE_SECONDS), wav.sampleRate)
    levels.set(page, count)
    count += page.length
  }
  return levels.subarray(0, count)
}

/** The voice of each piece, null where it is too short. Holds the features of all speech: 5 KB per second, or 32 KB. */
async function measureVoices(
  context: Context,
  work: {
    readonly wav: WavFile
    readonly pieces: ReturnType<typeof piecesOf>
    readonly checkpoints: Checkpoints
    /** How far the checkpoints reached before. */
    readonly before: number
  },
  model: InstalledModel,
) {
  const { wav, pieces, checkpoints, before } = work
  await using embedding = await loadVoiceEmbedding(model, context)
  const { frontEnd, sameVoice, embed } = embedding
  const report = (share: number): void => context.progress(SEGMENTED + (MEASURED - SEGMENTED) * share)
  const features: (Float32Array | null)[] = []
  for (const [at, { start, end }] of pieces.entries()) {
    throwIfCancelled(context.signal)
    report((0.5 * at) / pieces.length)
    const long = end - start >= MIN_VOICED
    features.push(long ? frontEnd.features(levelled(await wav.read(start, end))) : null)
  }
  moveToUsual(
    frontEnd,
    features.filter((rows) => rows !== null),
  )
  const voices: (Float32Array | null)[] = []
  const embedSome = async (first: number): Promise<(Float32Array | null)[]> => {
    const made: (Float32Array | null)[] = []
    for (const rows of features.slice(first, first + AT_ONCE)) {
      throwIfCancelled(context.signal)
      report(0.5 + (0.5 * (first + made.length)) / pieces.length)
      made.push(rows === null || rows.length === 0 ? null : await embed(rows))
    }
    return made
  }
  for (let first = 0; first < features.length; first += AT_ONCE) {
    const position = before + first + AT_ONCE
    voices.push(...(await checkpoints.keep(`voices-${first}`, position, () => embedSome(first))))
  }
  return { voices, sameVoice }
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
