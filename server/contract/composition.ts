/**
 * The Composition: everything one finished clip is made of, as a value, made by compile-composition. Preview, export and
 * interchange read nothing else, and the render key is its hash.
 *
 * Frames are output frames, 0-based, end exclusive. Drawn lengths are in reference units: 1080 on the short side of the
 * output. Source rectangles are display pixels of the source (after rotation).
 */
import { Type, type Static } from '@sinclair/typebox'
import { AudiogramLayer, ImageLayer, ShapeLayer, VideoLayer, Rect } from './composition-pictures.ts'
import { HDR_COLOURS, HdrTransfer } from './colour-matrix.ts'
import { SEEKING } from './source-facts.ts'
import { Rational, Ticks, type FrameRange } from './time.ts'
import { choice, closedObject, nullable } from './config-fields.ts'
import { KEYFRAMES } from './keyframes/keyframes.ts'
import { TRANSITION_COLOURS, TRANSITION_NAMES } from './transitions/registry.ts'

export {
  AudiogramLayer,
  ImageLayer,
  PictureAsset,
  PictureMove,
  Rect,
  ShapeLayer,
  VideoAsset,
  VideoLayer,
} from './composition-pictures.ts'

/** One stretch of output that plays one stretch of the source. Spans follow each other without gap. */
export const TimeSpan = closedObject({
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  sourceStart: Ticks,
  sourceEnd: Ticks,
  /** 1 is natural speed. */
  playbackRate: Type.Number({ minimum: 0.25, maximum: 4 }),
})
export type TimeSpan = Static<typeof TimeSpan>

export const Shadow = closedObject({
  colour: Type.String(),
  blur: Type.Number(),
  offsetX: Type.Number(),
  offsetY: Type.Number(),
})
export type Shadow = Static<typeof Shadow>

export const TextFace = closedObject({
  fontFamily: Type.String(),
  /** SHA-256 of a stored font file that takes precedence over the family; absent: only the bundled fonts. */
  fontFile: Type.Optional(Type.String()),
  fontSize: Type.Number({ description: 'Reference units' }),
  fontWeight: Type.Integer({ minimum: 100, maximum: 1000 }),
  italic: Type.Boolean(),
  /** Multiple of the font size. */
  lineHeight: Type.Number(),
  letterSpacing: Type.Number(),
  textCase: choice(['none', 'upper', 'lower', 'title']),
  /** CSS colours throughout: `#rrggbb`, `#rrggbbaa` or `rgba()`. */
  colour: Type.String(),
  outline: nullable(closedObject({ colour: Type.String(), width: Type.Number() })),
  shadow: nullable(Shadow),
})
export type TextFace = Static<typeof TextFace>

export const Backdrop = closedObject({
  /** `none`; `line`: a box behind each line; `block`: one box behind all lines; `wrap`: line boxes joined. */
  fill: choice(['none', 'line', 'block', 'wrap']),
  colour: Type.String(),
  opacity: Type.Number({ minimum: 0, maximum: 1 }),
  paddingX: Type.Number(),
  paddingY: Type.Number(),
  radius: Type.Number(),
  /** Cast by the boxes; absent: none. */
  shadow: Type.Optional(Shadow),
})
export type Backdrop = Static<typeof Backdrop>

/** How the spoken word is highlighted. */
const SpokenEmphasis = closedObject({
  mode: choice(['none', 'colour', 'pill', 'scale', 'sweep', 'spotlight', 'reveal']),
  colour: Type.String(),
  opacity: Type.Number({ minimum: 0, maximum: 1 }),
  /** Opacity of the words that are not being spoken. */
  restOpacity: Type.Number({ minimum: 0, maximum: 1 }),
  pillColour: Type.String(),
  scale: Type.Number({ minimum: 1 }),
  transitionFrames: Type.Integer({ minimum: 0 }),
})

export const CaptionStyle = closedObject({
  face: TextFace,
  backdrop: Backdrop,
  spoken: SpokenEmphasis,
  /** Entrance of a cue. */
  animation: choice(['none', 'fade', 'pop', 'bounce', 'slide']),
  align: choice(['left', 'center', 'right']),
  /** Percent of width and height to the block's centre. */
  xPercent: Type.Number(),
  yPercent: Type.Number(),
  maxLines: Type.Integer({ minimum: 1 }),
  wrapWidthPercent: Type.Number(),
})
export type CaptionStyle = Static<typeof CaptionStyle>

