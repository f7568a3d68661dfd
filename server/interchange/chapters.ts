/** Chapters as WebVTT (https://www.w3.org/TR/webvtt1/#introduction-chapters). PURE. */
import { paragraphsOf, type EditedTranscript, type Paragraph } from './words.ts'

/** Players make marks of chapters, which nobody can hit when they are closer. */
const LEAST_SECONDS = 10
const NAME_WORDS = 8

/**
 * A chapter for each turn of a speaker and after each long pause, named by its first words, without a gap from the start to the
 * end of the clip; what is shorter than ten seconds belongs to the one before.
 */
export function writeChapters(transcript: EditedTranscript): string {
  const { durationFrames, rate, speakers } = transcript
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
    return `${index + 1}\n${time(from)} --> ${time(to)}\n${nameOf(paragraph, speakers)}\n`
  })
  return ['WEBVTT\n', ...chapters].join('\n')
}

function nameOf({ text, speaker }: Paragraph, speakers: readonly string[]): string {
  const words = text.split(' ')
  const shown = words.slice(0, NAME_WORDS).join(' ')
  const name = words.length > NAME_WORDS ? `${shown.replace(/[,;:.…]+$/u, '')}…` : shown
  const who = speakers.length > 1 ? `${speakers[speaker] ?? `Speaker ${speaker + 1}`}: ` : ''
  return `${who}${name}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function time(seconds: number): string {
  const thousandths = Math.round(seconds * 1000)
  const part = (value: number, digits = 2): string => String(Math.floor(value)).padStart(digits, '0')
  return `${part(thousandths / 3_600_000)}:${part((thousandths / 60_000) % 60)}:${part((thousandths / 1000) % 60)}.${part(thousandths % 1000, 3)}`
}
