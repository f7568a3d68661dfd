/** Writes the words of one clip, padding included, as JSON, SRT and WebVTT; times count from the extended cut's start. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'
import type { StageHandler } from '../context.ts'
import { readTranscript } from '../read-results.ts'
import { clipFiles } from './pure/clip-files.ts'

const FILES = { json: 'transcript.json', srt: 'transcript.srt', vtt: 'transcript.vtt' } as const

export const runTranscriptFile: StageHandler<'transcript-file'> = async (context, params) => {
  const transcript = { ...(await readTranscript(context)), ...omitUndefined({ speakers: params.speakers }) }
  const { json, srt, vtt, words } = clipFiles(transcript, {
    start: params.extendedStart,
    end: params.extendedEnd,
    isVisible: (moment) => params.played.some(({ start, end }) => start <= moment && moment < end),
  })
  await writeFile(join(context.folder, FILES.json), json)
  await writeFile(join(context.folder, FILES.srt), srt)
  await writeFile(join(context.folder, FILES.vtt), vtt)
  const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex')
  return { jsonFile: FILES.json, srtFile: FILES.srt, vttFile: FILES.vtt, wordCount: words.length, digest }
}
