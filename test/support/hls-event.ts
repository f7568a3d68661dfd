/**
 * A live HLS event on a local server. Time in it is counted in looks at its playlist and not in seconds: each look finds
 * `step` segments more, so no test depends on how fast the machine is.
 */
import { createCipheriv } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { h264, makeMedia, picture, tone } from './make-media.ts'

/** Segments of one second as files, and what comes before them (fMP4). */
export interface EventMedia {
  readonly segments: readonly Buffer[]
  readonly map: Buffer | null
}

/** A picture with a tone of `frequency` (0: silence), or the sound of a file, in segments of one second. */
export async function makeEventMedia(
  folder: string,
  options: {
    seconds: number
    frequency?: number
    sound?: string
    size?: string
    form?: 'mpegts' | 'fmp4'
    /** `packed`: sound as bare AAC, its clock in a tag. */
    tracks?: 'both' | 'picture' | 'sound' | 'packed'
  },
): Promise<EventMedia> {
  const { seconds, frequency = 440, size = '320x180', form = 'mpegts', tracks = 'both' } = options
  const place = join(folder, `event-${frequency}-${size}-${form}-${tracks}`)
  await mkdir(place, { recursive: true })
  if (tracks === 'packed') return packedSound(place, seconds, frequency)
  const ending = form === 'mpegts' ? 'ts' : 'm4s'
  const inputs = [
    ...(tracks === 'sound' ? [] : picture(seconds, size)),
    ...(tracks === 'picture'
      ? []
      : options.sound === undefined
        ? tone(seconds, frequency)
        : ['-i', options.sound]),
  ]
  await makeMedia(place, 'list.m3u8', [
    ...inputs,
    ...h264(25),
    ...(frequency === 0 ? ['-af', 'volume=0'] : []),
    ...(tracks === 'sound' ? ['-vn'] : ['-sc_threshold', '0']),
    '-f',
    'hls',
    '-hls_time',
    '1',
    '-hls_list_size',
    '0',
    '-hls_segment_type',
    form,
    '-hls_segment_filename',
    join(place, `%03d.${ending}`),
    '-hls_fmp4_init_filename',
    'init.mp4',
  ])
  const files = readdirSync(place)
    .filter((name) => name.endsWith(`.${ending}`))
    .sort()
  return {
    segments: files.map((name) => readFileSync(join(place, name))),
    map: form === 'fmp4' ? readFileSync(join(place, 'init.mp4')) : null,
  }
}

/** Where the pictures of such an event begin on its clock, seconds: what ffmpeg gives MPEG-TS. */
const STREAM_START = 1.4

/** Bare AAC, a file of about a second each, with the tag for its timestamp. */
async function packedSound(place: string, seconds: number, frequency: number): Promise<EventMedia> {
  const args = [...tone(seconds, frequency), '-c:a', 'aac', '-f', 'adts']
  const bytes = readFileSync(await makeMedia(place, 'sound.aac', args))
  const frames: Buffer[] = []
  for (let at = 0; at + 7 <= bytes.length;) {
    const length = (bytes.readUInt32BE(at + 2) >> 5) & 0x1fff || 7
    frames.push(bytes.subarray(at, at + length))
    at += length
  }
  // 1024 samples of 48 kHz each.
  const each = 47
  const owner = Buffer.from('com.apple.streaming.transportStreamTimestamp\0')
  const segments = Array.from({ length: Math.ceil(frames.length / each) }, (_, index) => {
    const clock = Buffer.alloc(8)
    clock.writeBigUInt64BE(BigInt(Math.round((STREAM_START + (index * each * 1024) / 48_000) * 90_000)))
    const body = Buffer.concat([owner, clock])
    const frame = Buffer.concat([Buffer.from('PRIV'), Buffer.from([0, 0, 0, body.length, 0, 0]), body])
    const tag = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0, 0, 0, frame.length]), frame])
    return Buffer.concat([tag, ...frames.slice(index * each, (index + 1) * each)])
  })
  return { segments, map: null }
}

/** One entry of the event, in order. */
export interface EventItem {
  readonly media: EventMedia
  /** Which of its segments. */
  readonly index: number
  readonly discontinuity?: boolean
  /** `tag`: marked in the playlist; `missing`: the server responds 404; an address: it redirects there. */
  readonly hole?: 'tag' | 'missing' | { readonly redirect: string }
}

