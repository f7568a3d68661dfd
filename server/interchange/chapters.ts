/** Chapters as WebVTT (https://www.w3.org/TR/webvtt1/#introduction-chapters). PURE. */
import { escapeMarkup, formatTime } from '../../workers/stages/transcript-file/pure/clip-files.ts'
import { paragraphsOf, speakerPrefix, type EditedTranscript, type Paragraph } from './words.ts'

/** Players make marks of chapters, which nobody can hit when they are closer. */
const LEAST_SECONDS = 10
const NAME_WORDS = 8

/**
 * A chapter for each turn of a speaker and after each long pause, named by its first words, without a gap from the start to the
 * end of the clip; what is shorter than ten seconds belongs to the one before.
 */
export function writeChapters(transcript: EditedTranscript): string {
  const { durationFrames, rate } = transcript
  const end = (durationFrames * rate.denominator) / rate.numerator
  const starts: Paragraph[] = []
  for (const paragraph of paragraphsOf(transcript)) {
    const before = starts.at(-1)
    if (before === undefined || paragraph.start - before.start >= LEAST_SECONDS) starts.push(paragraph)
  }
  if (starts.length > 1 && end - (starts.at(-1)?.start ?? 0) < LEAST_SECONDS) starts.pop()
  const chapters = starts.map((paragraph, index) => {
    const from = index === 0 ? 0 : paragraph.start
    const to = starts[index + 1]?.start ?? end
    return `${index + 1}\n${formatTime(from, '.')} --> ${formatTime(to, '.')}\n${nameOf(paragraph, transcript)}\n`
  })
  return ['WEBVTT\n', ...chapters].join('\n')
}

function nameOf({ text, speaker }: Paragraph, transcript: EditedTranscript): string {
  const words = text.split(' ')
  const shown = words.slice(0, NAME_WORDS).join(' ')
  const name = words.length > NAME_WORDS ? `${shown.replace(/[,;:.…]+$/u, '')}…` : shown
  return escapeMarkup(`${speakerPrefix(transcript, speaker)}${name}`)
}
