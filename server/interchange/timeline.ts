/** A Composition as editing programs see it: clips on tracks, in whole frames of the output rate. PURE. */
import {
  type Composition,
  type LayoutSpan,
  type Rect,
  type SoundTrack,
  type TextFace,
  type Transition,
  type VideoLayer,
} from '../contract/composition.ts'
import { transitionFrames } from '../contract/time-map/transitions.ts'
import { ticksToNearestFrame, type Rational, type Ticks } from '../contract/time.ts'

/** A file as another program will look for it. */
export interface MediaReference {
  /** File name, for people. */
  readonly name: string
  /** `file:///...`, or a name alone where the file is somewhere else for whoever reads this. */
  readonly url: string
}

/** The stored source of a clip. */
export interface SourceReference extends MediaReference {
  readonly duration: Ticks
  /** Of the file itself; null where it has no picture. */
  readonly frameRate: Rational | null
  readonly audioChannels: number
}

export interface TimelineInput {
  readonly composition: Composition
  readonly title: string
  readonly source: SourceReference
  /** Pictures, videos and music by digest; what is missing is named by its digest. */
  readonly assets: ReadonlyMap<string, MediaReference>
}

export interface Media extends MediaReference {
  readonly id: string
  readonly kind: 'video' | 'image' | 'sound'
  /** Frames at the timeline's rate; 0 for a still picture. */
  readonly durationFrames: number
  readonly width: number
  readonly height: number
  readonly audioChannels: number
}

export interface ClipItem {
  readonly name: string
  /** Place on the timeline, end exclusive. */
  readonly startFrame: number
  readonly endFrame: number
  readonly media: Media
  /** First frame of the file that is shown, counted at the timeline's rate. */
  readonly sourceFrame: number
  /** 1 is natural speed. */
  readonly playbackRate: number
  /** Loudness of a music track against the speech, dB. */
  readonly levelDb?: number
}

export interface TextItem {
  readonly startFrame: number
  readonly endFrame: number
  readonly text: string
  readonly face: TextFace
}

/** A note at the moment of something that a format cannot hold. */
export interface Marker {
  readonly startFrame: number
  readonly endFrame: number
  readonly name: string
}

export interface Timeline {
  readonly title: string
  readonly rate: Rational
  readonly width: number
  readonly height: number
  readonly durationFrames: number
  /** Frames at the beginning in which only what lies over them is shown and heard. */
  readonly headFrames: number
  /** Frames at the end in which the last picture is held, without sound. */
  readonly tailFrames: number
  readonly source: Media
  readonly sourceRate: Rational
  /** The cut, without gap, from the head to the tail. */
  readonly main: readonly ClipItem[]
  /** Pictures and videos over it, lowest track first. */
  readonly overlays: readonly (readonly ClipItem[])[]
  readonly music: readonly (readonly ClipItem[])[]
  readonly titles: readonly (readonly TextItem[])[]
  readonly captions: readonly TextItem[]
  readonly markers: readonly Marker[]
  /** Between clips of the cut, half of each before and after where they meet. */
  readonly transitions: readonly Transition[]
  readonly layout: readonly LayoutSpan[]
}

/** As editing programs call them. */
export const TRANSITION_LABELS: Readonly<Record<Transition['kind'], string>> = {
  cross_fade: 'Cross Dissolve',
  whip: 'Whip',
  zoom: 'Zoom',
  dip: 'Dip to Color',
}

export function buildTimeline({ composition, title, source, assets }: TimelineInput): Timeline {
  const { output, timeMap, layers } = composition
  const rate = output.frameRate
  const main = sourceMedia(composition, source)
  const referTo = mediaByDigest(composition, assets)
  return {
    title,
    rate,
    width: output.width,
    height: output.height,
    durationFrames: composition.durationFrames,
    headFrames: composition.headFrames ?? 0,
    tailFrames: composition.tailFrames ?? 0,
    source: main,
    sourceRate: source.frameRate ?? rate,
    main: timeMap.map((span) => ({
      name: title,
      startFrame: span.startFrame,
      endFrame: span.endFrame,
      media: main,
      sourceFrame: ticksToNearestFrame(span.sourceStart, rate),
      playbackRate: span.playbackRate,
    })),
    overlays: stacked(layers.map((layer) => pictureItems(layer, referTo, rate))),
    music: stacked(
      (composition.audio.tracks ?? []).map((track) => soundItems(track, referTo.sound(track.asset), rate)),
    ),
    titles: onTracks(
      layers.flatMap((layer) => (layer.kind === 'title' && layer.text.trim() !== '' ? [textOf(layer)] : [])),
    ),
    captions: layers.flatMap((layer) => (layer.kind === 'captions' ? captionItems(layer) : [])),
    markers: markersOf(composition),
    transitions: composition.transitions ?? [],
    layout: composition.layout,
  }
}

