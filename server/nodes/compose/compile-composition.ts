/** From a clip document, its words and the facts of its source to the Composition. The same input gives the same value. */
import { DELIVERY_LOUDNESS } from '../../contract/platforms/registry.ts'
import type { Assets } from '../../contract/asset.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import { colourMatrixOf, rgbPicture, unknownPrimaries } from '../../contract/colour-matrix.ts'
import { manyChannels, seekingIn, type SourceFacts } from '../../contract/source-facts.ts'
import type {
  AudioMask,
  Composition,
  ImageLayer,
  Layer,
  LayoutSpan,
  ShapeLayer,
  SoundCleaning,
  SoundTrack,
  SourcePatch,
  Zoom,
} from '../../contract/composition.ts'
import { lengthenedBy } from '../../contract/time-map/head.ts'
import { ticksToSeconds, type Rational } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { ResolvedNode } from '../../contract/run.ts'
import type { Measurement, NodeEdits, TextPlaces, Closing, MusicRequest, Opening } from '../declare.ts'
import { isNodeType, nodeDefinition } from '../registry.ts'
import { outputShape } from '../settings.ts'
import { withBrollEdges } from '../motion/broll-edges.ts'
import { withKeyframes } from '../motion/keyframes.ts'
import { keepWordsOut } from '../motion/transitions.ts'
import { placeMusic } from '../sound/music.ts'
import { compileOverrides, overriddenLayout, applyOverrides } from '../manual-overrides/index.ts'
import { audioMasks } from '../speech/audio-masks.ts'
import { activeNodes, unknownNodes } from './document-nodes.ts'
import { framingQuality } from '../layout/quality.ts'
import { cropLayout, sourceSize } from './layout.ts'
import { withOpening } from './opening.ts'
import { placeTexts } from './place-text.ts'
import { placeWords, type PlacedWord } from './placed-words.ts'
import { dropInvalidFields } from './read-config.ts'
import { compileSpeech, type Step } from './speech.ts'
import { listPlayedRanges, storedRanges } from '../../contract/time-map/clip-times.ts'
import {
  buildTimeMap,
  framesToSeconds,
  keepStretches,
  requirePlayed,
  type PlayedRange,
  type TimeMap,
} from '../../contract/time-map/spans.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

export interface CompileInput {
  readonly document: ClipDocument
  /** Of the extended range or the whole source, in source seconds; deleted words included. */
  readonly words: readonly TranscriptWord[]
  readonly facts: SourceFacts
  /** Fetched files of its nodes (`requiredAssets`); none when absent. */
  readonly assets?: Assets
  /** Frames a second, where a delivery profile sets it; absent: the source's. */
  readonly frameRate?: Rational
}

export interface Compiled {
  readonly composition: Composition
  /** One sentence for each setting that could not be honoured, once each. */
  readonly warnings: RenderRemark[]
}

const SOUND_CUTS = { crossfadeMs: 10, edgeFadeMs: 15 } as const

