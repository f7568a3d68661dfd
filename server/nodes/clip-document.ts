/** A found clip becomes a document: what the API shows and edits. */
import type { ClipCandidate } from '../contract/clip-candidate.ts'
import type { ClipDocument } from '../contract/clip.ts'
import type { ClipFaces, ClipLogos, ClipSound } from '../contract/clip-measurements.ts'
import type { ResolvedNode } from '../contract/run.ts'
import type { SourceFacts } from '../contract/source-facts.ts'
import { rationalToNumber, type Stretch } from '../contract/time.ts'
import { segmentsOf, type Kept } from '../contract/time-map/cut.ts'
import { milliseconds } from '../contract/time-map/spans.ts'
import { nested } from './compose/document-nodes.ts'
import type { JsonObject } from './declare.ts'
import { deepMerge, isPlainObject, omit, own } from './merge.ts'
import type { NodeType } from './registry.ts'
import { outputShape } from './settings.ts'
import { pickMusic } from './sound/music.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

export interface NewClip {
  readonly candidate: ClipCandidate
  readonly facts: SourceFacts
  readonly nodes: readonly ResolvedNode[]
  readonly sourceDigest: string
  readonly originalUrl: string
  readonly sourceInputId: string
  readonly taskId: string
  readonly clipHash: string
  /** Source seconds that the extended cut and the transcript cover. */
  readonly extended: Stretch
  readonly speakers: readonly string[]
  /** BCP 47 tag of the words, where it is known. */
  readonly language?: string
  /** Present when a node needs it. */
  readonly sound?: ClipSound
  readonly faces?: ClipFaces
  readonly logos?: ClipLogos
}

/** The document of a clip as the run found it; its media is filled in when it is made. */
export function newClipDocument(clip: NewClip): ClipDocument {
  const { candidate, facts, nodes } = clip
  const shape = outputShape(nodes, facts)
  const kept = keptOfCandidate(candidate)
  return {
    title: candidate.title,
    ...omitUndefined({ titles: candidate.titles, hook: candidate.hook }),
    bio: candidate.bio,
    keywords: [...candidate.keywords],
    people: [...candidate.people],
    speakers: [...clip.speakers],
    duration: milliseconds(kept.reduce((seconds, one) => seconds + one.end - one.start, 0)),
    startTimestamp: candidate.start,
    endTimestamp: candidate.end,
    segments: segmentsOf(kept),
    timestampBoundary: { start: candidate.start, end: candidate.end },
    extended: { ...clip.extended, fileStart: clip.extended.start },
    aspectRatio: shape.aspectRatio,
    fps: Math.round(rationalToNumber(shape.frameRate) * 1000) / 1000,
    videoHeight: shape.height,
    videoResolution: `${shape.width}x${shape.height}`,
    viralityScore: candidate.score,
    ...omitUndefined({ relevance: candidate.relevance }),
    scoreReasons: [...candidate.scoreReasons],
    whyPicked: candidate.whyPicked,
    boundaries: { start: candidate.startBoundary, end: candidate.endBoundary },
    ...withHeadline(editableConfigs(nodes, clip.clipHash), candidate.headline),
    nodes: nodes.map((node) => ({ ...node })),
    ...(clip.language === undefined || clip.language === 'und' ? {} : { language: clip.language }),
    ...omitUndefined({ sound: clip.sound, faces: clip.faces, logos: clip.logos }),
    originalUrl: clip.originalUrl,
    sourceId: clip.sourceDigest,
    sourceInputId: clip.sourceInputId,
    taskId: clip.taskId,
    clipHash: clip.clipHash,
    media: {},
  }
}

/** What a candidate plays of the source: its range without what it leaves out. */
function keptOfCandidate({ start, end, leftOut = [] }: ClipCandidate): Kept[] {
  const starts = [start, ...leftOut.map((one) => one.end)]
  const ends = [...leftOut.map((one) => one.start), end]
  return starts.map((from, index) => ({ start: from, end: ends[index] ?? end, rate: 1 }))
}

type Editable = Pick<
  ClipDocument,
  | 'subtitleConfig'
  | 'subtitleId'
  | 'titleConfig'
  | 'watermarkConfig'
  | 'backgroundMusicOption'
  | 'endCardOption'
  | 'motionConfig'
  | 'deliveryConfig'
  | 'soundConfig'
>

