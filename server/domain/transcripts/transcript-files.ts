/**
 * The files of a clip's words (JSON, SRT, WebVTT), written again when the words, or which of them are visible, change.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { speakersOf } from '../../contract/manual-overrides.ts'
import type { ClipDocument, ClipMedia } from '../../contract/clip.ts'
import { isPlayed } from '../../contract/time-map/clip-times.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { getMedia } from '../../db/media.ts'
import { newId } from '../../ids.ts'
import { digestOf } from '../../../workers/artefacts.ts'
import { clipFiles } from '../../../workers/stages/transcript-file/pure/clip-files.ts'
import { registerMedia } from '../rendering/register-media.ts'
import type { Services } from '../services.ts'
import { makeSyncedFolderNow, syncFolderNow } from '../../../workers/sync-folder.ts'

const FILES = [
  { field: 'transcript', text: 'json', file: 'transcript.json', mediaType: 'application/json' },
  { field: 'transcriptSrt', text: 'srt', file: 'transcript.srt', mediaType: 'application/x-subrip' },
  { field: 'transcriptVtt', text: 'vtt', file: 'transcript.vtt', mediaType: 'text/vtt' },
] as const

/**
 * The document with addresses of files that hold these words; the files it had stay where they are. They are a few
 * kilobytes, and lie under their content: written once, whole or not at all.
 */
export function withTranscriptFiles(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  clip: { companyId: string; clipId: string; document: ClipDocument },
  transcript: { language: string; words: readonly TranscriptWord[] },
): ClipDocument {
  const { companyId, clipId, document } = clip
  const words = [...transcript.words]
  const speakers = speakerNames(words, speakersOf(document))
  const texts = clipFiles(
    { language: transcript.language, words, ...(speakers === null ? {} : { speakers }) },
    {
      start: document.extended.start,
      end: document.extended.end,
      isVisible: (moment) => isPlayed(document, { start: moment, end: moment }),
    },
  )
  const { json, srt, vtt } = texts
  const key = digestOf({ json, srt, vtt })
  const folder = join(services.home.artefacts, 'clip-words', key.slice(0, 2), key)
  publish(services, folder, new Map(FILES.map(({ file, text }) => [file, texts[text]])))
  const media: ClipMedia = { ...document.media }
  for (const { field, file, mediaType } of FILES) {
    const before = media[field]
    const name = (before === undefined ? undefined : getMedia(services.db, before)?.name) ?? file
    media[field] = registerMedia(services, { companyId, clipId, path: join(folder, file), name, mediaType })
  }
  return { ...document, media }
}

/** Names by speaker number; null when they cannot be assigned. */
export function speakerNames(words: readonly TranscriptWord[], names: readonly string[]): string[] | null {
  const numbers = [...new Set(words.flatMap((word) => word.speaker ?? []))].sort((a, b) => a - b)
  if (numbers.length === 0 || numbers.length !== names.length) return null
  const byNumber = Array.from({ length: (numbers.at(-1) ?? 0) + 1 }, (_, number) => `Speaker ${number + 1}`)
  numbers.forEach((number, rank) => (byNumber[number] = names[rank] ?? `Speaker ${number + 1}`))
  return byNumber
}

function publish({ home }: Pick<Services, 'home'>, folder: string, files: ReadonlyMap<string, string>): void {
  if (existsSync(folder)) return
  const draft = join(home.temporary, `words-${newId()}`)
  mkdirSync(draft, { recursive: true })
  try {
    for (const [name, text] of files) writeFileSync(join(draft, name), text, { flush: true })
    syncFolderNow(draft)
    makeSyncedFolderNow(dirname(folder))
    renameSync(draft, folder)
    syncFolderNow(dirname(folder))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
