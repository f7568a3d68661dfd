/** Final Cut Pro 7 XML (xmeml 5), which Premiere Pro and DaVinci Resolve read. PURE. */
import type { Rational } from '../contract/time.ts'
import { commonNotes, rateNote, transitionNote, type NotedClip } from './notes.ts'
import { dropsFrames, isNtsc, timebase, timecode } from './rates.ts'
import {
  cropAt,
  dissolveAt,
  nameOf,
  rgbOf,
  type ClipItem,
  type Media,
  type TextItem,
  type Timeline,
} from './timeline.ts'
import { xml, xmlDocument, xmlText, type XmlElement } from './xml.ts'

export function writeFcp7(clip: NotedClip): { text: string; notes: string[] } {
  const { timeline } = clip
  const framed = timeline.layout.some(({ kind }) => kind === 'crop')
  const notes = [
    ...commonNotes(clip),
    ...rateNote(timeline),
    ...transitionNote(timeline, ['cross_fade']),
    ...(framed ? ['Each clip is scaled to fill the frame, and stands in its middle.'] : []),
    ...(timeline.captions.length > 0 ? ['Captions are text generators on a track of their own.'] : []),
  ]
  const root = xml('xmeml', { version: '5' }, [sequence(timeline, notes)])
  return { text: xmlDocument('xmeml', root), notes }
}

/** Which files were written out already: later places only name them. */
type Written = Set<string>

function sequence(timeline: Timeline, notes: readonly string[]): XmlElement {
  const { rate, title, durationFrames } = timeline
  const written: Written = new Set()
  const markers = timeline.markers.map(({ name, startFrame, endFrame }) =>
    xml('marker', {}, [
      xmlText('name', name),
      xmlText('comment', ''),
      xmlText('in', startFrame),
      xmlText('out', endFrame),
    ]),
  )
  // There are four comments: the last one holds what is left.
  const comments = notes.length > 4 ? [...notes.slice(0, 3), notes.slice(3).join(' ')] : notes
  return xml('sequence', { id: 'sequence-1' }, [
    xmlText('name', title),
    xmlText('duration', durationFrames),
    rateOf(rate),
    xml('timecode', {}, [
      rateOf(rate),
      xmlText('string', timecode(0, rate)),
      xmlText('frame', 0),
      xmlText('displayformat', dropsFrames(rate) ? 'DF' : 'NDF'),
    ]),
    xml('media', {}, [video(timeline, written), audio(timeline, written)]),
    ...(comments.length === 0 ? [] : [xml('comments', {}, comments.map(masterComment))]),
    ...markers,
  ])
}

const masterComment = (text: string, index: number): XmlElement => xmlText(`mastercomment${index + 1}`, text)

function rateOf(rate: Rational): XmlElement {
  return xml('rate', {}, [
    xmlText('timebase', timebase(rate)),
    xmlText('ntsc', isNtsc(rate) ? 'TRUE' : 'FALSE'),
  ])
}

function video(timeline: Timeline, written: Written): XmlElement {
  const { source, main, overlays, titles, captions } = timeline
  const ids = channelIds(timeline)
  const cut =
    source.kind === 'video'
      ? [
          track(
            main.flatMap((item, index) => [
              ...dissolve(timeline, item, VIDEO_DISSOLVE),
              clipItem(timeline, item, written, {
                id: ids.video(index),
                ...handlesOf(timeline, item),
                more: [
                  ...scaled(item, timeline),
                  ...speed(item),
                  ...ids.all(index).map((id) => xml('link', {}, [xmlText('linkclipref', id)])),
                ],
              }),
            ]),
          ),
        ]
      : []
  const texts = [...titles, ...(captions.length > 0 ? [captions] : [])]
  return xml('video', {}, [
    xml('format', {}, [characteristics(timeline.width, timeline.height, timeline.rate)]),
    ...cut,
    ...overlays.map((items, row) =>
      track(
        items.map((item, index) =>
          clipItem(timeline, item, written, { id: `overlay-${row + 1}-${index + 1}` }),
        ),
      ),
    ),
    ...texts.map((items, row) =>
      track(items.map((item, index) => generator(timeline, item, `text-${row + 1}-${index + 1}`))),
    ),
  ])
}

function characteristics(width: number, height: number, rate: Rational): XmlElement {
  return xml('samplecharacteristics', {}, [
    rateOf(rate),
    xmlText('width', width),
    xmlText('height', height),
    xmlText('anamorphic', 'FALSE'),
    xmlText('pixelaspectratio', 'square'),
    xmlText('fielddominance', 'none'),
  ])
}

