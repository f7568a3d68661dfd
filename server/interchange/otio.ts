/** OpenTimelineIO: the timeline as its JSON, https://opentimelineio.readthedocs.io. PURE. */
import type { Rational } from '../contract/time.ts'
import { commonNotes, rateNote, type NotedClip } from './notes.ts'
import {
  TRANSITION_LABELS,
  type ClipItem,
  type Marker,
  type Media,
  type TextItem,
  type Timeline,
} from './timeline.ts'

type Json = Readonly<Record<string, unknown>>

interface Placed {
  readonly startFrame: number
  readonly endFrame: number
}

export function writeOtio(clip: NotedClip): { text: string; notes: string[] } {
  const { timeline } = clip
  const notes = [
    ...commonNotes(clip).filter((note) => !note.startsWith('The last picture is held')),
    ...rateNote(timeline),
  ]
  const text = JSON.stringify(document(timeline, notes), null, 2)
  return { text: `${text}\n`, notes }
}

function document(timeline: Timeline, notes: readonly string[]): Json {
  const { rate, source } = timeline
  const clips = withTransitions(timeline, withGaps(timeline.main, rate, clipOf))
  const tail = timeline.tailFrames === 0 ? [] : [frozen(timeline)]
  const video = [
    ...(source.kind === 'video' ? [track('Video', 'Clip', [...clips, ...tail])] : []),
    ...timeline.overlays.map((items, index) =>
      track('Video', `Overlays ${index + 1}`, withGaps(items, rate, clipOf)),
    ),
    ...timeline.titles.map((items, index) =>
      track('Video', `Titles ${index + 1}`, withGaps(items, rate, textOf)),
    ),
    ...(timeline.captions.length === 0
      ? []
      : [track('Video', 'Captions', withGaps(timeline.captions, rate, textOf))]),
  ]
  const audio = [
    ...(source.audioChannels > 0 ? [track('Audio', 'Speech', clips)] : []),
    ...timeline.music.map((items, index) =>
      track('Audio', `Music ${index + 1}`, withGaps(items, rate, clipOf)),
    ),
  ]
  return {
    OTIO_SCHEMA: 'Timeline.1',
    name: timeline.title,
    global_start_time: time(0, rate),
    metadata: { cutroom: { width: timeline.width, height: timeline.height, notes } },
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      ...item('tracks'),
      children: [...video, ...audio],
      markers: timeline.markers.map((marker) => markerOf(marker, rate)),
    },
  }
}

/** The cut with a transition before each clip that begins with one. */
function withTransitions(
  { main, headFrames, transitions, rate }: Timeline,
  children: readonly Json[],
): Json[] {
  const before = headFrames > 0 ? 1 : 0
  return children.flatMap((child, index) => {
    const start = main[index - before]?.startFrame
    const transition = transitions.find(({ cutFrame }) => cutFrame === start)
    if (transition === undefined) return [child]
    const { kind, frames, colour } = transition
    const half = time(frames / 2, rate)
    const made = {
      OTIO_SCHEMA: 'Transition.1',
      name: TRANSITION_LABELS[kind],
      transition_type: kind === 'cross_fade' ? 'SMPTE_Dissolve' : 'Custom_Transition',
      in_offset: half,
      out_offset: half,
      metadata: kind === 'cross_fade' ? {} : { cutroom: kind === 'dip' ? { kind, colour } : { kind } },
    }
    return [made, child]
  })
}

/** Fields that every item has. */
function item(name: string, metadata: Json = {}): Json {
  return { name, metadata, effects: [], markers: [], source_range: null, enabled: true }
}

function time(frames: number, rate: Rational): Json {
  return { OTIO_SCHEMA: 'RationalTime.1', rate: rate.numerator / rate.denominator, value: frames }
}

function range(start: number, frames: number, rate: Rational): Json {
  return { OTIO_SCHEMA: 'TimeRange.1', start_time: time(start, rate), duration: time(frames, rate) }
}

function track(kind: 'Video' | 'Audio', name: string, children: readonly Json[]): Json {
  return { OTIO_SCHEMA: 'Track.1', ...item(name), kind, children }
}

function clipOf(clip: ClipItem, rate: Rational): Json {
  const { media, playbackRate, levelDb } = clip
  const warp = {
    OTIO_SCHEMA: 'LinearTimeWarp.1',
    name: 'Speed',
    effect_name: 'LinearTimeWarp',
    metadata: {},
    time_scalar: playbackRate,
  }
  return {
    OTIO_SCHEMA: 'Clip.1',
    ...item(clip.name, levelDb === undefined ? {} : { cutroom: { levelDb } }),
    // The length is the played one: a change of speed reads more or less of the file in it.
    source_range: range(clip.sourceFrame, clip.endFrame - clip.startFrame, rate),
    effects: playbackRate === 1 ? [] : [warp],
    media_reference: external(media, rate),
  }
}

function external(media: Media, rate: Rational): Json {
  return {
    OTIO_SCHEMA: 'ExternalReference.1',
    name: media.name,
    target_url: media.url,
    available_range: media.durationFrames > 0 ? range(0, media.durationFrames, rate) : null,
    metadata: {},
  }
}

/** The last picture of the cut, held. */
function frozen({ main, tailFrames, rate }: Timeline): Json {
  const last = main.at(-1)!
  const shown = Math.round((last.endFrame - last.startFrame) * last.playbackRate)
  const freeze = {
    OTIO_SCHEMA: 'FreezeFrame.1',
    name: 'Hold',
    effect_name: 'FreezeFrame',
    metadata: {},
    time_scalar: 0,
  }
  return {
    OTIO_SCHEMA: 'Clip.1',
    ...item(last.name),
    source_range: range(last.sourceFrame + Math.max(0, shown - 1), tailFrames, rate),
    effects: [freeze],
    media_reference: external(last.media, rate),
  }
}

function textOf(text: TextItem, rate: Rational): Json {
  const length = text.endFrame - text.startFrame
  const { fontFamily, fontSize, fontWeight, italic, colour } = text.face
  return {
    OTIO_SCHEMA: 'Clip.1',
    ...item(text.text.replaceAll('\n', ' ')),
    source_range: range(0, length, rate),
    media_reference: {
      OTIO_SCHEMA: 'GeneratorReference.1',
      name: 'Text',
      generator_kind: 'text',
      parameters: { text: text.text, fontFamily, fontSize, fontWeight, italic, colour },
      available_range: range(0, length, rate),
      metadata: {},
    },
  }
}

function gap(frames: number, rate: Rational): Json {
  return { OTIO_SCHEMA: 'Gap.1', ...item('Gap'), source_range: range(0, frames, rate) }
}

function withGaps<Item extends Placed>(
  items: readonly Item[],
  rate: Rational,
  make: (item: Item, rate: Rational) => Json,
): Json[] {
  let at = 0
  return items.flatMap((one) => {
    const before = one.startFrame - at
    at = one.endFrame
    return before > 0 ? [gap(before, rate), make(one, rate)] : [make(one, rate)]
  })
}

function markerOf(marker: Marker, rate: Rational): Json {
  return {
    OTIO_SCHEMA: 'Marker.2',
    name: marker.name,
    color: 'RED',
    marked_range: range(marker.startFrame, marker.endFrame - marker.startFrame, rate),
    metadata: {},
  }
}