const CaptionWord = closedObject({
  text: Type.String(),
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  highlight: Type.Optional(Type.String({ description: 'Colour of a highlighted keyword' })),
  /** No space between this word and the next one (scripts that write without spaces). */
  joinsNext: Type.Optional(Type.Boolean()),
})

export const CaptionCue = closedObject({
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  /** Index into `styles`. */
  style: Type.Integer({ minimum: 0 }),
  words: Type.Array(CaptionWord),
})
export type CaptionCue = Static<typeof CaptionCue>

export const CaptionLayer = closedObject({
  kind: Type.Literal('captions'),
  id: Type.String(),
  language: Type.String(),
  styles: Type.Array(CaptionStyle, { minItems: 1 }),
  cues: Type.Array(CaptionCue),
  ...KEYFRAMES,
})
export type CaptionLayer = Static<typeof CaptionLayer>

export const TitleLayer = closedObject({
  kind: Type.Literal('title'),
  id: Type.String(),
  /** Places where a line may break without a space are marked with a zero-width space (U+200B). */
  text: Type.String(),
  /** BCP 47 tag, as far as it is known: Chinese and Japanese share letters that they write differently. */
  language: Type.Optional(Type.String()),
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  fadeFrames: Type.Integer({ minimum: 0 }),
  face: TextFace,
  backdrop: Backdrop,
  align: choice(['left', 'center', 'right']),
  xPercent: Type.Number(),
  yPercent: Type.Number(),
  maxWidthPercent: Type.Number(),
  /** 0: as many lines as it takes at the face's size; otherwise shrink the text until the block fits this height. */
  targetHeightPercent: Type.Number(),
  /** 1 when absent. */
  opacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  ...KEYFRAMES,
})
export type TitleLayer = Static<typeof TitleLayer>

export const Layer = Type.Union([
  CaptionLayer,
  TitleLayer,
  ImageLayer,
  VideoLayer,
  AudiogramLayer,
  ShapeLayer,
])
export type Layer = Static<typeof Layer>

/** One of several views of the source in one output picture. */
export const Pane = closedObject({
  /** Source rectangle, of the shape of `rect`. */
  crop: Rect,
  /** Where it is shown, reference units. */
  rect: Rect,
  /** How the view moves, without gap over the frames of the span, all of it in the size of `crop`; absent: it rests there. */
  legs: Type.Optional(
    Type.Array(
      closedObject({
        startFrame: Type.Integer(),
        endFrame: Type.Integer(),
        crop: Rect,
        /** As in a span that is a crop. */
        cropTo: Type.Optional(Rect),
        eased: Type.Optional(Type.Literal(true)),
      }),
      { minItems: 1 },
    ),
  ),
})
export type Pane = Static<typeof Pane>

/** How the source picture fills the output during a stretch of frames. Spans follow each other without gap. */
export const LayoutSpan = Type.Union([
  closedObject({
    kind: Type.Literal('crop'),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    /** Source rectangle with the output's aspect ratio; it fills the output. */
    crop: Rect,
    /** Where it has come to at `endFrame`, moving and growing evenly; absent: it stays. */
    cropTo: Type.Optional(Rect),
    /** It starts and stops gently instead: the share of the way at a share `t` of the time is t * t * (3 - 2 * t). */
    eased: Type.Optional(Type.Literal(true)),
  }),
  closedObject({
    kind: Type.Literal('fit'),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    /** Source rectangle shown whole, centred, scaled by `zoom` (1: just fits). */
    crop: Rect,
    zoom: Type.Number({ minimum: 1 }),
    background: choice(['blur', 'black']),
    /** Moves the picture down by this share of the output's height; absent is centred. */
    yOffsetPercent: Type.Optional(Type.Number()),
  }),
  closedObject({
    kind: Type.Literal('panes'),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    /** Painted in this order. */
    panes: Type.Array(Pane, { minItems: 1, maxItems: 8 }),
    /** Behind and between them. */
    background: choice(['blur', 'black']),
  }),
])
export type LayoutSpan = Static<typeof LayoutSpan>
export type CropSpan = Extract<LayoutSpan, { kind: 'crop' }>

