/** Reads transcript and sound, chooses clips, and throws the two cases without any result as errors with reasons. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PictureFacts, SoundEvent } from '../../../server/contract/source-facts.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import { readJson, readResult, readTranscript } from '../read-results.ts'
import { findClips } from './pure/find-clips.ts'
import type { FindClipsSettings } from '../../../server/contract/clip-candidate.ts'
import { AppError } from '../../../server/contract/errors.ts'
import type { Provider } from '../../../server/contract/inference.ts'
import type { TranscriptWord } from '../../../server/contract/transcript.ts'
import { findTextModel } from '../../inference/find-model.ts'
import { loadTextEmbedder } from '../../inference/text-embedder.ts'
import { compareMeaning, listPreferences, textsToCompare, type Understood } from './pure/meaning.ts'
import { splitSentences } from './pure/sentences.ts'
import { Type } from '@sinclair/typebox'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { openWav } from '../../inference/wav-file.ts'
import type { DetectedSound } from './pure/sound-cues.ts'
import { PITCH_HOP_SECONDS, pitchesOf } from './pure/voice-pitch.ts'

export const runFindClips: StageHandler<'find-clips'> = async (context, params) => {
  const { settings, durationSeconds, senses } = params
  context.progress(0, 'Finding the clips')
  const discovers = !settings.wholeSource && !(settings.pinnedOnly && settings.pinnedMode === 'ranges')
  const pinnedClips = settings.pinnedMode === 'ranges' && settings.pinned.length > 0
  if (discovers && !pinnedClips && durationSeconds < settings.minLength) {
    throw stageError(
      'VIDEO_TOO_SHORT',
      `The video is ${durationSeconds.toFixed(1)} s long, shorter than the shortest clip that is allowed (${settings.minLength} s).`,
    )
  }
  // The plan has no transcript where there is no sound.
  const transcript = context.hasInput('transcript') ? await readTranscript(context) : null
  const words = transcript?.words ?? []
  const sound = senses === undefined || !discovers ? null : await readSound(context)
  const picture = senses === undefined || !discovers ? null : await readPicture(context)
  if (discovers && !pinnedClips && words.length === 0 && sound === null && picture === null) {
    throw stageError(
      'NO_SPEECH',
      'No spoken words were found in the video, so there is nothing to choose clips from.',
    )
  }
  const understood = discovers ? await readMeaning(context, { words, settings, durationSeconds }) : null
  const found = findClips({
    words,
    speakers: transcript?.speakers ?? [],
    language: transcript?.language ?? 'und',
    settings,
    durationSeconds,
    ...(sound === null ? {} : { sound }),
    ...(picture === null ? {} : { picture }),
    ...(senses === undefined ? {} : { name: senses.name }),
    ...understood?.found,
  })
  for (const warning of found.warnings) context.warn(warning)
  context.progress(1, found.summary)
  if (understood === null) return found
  const { model, provider } = understood
  return { ...found, model, provider }
}

/** With more seconds between pictures, on average, they say too little about the moments in between. */
const TOO_FEW = 15

/** Null where the picture was not analysed, or too rarely to choose clips by it; the latter gives a warning. */
async function readPicture(context: StageContext<'transcript' | 'audio' | 'events' | 'picture'>) {
  if (!context.hasInput('picture')) return null
  const made = await readResult(context, 'picture')
  const parsed = await readJson(
    join(context.input('picture'), made.pictureFile),
    PictureFacts,
    'The picture analysis',
  )
  const first = parsed.looks[0]?.[0] ?? 0
  const last = parsed.looks.at(-1)?.[0] ?? 0
  if (parsed.looks.length >= 2 && (last - first) / (parsed.looks.length - 1) <= TOO_FEW) return parsed
  context.warn(
    'Cuts and movement in the picture were not considered in the choice of clips, because its keyframes are too far apart.',
  )
  return null
}

interface Reading {
  readonly found: Understood
  readonly model: string
  readonly provider: Provider
}

/** Null where no model is available; words then count alone. A failing model is named in a warning. */
async function readMeaning(
  context: StageContext,
  speech: {
    readonly words: readonly TranscriptWord[]
    readonly settings: FindClipsSettings
    readonly durationSeconds: number
  },
): Promise<Reading | null> {
  const preferences = listPreferences(speech.settings)
  const words = speech.words.filter((word) => word.isDeleted !== true)
  if (words.length === 0) return null
  const model = await findTextModel(context.modelFolders)
  if (model === null) return null
  const sentences = splitSentences(words, speech.durationSeconds)
  try {
    const embedder = await loadTextEmbedder(model, context)
    const texts = textsToCompare(preferences, sentences)
    const vectors = await embedder.embed(texts, context.signal, (count) =>
      context.progress((0.9 * count) / texts.length, 'Reading what is said'),
    )
    const found = compareMeaning(sentences, preferences, vectors)
    return { found, model: model.name, provider: embedder.provider }
  } catch (error) {
    if (error instanceof AppError && error.code === 'CANCELLED') throw error
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    context.warn(
      `The clips were chosen by words alone: the model ${model.name}, which tells what sentences mean, does not work here (${(reason ?? '').slice(0, 200)}). Check it with: cutroom models verify ${model.name}`,
    )
    return null
  }
}

type Context = StageContext<'transcript' | 'audio' | 'events' | 'picture'>

/** Seconds of sound in memory at once. */
const PAGE_SECONDS = 60
/** Measuring the pitch at the end of a page needs some of the next one. */
const OVERLAP_SECONDS = 0.1

/** Null where there is no sound, or only silence. */
async function readSound(context: Context): Promise<DetectedSound | null> {
  if (!context.hasInput('audio')) return null
  const sound = await readResult(context, 'audio')
  if (sound.silent) return null
  const folder = context.input('audio')
  return {
    envelope: await readEnvelope(join(folder, sound.envelopeFile)),
    envelopeHopSeconds: sound.envelopeHopSeconds,
    speechLevelDb: sound.speechLevelDb,
    noiseLevelDb: sound.noiseLevelDb,
    pitches: await readPitches(context, join(folder, sound.speechFile)),
    events: await readEvents(context),
  }
}

async function readEnvelope(path: string): Promise<Float32Array> {
  const bytes = await readFile(path)
  // Copied, because the values must begin at an aligned address.
  return new Float32Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 2)
}

async function readPitches(context: Context, path: string): Promise<Float32Array> {
  await using wav = await openWav(path)
  const pitches = new Float32Array(Math.ceil(wav.durationSeconds / PITCH_HOP_SECONDS))
  for (let start = 0; start < wav.durationSeconds; start += PAGE_SECONDS) {
    throwIfCancelled(context.signal)
    context.progress((start / wav.durationSeconds) * 0.8, 'Listening to the voices')
    const samples = await wav.read(start, start + PAGE_SECONDS + OVERLAP_SECONDS)
    const page = pitchesOf(samples, wav.sampleRate)
    const at = Math.round(start / PITCH_HOP_SECONDS)
    pitches.set(page.subarray(0, Math.min(PAGE_SECONDS / PITCH_HOP_SECONDS, pitches.length - at)), at)
  }
  return pitches
}

async function readEvents(context: Context): Promise<SoundEvent[]> {
  if (!context.hasInput('events')) return []
  const made = await readResult(context, 'events')
  const path = join(context.input('events'), made.eventsFile)
  return readJson(path, Type.Array(SoundEvent), 'The sound events')
}