const track = (items: readonly XmlElement[]): XmlElement => xml('track', {}, items)

/** Channels of the source that get a track each. */
const tracksOf = ({ source }: Timeline): number => Math.min(2, source.audioChannels)

function channelIds(timeline: Timeline) {
  const { source } = timeline
  const channels = Array.from({ length: tracksOf(timeline) }, (_, channel) => channel)
  const video = (index: number): string => `cut-video-${index + 1}`
  const audio = (index: number, channel: number): string => `cut-audio-${channel + 1}-${index + 1}`
  const all = (index: number): string[] => [
    ...(source.kind === 'video' ? [video(index)] : []),
    ...channels.map((channel) => audio(index, channel)),
  ]
  return { video, audio, all, channels }
}

function audio(timeline: Timeline, written: Written): XmlElement {
  const ids = channelIds(timeline)
  const speech = ids.channels.map((channel) =>
    track(
      timeline.main.flatMap((item, index) => [
        ...dissolve(timeline, item, AUDIO_DISSOLVE),
        clipItem(timeline, item, written, {
          id: ids.audio(index, channel),
          channel,
          ...handlesOf(timeline, item),
          more: [
            ...speed(item, 'audio'),
            ...ids.all(index).map((id) => xml('link', {}, [xmlText('linkclipref', id)])),
          ],
        }),
      ]),
    ),
  )
  const music = timeline.music.flatMap((items, row) =>
    [0, 1].map((channel) =>
      track(
        items.map((item, index) =>
          clipItem(timeline, item, written, {
            id: `music-${row + 1}-${channel + 1}-${index + 1}`,
            channel,
            more: level(item),
          }),
        ),
      ),
    ),
  )
  return xml('audio', {}, [
    xmlText('numOutputChannels', 2),
    xml('format', {}, [
      xml('samplecharacteristics', {}, [xmlText('depth', 16), xmlText('samplerate', 48000)]),
    ]),
    ...speech,
    ...music,
  ])
}

interface ItemParts {
  readonly id: string
  /** Of the file's sound; absent: its picture. */
  readonly channel?: number
  readonly more?: readonly XmlElement[]
  /** Frames of the file that only the dissolves before and after it show. */
  readonly lead?: number
  readonly tail?: number
}

/** What the dissolves at both ends of a clip take of its file. */
const handlesOf = (timeline: Timeline, { startFrame, endFrame }: ClipItem) => ({
  lead: dissolveAt(timeline, startFrame) / 2,
  tail: dissolveAt(timeline, endFrame) / 2,
})

const VIDEO_DISSOLVE = { name: 'Cross Dissolve', id: 'Cross Dissolve', mediaType: 'video' } as const
const AUDIO_DISSOLVE = {
  name: 'Cross Fade (0dB)',
  id: 'KGAudioTransCrossFade0dB',
  mediaType: 'audio',
} as const

/** The dissolve that a clip begins with. */
function dissolve(
  timeline: Timeline,
  { startFrame }: ClipItem,
  { name, id, mediaType }: typeof VIDEO_DISSOLVE | typeof AUDIO_DISSOLVE,
): XmlElement[] {
  const frames = dissolveAt(timeline, startFrame)
  if (frames === 0) return []
  return [
    xml('transitionitem', {}, [
      xmlText('start', startFrame - frames / 2),
      xmlText('end', startFrame + frames / 2),
      xmlText('alignment', 'center'),
      rateOf(timeline.rate),
      effect({ name, id, category: 'Dissolve', type: 'transition', mediaType }, []),
    ]),
  ]
}

function clipItem(timeline: Timeline, item: ClipItem, written: Written, parts: ItemParts): XmlElement {
  const { rate } = timeline
  const frames = item.endFrame - item.startFrame
  // Places in the file are counted after the change of speed: a file played twice as fast is half as long.
  const start = Math.round(item.sourceFrame / item.playbackRate)
  const length = Math.round(item.media.durationFrames / item.playbackRate)
  const { lead = 0, tail = 0 } = parts
  const source =
    parts.channel === undefined
      ? []
      : [xml('sourcetrack', {}, [xmlText('mediatype', 'audio'), xmlText('trackindex', parts.channel + 1)])]
  return xml('clipitem', { id: parts.id }, [
    xmlText('name', item.name),
    xmlText('enabled', 'TRUE'),
    xmlText('duration', Math.max(length, start + frames + tail)),
    rateOf(rate),
    // An edge that lies under a dissolve is -1: the dissolve says where it is.
    xmlText('start', lead > 0 ? -1 : item.startFrame),
    xmlText('end', tail > 0 ? -1 : item.endFrame),
    xmlText('in', start - lead),
    xmlText('out', start + frames + tail),
    file(item.media, timeline, written),
    ...source,
    ...(parts.more ?? []),
  ])
}

