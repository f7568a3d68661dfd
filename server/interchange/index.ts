/**
 * PURE room: a clip as files for other programs, made from its Composition. What may come in: contract, and the writer of
 * caption files. Each format says what of the clip it cannot hold, in the file and beside it.
 */
import type { Composition } from '../contract/composition.ts'
import { movedBy } from '../contract/time-map/head.ts'
import { writeChapters } from './chapters.ts'
import { writeEdl } from './edl.ts'
import { writeFcp7 } from './fcp7.ts'
import { writeFcpxml } from './fcpxml.ts'
import type { NotedClip } from './notes.ts'
import { writeOtio } from './otio.ts'
import { writeScc } from './scc.ts'
import { writeEbuTtD, writeTtml } from './ttml.ts'
import { buildTimeline, type MediaReference, type SourceReference } from './timeline.ts'
import {
  writeSrt,
  writeTxt,
  writeVtt,
  writeWordJson,
  type EditedTranscript,
  type EditedWord,
} from './words.ts'

export type { EditedWord, MediaReference, SourceReference }

export const EXPORT_FORMATS = [
  'otio',
  'fcpxml',
  'fcp7',
  'edl',
  'srt',
  'vtt',
  'ttml',
  'ebu-tt-d',
  'scc',
  'chapters',
  'txt',
  'json',
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface ClipForExport {
  readonly composition: Composition
  readonly title: string
  readonly source: SourceReference
  /** By digest. */
  readonly assets: ReadonlyMap<string, MediaReference>
  /** On frames of the clip without its head. */
  readonly words: readonly EditedWord[]
  readonly language: string
  readonly speakers: readonly string[]
}

export interface Exported {
  readonly text: string
  /** A sentence for each thing that the format drops. */
  readonly notes: readonly string[]
}

interface FormatDefinition {
  readonly label: string
  readonly extension: string
  readonly mediaType: string
  readonly write: (clip: ClipForExport) => Exported
}

const timeline = (write: (clip: NotedClip) => Exported) => (clip: ClipForExport) =>
  write({ composition: clip.composition, timeline: buildTimeline(clip) })

const words =
  (write: (transcript: EditedTranscript) => string, notes: readonly string[]) =>
  ({ composition, title, words: spoken, language, speakers }: ClipForExport): Exported => {
    const { output, durationFrames, headFrames = 0 } = composition
    const rate = output.frameRate
    const heard = spoken.map((word) => movedBy(word, headFrames))
    return { text: write({ title, language, rate, durationFrames, words: heard, speakers }), notes }
  }

const NO_LOOK = 'Only the words and their times: the look of the captions is dropped.'

export const FORMATS: Readonly<Record<ExportFormat, FormatDefinition>> = {
  otio: {
    label: 'OpenTimelineIO',
    extension: 'otio',
    mediaType: 'application/json',
    write: timeline(writeOtio),
  },
  fcpxml: {
    label: 'Final Cut Pro XML 1.10',
    extension: 'fcpxml',
    mediaType: 'application/xml',
    write: timeline(writeFcpxml),
  },
  fcp7: {
    label: 'Final Cut Pro 7 XML',
    extension: 'xml',
    mediaType: 'application/xml',
    write: timeline(writeFcp7),
  },
  edl: {
    label: 'CMX 3600 edit decision list',
    extension: 'edl',
    mediaType: 'text/plain',
    write: timeline(writeEdl),
  },
  srt: {
    label: 'SubRip captions',
    extension: 'srt',
    mediaType: 'application/x-subrip',
    write: words(writeSrt, [NO_LOOK, 'Speakers are dropped.']),
  },
  vtt: {
    label: 'WebVTT captions',
    extension: 'vtt',
    mediaType: 'text/vtt',
    write: words(writeVtt, [NO_LOOK]),
  },
  ttml: {
    label: 'TTML captions',
    extension: 'ttml',
    mediaType: 'application/ttml+xml',
    write: words(writeTtml, [NO_LOOK, 'Speakers are dropped.']),
  },
  'ebu-tt-d': {
    label: 'EBU-TT-D subtitles',
    extension: 'xml',
    mediaType: 'application/ttml+xml',
    write: words(writeEbuTtD, [NO_LOOK, 'Speakers are dropped.']),
  },
  scc: {
    label: 'CEA-608 closed captions (Scenarist)',
    extension: 'scc',
    mediaType: 'text/plain',
    write: words(writeScc, [
      NO_LOOK,
      'Speakers are dropped, and letters that CEA-608 lacks; times are those of 29.97 frames a second, drop frame.',
    ]),
  },
  chapters: {
    label: 'Chapters',
    extension: 'vtt',
    mediaType: 'text/vtt',
    write: words(writeChapters, []),
  },
  txt: {
    label: 'Text',
    extension: 'txt',
    mediaType: 'text/plain',
    write: words(writeTxt, ['Only the words: their times are dropped.']),
  },
  json: {
    label: 'Words with their times',
    extension: 'json',
    mediaType: 'application/json',
    write: words(writeWordJson, [NO_LOOK]),
  },
}

export function isExportFormat(name: string): name is ExportFormat {
  return (EXPORT_FORMATS as readonly string[]).includes(name)
}
