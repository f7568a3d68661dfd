/** PURE: applies an update to a clip's document, and decides whether its picture or sound changes. */
import { mergeOverrides, type ManualOverridesChange } from '../../contract/manual-overrides.ts'
import type { ClipDocument, ClipSegment } from '../../contract/clip.ts'
import { EditableClip, type UpdateClipResponse } from '../../contract/update-clip.ts'
import {
  findOverrideProblem,
  normaliseSubtitleConfig,
  withoutOldFile,
  writeThroughToFirstSpeaker,
} from '../../nodes/index.ts'
import { canonicalJson } from '../../../workers/artefacts.ts'
import { checkSegments, milliseconds, moveSegments, playedSeconds } from './clip-segments.ts'
import { invalidUpdate } from './read-clip-updates.ts'

export interface ClipEdit {
  readonly document: ClipDocument
  /** Every field that changed, also as a consequence of another, with its stored value. */
  readonly applied: UpdateClipResponse['updates']
  /** Picture or sound differ, so the earlier render is out of date. */
  readonly changesRender: boolean
  /** The designed thumbnail differs; the render stays valid. */
  readonly changesThumbnail: boolean
}

export interface EditInput {
  readonly document: ClipDocument
  readonly updates: EditableClip
  /** Changes of manual overrides. */
  readonly overrides?: ManualOverridesChange
  /** Whether nested configs are merged into what is saved, one level deep. */
  readonly merge: boolean
  /** Seconds; null when unknown. */
  readonly sourceDuration: number | null
}

/** Callers send rounded values back. */
const ROUNDING = 0.05

const PLAIN = ['title', 'bio', 'keywords', 'people'] as const
const CONFIGS = [
  'subtitleConfig',
  'titleConfig',
  'watermarkConfig',
  'backgroundMusicOption',
  'endCardOption',
] as const

/** Throws INVALID_CLIP_UPDATE, which names the field and the rule. */
export function editClip(input: EditInput): ClipEdit {
  const { document, updates } = input
  const timed = editTimes(input)
  const applied: Record<string, unknown> = { ...timed.applied }
  for (const field of PLAIN) if (updates[field] !== undefined) applied[field] = updates[field]
  if (updates.timestampBoundary !== undefined)
    applied['timestampBoundary'] = insideSource(updates.timestampBoundary, 'timestampBoundary', input)
  for (const field of CONFIGS) {
    const change = updates[field]
    if (change !== undefined) applied[field] = editConfig(field, document[field], change, input.merge)
  }
  const edited: ClipDocument = { ...document, ...timed.document, ...applied }
  const after = applyOverridesChange(withSubtitleId(edited, document), input.overrides)
  return {
    document: after,
    applied: Object.fromEntries(
      Object.keys(EditableClip.properties).flatMap((field) =>
        Object.hasOwn(applied, field) ? [[field, applied[field]] as const] : [],
      ),
    ),
    changesThumbnail: canonicalJson(designed(document)) !== canonicalJson(designed(after)),
    changesRender: canonicalJson(rendered(document)) !== canonicalJson(rendered(after)),
  }
}

interface Cut {
  readonly start: number
  readonly end: number
}

interface TimeEdit {
  readonly document: Partial<ClipDocument>
  readonly applied: Partial<Pick<ClipDocument, 'segments' | 'duration' | 'startTimestamp' | 'endTimestamp'>>
}

/** Cut, segments and duration, which always agree: the duration is what is played. */
function editTimes(input: EditInput): TimeEdit {
  const { document, updates } = input
  const { segments: given, duration, startTimestamp, endTimestamp } = updates
  if ([given, duration, startTimestamp, endTimestamp].every((value) => value === undefined))
    return { document: {}, applied: {} }
  const before: Cut = { start: document.startTimestamp, end: document.endTimestamp }
  const after = cutAfter(input, before)
  const moved = after.start !== before.start || after.end !== before.end
  const segments =
    given === undefined
      ? moved
        ? segmentsAfter(document.segments, before, after)
        : document.segments
      : checkSegments(given, after.end - after.start)
  const times = {
    segments,
    duration: playedSeconds(segments, after.end - after.start),
    startTimestamp: after.start,
    endTimestamp: after.end,
  }
  if (times.duration < shortest(document))
    throw invalidUpdate('segments', 'such that at least one frame is played')
  const shifted = moved && document.segments.length > 0
  return {
    document: times,
    applied: {
      duration: times.duration,
      ...(given !== undefined || shifted ? { segments } : {}),
      ...(startTimestamp === undefined ? {} : { startTimestamp: after.start }),
      ...(endTimestamp !== undefined || after.end !== before.end ? { endTimestamp: after.end } : {}),
    },
  }
}

/** One frame, in seconds to the millisecond below. */
const shortest = ({ fps }: Pick<ClipDocument, 'fps'>): number => Math.floor(1000 / Math.max(1, fps)) / 1000

/**
 * The cut after the edit. A duration alone moves the end of an untrimmed clip; with segments, start or end it follows
 * from them.
 */
