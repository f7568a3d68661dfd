/** Parses HLS playlists (RFC 8216). PURE: addresses are not resolved. */

export interface ByteRange {
  readonly offset: number
  readonly length: number
}

export interface SegmentKey {
  readonly uri: string
  /** 32 hex digits; null: derived from the segment's number. */
  readonly iv: string | null
}

export interface SegmentMap {
  readonly uri: string
  readonly range: ByteRange | null
}

export interface PlaylistSegment {
  /** Media sequence number, which identifies the segment across reloads. */
  readonly sequence: number
  readonly uri: string
  readonly seconds: number
  readonly range: ByteRange | null
  /** Increases at each discontinuity; timestamps are continuous only within one number. */
  readonly run: number
  readonly breaks: boolean
  /** Whether the server declares that there is nothing to fetch. */
  readonly gap: boolean
  /** AES-128; null: not encrypted. */
  readonly key: SegmentKey | null
  readonly map: SegmentMap | null
  /** ISO-8601, if the server declares it for this segment. */
  readonly time: string | null
}

export interface MediaPlaylist {
  readonly kind: 'media'
  /** Declared maximum length of a segment in seconds, at most an hour. */
  readonly targetSeconds: number
  /** Whether discontinuities are numbered across reloads; otherwise they count from the first listed segment. */
  readonly numbered: boolean
  readonly segments: readonly PlaylistSegment[]
  readonly ended: boolean
}

export interface Variant {
  readonly uri: string
  readonly bandwidth: number
  /** Pixels; null if not declared. */
  readonly height: number | null
  readonly codecs: readonly string[]
  readonly audio: string | null
}

export interface Rendition {
  readonly group: string
  /** Null: the sound is in the variant itself. */
  readonly uri: string | null
  readonly isDefault: boolean
}

export interface MasterPlaylist {
  readonly kind: 'master'
  readonly variants: readonly Variant[]
  readonly audio: readonly Rendition[]
}

/** `malformed`: not a valid playlist. `protected`: encrypted by a scheme that only licensed players can decrypt. */
export interface RefusedPlaylist {
  readonly kind: 'malformed' | 'protected'
  readonly message: string
}

const MAX_SEGMENTS = 50_000
/** Longer targets are limited to this, because missed time is estimated by it and must stay a finite number. */
const MAX_TARGET_SECONDS = 3600

/** Parses a playlist of either kind. Unknown tags are ignored, as the format demands. */
export function parsePlaylist(text: string): MediaPlaylist | MasterPlaylist | RefusedPlaylist {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines[0]?.startsWith('#EXTM3U') !== true) return malformed('it does not begin with #EXTM3U')
  if (lines.some((line) => line.includes('{$')))
    return malformed('it uses variables, which are not supported')
  return lines.some((line) => line.startsWith('#EXT-X-STREAM-INF')) ? parseMaster(lines) : parseMedia(lines)
}

function malformed(why: string): RefusedPlaylist {
  return { kind: 'malformed', message: `This is not a playlist that can be recorded: ${why}.` }
}

/** Parses `A=1,B="x,y"` to a record without quotes. */
function parseAttributes(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const match of text.matchAll(/([A-Z0-9-]+)=("([^"]*)"|[^",]*)/g))
    found[match[1] ?? ''] = match[3] ?? match[2] ?? ''
  return found
}

/** The text after `#NAME:`; null for another tag. */
function tagValue(line: string, name: string): string | null {
  if (line === `#${name}`) return ''
  return line.startsWith(`#${name}:`) ? line.slice(name.length + 2).trim() : null
}

function parseMaster(lines: readonly string[]): MasterPlaylist | RefusedPlaylist {
  const variants: Variant[] = []
  const audio: Rendition[] = []
  let pending: Readonly<Record<string, string>> | null = null
  for (const line of lines) {
    const stream = tagValue(line, 'EXT-X-STREAM-INF')
    const rendition = tagValue(line, 'EXT-X-MEDIA')
    if (stream !== null) pending = parseAttributes(stream)
    else if (rendition !== null) {
      const given = parseAttributes(rendition)
      if (given['TYPE'] !== 'AUDIO') continue
      const { 'GROUP-ID': group = '', URI: uri = null, DEFAULT: isDefault } = given
      audio.push({ group, uri, isDefault: isDefault === 'YES' })
    } else if (!line.startsWith('#') && pending !== null) {
      variants.push(parseVariant(line, pending))
      pending = null
    }
  }
  return variants.length === 0 ? malformed('it names no stream') : { kind: 'master', variants, audio }
}

function parseVariant(uri: string, given: Readonly<Record<string, string>>): Variant {
  const height = /^\d+x(\d+)$/.exec(given['RESOLUTION'] ?? '')?.[1]
  return {
    uri,
    bandwidth: Number(given['BANDWIDTH']) || 0,
    height: height === undefined ? null : Number(height),
    codecs: (given['CODECS'] ?? '').split(',').flatMap((codec) => codec.trim() || []),
    audio: given['AUDIO'] ?? null,
  }
}

