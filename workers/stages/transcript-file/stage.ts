/** The words of one clip, padding included, as JSON, SRT and WebVTT; times count from the extended cut's start. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { Transcript, type TranscriptWord } from '../../../server/contract/transcript.ts'
import { stageError, type StageHandler } from '../context.ts'
import type { ParamsOf } from '../declare.ts'
import type { transcriptFile } from './declaration.ts'
import { toSrt, toWebVtt } from './pure/caption-files.ts'
import { regroup } from './pure/regroup.ts'

const FILES = { json: 'transcript.json', srt: 'transcript.srt', vtt: 'transcript.vtt' } as const

export const runTranscriptFile: StageHandler<'transcript-file'> = async (context, params) => {
  const made = (await context.inputResult('transcript')) as { transcriptFile: string }
  const transcript: unknown = JSON.parse(
    await readFile(join(context.input('transcript'), made.transcriptFile), 'utf8'),
  )
  if (!Value.Check(Transcript, transcript)) {
    throw stageError('STAGE_FAILED', 'The transcript that an earlier step made is not readable.')
  }
  // A word that the edge cuts through belongs to the side where most of it lies.
  const inside = transcript.words.filter((word) => {
    const middle = (word.start + word.end) / 2
    return word.isDeleted !== true && middle >= params.extendedStart && middle < params.extendedEnd
  })
  const length = params.extendedEnd - params.extendedStart
  const timed = inside.map((word) => shifted(word, params.extendedStart, length))
  const words = timed.map((word, index) => ({
    word: word.word,
    start: word.start,
    end: word.end,
    ...(word.speaker === undefined ? {} : { speaker: word.speaker }),
    /** Inside the visible cut, not only in the padding around it. */
    visible: visible(inside[index], params),
  }))
  const cues = regroup(timed)
  const { language } = transcript
  const named = transcript.speakers === undefined ? {} : { speakers: transcript.speakers }
  await writeFile(join(context.folder, FILES.json), JSON.stringify({ language, ...named, words }))
  await writeFile(join(context.folder, FILES.srt), toSrt(cues))
  await writeFile(join(context.folder, FILES.vtt), toWebVtt(cues, language, transcript.speakers ?? []))
  const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex')
  return { jsonFile: FILES.json, srtFile: FILES.srt, vttFile: FILES.vtt, wordCount: words.length, digest }
}

function shifted(word: TranscriptWord, by: number, length: number): TranscriptWord {
  const at = (seconds: number): number =>
    Math.round(Math.min(length, Math.max(0, seconds - by)) * 1000) / 1000
  return { ...word, start: at(word.start), end: at(word.end) }
}

function visible(word: TranscriptWord | undefined, cut: ParamsOf<typeof transcriptFile>): boolean {
  if (word === undefined) return false
  const middle = (word.start + word.end) / 2
  const gone = cut.cuts?.some(({ start, end }) => middle >= start && middle < end) === true
  return middle >= cut.start && middle < cut.end && !gone
}
