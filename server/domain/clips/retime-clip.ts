/**
 * What an edit makes of a clip and of what it plays. Range, segments and nodes decide what is played; segments and a
 * duration of the API are then kept of that, to the frame (docs/decisions/0068).
 */
import type { ManualOverridesChange } from '../../contract/manual-overrides.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import {
  presentSegments,
  statedRate,
  storedTimeMap,
  trimOf,
  withKeptTimes,
} from '../../contract/time-map/clip-times.ts'
import { framesToSeconds, milliseconds, secondsToFrame } from '../../contract/time-map/spans.ts'
import { ticksToSeconds, type Rational } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { EditableClip, SegmentInput } from '../../contract/update-clip.ts'
import { getClipTranscript, type Clip } from '../../db/clips.ts'
import { applyOverrides, outputShape, withPlayedTimes } from '../../nodes/index.ts'
import { canonicalJson } from '../../../workers/artefacts.ts'
import { knownAssets } from '../rendering/render-clip.ts'
import { readRunTranscript } from '../runs/finish-run.ts'
import { measureSoundOfRun } from '../runs/measure-sound.ts'
import type { Services } from '../services.ts'
import { changesBetween, editClip, inOrder, type ClipEdit } from './clip-edits.ts'
import { boundaryAt, checkSegments, readSegments, widenedRange, widenedWords } from './clip-segments.ts'
import { factsOfClip } from './get-clip.ts'
import { invalidUpdate } from './read-clip-updates.ts'

type Deps = Omit<Services, 'jobs'>

/** What is to be edited; configs are merged, one level deep, or replaced. */
export interface Change {
  readonly updates: EditableClip
  readonly merge: boolean
  readonly overrides?: ManualOverridesChange | undefined
  /** What segments count in: what is played, as in the API, or the cut from its start, as in the studio. */
  readonly segmentsIn: 'played' | 'cut'
}

/** An edited clip, not yet stored. */
export interface Prepared {
  readonly edit: ClipEdit
  readonly document: ClipDocument
  /** Null when they stay as they are. */
  readonly words: readonly TranscriptWord[] | null
  readonly warnings: string[]
}

const TIMES = ['segments', 'duration', 'startTimestamp', 'endTimestamp'] as const

/** What may change how long a clip plays, besides its range and its segments. */
const LENGTHENS = ['endCardOption'] as const satisfies readonly (keyof EditableClip)[]

/** The edited clip, and whether what it plays was made anew. */
export async function prepareTimes(
  services: Deps,
  clip: Clip,
  change: Change,
): Promise<Prepared & { readonly retimed: boolean }> {
  const { updates, overrides } = change
  const times = TIMES.filter((field) => updates[field] !== undefined)
  const moved = await prepareCut(services, clip, change)
  const nodes = overrides !== undefined && Object.hasOwn(overrides, 'nodes')
  if (times.length === 0 && !nodes && !LENGTHENS.some((field) => updates[field] !== undefined))
    return { ...moved, retimed: false }
  let timed = await retime(services, clip, moved)
  if (change.segmentsIn === 'played') {
    if (updates.segments !== undefined && updates.segments.length > 0)
      timed = trimClip(services, clip, timed, updates.segments)
    else if (times.length === 1 && updates.duration !== undefined)
      timed = await fitDuration(services, clip, timed, { change, wanted: updates.duration })
  }
  if (timed.document.played?.length === 0)
    throw invalidUpdate(times[0] ?? 'segments', 'such that at least one frame is played')
  return { ...reported(clip, timed, change), retimed: true }
}

/** The edit with every field that it changed, and with which files it makes out of date. */
function reported(clip: Clip, prepared: Prepared, { updates, segmentsIn }: Change): Prepared {
  const { document, edit } = prepared
  const before = clip.document
  const segments = presentSegments(document)
  // What was sent is echoed; what became of segments that were not sent is what is shown of them.
  const given = updates.segments === undefined ? undefined : readSegments(updates.segments)
  const isMoved = canonicalJson(segments) !== canonicalJson(presentSegments(before))
  const timed = TIMES.some((field) => updates[field] !== undefined)
  const applied = {
    ...edit.applied,
    ...(timed || document.duration !== before.duration ? { duration: document.duration } : {}),
    ...(segmentsIn === 'played' && (given !== undefined || isMoved) ? { segments: given ?? segments } : {}),
    ...(document.endTimestamp === before.endTimestamp ? {} : { endTimestamp: document.endTimestamp }),
  }
  return {
    ...prepared,
    edit: { ...edit, applied: inOrder(applied), document, ...changesBetween(before, document) },
  }
}

