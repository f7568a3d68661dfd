/** The shape of a node type: its config schema, its rules of merging, and what it adds to a Composition. PURE. */
import type { Static, TObject } from '@sinclair/typebox'
import type { AssetNeed, Assets } from '../contract/asset.ts'
import type { ClipDocument } from '../contract/clip.ts'
import type { ClipSound } from '../contract/clip-measurements.ts'
import type {
  AudioMask,
  Composition,
  SoundCleaning,
  ImageLayer,
  Layer,
  LayoutSpan,
  ShapeLayer,
  SoundAsset,
  SoundTrack,
  SourcePatch,
  TimeSpan,
  Transition,
  VideoLayer,
  Zoom,
} from '../contract/composition.ts'
import type { MotionConfig } from '../contract/motion-config.ts'
import type { SourceFacts } from '../contract/source-facts.ts'
import type { Stretch } from '../contract/time.ts'
import type { TranscriptWord } from '../contract/transcript.ts'
import type { RenderRemark } from '../contract/render-remarks.ts'

export interface MusicRequest {
  /** Under the whole clip, or under what closes it. Of several for one place the last counts. */
  readonly place: 'clip' | 'closing'
  /** Setting that holds its address, for warnings. */
  readonly label: string
  readonly asset: SoundAsset
  /** Against the speech. */
  readonly levelDb: number
  /** How far it is lowered under speech. */
  readonly duckDb: number
}

export interface Closing {
  readonly startFrame: number
  /** Whether it brings a sound of its own, under which the clip's music makes way. */
  readonly heard: boolean
}

/** What plays before the clip. Its layers and tracks begin with frame 0; everything else comes after it. */
export interface Opening {
  readonly frames: number
  readonly layers: readonly (ImageLayer | VideoLayer)[]
  readonly tracks: readonly SoundTrack[]
}

/** A plain object as it came from JSON. */
export type JsonObject = Record<string, unknown>

/** What a rule found wrong in a config; `path` has dots between names, `''` is the config itself. */
export interface ConfigProblem {
  readonly path: string
  readonly expected: string
}

/** What a node may look at when it adds to the picture and the sound. */
export interface ComposeContext {
  readonly document: ClipDocument
  readonly words: readonly TranscriptWord[]
  readonly facts: SourceFacts
  readonly output: Composition['output']
  readonly timeMap: readonly TimeSpan[]
  readonly durationFrames: number
  /** How the source fills the output, as the nodes before this one left it. */
  readonly layout: readonly LayoutSpan[]
  readonly masks: readonly AudioMask[]
  readonly assets: Assets
}

export type PreLayoutContext = Omit<ComposeContext, 'layout'>

/** What a node reads when it decides which speech is audible and captioned. There is no timeline yet. */
export interface SpeechContext {
  /** In order of time, including words deleted from the captions, which are still audible. Source seconds. */
  readonly words: readonly TranscriptWord[]
  /** Primary language tag, `en`; empty when unknown. */
  readonly language: string
  /** Levels of the sound, or null for a clip that has none. */
  readonly sound: ClipSound | null
  /** Whether the source has sound at all. */
  readonly hasSound: boolean
}

/** What a node does to the speech. Words are named by their place in the context's list. */
export interface SpeechEdits {
  /** Words to cut out of picture and sound. A word with `must` is silenced where no cut can be placed. */
  readonly drop?: readonly { readonly index: number; readonly must: boolean }[]
  /** Sounds between the words to cut out like words, source seconds. */
  readonly cut?: readonly Stretch[]
  /** Words to mute while the picture continues. */
  readonly mute?: readonly { readonly index: number; readonly kind: AudioMask['kind'] }[]
  /** Other texts for words, in captions. */
  readonly shownAs?: ReadonlyMap<number, string>
  /** Rewrites texts that quote the speech. */
  readonly rewrite?: (text: string) => string
  readonly shortenPauses?: boolean
  readonly warnings?: readonly RenderRemark[]
}

