/** Turns captions that came with the source into timed words. This file reads the track or sidecar; `pure/` decides. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../server/contract/errors.ts'
import { languageTag, type Transcript, type TranscriptWord } from '../../../server/contract/transcript.ts'
import { openCheckpoints } from '../../checkpoints.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { openWav, type WavFile } from '../../inference/wav-file.ts'
import { captionTrackArguments } from '../../media/arguments/audio.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import { readResult } from '../read-results.ts'
import { decodeCaptionBytes } from './decode-caption-bytes.ts'
import { parseCaptions } from './pure/parse-captions.ts'
import { settleCues, type SettledCues } from './pure/settle-cues.ts'
import { inSequence, SEARCH_SECONDS, wordsFromCue } from './pure/words-from-cues.ts'
import { fillersBeside, findHeldSounds, withHeldSounds, type HeldPage } from './sustained.ts'

type Track = Parameters<StageHandler<'captions'>>[1]['track']
type Context = StageContext<'source' | 'ingest' | 'audio'>

/** Larger than any caption file of a day-long video. */
const MAX_BYTES = 64 * 1024 ** 2
/** Seconds of sound read at once, shared by the cues inside. */
const PAGE_SECONDS = 60

export const runCaptions: StageHandler<'captions'> = async (context, params) => {
  context.progress(0, 'Reading the captions')
  const text = await readTrack(context, params.track)
  const parsed = parseCaptions(text)
  if (parsed.cues.length === 0) {
    throw stageError(
      'NO_SPEECH',
      `The ${trackName(params.track)} cannot be read as captions: no cue with a time was found in it.`,
      { details: { reason: 'captions-unreadable' } },
    )
  }
  if (parsed.broken > 0)
    context.warn(`${parsed.broken} caption timing lines could not be read and were left out.`)
  const settled = settleCues(parsed.cues, params.durationSeconds)
  for (const warning of settled.warnings) context.warn(warning)
  if (settled.cues.length === 0) {
    throw stageError(
      'NO_SPEECH',
      `The ${trackName(params.track)} has no spoken words inside the video, only sounds or music.`,
      { details: { reason: 'captions-empty' } },
    )
  }
  const timed = await timeAll(context, settled)
  const { words } = timed
  const language = languageTag(params.track.language) ?? languageTag(parsed.language ?? '') ?? 'und'
  const transcript: Transcript = {
    origin: params.track.kind === 'embedded' ? 'embedded-captions' : 'sidecar-captions',
    language,
    detail:
      params.track.kind === 'embedded'
        ? `caption track ${params.track.streamIndex}`
        : `${params.track.format} sidecar`,
    ...(settled.speakers.length === 0 ? {} : { speakers: [...settled.speakers] }),
    ...timed,
  }
  await writeFile(join(context.folder, 'transcript.json'), JSON.stringify(transcript))
  context.progress(1)
  return { transcriptFile: 'transcript.json', wordCount: words.length, language }
}

function trackName(track: Track): string {
  return track.kind === 'embedded'
    ? 'caption track inside the video'
    : `caption file (.${track.format}) beside the video`
}

async function readTrack(context: Context, track: Track): Promise<string> {
  const file =
    track.kind === 'sidecar'
      ? join(context.input('ingest'), track.file)
      : await extract(context, track.streamIndex)
  const { size } = await stat(file)
  if (size > MAX_BYTES) {
    throw stageError(
      'NO_SPEECH',
      `The ${trackName(track)} is ${Math.round(size / 1024 ** 2)} MB, too large to be captions.`,
      { details: { reason: 'captions-unreadable' } },
    )
  }
  const text = decodeCaptionBytes(await readFile(file))
  if (track.kind === 'embedded') await rm(file)
  return text
}

/** WebVTT and ASS are copied, so that voice tags survive and signs can be recognised; other formats become SRT. */
async function extract(context: Context, streamIndex: number): Promise<string> {
  const source = context.input('source')
  let problem: unknown
  for (const format of ['vtt', 'ass', 'srt'] as const) {
    const file = join(context.temporary, `track.${format}`)
    try {
      const args = captionTrackArguments(source, streamIndex, format, file)
      await runFfmpeg(context, args, { stallSeconds: 120 })
      return file
    } catch (cause) {
      throwIfCancelled(context.signal)
      problem = cause
    }
  }
  if (problem instanceof AppError && problem.code === 'DISK_FULL') throw problem
  throw stageError(
    'NO_SPEECH',
    'The caption track inside the video cannot be read as text; it may be made of pictures.',
    {
      details: { reason: 'captions-unreadable' },
      cause: problem,
    },
  )
}

/** Times cue after cue, reading the sound a page at a time. */
async function timeAll(
  context: Context,
  settled: SettledCues,
): Promise<Pick<Transcript, 'words' | 'fillers'>> {
  const { cues } = settled
  await using sound = await openSound(context)
  if (sound === null)
    context.warn('The video has no sound, so the words of the captions are timed by their length only.')
  const once = await openCheckpoints(context).resumeValues<HeldPage>('pages', 0, 0)
  const held = sound === null ? null : await findHeldSounds(context, sound, once)
  const words: TranscriptWord[] = []
  let page = { from: 0, to: -1, features: await sound?.features(0, 0) }
  for (const [index, cue] of cues.entries()) {
    const neighbours = {
      earliest: words.at(-1)?.end ?? 0,
      latest: cues[index + 1]?.start ?? cue.end + SEARCH_SECONDS,
    }
    const from = cue.start - SEARCH_SECONDS - 0.5
    const to = cue.end + SEARCH_SECONDS + 0.5
    if (sound !== null && (from < page.from || to > page.to)) {
      throwIfCancelled(context.signal)
      const pageFrom = Math.max(0, from)
      const pageTo = Math.max(to, from + PAGE_SECONDS)
      page = {
        from: Math.min(pageFrom, from),
        to: pageTo,
        features: await sound.features(pageFrom, pageTo),
      }
      context.progress(index / cues.length, `Timing the words of cue ${index + 1} of ${cues.length}`)
    }
    const features = page.features ?? null
    const known = features === null || held === null ? features : withHeldSounds(features, held)
    words.push(...wordsFromCue(cue, neighbours, known))
  }
  const placed = inSequence(words)
  return held === null ? { words: placed } : { words: placed, ...fillersBeside(placed, held) }
}

async function openSound(context: Context): Promise<WavFile | null> {
  if (!context.hasInput('audio')) return null
  const result = await readResult(context, 'audio')
  return result.silent ? null : openWav(join(context.input('audio'), result.speechFile))
}