function file(media: Media, timeline: Timeline, written: Written): XmlElement {
  const id = `file-${media.id}`
  if (written.has(id)) return xml('file', { id })
  written.add(id)
  const { rate } = timeline
  const pictured = xml('video', {}, [characteristics(media.width, media.height, rate)])
  const sounding = xml('audio', {}, [
    xml('samplecharacteristics', {}, [xmlText('depth', 16), xmlText('samplerate', 48000)]),
    xmlText('channelcount', media.audioChannels),
  ])
  return xml('file', { id }, [
    xmlText('name', media.name),
    xmlText('pathurl', addressOf(media)),
    rateOf(rate),
    ...(media.durationFrames > 0 ? [xmlText('duration', media.durationFrames)] : []),
    xml('media', {}, [
      ...(media.kind === 'sound' ? [] : [pictured]),
      ...(media.audioChannels > 0 ? [sounding] : []),
    ]),
  ])
}

function addressOf({ url }: Media): string {
  return url.includes('://') ? url.replace('file:///', 'file://localhost/') : encodeURIComponent(url)
}

function effect(
  fields: { name: string; id: string; category: string; type: string; mediaType: string },
  parameters: readonly XmlElement[],
): XmlElement {
  return xml('effect', {}, [
    xmlText('name', fields.name),
    xmlText('effectid', fields.id),
    xmlText('effectcategory', fields.category),
    xmlText('effecttype', fields.type),
    xmlText('mediatype', fields.mediaType),
    ...parameters,
  ])
}

function parameter(id: string, name: string, value: string | number): XmlElement {
  return xml('parameter', {}, [xmlText('parameterid', id), xmlText('name', name), xmlText('value', value)])
}

function speed(item: ClipItem, mediaType: 'video' | 'audio' = 'video'): XmlElement[] {
  if (item.playbackRate === 1) return []
  const remap = { name: 'Time Remap', id: 'timeremap', category: 'motion', type: 'motion', mediaType }
  return [
    xml('filter', {}, [
      effect(remap, [
        parameter('variablespeed', 'variablespeed', 0),
        parameter('speed', 'speed', item.playbackRate * 100),
        parameter('reverse', 'reverse', 'FALSE'),
        parameter('frameblending', 'frameblending', 'FALSE'),
      ]),
    ]),
  ]
}

/** Percent of the file's own pixels, so that the crop at the clip's beginning fills the frame. */
function scaled(item: ClipItem, timeline: Timeline): XmlElement[] {
  const crop = cropAt(item, timeline)
  if (crop === undefined) return []
  const motion = { name: 'Basic Motion', id: 'basic', category: 'motion', type: 'motion', mediaType: 'video' }
  const scale = Math.round((timeline.width / crop.width) * 10_000) / 100
  return [xml('filter', {}, [effect(motion, [parameter('scale', 'Scale', scale)])])]
}

function level({ levelDb = 0 }: ClipItem): XmlElement[] {
  const levels = {
    name: 'Audio Levels',
    id: 'audiolevels',
    category: 'audiolevels',
    type: 'audiolevels',
    mediaType: 'audio',
  }
  const share = Math.round(10 ** (levelDb / 20) * 10_000) / 10_000
  return [xml('filter', {}, [effect(levels, [parameter('level', 'Level', share)])])]
}

function generator({ rate }: Timeline, item: TextItem, id: string): XmlElement {
  const frames = item.endFrame - item.startFrame
  const text = { name: 'Text', id: 'Text', category: 'Text', type: 'generator', mediaType: 'video' }
  return xml('generatoritem', { id }, [
    xmlText('name', nameOf(item)),
    xmlText('enabled', 'TRUE'),
    xmlText('duration', frames),
    rateOf(rate),
    xmlText('start', item.startFrame),
    xmlText('end', item.endFrame),
    xmlText('in', 0),
    xmlText('out', frames),
    effect(text, [
      parameter('str', 'Text', item.text),
      parameter('fontname', 'Font', item.face.fontFamily),
      parameter('fontsize', 'Size', Math.round(item.face.fontSize)),
      xml('parameter', {}, [
        xmlText('parameterid', 'fontcolor'),
        xmlText('name', 'Font Color'),
        xml(
          'value',
          {},
          [255, ...rgbOf(item.face)].map((share, index) => xmlText(COLOUR_PARTS[index]!, share)),
        ),
      ]),
    ]),
  ])
}

const COLOUR_PARTS = ['alpha', 'red', 'green', 'blue']