/** The clip with what it plays now. */
async function retime(services: Deps, clip: Clip, prepared: Prepared): Promise<Prepared> {
  const facts = factsOfClip(services, clip)
  const { document } = prepared
  if (facts === null) return { ...prepared, document: withKeptTimes(document) }
  // A wider range has sound that was not measured.
  const remeasure = document.sound !== undefined && document.extended !== clip.document.extended
  const sound = remeasure ? await remeasureSound(services, clip, document) : null
  const words = prepared.words ?? getClipTranscript(services.db, clip.id)?.words ?? []
  const measured = {
    ...document,
    ...omitUndefined({ sound: sound ?? undefined }),
    ...shapeOf(document, facts),
  }
  const assets = knownAssets(services, { ...clip, document })
  return { ...prepared, document: withPlayedTimes({ document: measured, words, facts, assets }) }
}

/** The same clip with another trim, played. Its words and its sound are those that it has. */
function withTrim(services: Deps, clip: Clip, prepared: Prepared, trim: ClipDocument['trim']): Prepared {
  const facts = factsOfClip(services, clip)
  const { trim: _before, ...rest } = prepared.document
  const document: ClipDocument = { ...rest, ...omitUndefined({ trim }) }
  if (facts === null) return { ...prepared, document: withKeptTimes(document) }
  const words = prepared.words ?? getClipTranscript(services.db, clip.id)?.words ?? []
  const assets = knownAssets(services, { ...clip, document })
  return { ...prepared, document: withPlayedTimes({ document, words, facts, assets }) }
}

const rateOf = (services: Deps, clip: Clip, document: ClipDocument): Rational => {
  const facts = factsOfClip(services, clip)
  return facts === null ? statedRate(document) : outputShape(applyOverrides(document).nodes, facts).frameRate
}

/** Keeps these segments of what is played; all of it is no edit. */
function trimClip(services: Deps, clip: Clip, timed: Prepared, given: readonly SegmentInput[]): Prepared {
  const { document } = timed
  const rate = rateOf(services, clip, document)
  const frames = checkSegments(given, document.duration).map(
    ({ startSeconds, endSeconds, playbackRate }) => ({
      startFrame: secondsToFrame(startSeconds, rate),
      endFrame: secondsToFrame(endSeconds, rate),
      playbackRate,
    }),
  )
  const trim = trimOf(document, frames, rate)
  if (trim === null) return timed
  if (trim.length === 0) throw invalidUpdate('segments', 'such that at least one frame is played')
  return withTrim(services, clip, timed, trim)
}

/** Each step adds what nodes cut out of the step before, so few are needed. */
const MAX_STEPS = 12

interface Fit {
  readonly change: Change
  /** Seconds. */
  readonly wanted: number
}

/**
 * The clip as long as is wanted, to the frame: its end moves where nothing was left out of it; otherwise what is played is
 * kept up to there, or goes on from where it ends. Throws INVALID_CLIP_UPDATE where that cannot be.
 */
async function fitDuration(services: Deps, clip: Clip, timed: Prepared, fit: Fit): Promise<Prepared> {
  const rate = rateOf(services, clip, timed.document)
  const target = secondsToFrame(fit.wanted, rate)
  const framesOf = ({ document }: Prepared): number => secondsToFrame(document.duration, rate)
  if (framesOf(timed) === target) return timed
  const wholly = presentSegments(timed.document).length === 0
  if (wholly) {
    const end = timed.document.endTimestamp + framesToSeconds(target - framesOf(timed), rate)
    const moved = await moveEnd(services, clip, fit, end)
    if (moved !== null && framesOf(moved) === target) return moved
  }
  const long = framesOf(timed) > target ? timed : await lengthen(services, clip, timed, { ...fit, target })
  return shorten(services, clip, long, target)
}

/** The clip with its end there; null where that is no place for it. */
async function moveEnd(services: Deps, clip: Clip, { change }: Fit, end: number): Promise<Prepared | null> {
  if (end <= clip.document.startTimestamp) return null
  const { duration: _wanted, ...updates } = change.updates
  const moved = { ...change, updates: { ...updates, endTimestamp: milliseconds(end) } }
  return retime(services, clip, await prepareCut(services, clip, moved, 'duration'))
}

function shorten(services: Deps, clip: Clip, timed: Prepared, target: number): Prepared {
  const rate = rateOf(services, clip, timed.document)
  const framesOf = ({ document }: Prepared): number => secondsToFrame(document.duration, rate)
  let at = timed
  // An end card that began before the end may hold longer after a shorter clip.
  for (let step = 0; step < 3 && framesOf(at) !== target; step++) {
    const { durationFrames } = storedTimeMap(at.document, rate)
    const endFrame = durationFrames - (framesOf(at) - target)
    const trim = endFrame < 1 ? [] : trimOf(at.document, [{ startFrame: 0, endFrame }], rate)
    if (trim?.length === 0) break
    at = withTrim(services, clip, at, trim ?? undefined)
  }
  if (framesOf(at) === target) return at
  throw invalidUpdate('duration', 'longer than the end card by at least one frame')
}

