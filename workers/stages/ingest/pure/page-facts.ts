/** Parses what yt-dlp reports about a page (`--dump-single-json`). PURE. */

/** The video of a page. */
export interface PageVideo {
  readonly title: string
  /** Equal for the same video in the same encodings; null if unknown. */
  readonly version: string | null
  /** Bytes of everything that will be downloaded; null if the site does not report it. */
  readonly expectedBytes: number | null
  readonly address: string | null
  /** Captions written by people, in the spoken language. */
  readonly captions: {
    readonly url: string
    readonly format: 'srt' | 'vtt'
    readonly language: string
  } | null
}

export type PageFacts =
  | { readonly kind: 'video'; readonly video: PageVideo }
  | { readonly kind: 'list' | 'live' | 'upcoming' | 'unknown' }

type Fields = Readonly<Record<string, unknown>>

const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** Parses the description; missing fields and fields of another type are treated as absent. */
export function readPage(description: unknown): PageFacts {
  if (!isFields(description)) return { kind: 'unknown' }
  const type = description['_type'] ?? 'video'
  if (type === 'playlist' || type === 'multi_video') return { kind: 'list' }
  if (type !== 'video' || text(description['id']) === null) return { kind: 'unknown' }
  const live = description['live_status']
  if (live === 'is_upcoming') return { kind: 'upcoming' }
  if (live === 'is_live' || description['is_live'] === true) return { kind: 'live' }
  return {
    kind: 'video',
    video: {
      title: text(description['title']) ?? 'video',
      version: buildVersion(description),
      expectedBytes: expectedBytes(description),
      address: text(description['webpage_url']),
      captions: findCaptions(description),
    },
  }
}

/** Parses a line of our progress template: `cutroom <done> <total> <estimate>`, `NA` if unknown; null for other lines. */
export function progressLine(line: string): { readonly done: number; readonly total: number | null } | null {
  const [mark, ...figures] = line.trim().split(/\s+/)
  if (mark !== 'cutroom') return null
  const [done, total, estimate] = figures.map((figure) => {
    const value = Number(figure)
    return Number.isFinite(value) && value >= 0 ? value : null
  })
  return done === undefined || done === null ? null : { done, total: total ?? estimate ?? null }
}

/** The title as a file name with an extension, because names are shown and used without one. */
export function pageName(title: string): string {
  return `${title
    .replace(/[\\/]+/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 150)}.mp4`
}

function chosenFormats(description: Fields): readonly Fields[] {
  const formats = description['requested_formats'] ?? description['requested_downloads']
  const listed = Array.isArray(formats) ? formats.filter(isFields) : []
  return listed.length > 0 ? listed : [description]
}

function expectedBytes(description: Fields): number | null {
  let sum = 0
  for (const format of chosenFormats(description)) {
    const size = format['filesize'] ?? format['filesize_approx']
    if (typeof size !== 'number' || !Number.isFinite(size) || size <= 0) return null
    sum += size
  }
  return Math.round(sum)
}

/** Plain characters only, because it is used in headers and rows. A video without an edit date may change and is fetched again. */
function buildVersion(description: Fields): string | null {
  const size = expectedBytes(description)
  const parts = [description['extractor_key'], description['id'], description['format_id'], size].map(
    (part) => (typeof part === 'string' || typeof part === 'number' ? String(part) : ''),
  )
  return size !== null && parts.every((part) => /^[\w.+-]{1,80}$/.test(part))
    ? `"yt-dlp:${parts.join(':')}"`
    : null
}

function findCaptions(description: Fields): PageVideo['captions'] {
  const tracks = isFields(description['subtitles']) ? description['subtitles'] : {}
  const languages = Object.keys(tracks).filter((name) => LANGUAGE.test(name))
  const spoken = text(description['language'])
  const base = (name: string): string => name.split('-')[0]?.toLowerCase() ?? ''
  const language =
    spoken === null
      ? languages.length === 1
        ? languages[0]
        : undefined
      : (languages.find((name) => name === spoken) ?? languages.find((name) => base(name) === base(spoken)))
  if (language === undefined) return null
  const files = tracks[language]
  for (const format of ['vtt', 'srt'] as const) {
    const found = (Array.isArray(files) ? files : []).find(
      (file): file is Fields =>
        isFields(file) && file['ext'] === format && /^https?:/.test(text(file['url']) ?? ''),
    )
    if (found !== undefined) return { url: String(found['url']), format, language }
  }
  return null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
