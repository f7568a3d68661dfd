/** What was chosen or dropped for new runs: videos with the subtitles that belong to them by name. PURE. */

/** One run to start: a file that is not sent yet, an upload of the desktop app, or an address. */
export interface NewSource {
  /** Of the file, or the address. */
  readonly name: string
  readonly file?: File
  readonly uploadId?: string
  readonly url?: string
  /** Its words. */
  readonly captions: File | null
}

export interface NewSources {
  readonly sources: readonly NewSource[]
  /** Subtitles that belong to none of them. */
  readonly alone: readonly File[]
}

/** What the file field offers. */
export const ACCEPTED = 'video/*,audio/*,.mkv,.ts,.mxf,.srt,.vtt,.ass,.ssa'

const SUBTITLES = /\.(srt|vtt|ass|ssa)$/i
const LANGUAGE = /\.[a-z]{2,3}(-[a-z0-9]{2,8})?$/i

export const isSubtitles = ({ name }: { readonly name: string }): boolean => SUBTITLES.test(name)

/** Whether `talk.srt`, `talk.de.srt` or `talk.mp4.srt` is of `talk.mp4`, in any case of letters. */
function belongsTo(subtitles: string, video: string): boolean {
  const bare = subtitles.replace(SUBTITLES, '').toLowerCase()
  const whole = video.toLowerCase()
  const stems = [whole, whole.replace(/\.[^.]+$/, '')]
  return [bare, bare.replace(LANGUAGE, '')].some((name) => stems.includes(name))
}

/** Adds files to what is there. Of several subtitles of one video the first is taken, and the others are left alone. */
export function addFiles(before: NewSources, files: readonly File[]): NewSources {
  const videos = files.filter((file) => !isSubtitles(file))
  const sources = [
    ...before.sources,
    ...videos.map((file): NewSource => ({ name: file.name, file, captions: null })),
  ]
  const alone: File[] = []
  for (const subtitles of [...before.alone, ...files.filter(isSubtitles)]) {
    const at = sources.findIndex(
      ({ name, url, captions }) => captions === null && url === undefined && belongsTo(subtitles.name, name),
    )
    const source = sources[at]
    if (source === undefined) alone.push(subtitles)
    else sources[at] = { ...source, captions: subtitles }
  }
  return { sources, alone }
}
