/** PURE: applies an update to a clip's document, and decides whether its picture or sound changes. */
import { mergeOverrides, type ManualOverridesChange } from '../../contract/manual-overrides.ts'
import type { ClipDocument, ClipSegment } from '../../contract/clip.ts'
import { MAX_METADATA_NAMES, withoutEmptyValues, type Metadata } from '../../contract/metadata.ts'
import { EditableClip, type UpdateClipResponse } from '../../contract/update-clip.ts'
import {
  findOverrideProblem,
  normaliseSubtitleConfig,
  withoutOldFile,
  writeThroughToFirstSpeaker,
} from '../../nodes/index.ts'
import { canonicalJson } from '../../../workers/artefacts.ts'
import { moveSegments, moveStretches } from '../../contract/time-map/clip-times.ts'
import { milliseconds } from '../../contract/time-map/spans.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { checkSegments } from './clip-segments.ts'
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
  /** What segments count in: what is played, as in the API, or the cut from its start, as in the studio. */
  readonly segmentsIn: 'played' | 'cut'
  /** The field that was sent, where the end follows from it. */
  readonly field?: string
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
  'motionConfig',
  'deliveryConfig',
  'soundConfig',
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
  if (updates.metadata !== undefined)
    applied['metadata'] = editMetadata(document.metadata, updates.metadata, input.merge)
  const edited = omitUndefined({ ...document, ...applied, ...timed.times }) as ClipDocument
  const after = applyOverridesChange(withSubtitleId(edited, document), input.overrides)
  return {
    document: after,
    applied: inOrder(applied),
    ...changesBetween(document, after),
  }
}

/** Values that were applied, in the order of the fields. */
export const inOrder = (applied: Readonly<Record<string, unknown>>): UpdateClipResponse['updates'] =>
  Object.fromEntries(
    Object.keys(EditableClip.properties).flatMap((field) =>
      Object.hasOwn(applied, field) ? [[field, applied[field]] as const] : [],
    ),
  )

/** Which of its files are out of date after an edit. */
export const changesBetween = (
  before: ClipDocument,
  after: ClipDocument,
): Pick<ClipEdit, 'changesRender' | 'changesThumbnail'> => ({
  changesThumbnail: canonicalJson(designed(before)) !== canonicalJson(designed(after)),
  changesRender: canonicalJson(rendered(before)) !== canonicalJson(rendered(after)),
})

interface Cut {
  readonly start: number
  readonly end: number
}

type Times = Partial<Pick<ClipDocument, 'startTimestamp' | 'endTimestamp' | 'segments'>> & {
  readonly trim?: ClipDocument['trim'] | undefined
}

const isGiven = (...values: readonly unknown[]): boolean => values.some((value) => value !== undefined)

/**
 * Range, segments and trim; what is played then follows (`retime`). Segments of the API are not among them: they count on
 * what is played, so they are kept of that when it is known (trim-clip.ts). `[]`, and segments for another range, clear
 * what was trimmed before.
 */
function editTimes(input: EditInput): { times: Times; applied: UpdateClipResponse['updates'] } {
  const { document, updates } = input
  const { segments: given, startTimestamp, endTimestamp } = updates
  if (!isGiven(given, startTimestamp, endTimestamp)) return { times: {}, applied: {} }
  const before: Cut = { start: document.startTimestamp, end: document.endTimestamp }
  const after = cutAfter(input, before)
  const moved = after.start !== before.start || after.end !== before.end
  const range = { startTimestamp: after.start, endTimestamp: after.end }
  const applied = {
    ...(startTimestamp === undefined ? {} : { startTimestamp: after.start }),
    ...(endTimestamp === undefined ? {} : { endTimestamp: after.end }),
  }
  if (input.segmentsIn === 'cut' && given !== undefined) {
    const segments = checkSegments(given, after.end - after.start).map(atNaturalSpeed)
    return { times: { ...range, segments, trim: undefined }, applied: { ...applied, segments } }
  }
  if (given !== undefined && (given.length === 0 || moved))
    return { times: { ...range, segments: [], trim: undefined }, applied }
  if (!moved) return { times: {}, applied }
  return { times: { ...range, ...movedTrims(document, before, after) }, applied }
}

/** A speed of 1 is not written down. */
const atNaturalSpeed = ({ playbackRate, ...segment }: ClipSegment): ClipSegment =>
  playbackRate === undefined || playbackRate === 1 ? segment : { ...segment, playbackRate }

function movedTrims({ segments: before, trim }: ClipDocument, from: Cut, to: Cut): Times {
  const segments = moveSegments(before, from, to)
  const moved = trim === undefined ? undefined : moveStretches(trim, from, to)
  if ((before.length > 0 && segments.length === 0) || moved?.length === 0)
    throw invalidUpdate('segments', 'given as well: nothing of what the clip keeps lies in its new range')
  return { segments, trim: moved }
}

/** One frame, in seconds to the millisecond below. */
const shortest = ({ fps }: Pick<ClipDocument, 'fps'>): number => Math.floor(1000 / Math.max(1, fps)) / 1000

/** The cut after the edit. */
function cutAfter(input: EditInput, before: Cut): Cut {
  const { document, updates } = input
  const { startTimestamp, endTimestamp } = updates
  if (!isGiven(startTimestamp, endTimestamp)) return before
  const start = startTimestamp ?? before.start
  const end = endTimestamp ?? before.end
  const field = input.field ?? (endTimestamp === undefined ? 'startTimestamp' : 'endTimestamp')
  if (start >= end) throw invalidUpdate(field, 'such that the start is before the end')
  const cut = insideSource({ start, end }, field, input)
  if (cut.end - cut.start < shortest(document))
    throw invalidUpdate(field, 'such that the clip is at least one frame long')
  return cut
}

/** A range of the source; an end that is beyond it by a rounding is its end. */
function insideSource(range: Cut, field: string, { sourceDuration }: EditInput): Cut {
  if (range.start >= range.end) throw invalidUpdate(field, 'a range whose start is before its end')
  if (sourceDuration === null) return range
  if (range.end > sourceDuration + ROUNDING || range.start >= sourceDuration)
    throw invalidUpdate(field, `inside the source, which is ${milliseconds(sourceDuration)} seconds long`)
  return { start: range.start, end: Math.min(range.end, sourceDuration) }
}

function editMetadata(saved: Metadata | undefined, given: Metadata, merge: boolean): Metadata {
  const metadata = withoutEmptyValues(merge ? { ...saved, ...given } : given)
  if (Object.keys(metadata).length <= MAX_METADATA_NAMES) return metadata
  throw invalidUpdate(
    'metadata',
    `an object with at most ${MAX_METADATA_NAMES} members, with those that are saved`,
  )
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
  const { startTimestamp, endTimestamp, segments, trim, subtitleId, subtitleY } = document
  const { speakers: _names, thumbnail: _design, ...overrides } = document.overrides ?? {}
  const configs = Object.fromEntries(CONFIGS.map((field) => [field, document[field]]))
  return {
    startTimestamp,
    endTimestamp,
    segments,
    trim,
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