/** The clip with its last piece going on, until it is at least as long as wanted. */
async function lengthen(
  services: Deps,
  clip: Clip,
  timed: Prepared,
  fit: Fit & { readonly target: number },
): Promise<Prepared> {
  const rate = rateOf(services, clip, timed.document)
  const framesOf = ({ document }: Prepared): number => secondsToFrame(document.duration, rate)
  const { segments, trim, startTimestamp, endTimestamp, duration } = timed.document
  if (segments.length > 0)
    throw invalidUpdate(
      'duration',
      `at most ${duration}, the length that the segments play; clear them first`,
    )
  const last = trim?.at(-1)
  const grown = trim?.with(-1, { start: startTimestamp, ...last, end: endTimestamp })
  const whole =
    grown?.length === 1 && (grown[0]?.start ?? 0) <= startTimestamp && last?.playbackRate === undefined
  let at = withTrim(services, clip, timed, whole ? undefined : grown)
  const own: Clip = { ...clip, document: at.document }
  for (let step = 0; step < MAX_STEPS && framesOf(at) < fit.target; step++) {
    const missing = framesToSeconds(fit.target - framesOf(at), rate) * (last?.playbackRate ?? 1)
    const next = await moveEnd(services, own, fit, at.document.endTimestamp + missing)
    if (next === null) break
    at = next
  }
  if (framesOf(at) >= fit.target) return at
  throw invalidUpdate('duration', `at most ${at.document.duration}, as far as the clip can be made longer`)
}

/** Shape and size, which the clip's own nodes may change. */
function shapeOf(document: ClipDocument, facts: SourceFacts): Partial<ClipDocument> {
  const { aspectRatio, width, height } = outputShape(applyOverrides(document).nodes, facts)
  return { aspectRatio, videoHeight: height, videoResolution: `${width}x${height}` }
}

async function remeasureSound(services: Deps, { runId }: Clip, { chunk, extended }: ClipDocument) {
  const transcript = runId === null ? null : await readRunTranscript(services, runId, chunk?.index)
  return measureSoundOfRun(services, runId, chunk?.index, extended, transcript)
}

/** `field`: what was sent, where the range follows from it. */
async function prepareCut(
  services: Deps,
  clip: Clip,
  { updates, merge, overrides, segmentsIn }: Change,
  field?: string,
): Promise<Prepared> {
  const facts = factsOfClip(services, clip)
  const sourceDuration = facts === null ? null : ticksToSeconds(facts.duration)
  const edit = editClip({
    document: clip.document,
    updates,
    merge,
    sourceDuration,
    segmentsIn,
    ...omitUndefined({ overrides, field }),
  })
  const { startTimestamp, endTimestamp } = clip.document
  const { document } = edit
  if (document.startTimestamp === startTimestamp && document.endTimestamp === endTimestamp)
    return { edit, document, words: null, warnings: [] }
  const wide = await widen(services, clip, document, sourceDuration)
  const own = wide.words ?? getClipTranscript(services.db, clip.id)?.words ?? []
  const { boundaries: before } = document
  const boundaries = {
    start:
      document.startTimestamp === startTimestamp ? before.start : boundaryAt(own, document.startTimestamp),
    end: document.endTimestamp === endTimestamp ? before.end : boundaryAt(own, document.endTimestamp),
  }
  return { edit, ...wide, document: { ...wide.document, boundaries } }
}

/** Document and words of a clip whose cut may have left its stored range. */
async function widen(
  services: Deps,
  clip: Clip,
  document: ClipDocument,
  sourceDuration: number | null,
): Promise<Omit<Prepared, 'edit'>> {
  const { extended } = document
  const to = widenedRange(document, sourceDuration ?? document.endTimestamp)
  if (to === null) return { document, words: null, warnings: [] }
  const wider = { ...document, extended: { ...extended, ...to, uncut: true } }
  const own = getClipTranscript(services.db, clip.id)
  if (own === null) return { document: wider, words: null, warnings: [] }
  const whole =
    clip.runId === null ? null : await readRunTranscript(services, clip.runId, document.chunk?.index)
  if (whole === null) {
    const message = 'The transcript of the whole source is gone; what was added to the clip has no captions.'
    return { document: wider, words: null, warnings: [message] }
  }
  return {
    document: wider,
    words: widenedWords(own.words, whole.words, { from: extended, to }),
    warnings: [],
  }
}