/** What a pane shows during its span, as spans of its own. */
export function legsOf({ crop, legs }: Pane, { startFrame, endFrame }: FrameRange): CropSpan[] {
  return (legs ?? [{ startFrame, endFrame, crop }]).map((leg) => ({ kind: 'crop', ...leg }))
}

/** A closer look. The picture grows to `scale` around a point that stays where it is, and back. */
export const Zoom = closedObject({
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  scale: Type.Number({ minimum: 1, maximum: 4 }),
  /** Percent of the output's width and height: the point that stays. */
  xPercent: Type.Number({ minimum: 0, maximum: 100 }),
  yPercent: Type.Number({ minimum: 0, maximum: 100 }),
  /** Frames that growing and shrinking take; 0 is a cut. */
  easeInFrames: Type.Integer({ minimum: 0 }),
  easeOutFrames: Type.Integer({ minimum: 0 }),
})
export type Zoom = Static<typeof Zoom>

/** From one take to the next, over the frames around their cut, under all layers. The map of time stays as it is. */
export const Transition = closedObject({
  kind: choice(TRANSITION_NAMES),
  /** The first frame of what begins at the cut. */
  cutFrame: Type.Integer({ minimum: 1 }),
  /** Even: one half lies before the cut. */
  frames: Type.Integer({ minimum: 2, multipleOf: 2 }),
  /** That it goes through, of kinds that do. */
  colour: choice(TRANSITION_COLOURS),
  /** Crossfade of the sound at this cut; it may be shorter than the picture's. */
  soundMs: Type.Number({ minimum: 0 }),
})
export type Transition = Static<typeof Transition>

/** A rectangle of the source whose content is filled in from its surroundings. */
export const SourcePatch = closedObject({
  rect: Rect,
  /** Output frames on which it is there. */
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
})
export type SourcePatch = Static<typeof SourcePatch>

const Share = Type.Number({ minimum: 0, maximum: 1 })

export const FramingQuality = closedObject({
  /** Frames that were looked at, evenly over the clip; the shares are of these. */
  frames: Type.Integer({ minimum: 0 }),
  /** Frames that show no face although the source's picture has one. */
  noFaceShown: Share,
  /** Frames in which a head that is shown in a view, hair and chin and all, is whole in none; absent: not measured. */
  headCut: Type.Optional(Share),
  /** Share of the frames with a visible speaker that show the speaker; null: no speaker is visible. */
  onSpeaker: nullable(Share),
  /** Frames in which a caption's block covers a face; null: there are no captions. */
  captionOnFace: nullable(Share),
  /** The camera's path without its cuts: root mean square over all frames, view widths per second cubed. */
  jerk: Type.Number({ minimum: 0 }),
  /** The greatest acceleration of the camera, view widths per second squared. */
  acceleration: Type.Number({ minimum: 0 }),
})
export type FramingQuality = Static<typeof FramingQuality>

/** A range of output in which the source is muted. Ticks rather than frames: a word is muted to the sample. */
export const AudioMask = closedObject({ start: Ticks, end: Ticks, kind: choice(['silence', 'beep']) })
export type AudioMask = Static<typeof AudioMask>

/** A fetched file with sound, by content: music, or a video with its sound. */
export const SoundAsset = closedObject({
  digest: Type.String(),
  /** Stream of the file that holds the sound. */
  audioStream: Type.Integer({ minimum: 0 }),
  duration: Ticks,
  /** Loudness of the whole file in LUFS, so that all music starts from one level; null: silent or not measured. */
  integratedLufs: nullable(Type.Number()),
})
export type SoundAsset = Static<typeof SoundAsset>

/** A sound track in addition to the source's. */
export const SoundTrack = closedObject({
  id: Type.String(),
  asset: SoundAsset,
  /** Position in the file that plays on `startFrame`. */
  sourceStart: Ticks,
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  loop: Type.Boolean(),
  /** Against the finished clip's speech at its final loudness: the track is brought to that level plus this. */
  levelDb: Type.Number(),
  /** Maximum ducking while the source is heard; 0: none. */
  duckDb: Type.Number({ minimum: 0 }),
  fadeInMs: Type.Number({ minimum: 0 }),
  fadeOutMs: Type.Number({ minimum: 0 }),
  ...KEYFRAMES,
})
export type SoundTrack = Static<typeof SoundTrack>

