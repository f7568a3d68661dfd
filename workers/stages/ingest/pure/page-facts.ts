/** What yt-dlp says of a page (`--dump-single-json`). PURE. */

/** A video that a page shows. */
export interface PageVideo {
  readonly title: string
  /** The same video in the same encodings has the same one; null when that cannot be told. */
  readonly version: string | null
  /** Of all that will be downloaded; null when the site does not say. */
  readonly expectedBytes: number | null
  readonly address: string | null
  /** Captions that people wrote, in the spoken language. */
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

/** Reads the description; fields that are missing or of another kind are as good as not said. */
export function readPage(said: unknown): PageFacts {
  if (!isFields(said)) return { kind: 'unknown' }
  const type = said['_type'] ?? 'video'
  if (type === 'playlist' || type === 'multi_video') return { kind: 'list' }
  if (type !== 'video' || text(said['id']) === null) return { kind: 'unknown' }
  const live = said['live_status']
  if (live === 'is_upcoming') return { kind: 'upcoming' }
  if (live === 'is_live' || said['is_live'] === true) return { kind: 'live' }
  return {
    kind: 'video',
    video: {
      title: text(said['title']) ?? 'video',
      version: versionOf(said),
      expectedBytes: expectedBytes(said),
      address: text(said['webpage_url']),
      captions: captionsOf(said),
    },
  }
}

/** A line of our progress template: `cutroom <done> <total> <estimate>`, `NA` where it is not known; null: another line. */
export function progressLine(line: string): { readonly done: number; readonly total: number | null } | null {
  const [mark, ...figures] = line.trim().split(/\s+/)
  if (mark !== 'cutroom') return null
  const [done, total, estimate] = figures.map((figure) => {
    const value = Number(figure)
    return Number.isFinite(value) && value >= 0 ? value : null
  })
  return done === undefined || done === null ? null : { done, total: total ?? estimate ?? null }
}

/** The name that people gave it, with an ending: names are shown and used without one. */
export function pageName(title: string): string {
  return `${title
    .replace(/[\\/]+/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 150)}.mp4`
}

function chosenFormats(said: Fields): readonly Fields[] {
  const formats = said['requested_formats'] ?? said['requested_downloads']
  const listed = Array.isArray(formats) ? formats.filter(isFields) : []
  return listed.length > 0 ? listed : [said]
}

function expectedBytes(said: Fields): number | null {
  let sum = 0
  for (const format of chosenFormats(said)) {
    const size = format['filesize'] ?? format['filesize_approx']
    if (typeof size !== 'number' || !Number.isFinite(size) || size <= 0) return null
    sum += size
  }
  return Math.round(sum)
}

/** It travels in headers and rows, so only plain characters; a video without an edit date may change, and is fetched again. */
function versionOf(said: Fields): string | null {
  const size = expectedBytes(said)
  const parts = [said['extractor_key'], said['id'], said['format_id'], size].map((part) =>
    typeof part === 'string' || typeof part === 'number' ? String(part) : '',
  )
  return size !== null && parts.every((part) => /^[\w.+-]{1,80}$/.test(part))
    ? `"yt-dlp:${parts.join(':')}"`
    : null
}

function captionsOf(said: Fields): PageVideo['captions'] {
  const tracks = isFields(said['subtitles']) ? said['subtitles'] : {}
  const languages = Object.keys(tracks).filter((name) => LANGUAGE.test(name))
  const spoken = text(said['language'])
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