function sourceMedia({ source, output }: Composition, reference: SourceReference): Media {
  return {
    id: 'source',
    name: reference.name,
    url: reference.url,
    kind: source.hasVideo ? 'video' : 'sound',
    durationFrames: ticksToNearestFrame(reference.duration, output.frameRate),
    width: source.width,
    height: source.height,
    audioChannels: source.hasAudio ? Math.max(1, reference.audioChannels) : 0,
  }
}

type LayerOf<Kind> = Extract<Composition['layers'][number], { kind: Kind }>

function mediaByDigest({ output }: Composition, assets: ReadonlyMap<string, MediaReference>) {
  const seen = new Map<string, Media>()
  const media = (digest: string, rest: Omit<Media, 'id' | 'name' | 'url'>): Media => {
    const known = seen.get(digest)
    if (known !== undefined) return known
    const { name, url } = assets.get(digest) ?? { name: digest, url: digest }
    const made = { id: `asset${seen.size + 1}`, name, url, ...rest }
    seen.set(digest, made)
    return made
  }
  const frames = (ticks: Ticks): number => ticksToNearestFrame(ticks, output.frameRate)
  return {
    image: ({ digest, width, height }: LayerOf<'image'>['asset']): Media =>
      media(digest, { kind: 'image', durationFrames: 0, width, height, audioChannels: 0 }),
    video: ({ digest, duration, width, height, hasAudio }: VideoLayer['asset']): Media =>
      media(digest, {
        kind: 'video',
        durationFrames: frames(duration),
        width,
        height,
        audioChannels: hasAudio ? 2 : 0,
      }),
    sound: ({ digest, duration }: SoundTrack['asset']): Media =>
      media(digest, {
        kind: 'sound',
        durationFrames: frames(duration),
        width: 0,
        height: 0,
        audioChannels: 2,
      }),
  }
}

function pictureItems(
  layer: Composition['layers'][number],
  referTo: ReturnType<typeof mediaByDigest>,
  rate: Rational,
): ClipItem[] {
  if (layer.kind === 'video') return playedItems(layer, referTo.video(layer.asset), rate)
  if (layer.kind !== 'image' || layer.endFrame <= layer.startFrame) return []
  const { startFrame, endFrame } = layer
  const media = referTo.image(layer.asset)
  return [{ name: media.name, startFrame, endFrame, media, sourceFrame: 0, playbackRate: 1 }]
}

interface Played {
  readonly startFrame: number
  readonly endFrame: number
  readonly sourceStart: Ticks
  readonly loop: boolean
}

/** One item for each time that the file is played from its start; one that does not start again ends with the file. */
function playedItems(played: Played, media: Media, rate: Rational): ClipItem[] {
  const items: ClipItem[] = []
  let sourceFrame = ticksToNearestFrame(played.sourceStart, rate)
  for (let at = played.startFrame; at < played.endFrame;) {
    const left = media.durationFrames - sourceFrame
    // A file of unknown or no length is taken to be long enough.
    const length = left > 0 ? Math.min(left, played.endFrame - at) : played.endFrame - at
    items.push({
      name: media.name,
      startFrame: at,
      endFrame: at + length,
      media,
      sourceFrame,
      playbackRate: 1,
    })
    if (!played.loop) break
    at += length
    sourceFrame = 0
  }
  return items
}

const soundItems = (track: SoundTrack, media: Media, rate: Rational): ClipItem[] =>
  playedItems(track, media, rate).map((item) => ({ ...item, levelDb: track.levelDb }))

function textOf({ startFrame, endFrame, text, face }: LayerOf<'title'>): TextItem {
  // Without the marks of where a line may break in scripts that are written without spaces.
  return { startFrame, endFrame, text: text.replaceAll('\u200b', ''), face }
}

function captionItems({ cues, styles }: LayerOf<'captions'>): TextItem[] {
  return cues.flatMap(({ startFrame, endFrame, style, words }) => {
    if (words.length === 0 || endFrame <= startFrame) return []
    const { face } = styles[style] ?? styles[0]!
    const text = words
      .map((word, index) => word.text + (index === words.length - 1 || word.joinsNext === true ? '' : ' '))
      .join('')
    return [{ startFrame, endFrame, text, face }]
  })
}