type Cursor = ReturnType<typeof newCursor>

/** Tags that apply to the following segments. */
const newCursor = () => ({
  sequence: 0,
  run: 0,
  seconds: null as number | null,
  breaks: false,
  gap: false,
  key: null as SegmentKey | null,
  map: null as SegmentMap | null,
  time: null as string | null,
  /** Where the last range of each resource ended; a range without an offset continues there. */
  ends: new Map<string, number>(),
  rangeText: null as string | null,
})

function parseMedia(lines: readonly string[]): MediaPlaylist | RefusedPlaylist {
  const segments: PlaylistSegment[] = []
  const at = newCursor()
  let targetSeconds = 0
  let ended = false
  for (const line of lines) {
    if (!line.startsWith('#')) {
      if (at.seconds === null) return malformed('a segment has no length')
      if (segments.length >= MAX_SEGMENTS) return malformed('it is too long')
      segments.push(takeSegment(at, line))
      continue
    }
    const target = tagValue(line, 'EXT-X-TARGETDURATION')
    if (target !== null) targetSeconds = parseTarget(target)
    else if (line === '#EXT-X-ENDLIST') ended = true
    else {
      const refusal = readTag(at, line, segments.length)
      if (refusal !== null) return refusal
    }
  }
  const numbered = lines.some((line) => tagValue(line, 'EXT-X-DISCONTINUITY-SEQUENCE') !== null)
  return { kind: 'media', targetSeconds, numbered, segments, ended }
}

function parseTarget(text: string): number {
  return Math.min(MAX_TARGET_SECONDS, Math.max(0, Number(text) || 0))
}

/** A count, limited to finite numbers. */
function parseCount(text: string): number {
  const count = Number(text)
  return Number.isFinite(count) ? count : 0
}

function takeSegment(at: Cursor, uri: string): PlaylistSegment {
  const { sequence, run, breaks, gap, key, map, time } = at
  const range = at.rangeText === null ? null : parseRange(at.rangeText, at.ends.get(uri) ?? 0)
  if (range !== null) at.ends.set(uri, range.offset + range.length)
  const segment = { sequence, uri, seconds: at.seconds ?? 0, range, run, breaks, gap, key, map, time }
  at.sequence += 1
  Object.assign(at, { seconds: null, rangeText: null, breaks: false, gap: false, time: null })
  return segment
}

function parseRange(text: string, following: number): ByteRange | null {
  const match = /^(\d+)(?:@(\d+))?$/.exec(text)
  if (match === null) return null
  return { length: Number(match[1]), offset: match[2] === undefined ? following : Number(match[2]) }
}

function readTag(at: Cursor, line: string, segmentsSoFar: number): RefusedPlaylist | null {
  const value = (name: string): string | null => tagValue(line, name)
  const length = value('EXTINF')
  const first = value('EXT-X-MEDIA-SEQUENCE')
  const firstRun = value('EXT-X-DISCONTINUITY-SEQUENCE')
  const key = value('EXT-X-KEY')
  const map = value('EXT-X-MAP')
  if (length !== null) {
    const seconds = Number(length.split(',')[0])
    if (!Number.isFinite(seconds) || seconds < 0) return malformed('the length of a segment is no number')
    at.seconds = seconds
  } else if (first !== null) at.sequence = segmentsSoFar === 0 ? parseCount(first) : at.sequence
  else if (firstRun !== null) at.run = segmentsSoFar === 0 ? parseCount(firstRun) : at.run
  else if (line === '#EXT-X-DISCONTINUITY') Object.assign(at, { run: at.run + 1, breaks: true })
  else if (line === '#EXT-X-GAP') at.gap = true
  else if (key !== null) return readKey(at, parseAttributes(key))
  else if (map !== null) {
    const { URI: uri, BYTERANGE: range } = parseAttributes(map)
    if (uri === undefined) return malformed('a map has no address')
    at.map = { uri, range: range === undefined ? null : parseRange(range, 0) }
  } else {
    at.rangeText = value('EXT-X-BYTERANGE') ?? at.rangeText
    at.time = value('EXT-X-PROGRAM-DATE-TIME') ?? at.time
  }
  return null
}

function readKey(at: Cursor, given: Readonly<Record<string, string>>): RefusedPlaylist | null {
  const { METHOD: method = '', KEYFORMAT: format = 'identity', URI: uri, IV: iv } = given
  if (method === 'NONE') {
    at.key = null
    return null
  }
  if (method !== 'AES-128' || format !== 'identity') {
    const message = `The stream is protected against copying (${method}${format === 'identity' ? '' : `, ${format}`}) and cannot be recorded. Use an unprotected address of it.`
    return { kind: 'protected', message }
  }
  if (uri === undefined) return malformed('a key has no address')
  const digits = iv === undefined ? null : (/^0x([0-9a-f]{1,32})$/i.exec(iv)?.[1] ?? '')
  if (digits === '') return malformed('a key’s initial value is no hex number')
  at.key = { uri, iv: digits?.padStart(32, '0').toLowerCase() ?? null }
  return null
}