/** Throws RENDER_FAILED when nothing is left to play. */
export function compileComposition(input: CompileInput): Compiled {
  const { facts } = input
  const set = applyOverrides(input.document)
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  const { steps, output, speech } = prepare({ ...input, document: set }, warn)
  const document = { ...set, title: speech.rewrite(set.title) }
  const time = requirePlayed(mapTime(document, speech.kept, output.frameRate, facts))
  const assets: Assets = input.assets ?? new Map()
  const masks = audioMasks(speech.spoken, speech.muted, time.timeMap, output.frameRate)
  const given = { document, words: speech.shown, facts, output, ...time, masks, assets }
  let tailFrames = 0
  let layout: readonly LayoutSpan[] = overriddenLayout(cropLayout(given), given)
  const layers: Layer[] = []
  const ground: (ImageLayer | ShapeLayer)[] = []
  const extendIntoEndCard = new Set<string>()
  const zooms: Zoom[] = []
  const patches: SourcePatch[] = []
  const tracks: SoundTrack[] = []
  const music: MusicRequest[] = []
  let closing: Closing | null = null
  let opening: Opening | null = null
  const cleanings: SoundCleaning[] = []
  const places: TextPlaces[] = []
  let motion: Required<NodeEdits>['motion'] = { transitions: [], config: {} }
  const add = (edits: NodeEdits): void => {
    layers.push(...(edits.layers ?? []))
    ground.push(...(edits.ground ?? []))
    edits.extendIntoEndCard?.forEach((id) => extendIntoEndCard.add(id))
    if (facts.video !== null) {
      if (edits.layout !== undefined) layout = overriddenLayout(edits.layout, given)
      zooms.push(...withoutOverlaps(zooms, edits.zooms ?? []))
      patches.push(...(edits.patches ?? []))
    }
    motion = edits.motion ?? motion
    tracks.push(...(edits.tracks ?? []))
    music.push(...(edits.music ?? []))
    closing = edits.closing ?? closing
    opening = edits.opening ?? opening
    if (edits.cleaning !== undefined) cleanings.push(edits.cleaning)
    places.push(...(edits.places ?? []))
    tailFrames = Math.max(tailFrames, edits.tailFrames ?? 0)
    edits.warnings?.forEach(({ code, field, message }) => warn(code, field, message))
  }
  for (const { definition, config } of steps) add(definition.compile(config, { ...given, layout }))
  compileOverrides({ ...given, layout }).forEach(add)
  const durationFrames = time.durationFrames + tailFrames
  const longer = <L extends Layer>(layer: L): L => lengthenedBy(layer, tailFrames)
  tracks.push(...placeMusic(music, { durationFrames, frameRate: output.frameRate, closing }, warn))
  const opened = opening as Opening | null
  const drawn = withBrollEdges(layers, document.broll, motion.config, output).map((layer) =>
    extendIntoEndCard.has(layer.id) ? longer(layer) : layer,
  )
  const placed = placeTexts(
    [...ground.map(longer), ...drawn],
    places,
    document.faces,
    { ...time, source: sourceSize(given), output, layout, zooms },
    warn,
  )
  const keyed = withKeyframes({ layers: placed, tracks }, motion.config, time.timeMap, warn)
  const composition: Composition = {
    formatVersion: 1,
    output,
    durationFrames,
    ...(tailFrames === 0 ? {} : { tailFrames }),
    source: { ...sourceOf(document, facts, output), ...(patches.length === 0 ? {} : { patches }) },
    timeMap: time.timeMap,
    layout: [...layout],
    ...inOrder(zooms),
    ...keepWordsOut(motion.transitions, speech.spoken, time.timeMap, output.frameRate),
    layers: keyed.layers,
    audio: soundOf(facts, { masks, cleanings, tracks: keyed.tracks, opened }),
  }
  const measured = withFraming(composition, document.faces)
  return { composition: withOpening(measured, opened, ground.length), warnings }
}

const inOrder = (zooms: readonly Zoom[]): Pick<Composition, 'zooms'> =>
  zooms.length === 0 ? {} : { zooms: zooms.toSorted((a, b) => a.startFrame - b.startFrame) }

interface SoundEdits {
  readonly masks: readonly AudioMask[]
  /** The last one wins. */
  readonly cleanings: readonly SoundCleaning[]
  readonly tracks: readonly SoundTrack[]
  readonly opened: Opening | null
}

const soundOf = (
  { audio }: Pick<SourceFacts, 'audio'>,
  { masks, cleanings, tracks, opened }: SoundEdits,
): Composition['audio'] => ({
  ...loudnessOf(audio !== null || tracks.length > 0 || (opened?.tracks ?? []).length > 0),
  ...SOUND_CUTS,
  ...omitUndefined({ cleaning: cleanings.at(-1) }),
  ...(masks.length === 0 || audio === null ? {} : { masks: [...masks] }),
  ...(tracks.length === 0 ? {} : { tracks: [...tracks] }),
})

const loudnessOf = (sounds: boolean) =>
  sounds ? DELIVERY_LOUDNESS : { ...DELIVERY_LOUDNESS, integratedLufs: null }

function withFraming(composition: Composition, faces: ClipDocument['faces']): Composition {
  const framing = framingQuality(composition, faces)
  return framing === null ? composition : { ...composition, framing }
}

/** Those of `added` that meet none of `zooms`. */
function withoutOverlaps(zooms: readonly Zoom[], added: readonly Zoom[]): Zoom[] {
  return added.filter((one) =>
    zooms.every(({ startFrame, endFrame }) => one.endFrame <= startFrame || endFrame <= one.startFrame),
  )
}