/** The configurations that editors change, from the enabled nodes; a more specific node overrides the brand. */
export function editableConfigs(nodes: readonly ResolvedNode[], clipHash: string): Editable {
  const brand = mergedConfig(nodes, 'apply_branding')
  const subtitles = mergedConfig(nodes, 'add_subtitles')
  const subtitleConfig = subtitles === undefined ? undefined : captionsOf(subtitles, brand)
  const styleId = subtitleConfig === undefined ? undefined : own(subtitleConfig, 'styleId')
  const titleConfig = titleOf(nodes, brand)
  const watermarkConfig = watermarkOf(mergedConfig(nodes, 'add_watermark'), brand)
  const music =
    musicOf(mergedConfig(nodes, 'add_music'), clipHash) ?? nested(brand ?? {}, 'background_music_option')
  const soundConfig = nested(mergedConfig(nodes, 'clean_sound') ?? {}, 'sound_config')
  const endCard = endCardOf(mergedConfig(nodes, 'add_outro'), brand)
  const motion = mergedConfig(nodes, 'add_motion')
  const motionConfig = motion === undefined ? undefined : nested(motion, 'motion_config')
  const delivery = mergedConfig(nodes, 'deliver')
  // The node alone asks for the usual file.
  const deliveryConfig = delivery === undefined ? undefined : (nested(delivery, 'delivery_config') ?? {})
  return {
    ...omitUndefined({ subtitleConfig }),
    ...(typeof styleId === 'string' ? { subtitleId: styleId } : {}),
    ...omitUndefined({
      titleConfig,
      watermarkConfig,
      backgroundMusicOption: music,
      endCardOption: endCard,
      motionConfig,
      deliveryConfig,
      soundConfig,
    }),
  }
}

/** The title node's prompt for a headline; empty when its text is fixed or no node has one. */
export function headlinePrompt(nodes: readonly ResolvedNode[]): string {
  return wantsHeadline(titleOf(nodes, mergedConfig(nodes, 'apply_branding')))
}

function wantsHeadline(title: JsonObject | undefined): string {
  if (title === undefined || own(title, 'enabled') === false) return ''
  const prompt = own(title, 'prompt')
  const text = own(title, 'text')
  const fixed = typeof text === 'string' && text.trim() !== ''
  return fixed || typeof prompt !== 'string' ? '' : prompt.trim()
}

/** The headline that was written to the prompt is the text of the title; an editor may change it. */
function withHeadline(configs: Editable, headline: string | undefined): Editable {
  const { titleConfig } = configs
  if (headline === undefined || wantsHeadline(titleConfig) === '') return configs
  return { ...configs, titleConfig: { ...titleConfig, text: headline } }
}

/** The configs of every enabled node of a type, later ones on top; undefined when there is none. */
function mergedConfig(nodes: readonly ResolvedNode[], type: NodeType): JsonObject | undefined {
  const configs = nodes.filter((node) => node.type === type && node.enabled).map((node) => node.config)
  return configs.length === 0 ? undefined : configs.reduce<JsonObject>(deepMerge, {})
}

/**
 * A chosen preset styles the title alone, without the brand. A title node that is off takes the brand's title with it:
 * that is the switch of the headline (`titleOverlay`). A headline that is to be written from the clip drops the
 * text that came along: the clip's own title is then shown, and a text that an editor sets later wins.
 */
function titleOf(nodes: readonly ResolvedNode[], brand: JsonObject | undefined): JsonObject | undefined {
  const title = mergedConfig(nodes, 'add_title_overlay')
  const ofNode = title === undefined ? undefined : (nested(title, 'title_config') ?? {})
  const ofBrand = nested(brand ?? {}, 'title_config')
  if (ofNode === undefined)
    return nodes.some(({ type }) => type === 'add_title_overlay') ? undefined : ofBrand
  const alone = ofBrand === undefined || typeof own(ofNode, 'titlePresetId') === 'string'
  const merged = alone ? ofNode : deepMerge(ofBrand, ofNode)
  return own(merged, 'generateTitle') === true ? omit(merged, 'text') : merged
}

/** The brand styles captions where there are some; a style that their node chooses stands alone, as with titles. */
function captionsOf(node: JsonObject, brand: JsonObject | undefined): JsonObject {
  const ofNode = nested(node, 'subtitle_config') ?? {}
  const ofBrand = nested(brand ?? {}, 'subtitle_config')
  return ofBrand === undefined || typeof own(ofNode, 'styleId') === 'string'
    ? ofNode
    : deepMerge(ofBrand, ofNode)
}

/** The one track, or that of several which this clip gets. */
function musicOf(config: JsonObject | undefined, clipHash: string): JsonObject | undefined {
  const single = nested(config ?? {}, 'background_music_option')
  const several = own(config ?? {}, 'background_music_options')
  return single ?? pickMusic(Array.isArray(several) ? several.filter(isPlainObject) : [], clipHash)
}

function watermarkOf(config: JsonObject | undefined, brand: JsonObject | undefined): JsonObject | undefined {
  const ofNode = nested(config ?? {}, 'watermark_config')
  const ofBrand = nested(brand ?? {}, 'watermark_config')
  return ofNode === undefined || ofBrand === undefined ? (ofNode ?? ofBrand) : deepMerge(ofBrand, ofNode)
}

function endCardOf(config: JsonObject | undefined, brand: JsonObject | undefined): JsonObject | undefined {
  const ofNode = nested(config ?? {}, 'end_card_option')
  const url = own(brand ?? {}, 'outro_card_url')
  if (typeof url !== 'string') return ofNode
  return { url, ...ofNode }
}
