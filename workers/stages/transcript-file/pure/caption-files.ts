/** PURE. Formats cues as SRT and WebVTT. */
import type { FileCue } from './regroup.ts'

/** `speakers`: names by number, for voice tags. */
export function toWebVtt(cues: readonly FileCue[], language: string, speakers: readonly string[]): string {
  const blocks = cues.map((cue, index) => {
    const voice =
      cue.speaker === null ? '' : `<v ${escapeMarkup(speakers[cue.speaker] ?? `Speaker ${cue.speaker + 1}`)}>`
    return `${index + 1}\n${formatTime(cue.start, '.')} --> ${formatTime(cue.end, '.')}\n${voice}${escapeMarkup(cue.text)}\n`
  })
  return [`WEBVTT${language === 'und' ? '' : `\nLanguage: ${language}`}\n`, ...blocks].join('\n')
}

export function toSrt(cues: readonly FileCue[]): string {
  return cues
    .map(
      (cue, index) =>
        `${index + 1}\n${formatTime(cue.start, ',')} --> ${formatTime(cue.end, ',')}\n${cue.text}\n`,
    )
    .join('\n')
}

function formatTime(seconds: number, point: '.' | ','): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1000))
  const part = (value: number, digits = 2): string => String(Math.floor(value)).padStart(digits, '0')
  return `${part(milliseconds / 3_600_000)}:${part((milliseconds / 60_000) % 60)}:${part((milliseconds / 1000) % 60)}${point}${part(milliseconds % 1000, 3)}`
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