/** What must be measured of a clip when it is made, so that its nodes can be compiled. */
export type Measurement = 'sound-levels' | 'faces' | 'logos'

/** Allowed positions of a text. Percent of the picture. */
export interface TextPlaces {
  /** Id of the title or caption layer. */
  readonly layer: string
  /** Of captions: index into the layer's styles. */
  readonly style?: number
  /** The settings that requested it, for warnings. */
  readonly settings: readonly string[]
  readonly xPercent: number
  /** About the largest extent of the block. */
  readonly widthPercent: number
  readonly heightPercent: number
  /** Centres of the block, the preferred one first. */
  readonly yPercents: readonly number[]
}

/** What a node adds. Layers are drawn in the order in which they come, the first at the bottom. */
export interface NodeEdits {
  /** How the source fills the output; the last node that sets it wins. */
  readonly layout?: readonly LayoutSpan[]
  readonly layers?: readonly Layer[]
  /** Ids of layers that continue with the picture under the end card. */
  readonly extendIntoEndCard?: readonly string[]
  /** Stands in for the picture of a source without video: under all layers, frozen under the end card. */
  readonly ground?: readonly (ImageLayer | ShapeLayer)[]
  /** Where two nodes zoom at once, the first one's counts. */
  readonly zooms?: readonly Zoom[]
  readonly patches?: readonly SourcePatch[]
  /** Transitions between takes, sorted, and what is done to the layers and tracks of other nodes once all are there. */
  readonly motion?: { readonly transitions: readonly Transition[]; readonly config: MotionConfig }
  readonly tracks?: readonly SoundTrack[]
  /** Music, laid when it is known where the clip ends. */
  readonly music?: readonly MusicRequest[]
  /** What is done to the source's own sound; the last node that sets it wins. */
  readonly cleaning?: SoundCleaning
  /** The end card; the last node that sets it wins. */
  readonly closing?: Closing
  /** The intro; the last node that sets it wins. Everything else is in frames of the clip without it. */
  readonly opening?: Opening
  /** Texts that are to be moved off faces when the whole picture is known. */
  readonly places?: readonly TextPlaces[]
  /** Frames that the clip continues after its end; the largest value wins. */
  readonly tailFrames?: number
  readonly warnings?: readonly RenderRemark[]
}

export interface NodeDefinition<Type extends string = string, Config extends TObject = TObject> {
  readonly type: Type
  readonly label: string
  readonly config: Config
  /** Brings aliases and alternative forms to the one form that is merged and stored. The config is valid. */
  readonly normalise?: (config: JsonObject) => JsonObject
  /** Adjusts the merged config after `layer` went over `base`; pushes a warning where it had to decide. */
  readonly settle?: (input: {
    base: JsonObject
    layer: JsonObject
    merged: JsonObject
    warn: (message: string) => void
  }) => JsonObject
  /** Rules that a schema cannot express. The configuration is already valid by its schema. */
  readonly check?: (config: Static<Config>) => ConfigProblem | null
  /** Name of the nested configuration whose own `enabled: false` switches the node off as well. */
  readonly innerSwitch?: string
  /** Nested configuration whose `enabled: false` hides what the node draws; its style stays with the clip. */
  readonly hiddenBy?: string
  /** What its `speech` and `compile` read besides the words. */
  readonly measures?: (config: Static<Config>) => readonly Measurement[]
  /** Files that its `compile` wants to be fetched. */
  readonly assets?: (
    config: Static<Config>,
    document: Pick<ClipDocument, 'broll' | 'secondVideos'>,
  ) => readonly AssetNeed[]
  /** Decides what of the speech is played and shown; comes before the timeline, and so before every `compile`. */
  readonly speech?: (config: Static<Config>, context: SpeechContext) => SpeechEdits
  readonly compile: (config: Static<Config>, context: ComposeContext) => NodeEdits
}

/** Declares a node type; the schema's type reaches `check` and `compile`. */
export function declareNode<const Type extends string, Config extends TObject>(
  definition: NodeDefinition<Type, Config>,
): NodeDefinition<Type, Config> {
  return definition
}
