/** FCPXML 1.10, for Final Cut Pro: clips in a spine, everything else connected to them. PURE. */
import type { Rect, TextFace } from '../contract/composition.ts'
import type { Rational } from '../contract/time.ts'
import { commonNotes, rateNote, transitionNote, type NotedClip } from './notes.ts'
import { dropsFrames, rationalSeconds } from './rates.ts'
import {
  cropAt,
  nameOf,
  rgbOf,
  TRANSITION_LABELS,
  type ClipItem,
  type Media,
  type TextItem,
  type Timeline,
} from './timeline.ts'
import { xml, xmlDocument, xmlText, type XmlElement } from './xml.ts'

/** Final Cut's own generator of plain titles. */
const BASIC_TITLE = '.../Titles.localized/Bumper:Opener.localized/Basic Title.localized/Basic Title.moti'

export function writeFcpxml(clip: NotedClip): { text: string; notes: string[] } {
  const { timeline } = clip
  const framed = timeline.layout.some(({ kind }) => kind === 'crop')
  const notes = [
    ...commonNotes(clip),
    ...rateNote(timeline),
    ...transitionNote(timeline, WRITTEN_TRANSITIONS),
    ...(framed ? ['Each clip has the framing of its first frame.'] : []),
  ]
  const root = xml('fcpxml', { version: '1.10' }, [resources(timeline), project(timeline, notes)])
  return { text: xmlDocument('fcpxml', root), notes }
}

/** A transition without a filter is Final Cut's own cross dissolve; others are effects of its own by ids. */
const WRITTEN_TRANSITIONS = ['cross_fade'] as const

const SEQUENCE_FORMAT = 'r-sequence'
const TITLE_EFFECT = 'r-title'

function resources(timeline: Timeline): XmlElement {
  const { rate, width, height } = timeline
  const media = mediaOf(timeline)
  const titled = timeline.titles.length > 0
  return xml('resources', {}, [
    format(SEQUENCE_FORMAT, rate, width, height),
    ...media.map((one) => mediaFormat(one, timeline)).filter((one) => one !== null),
    ...(titled ? [xml('effect', { id: TITLE_EFFECT, name: 'Basic Title', uid: BASIC_TITLE })] : []),
    ...media.map((one) => asset(one, rate)),
  ])
}

/** Each file once, the source first. */
function mediaOf({ source, overlays, music }: Timeline): Media[] {
  const all = [source, ...[...overlays, ...music].flat().map((item) => item.media)]
  return [...new Map(all.map((media) => [media.id, media])).values()]
}

function format(id: string, rate: Rational, width: number, height: number): XmlElement {
  return xml('format', {
    id,
    frameDuration: rationalSeconds(1, rate),
    width,
    height,
    colorSpace: '1-1-1 (Rec. 709)',
  })
}

function mediaFormat(media: Media, { source, sourceRate, rate }: Timeline): XmlElement | null {
  if (media.kind === 'sound') return null
  const { width, height } = media
  if (media.kind === 'image')
    return xml('format', { id: formatId(media), name: 'FFVideoFormatRateUndefined', width, height })
  return format(formatId(media), media.id === source.id ? sourceRate : rate, width, height)
}

const formatId = (media: Media): string => `r-${media.id}-format`
const assetId = (media: Media): string => `r-${media.id}`

function asset(media: Media, rate: Rational): XmlElement {
  const video = media.kind !== 'sound'
  const audio = media.audioChannels > 0
  const attributes = {
    id: assetId(media),
    name: media.name,
    start: '0s',
    duration: rationalSeconds(media.durationFrames, rate),
    ...(video ? { hasVideo: 1, videoSources: 1, format: formatId(media) } : {}),
    ...(audio ? { hasAudio: 1, audioSources: 1, audioChannels: media.audioChannels, audioRate: 48000 } : {}),
  }
  return xml('asset', attributes, [xml('media-rep', { kind: 'original-media', src: addressOf(media) })])
}

/** A name alone is an address beside the document. */
function addressOf({ url }: Media): string {
  return url.includes('://') ? url : `./${encodeURIComponent(url)}`
}

