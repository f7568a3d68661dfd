/** Reads transcript and sound, chooses clips, and throws the two cases without any result as errors with reasons. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { PictureFacts } from '../../../server/contract/source-facts.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import type { OutputOf } from '../declare.ts'
import type { lookOver } from '../look-over/declaration.ts'
import { readTranscript } from '../read-transcript.ts'
import { readSound } from './read-sound.ts'
import { findClips } from './pure/find-clips.ts'
import { compareMeaning } from './compare-meaning.ts'

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
  const understood = discovers ? await compareMeaning(context, { words, settings, durationSeconds }) : null
  const found = findClips({
    words,
    speakers: transcript?.speakers ?? [],
    language: transcript?.language ?? 'und',
    settings,
    durationSeconds,
    ...(sound === null ? {} : { sound }),
    ...(picture === null ? {} : { picture }),
    ...(senses === undefined ? {} : { name: senses.name }),
    ...(understood === null ? {} : { meaning: understood.meaning }),
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
async function readPicture(
  context: StageContext<'transcript' | 'audio' | 'events' | 'picture'>,
): Promise<PictureFacts | null> {
  if (!context.hasInput('picture')) return null
  const made = (await context.inputResult('picture')) as OutputOf<typeof lookOver>
  const parsed: unknown = JSON.parse(await readFile(join(context.input('picture'), made.pictureFile), 'utf8'))
  if (!Value.Check(PictureFacts, parsed))
    throw stageError(
      'STAGE_FAILED',
      'The picture analysis of an earlier step cannot be read. Run the workflow again.',
    )
  const first = parsed.looks[0]?.[0] ?? 0
  const last = parsed.looks.at(-1)?.[0] ?? 0
  if (parsed.looks.length >= 2 && (last - first) / (parsed.looks.length - 1) <= TOO_FEW) return parsed
  context.warn(
    'Cuts and movement in the picture were not considered in the choice of clips, because its keyframes are too far apart.',
  )
  return null
}