/** The nodes with what of their configs can be used, and what they leave of the speech. */
function prepare({ document, words, facts, ...given }: CompileInput, warn: Warn) {
  for (const type of unknownNodes(document))
    warn('NAME_UNKNOWN', type, `${type} is not known by this version.`)
  const steps = activeNodes(document).map(({ type, config }): Step => {
    const definition = nodeDefinition(type)
    return { definition, config: dropInvalidFields(definition.config, config, type, warn) }
  })
  const { width, height, frameRate: own } = outputShape(document.nodes, facts)
  const frameRate = given.frameRate ?? own
  const kept = listPlayedRanges(document, ticksToSeconds(facts.duration))
  const speech = compileSpeech({ steps, document, words, facts, kept, frameRate })
  speech.warnings.forEach(({ code, field, message }) => warn(code, field, message))
  return { steps, output: { width, height, frameRate }, speech }
}

/** What is played: what the nodes leave, less what a caller of the API trimmed of that. */
function mapTime(
  { trim }: Pick<ClipDocument, 'trim'>,
  kept: readonly PlayedRange[],
  rate: Rational,
  { duration }: Pick<SourceFacts, 'duration'>,
): TimeMap {
  const map = buildTimeMap(kept, rate, duration)
  return trim === undefined ? map : keepStretches(map, trim, rate)
}

/**
 * The document with `duration` and `played` as its range, its segments, its nodes and its words make them. To be called
 * whenever one of these changed. `duration` is in seconds to the millisecond.
 */
export function withPlayedTimes(input: CompileInput): ClipDocument {
  const { document, facts } = input
  const set = applyOverrides(document)
  const { output, speech } = prepare({ ...input, document: set }, () => undefined)
  const { timeMap, durationFrames } = mapTime(document, speech.kept, output.frameRate, facts)
  const added = durationFrames === 0 ? 0 : addedFrames({ ...input, document: set })
  const { cuts: _before, ...rest } = document
  return {
    ...rest,
    duration: framesToSeconds(durationFrames + added, output.frameRate),
    played: storedRanges(timeMap),
  }
}

const LENGTHENING: ReadonlySet<string> = new Set(['add_outro', 'apply_branding'])

/** Frames before and after the source's: those of an intro and of an end card whose file is here. */
function addedFrames(input: CompileInput): number {
  const mayAdd =
    input.assets !== undefined && activeNodes(input.document).some(({ type }) => LENGTHENING.has(type))
  if (!mayAdd) return 0
  const { headFrames = 0, tailFrames = 0 } = compileComposition(input).composition
  return headFrames + tailFrames
}

/** The clip's words on frames of the clip without its intro: cut words are removed, masked words are masked. */
export function editedWords({ document, words, facts }: CompileInput): PlacedWord[] {
  const { output, speech } = prepare({ document: applyOverrides(document), words, facts }, () => undefined)
  const { timeMap } = mapTime(document, speech.kept, output.frameRate, facts)
  return placeWords(speech.shown, timeMap)
}

/** What must be measured of a clip with these nodes when it is made. */
export function neededMeasurements(nodes: readonly ResolvedNode[]): ReadonlySet<Measurement> {
  const needed = nodes.flatMap(({ type, enabled, config }) => {
    if (!enabled || !isNodeType(type)) return []
    const definition = nodeDefinition(type)
    return definition.measures?.(dropInvalidFields(definition.config, config, type, () => undefined)) ?? []
  })
  return new Set(needed)
}

function sourceOf(document: ClipDocument, facts: SourceFacts, output: Composition['output']) {
  const { video, audio } = facts
  // What is unknown stays unsaid and is judged by the size.
  const colourMatrix = colourMatrixOf(video?.colourSpace)
  return {
    digest: document.sourceId,
    ...sourceSize({ facts, output }),
    hasVideo: video !== null,
    hasAudio: audio !== null,
    hdr: video?.hdr ?? false,
    interlaced: video?.interlaced ?? false,
    ...omitUndefined({ colourMatrix }),
    ...(video === null ? {} : { ...rgbPicture(video), ...unknownPrimaries(video) }),
    ...seekingIn(facts),
    ...(video === null || audio === null || video.startTime === 0 ? {} : { pictureStart: video.startTime }),
    videoStream: video?.streamIndex ?? 0,
    audioStream: audio?.streamIndex ?? 0,
    ...manyChannels(audio),
  }
}