function project(timeline: Timeline, notes: readonly string[]): XmlElement {
  const { rate, title, durationFrames } = timeline
  const attributes = {
    format: SEQUENCE_FORMAT,
    duration: rationalSeconds(durationFrames, rate),
    tcStart: '0s',
    tcFormat: tcFormat(rate),
    audioLayout: 'stereo',
    audioRate: '48k',
  }
  const note = notes.length === 0 ? [] : [xmlText('note', notes.join(' '))]
  const sequence = xml('sequence', attributes, [...note, xml('spine', {}, spine(timeline))])
  return xml('library', {}, [
    xml('event', { name: 'Cutroom' }, [xml('project', { name: title }, [sequence])]),
  ])
}

const tcFormat = (rate: Rational): 'DF' | 'NDF' => (dropsFrames(rate) ? 'DF' : 'NDF')

/** A stretch of the spine, and the time inside it that its first frame has. */
interface Anchor {
  readonly startFrame: number
  readonly endFrame: number
  readonly localFrame: number
}

function spine(timeline: Timeline): XmlElement[] {
  const { main, headFrames, tailFrames, durationFrames } = timeline
  const clips = main.flatMap((item) => {
    const anchor = { startFrame: item.startFrame, endFrame: item.endFrame, localFrame: item.sourceFrame }
    const clip = assetClip(item, timeline, { offset: item.startFrame, role: 'dialogue' }, [
      ...conform(item, timeline),
      ...connected(timeline, anchor),
    ])
    return [...dissolveInto(item, timeline), clip]
  })
  return [
    ...gapOf(timeline, 0, headFrames),
    ...clips,
    ...gapOf(timeline, durationFrames - tailFrames, durationFrames),
  ]
}

/** The dissolve with which a clip begins, over the frames around its cut; neither clip is moved by it. */
function dissolveInto({ startFrame }: ClipItem, { transitions, rate }: Timeline): XmlElement[] {
  const found = transitions.find(({ kind, cutFrame }) => kind === 'cross_fade' && cutFrame === startFrame)
  if (found === undefined) return []
  const attributes = {
    name: TRANSITION_LABELS.cross_fade,
    offset: rationalSeconds(startFrame - found.frames / 2, rate),
    duration: rationalSeconds(found.frames, rate),
  }
  return [xml('transition', attributes)]
}

/** What holds what is shown while the source is not. */
function gapOf(timeline: Timeline, startFrame: number, endFrame: number): XmlElement[] {
  if (endFrame <= startFrame) return []
  const gap = {
    name: 'Gap',
    offset: rationalSeconds(startFrame, timeline.rate),
    start: '0s',
    duration: rationalSeconds(endFrame - startFrame, timeline.rate),
  }
  return [xml('gap', gap, connected(timeline, { startFrame, endFrame, localFrame: 0 }))]
}

interface Place {
  /** In the time of what the clip lies in. */
  readonly offset: number
  readonly lane?: number
  readonly role: string
}

function assetClip(item: ClipItem, { rate }: Timeline, place: Place, inside: readonly XmlElement[] = []) {
  const frames = item.endFrame - item.startFrame
  const { media } = item
  const attributes = {
    ref: assetId(media),
    lane: place.lane,
    offset: rationalSeconds(place.offset, rate),
    name: item.name,
    start: rationalSeconds(item.sourceFrame, rate),
    duration: rationalSeconds(frames, rate),
    ...(media.kind === 'image' ? {} : { tcFormat: tcFormat(rate) }),
    ...(media.audioChannels > 0 ? { audioRole: place.role } : {}),
  }
  const louder = item.levelDb === undefined ? [] : [xml('adjust-volume', { amount: `${item.levelDb}dB` })]
  const children = [...speed(item, rate), ...louder, ...inside]
  return xml(media.kind === 'image' ? 'video' : 'asset-clip', attributes, children)
}

/** From the clip's own time to the file's, as a straight line through the stretch that is played. */
function speed(item: ClipItem, rate: Rational): XmlElement[] {
  if (item.playbackRate === 1) return []
  const frames = item.endFrame - item.startFrame
  const read = Math.round(frames * item.playbackRate)
  const point = (time: number, value: number): XmlElement =>
    xml('timept', {
      time: rationalSeconds(time, rate),
      value: rationalSeconds(value, rate),
      interp: 'linear',
    })
  const { sourceFrame } = item
  return [
    xml('timeMap', {}, [point(sourceFrame, sourceFrame), point(sourceFrame + frames, sourceFrame + read)]),
  ]
}