/** The part of the source that fills the frame where an item begins; undefined where none does. */
export function cropAt({ startFrame }: ClipItem, { layout }: Timeline): Rect | undefined {
  const span = layout.find(({ endFrame }) => startFrame < endFrame)
  return span?.kind === 'crop' ? span.crop : undefined
}

/** Red, green and blue of `#rrggbb`, each up to 255; of any other colour white. */
export function rgbOf({ colour }: TextFace): readonly number[] {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour)?.slice(1)
  return digits?.map((pair) => parseInt(pair, 16)) ?? [255, 255, 255]
}

/** A title or caption as the name of an item: on one line, and not long. */
export const nameOf = ({ text }: TextItem): string => text.replaceAll('\n', ' ').slice(0, 60)

interface Placed {
  readonly startFrame: number
  readonly endFrame: number
}

/** Items on as few tracks as they need; each track is sorted and without overlap. */
function onTracks<Item extends Placed>(items: readonly Item[]): Item[][] {
  const tracks: Item[][] = []
  for (const item of items.toSorted((a, b) => a.startFrame - b.startFrame)) {
    if (item.endFrame <= item.startFrame) continue
    const free = tracks.find((track) => track.at(-1)!.endFrame <= item.startFrame)
    if (free === undefined) tracks.push([item])
    else free.push(item)
  }
  return tracks
}

/**
 * Layers in the order in which they are painted, each on the topmost track if it meets nothing there, or on a new one
 * above: what lay over stays over.
 */
function stacked<Item extends Placed>(layers: readonly (readonly Item[])[]): Item[][] {
  const tracks: Item[][] = []
  for (const layer of layers) {
    if (layer.length === 0) continue
    const top = tracks.at(-1)
    const meets = (top ?? []).some((a) =>
      layer.some((b) => a.startFrame < b.endFrame && b.startFrame < a.endFrame),
    )
    if (top === undefined || meets) tracks.push([...layer])
    else tracks[tracks.length - 1] = [...top, ...layer].sort((a, b) => a.startFrame - b.startFrame)
  }
  return tracks
}

/**
 * Frames of the dissolve at a cut; 0: none that a list of clips can say, which counts in the file at natural speed and has nothing
 * beyond its ends.
 */
export function dissolveAt({ transitions, main }: Timeline, cutFrame: number): number {
  const frames =
    transitions.find((one) => one.kind === 'cross_fade' && one.cutFrame === cutFrame)?.frames ?? 0
  const incoming = main.find(({ startFrame }) => startFrame === cutFrame)
  const outgoing = main.find(({ endFrame }) => endFrame === cutFrame)
  if (incoming?.playbackRate !== 1 || outgoing?.playbackRate !== 1) return 0
  const { sourceFrame, startFrame, media } = outgoing
  const lastRead = sourceFrame + cutFrame - startFrame + frames / 2
  const isThere = media.durationFrames === 0 || lastRead <= media.durationFrames
  return isThere && incoming.sourceFrame >= frames / 2 ? frames : 0
}

function markersOf({ audio, zooms, source, layout, output, transitions }: Composition): Marker[] {
  const frame = (ticks: Ticks): number => ticksToNearestFrame(ticks, output.frameRate)
  const masks = (audio.masks ?? []).map(({ start, end, kind }) => ({
    startFrame: frame(start),
    endFrame: Math.max(frame(start) + 1, frame(end)),
    name: kind === 'beep' ? 'Beep over a word' : 'Word silenced',
  }))
  const closer = (zooms ?? []).map(({ startFrame, endFrame, scale }) => ({
    startFrame,
    endFrame,
    name: `Zoom ${Math.round(scale * 100)} %`,
  }))
  const patches = (source.patches ?? []).map(({ startFrame, endFrame }) => ({
    startFrame,
    endFrame,
    name: 'Logo removed',
  }))
  const shapes = layout.flatMap(({ kind, startFrame, endFrame }) =>
    kind === 'crop' || layout.length === 1
      ? []
      : [{ startFrame, endFrame, name: kind === 'fit' ? 'Whole picture' : 'Split view' }],
  )
  const joins = (transitions ?? []).map((transition) => ({
    ...transitionFrames(transition),
    name: TRANSITION_LABELS[transition.kind],
  }))
  return [...masks, ...closer, ...patches, ...shapes, ...joins]
    .filter((marker) => marker.endFrame > marker.startFrame)
    .sort((a, b) => a.startFrame - b.startFrame)
}
