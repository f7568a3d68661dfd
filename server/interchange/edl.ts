/** CMX 3600 edit decision list: one track of cuts, in timecode. PURE. */
import type { FrameRange, Rational } from '../contract/time.ts'
import { commonNotes, rateNote, transitionNote, type NotedClip } from './notes.ts'
import { dropsFrames, frameOfHour, timebase, timecode } from './rates.ts'
import { dissolveAt, type ClipItem, type Timeline } from './timeline.ts'

/** Record time of the first frame, as is usual for programmes. */
const FIRST_HOUR = 1
const MAX_EVENTS = 999
const REEL_LETTERS = 8

export function writeEdl(clip: NotedClip): { text: string; notes: string[] } {
  const { timeline } = clip
  const notes = [
    ...commonNotes(clip),
    ...rateNote(timeline),
    ...transitionNote(timeline, ['cross_fade']),
    ...ownNotes(timeline),
  ]
  const { rate } = timeline
  const start = frameOfHour(FIRST_HOUR, rate)
  const reel = reelName(timeline.source.name)
  const channels = channelsOf(timeline)
  const { durationFrames, headFrames, tailFrames } = timeline
  const head = headFrames === 0 ? [] : [black(rate, 1, { startFrame: start, endFrame: start + headFrames })]
  const events = timeline.main.map((item, index) =>
    event(timeline, item, head.length + index + 1, { reel, channels, start }),
  )
  const end = start + durationFrames
  const number = head.length + events.length + 1
  const tail = tailFrames === 0 ? [] : [black(rate, number, { startFrame: end - tailFrames, endFrame: end })]
  const markers = timeline.markers.map(
    ({ startFrame, name }) => `* LOC: ${timecode(start + startFrame, rate)} RED     ${oneLine(name)}`,
  )
  const lines = [
    `TITLE: ${oneLine(timeline.title).slice(0, 70)}`,
    `FCM: ${dropsFrames(rate) ? 'DROP FRAME' : 'NON-DROP FRAME'}`,
    '',
    ...notes.map((note) => `* NOTE: ${oneLine(note)}`),
    ...head,
    ...events,
    ...tail,
    ...markers,
  ]
  return { text: `${lines.join('\n')}\n`, notes }
}

function ownNotes(timeline: Timeline): string[] {
  const { overlays, music, titles, captions, main, source } = timeline
  const sentences: (readonly [boolean, string])[] = [
    [
      overlays.length > 0,
      'Pictures and videos over the clip are dropped: the list has one track of pictures.',
    ],
    [music.length > 0, 'Music is dropped: the list has the sound of the source only.'],
    [titles.length > 0, 'Titles are dropped.'],
    [captions.length > 0, 'Captions are dropped; take them as SRT or VTT.'],
    [
      source.name.toUpperCase() !== reelName(source.name),
      `A reel has at most ${REEL_LETTERS} letters and digits: the file is named in a comment to each event.`,
    ],
    [main.length > MAX_EVENTS, `The list has ${main.length} events; programs may read only ${MAX_EVENTS}.`],
  ]
  return sentences.flatMap(([applies, sentence]) => (applies ? [sentence] : []))
}

/** Letters and digits only, in capitals; `AX` and `BL` mean other things to a list. */
export function reelName(file: string): string {
  const letters = file
    .replace(/\.[^.]*$/, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, REEL_LETTERS)
  return letters === '' || letters === 'AX' || letters === 'BL' ? 'SOURCE' : letters
}

function channelsOf({ source }: Timeline): string {
  if (source.kind !== 'video') return source.audioChannels > 1 ? 'AA' : 'A'
  return source.audioChannels === 0 ? 'V' : source.audioChannels === 1 ? 'B' : 'AA/V'
}

function event(
  timeline: Timeline,
  item: ClipItem,
  number: number,
  list: { readonly reel: string; readonly channels: string; readonly start: number },
): string {
  const { reel, channels, start } = list
  const { rate } = timeline
  const { sourceFrame, startFrame, endFrame, playbackRate, media } = item
  const read = Math.round((endFrame - startFrame) * playbackRate)
  // A list's dissolve begins with its event: as long before the cut as the clip's own does.
  const before = dissolveAt(timeline, startFrame)
  const after = dissolveAt(timeline, endFrame)
  const lead = before / 2
  const tail = after / 2
  const times = [
    sourceFrame - lead,
    sourceFrame + read - tail,
    start + startFrame - lead,
    start + endFrame - tail,
  ].map((frame) => timecode(frame, rate))
  const how = before === 0 ? CUT : `D    ${String(before).padStart(3, '0')} `
  const from = timeline.main.find((one) => one.endFrame === startFrame)
  const lines = [
    ...(before === 0 || from === undefined
      ? []
      : [leaving(from, { rate, number, reel, channels, at: start + startFrame - lead, lead })]),
    eventLine(number, reel, channels, times, how),
  ]
  if (playbackRate !== 1) {
    const speed = (timebase(rate) * playbackRate).toFixed(1).padStart(5, '0')
    lines.push(`M2   ${reel.padEnd(8)}       ${speed}                ${timecode(sourceFrame, rate)}`)
  }
  lines.push(`* FROM CLIP NAME: ${oneLine(media.name)}`, `* SOURCE FILE: ${oneLine(media.url)}`)
  return lines.join('\n')
}

interface Leaving {
  readonly rate: Rational
  readonly number: number
  readonly reel: string
  readonly channels: string
  readonly at: number
  readonly lead: number
}

/** The first line of a dissolve: where the clip that it leaves stands, for no frame. */
function leaving(from: ClipItem, { rate, number, reel, channels, at, lead }: Leaving): string {
  const source = from.sourceFrame + from.endFrame - from.startFrame - lead
  return eventLine(
    number,
    reel,
    channels,
    [source, source, at, at].map((frame) => timecode(frame, rate)),
  )
}

function black(rate: Rational, number: number, { startFrame, endFrame }: FrameRange): string {
  const times = [0, endFrame - startFrame, startFrame, endFrame].map((frame) => timecode(frame, rate))
  return eventLine(number, 'BL', 'V', times)
}

const CUT = 'C        '

function eventLine(
  number: number,
  reel: string,
  channels: string,
  times: readonly string[],
  how = CUT,
): string {
  return `${String(number).padStart(3, '0')}  ${reel.padEnd(8)} ${channels.padEnd(5)} ${how}${times.join(' ')}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