/** How the picture fills the frame at the clip's beginning: scaled to fill, then moved and grown to the crop. */
function conform(item: ClipItem, timeline: Timeline): XmlElement[] {
  if (timeline.source.kind !== 'video') return []
  const crop = cropAt(item, timeline)
  if (crop === undefined) return [xml('adjust-conform', { type: 'fit' })]
  return [xml('adjust-conform', { type: 'fill' }), xml('adjust-transform', transform(crop, timeline))]
}

/** Position in percent of the frame's height from its middle, upwards positive. */
function transform(crop: Rect, { source, width, height }: Timeline): { position: string; scale: string } {
  const filled = Math.max(width / source.width, height / source.height)
  const wanted = width / crop.width
  const x = (source.width / 2 - (crop.x + crop.width / 2)) * wanted
  const y = (crop.y + crop.height / 2 - source.height / 2) * wanted
  const percent = (pixels: number): string => short((pixels / height) * 100)
  const scale = short(wanted / filled)
  return { position: `${percent(x)} ${percent(y)}`, scale: `${scale} ${scale}` }
}

/** A number without more digits than anybody sees, and without a minus before nothing. */
const short = (value: number): string => String(Math.round(value * 10_000) / 10_000 + 0)

/** Everything that starts while this stretch plays: above it, below it, and its markers. */
function connected(timeline: Timeline, anchor: Anchor): XmlElement[] {
  const { overlays, titles, captions, music, markers, rate } = timeline
  const starts = ({ startFrame }: { startFrame: number }): boolean =>
    anchor.startFrame <= startFrame && startFrame < anchor.endFrame
  const offsetOf = ({ startFrame }: { startFrame: number }): number =>
    anchor.localFrame + startFrame - anchor.startFrame
  const clips = (tracks: readonly (readonly ClipItem[])[], lane: (track: number) => number, role: string) =>
    tracks.flatMap((items, track) =>
      items
        .filter(starts)
        .map((item) => assetClip(item, timeline, { offset: offsetOf(item), lane: lane(track), role })),
    )
  return [
    ...clips(overlays, (track) => track + 1, 'effects'),
    ...titles.flatMap((items, track) =>
      items
        .filter(starts)
        .map((item) => titleOf(item, timeline, offsetOf(item), overlays.length + track + 1)),
    ),
    ...captions
      .filter(starts)
      .map((item) => captionOf(item, timeline, offsetOf(item), overlays.length + titles.length + 1)),
    ...clips(music, (track) => -1 - track, 'music'),
    ...markers.filter(starts).map((marker) =>
      xml('marker', {
        start: rationalSeconds(offsetOf(marker), rate),
        duration: rationalSeconds(1, rate),
        value: marker.name,
      }),
    ),
  ]
}

function titleOf(item: TextItem, { rate }: Timeline, offset: number, lane: number): XmlElement {
  const style = `ts-title-${lane}-${item.startFrame}`
  const attributes = {
    ref: TITLE_EFFECT,
    lane,
    offset: rationalSeconds(offset, rate),
    name: nameOf(item),
    start: '0s',
    duration: rationalSeconds(item.endFrame - item.startFrame, rate),
  }
  return xml('title', attributes, [
    xml('text', {}, [xml('text-style', { ref: style }, item.text)]),
    xml('text-style-def', { id: style }, [xml('text-style', styleOf(item.face))]),
  ])
}

function styleOf(face: TextFace): Readonly<Record<string, string | number>> {
  return {
    font: face.fontFamily,
    fontSize: Math.round(face.fontSize),
    bold: face.fontWeight >= 600 ? 1 : 0,
    italic: face.italic ? 1 : 0,
    fontColor: [...rgbOf(face).map((part) => short(part / 255)), '1'].join(' '),
    alignment: 'center',
  }
}

function captionOf(item: TextItem, { rate }: Timeline, offset: number, lane: number): XmlElement {
  const style = `ts-caption-${item.startFrame}`
  const attributes = {
    lane,
    offset: rationalSeconds(offset, rate),
    name: nameOf(item),
    start: '0s',
    duration: rationalSeconds(item.endFrame - item.startFrame, rate),
    role: 'iTT?captionFormat=ITT.en',
  }
  return xml('caption', attributes, [
    xml('text', { placement: 'bottom' }, [xml('text-style', { ref: style }, item.text)]),
    xml('text-style-def', { id: style }, [
      xml('text-style', { font: '.AppleSystemUIFont', fontSize: 13, fontColor: '1 1 1 1' }),
    ]),
  ])
}