function cutAfter(input: EditInput, before: Cut): Cut {
  const { document, updates } = input
  const { segments, duration, startTimestamp, endTimestamp } = updates
  if (startTimestamp !== undefined || endTimestamp !== undefined) {
    const start = startTimestamp ?? before.start
    const end = endTimestamp ?? before.end
    const field = endTimestamp === undefined ? 'startTimestamp' : 'endTimestamp'
    if (start >= end) throw invalidUpdate(field, 'such that the start is before the end')
    const cut = insideSource({ start, end }, field, input)
    if (cut.end - cut.start < shortest(document))
      throw invalidUpdate(field, 'such that the clip is at least one frame long')
    return cut
  }
  if (segments !== undefined || duration === undefined) return before
  if (Math.abs(duration - document.duration) <= ROUNDING) return before
  if (document.segments.length > 0)
    throw invalidUpdate(
      'duration',
      `${document.duration}, the length that the segments play; set segments instead`,
    )
  // The ranges that nodes cut out are not played, so they are added.
  const cut = (document.cuts ?? []).reduce((sum, { start, end }) => sum + end - start, 0)
  const end = milliseconds(before.start + duration + cut)
  return insideSource({ start: before.start, end }, 'duration', input)
}

/** A range of the source; an end that is beyond it by a rounding is its end. */
function insideSource(range: Cut, field: string, { sourceDuration }: EditInput): Cut {
  if (range.start >= range.end) throw invalidUpdate(field, 'a range whose start is before its end')
  if (sourceDuration === null) return range
  if (range.end > sourceDuration + ROUNDING || range.start >= sourceDuration)
    throw invalidUpdate(field, `inside the source, which is ${milliseconds(sourceDuration)} seconds long`)
  return { start: range.start, end: Math.min(range.end, sourceDuration) }
}

function segmentsAfter(segments: readonly ClipSegment[], before: Cut, after: Cut): ClipSegment[] {
  if (segments.length === 0) return []
  const moved = moveSegments(segments, before, after)
  if (moved.length === 0)
    throw invalidUpdate('segments', 'given as well: nothing of what the clip keeps lies in its new range')
  return moved
}

type Config = Record<string, unknown>

function editConfig(
  field: (typeof CONFIGS)[number],
  saved: Config | undefined,
  given: Config,
  merge: boolean,
): Config {
  if (field !== 'subtitleConfig') {
    const merged = merge ? { ...saved, ...given } : given
    return withoutOldFile(field, { base: saved ?? {}, change: given, merged })
  }
  const change = normaliseSubtitleConfig(given)
  if (!merge) return change
  const base = normaliseSubtitleConfig(saved ?? {})
  return writeThroughToFirstSpeaker(base, change, { ...base, ...change })
}

/** `subtitleId` is the preset that the config names; a preset that was chosen separately stays. */
function withSubtitleId(edited: ClipDocument, before: ClipDocument): ClipDocument {
  const styleId = edited.subtitleConfig?.['styleId']
  if (typeof styleId === 'string') return { ...edited, subtitleId: styleId }
  const { subtitleId, ...rest } = edited
  return subtitleId !== undefined && subtitleId === before.subtitleConfig?.['styleId'] ? rest : edited
}

/** Throws INVALID_CLIP_UPDATE. */
function applyOverridesChange(edited: ClipDocument, change: ManualOverridesChange | undefined): ClipDocument {
  if (change === undefined) return edited
  const { overrides: before, ...rest } = edited
  const overrides = mergeOverrides(before, change)
  if (overrides === undefined) return rest
  const problem = findOverrideProblem(overrides)
  if (problem !== null) throw invalidUpdate(problem.path, problem.expected)
  return { ...rest, overrides }
}

/** What the designed thumbnail is made of: the clip's title too where it is to follow that. */
function designed({ overrides, title }: ClipDocument): unknown {
  const design = overrides?.thumbnail ?? null
  const follows = design?.items.some((item) => item.kind === 'text' && item.followsTitle === true) === true
  return follows ? { design, title } : design
}

/** The fields that an update can change and that affect the render. */
function rendered(document: ClipDocument): unknown {
  const { startTimestamp, endTimestamp, segments, subtitleId, subtitleY } = document
  const { speakers: _names, thumbnail: _design, ...overrides } = document.overrides ?? {}
  const configs = Object.fromEntries(CONFIGS.map((field) => [field, document[field]]))
  return {
    startTimestamp,
    endTimestamp,
    segments,
    subtitleId,
    subtitleY,
    configs,
    overrides,
    ...(showsTitle(document) ? { title: document.title } : {}),
    ...(showsKeywords(document) ? { keywords: document.keywords } : {}),
  }
}

/** Whether the headline is the clip's own title. */
function showsTitle({ titleConfig, nodes }: ClipDocument): boolean {
  const text = titleConfig?.['text']
  const drawn =
    titleConfig !== undefined || nodes.some((node) => node.type === 'add_title_overlay' && node.enabled)
  return drawn && (typeof text !== 'string' || text.trim() === '')
}

/** Keywords decide which captions are highlighted and where a node zooms. */
function showsKeywords({ subtitleConfig, nodes }: ClipDocument): boolean {
  const zooms = nodes.some(({ type, enabled }) => type === 'smart_zoom' && enabled)
  return zooms || highlightsKeywords(subtitleConfig)
}

function highlightsKeywords(config: Config | undefined): boolean {
  const styles = Object.values((config?.['speakerStyles'] ?? {}) as Record<string, unknown>)
  return [config, ...styles].some((style) => (style as Config | undefined)?.['highlightKeywords'] === true)
}