/** What is done to the source's own sound before it is mixed. */
export const SoundCleaning = closedObject({
  noise: choice(['off', 'light', 'strong']),
  /** Takes out the hum of mains where it is found. */
  hum: Type.Boolean(),
  /** Lowers the tail of the room. */
  reverb: Type.Boolean(),
  /**
   * Who speaks when, so that all voices are brought to one loudness; counted from where the source is played, after the head. Absent:
   * they are left as they are.
   */
  turns: Type.Optional(
    Type.Array(closedObject({ speaker: Type.Integer({ minimum: 0 }), start: Ticks, end: Ticks })),
  ),
})
export type SoundCleaning = Static<typeof SoundCleaning>

const CompositionAudio = closedObject({
  /** Integrated loudness to reach, LUFS; null leaves the level alone. */
  integratedLufs: nullable(Type.Number()),
  truePeakDb: Type.Number(),
  /** Crossfade at every cut between spans. */
  crossfadeMs: Type.Number(),
  /** Fade at the very start and end, so that no clip starts or ends with a click. */
  edgeFadeMs: Type.Number(),
  /** Absent: the sound is as it was recorded. */
  cleaning: Type.Optional(SoundCleaning),
  /** Sorted by start, without overlap. */
  masks: Type.Optional(Type.Array(AudioMask)),
  /** Sound in addition to the source's. */
  tracks: Type.Optional(Type.Array(SoundTrack)),
})

export const Composition = closedObject({
  formatVersion: Type.Literal(1),
  output: closedObject({
    width: Type.Integer(),
    height: Type.Integer(),
    frameRate: Rational,
    /** The finished picture is HDR, as its source is: BT.2020 with ten bits. Absent: BT.709 with eight. */
    hdr: Type.Optional(HdrTransfer),
  }),
  durationFrames: Type.Integer({ minimum: 1 }),
  /** The first so many of these frames come before the source's: it is black, without sound. */
  headFrames: Type.Optional(Type.Integer({ minimum: 0 })),
  /** The last so many of these frames come after the source's: its last picture is held, without sound. */
  tailFrames: Type.Optional(Type.Integer({ minimum: 0 })),
  source: closedObject({
    /** SHA-256 of the stored source file. */
    digest: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    hasVideo: Type.Boolean(),
    hasAudio: Type.Boolean(),
    hdr: Type.Boolean(),
    interlaced: Type.Boolean(),
    /** Its pictures are red, green and blue: there is no matrix to read them by. */
    rgb: Type.Optional(Type.Literal(true)),
    /** Without a matrix it is judged by the size, as players do. */
    ...HDR_COLOURS,
    ...SEEKING,
    /** Where its picture begins when its sound begins earlier: a seek to a moment before that would lose sound. */
    pictureStart: Type.Optional(Ticks),
    /** Burned-in logos that are blended away, before anything else is done with the picture. */
    patches: Type.Optional(Type.Array(SourcePatch)),
    videoStream: Type.Integer(),
    audioStream: Type.Integer(),
    /** Only the first two channels are used. */
    manyChannels: Type.Optional(Type.Literal(true)),
  }),
  timeMap: Type.Array(TimeSpan, { minItems: 1 }),
  layout: Type.Array(LayoutSpan, { minItems: 1 }),
  /** Closer looks at the laid-out picture, under all layers. Sorted, without overlap. */
  zooms: Type.Optional(Type.Array(Zoom)),
  /** Sorted, without overlap, each at a cut. */
  transitions: Type.Optional(Type.Array(Transition)),
  layers: Type.Array(Layer),
  audio: CompositionAudio,
  /** What is known of how well people are framed; decides nothing of the picture. Absent: their faces are not known. */
  framing: Type.Optional(FramingQuality),
})
export type Composition = Static<typeof Composition>

export type ClipLength = Pick<Composition, 'durationFrames' | 'headFrames' | 'tailFrames'>

/** The frames that play the source: all but the head and the tail. */
export const sourceFrames = ({ durationFrames, headFrames = 0, tailFrames = 0 }: ClipLength): FrameRange => ({
  startFrame: headFrames,
  endFrame: durationFrames - tailFrames,
})

/** The frame whose picture of the source is on: the tail holds the last one, and the head has that of the first. */
export function sourceFrameOn(clip: ClipLength, frame: number): number {
  const { startFrame, endFrame } = sourceFrames(clip)
  return Math.max(startFrame, Math.min(frame, endFrame - 1))
}