export interface EventOptions {
  readonly items: readonly EventItem[]
  /** Segments that each look adds; Infinity: all are there at once. */
  readonly step?: number
  /** Segments that a look shows at most. */
  readonly window?: number
  /** The playlist never marks its end. */
  readonly endless?: boolean
  readonly key?: Buffer
  /** The playlist does not count the discontinuities that have slid out of it. */
  readonly unnumbered?: boolean
  /** `user:password` that every request must carry. */
  readonly login?: string
  /** The playlist has the start time of each segment. */
  readonly stamped?: boolean
  /** Lines of the playlist's head. */
  readonly head?: readonly string[]
  /** The master playlist; media playlists are `/live.m3u8`, and `/sound.m3u8` for the second event. */
  readonly master?: readonly string[]
  readonly sound?: readonly EventItem[]
  /** Stays at this many segments until `release` is called. */
  readonly holdAt?: number
}

export interface HlsEvent {
  readonly url: string
  readonly masterUrl: string
  /** Requested paths, in order. */
  readonly requests: string[]
  /** Segments that are shown now. */
  shown(): number
  release(): void
  close(): Promise<void>
}

export const itemsOf = (media: EventMedia, change: Partial<EventItem> = {}): EventItem[] =>
  media.segments.map((_, index) => ({ media, index, ...change }))

/** Starts an event; the caller closes it. */
export async function startEvent(options: EventOptions): Promise<HlsEvent> {
  const requests: string[] = []
  const { items, step = 1 } = options
  let shown = 0
  let held = options.holdAt ?? Infinity
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    requests.push(path)
    const wanted =
      options.login === undefined ? undefined : `Basic ${Buffer.from(options.login).toString('base64')}`
    if (request.headers.authorization !== wanted) return response.writeHead(401).end()
    const text = (body: string) =>
      response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(body)
    if (path === '/master.m3u8') return text(['#EXTM3U', ...(options.master ?? [])].join('\n'))
    // `/hidden`: the same behind an address that does not end in .m3u8.
    if (path === '/live.m3u8' || path === '/hidden') {
      shown = Math.min(items.length, held, shown + step)
      return text(playlistOf(options, items, shown, 'live'))
    }
    if (path === '/sound.m3u8') return text(playlistOf(options, options.sound ?? [], shown, 'sound'))
    if (path === '/key') return response.end(options.key)
    const [, track, kind, number = ''] = /^\/(live|sound)\/(segment|map)\/(\d+)$/.exec(path) ?? []
    const item = (track === 'sound' ? options.sound : items)?.[Number(number)]
    return item === undefined
      ? response.writeHead(404).end()
      : sendItem(response, item, kind, Number(number), options)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${base}/live.m3u8`,
    masterUrl: `${base}/master.m3u8`,
    requests,
    shown: () => shown,
    release: () => {
      held = Infinity
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function sendItem(
  response: ServerResponse,
  item: EventItem,
  kind: string | undefined,
  number: number,
  { key }: EventOptions,
): void {
  if (item.hole === 'missing') return void response.writeHead(404).end()
  if (typeof item.hole === 'object')
    return void response.writeHead(302, { location: item.hole.redirect }).end()
  if (kind === 'map') return void response.end(item.media.map)
  const bytes = item.media.segments[item.index] ?? Buffer.alloc(0)
  if (key === undefined) return void response.end(bytes)
  const cipher = createCipheriv('aes-128-cbc', key, Buffer.from(number.toString(16).padStart(32, '0'), 'hex'))
  response.end(Buffer.concat([cipher.update(bytes), cipher.final()]))
}

function playlistOf(
  options: EventOptions,
  items: readonly EventItem[],
  shown: number,
  track: 'live' | 'sound',
): string {
  const { window = Infinity, endless = false, key, head = [] } = options
  const first = Math.max(0, Math.min(shown, items.length) - window)
  const breaks = items.slice(0, first).filter((item) => item.discontinuity).length
  // A target of 0 is what segments of less than half a second give; here it only makes the looks quick.
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:0', ...head]
  lines.push(`#EXT-X-MEDIA-SEQUENCE:${first}`)
  if (options.unnumbered !== true) lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${breaks}`)
  if (key !== undefined) lines.push('#EXT-X-KEY:METHOD=AES-128,URI="key"')
  let map: EventMedia | null = null
  for (const [offset, item] of items.slice(first, shown).entries()) {
    const number = first + offset
    if (item.discontinuity === true) lines.push('#EXT-X-DISCONTINUITY')
    if (item.media.map !== null && map !== item.media) lines.push(`#EXT-X-MAP:URI="${track}/map/${number}"`)
    map = item.media
    if (options.stamped === true)
      lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(1e12 + number * 1000).toISOString()}`)
    if (item.hole === 'tag') lines.push('#EXT-X-GAP')
    lines.push('#EXTINF:1.0,', `${track}/segment/${number}`)
  }
  if (!endless && shown >= items.length) lines.push('#EXT-X-ENDLIST')
  return `${lines.join('\n')}\n`
}
