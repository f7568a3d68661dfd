/** The parts of ffprobe's JSON that we read; every field may be absent. PURE. */

export interface ProbeStream {
  readonly index: number
  readonly codec_type?: string
  readonly codec_name?: string
  readonly profile?: string
  readonly pix_fmt?: string
  readonly width?: number
  readonly height?: number
  readonly sample_aspect_ratio?: string
  readonly r_frame_rate?: string
  readonly avg_frame_rate?: string
  readonly field_order?: string
  readonly color_primaries?: string
  readonly color_transfer?: string
  readonly color_space?: string
  readonly color_range?: string
  readonly bits_per_raw_sample?: string
  readonly start_time?: string
  readonly duration?: string
  readonly bit_rate?: string
  readonly sample_rate?: string
  readonly channels?: number
  readonly channel_layout?: string
  readonly nb_frames?: string
  readonly disposition?: Readonly<Record<string, number>>
  readonly tags?: Readonly<Record<string, string>>
  readonly side_data_list?: readonly { readonly side_data_type?: string; readonly rotation?: number }[]
}

export interface ProbeJson {
  readonly streams?: readonly ProbeStream[]
  readonly format?: {
    readonly format_name?: string
    readonly start_time?: string
    readonly duration?: string
    readonly bit_rate?: string
    readonly size?: string
    readonly tags?: Readonly<Record<string, string>>
  }
  readonly chapters?: readonly {
    readonly start_time?: string
    readonly end_time?: string
    readonly tags?: Readonly<Record<string, string>>
  }[]
}

/** Parses a number printed by ffprobe; null for absent, `N/A` and invalid values. */
export function numberOf(text: string | undefined): number | null {
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}

/** A tag by name in any case, because containers differ. */
export function tagOf(tags: Readonly<Record<string, string>> | undefined, name: string): string {
  const found = Object.entries(tags ?? {}).find(([key]) => key.toLowerCase() === name)
  return found?.[1] ?? ''
}

/** The declared length of a stream in seconds (Matroska stores it in a tag, as `01:02:03.5`), or null. */
export function streamSeconds(stream: ProbeStream): number | null {
  const stated = numberOf(stream.duration)
  if (stated !== null) return stated
  const [hours, minutes, seconds] = tagOf(stream.tags, 'duration').split(':').map(Number)
  const total = (hours ?? Number.NaN) * 3600 + (minutes ?? Number.NaN) * 60 + (seconds ?? Number.NaN)
  return Number.isFinite(total) ? total : null
}

/** Whether a stream is declared but none of it was found: it may begin later than ffprobe searched. */
export function hasNotBegun({ codec_type, channels = 0, width = 0 }: ProbeStream): boolean {
  return (codec_type === 'audio' && channels === 0) || (codec_type === 'video' && width === 0)
}

/** Formats without a container, which do not declare their length. */
const BARE: ReadonlySet<string> = new Set(['aac', 'ac3', 'eac3', 'dts', 'amr', 'mp3'])

/**
 * Whether ffprobe only divided the file's size by the bit rate of its first moments, which can be wrong by half. An MP3 whose
 * header counts its frames is more precise; where its end is missing, its size does not match. `head`: the first bytes.
 */
export function isGuessedLength({ format, streams = [] }: ProbeJson, head: Uint8Array): boolean {
  const name = format?.format_name ?? ''
  if (!BARE.has(name)) return false
  const rate = numberOf(streams.find((stream) => stream.codec_type === 'audio')?.bit_rate)
  const length = numberOf(format?.duration)
  const size = numberOf(format?.size)
  if (name !== 'mp3' || rate === null || length === null || size === null) return true
  return Math.abs((rate * length) / 8 / Math.max(1, size - tagBytes(head)) - 1) < 0.02
}

/** Size of an MP3's tag (mostly a cover), which ffprobe subtracts before it divides. */
function tagBytes(head: Uint8Array): number {
  if (head.length < 10 || String.fromCharCode(...head.subarray(0, 3)) !== 'ID3') return 0
  // Seven bits per byte, plus the header and a possible footer.
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
  return 10 + size + (((head[5] ?? 0) & 16) === 0 ? 0 : 10)
}
