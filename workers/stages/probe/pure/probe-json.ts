/** The parts of ffprobe's JSON that are read; every field may be absent. PURE. */

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
    readonly tags?: Readonly<Record<string, string>>
  }
  readonly chapters?: readonly {
    readonly start_time?: string
    readonly end_time?: string
    readonly tags?: Readonly<Record<string, string>>
  }[]
}

/** A number that ffprobe printed; null for absent, `N/A` and nonsense. */
export function numberOf(text: string | undefined): number | null {
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}

/** A tag whatever its case: containers differ in it. */
export function tagOf(tags: Readonly<Record<string, string>> | undefined, name: string): string {
  const found = Object.entries(tags ?? {}).find(([key]) => key.toLowerCase() === name)
  return found?.[1] ?? ''
}

/** The length that a stream states for itself, in seconds (Matroska keeps it in a tag, as `01:02:03.5`); or null. */
export function streamSeconds(stream: ProbeStream): number | null {
  const stated = numberOf(stream.duration)
  if (stated !== null) return stated
  const [hours, minutes, seconds] = tagOf(stream.tags, 'duration').split(':').map(Number)
  const total = (hours ?? Number.NaN) * 3600 + (minutes ?? Number.NaN) * 60 + (seconds ?? Number.NaN)
  return Number.isFinite(total) ? total : null
}
