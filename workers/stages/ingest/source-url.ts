/**
 * Addresses: the form that is fetched, the name shown to people, the sidecars beside it. No I/O here; it needs URL,
 * which pure rooms lack.
 */

const DRIVE_HOSTS = new Set(['drive.google.com', 'docs.google.com'])
const MEDIA_ENDING =
  /\.(mp4|m4v|mov|mkv|webm|avi|flv|ts|m2ts|mts|mpg|mpeg|mxf|wmv|3gp|ogv|mp3|m4a|wav|aac|flac|ogg|opus)$/i

/** The address to fetch: a Drive page address (`/file/d/ID/...`) becomes Drive's download form, others stay. */
export function downloadUrl(address: string): URL {
  const url = new URL(address)
  const id = /^\/file\/d\/([\w-]+)/.exec(url.pathname)?.[1]
  if (!DRIVE_HOSTS.has(url.hostname) || id === undefined) return url
  return new URL(`https://drive.google.com/uc?export=download&id=${id}&confirm=t`)
}

/** A name for people: what the server calls the file, else the address's last part, else its host. */
export function displayName(url: URL, contentDisposition: string | undefined): string {
  const named = fromDisposition(contentDisposition ?? '')
  const last = decode(url.pathname.split('/').findLast((part) => part !== '') ?? '')
  return cleanName(named !== '' ? named : last) || url.hostname
}

/** Without path, control characters and the characters that file systems refuse; at most 200 characters. */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const plain = Array.from(last).filter(
    (letter) => letter >= ' ' && letter !== '\x7f' && !'<>:"|?*'.includes(letter),
  )
  return plain.slice(0, 200).join('').trim()
}

/** Addresses where a caption file for this video may lie: the same one, ending in .srt or .vtt. */
export function sidecarUrls(address: string): { readonly url: string; readonly format: 'srt' | 'vtt' }[] {
  const url = new URL(address)
  if (!MEDIA_ENDING.test(url.pathname)) return []
  return (['srt', 'vtt'] as const).map((format) => {
    const beside = new URL(url)
    beside.pathname = url.pathname.replace(MEDIA_ENDING, `.${format}`)
    return { url: beside.href, format }
  })
}

/** Language of a sidecar's file name (`talk.en.srt`, `talk.mp4.pt-BR.vtt`); `und` when it has none. Null: not beside. */
export function sidecarLanguage(
  video: string,
  candidate: string,
): { language: string; format: 'srt' | 'vtt' } | null {
  const ending = /\.(srt|vtt)$/i.exec(candidate)
  if (ending === null) return null
  const bare = candidate.slice(0, ending.index)
  const stems = [video, video.replace(/\.[^.]+$/, '')]
  const stem = stems.find((name) => bare === name || bare.startsWith(`${name}.`))
  if (stem === undefined) return null
  const rest = bare.slice(stem.length + 1)
  const language = rest === '' ? 'und' : /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/i.exec(rest)?.[0]
  const format = ending[1]?.toLowerCase() === 'vtt' ? 'vtt' : 'srt'
  return language === undefined ? null : { language, format }
}

function fromDisposition(header: string): string {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(header)?.[1]
  if (extended !== undefined) return decode(extended.trim())
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header)
  return (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? '').trim()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign: show it as it is.
    return text
  }
}
