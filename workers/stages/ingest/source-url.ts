/** Addresses of sources: what is fetched, its name for people, its sidecars, its credentials. No I/O, but URL is not pure. */

const DRIVE_HOSTS = new Set(['drive.google.com', 'docs.google.com'])
const SIGN_IN_HOSTS = new Set(['accounts.google.com', 'login.microsoftonline.com', 'login.live.com'])
/** The hosts of their players and files are missing on purpose, because those do serve files. */
const VIDEO_SITES = new Set([
  'youtube.com',
  'youtu.be',
  'youtube-nocookie.com',
  'vimeo.com',
  'twitch.tv',
  'dailymotion.com',
  'dai.ly',
  'tiktok.com',
  'instagram.com',
  'facebook.com',
  'fb.watch',
  'x.com',
  'twitter.com',
  'rumble.com',
])
const MEDIA_ENDING =
  /\.(mp4|m4v|mov|mkv|webm|avi|flv|ts|m2ts|mts|mpg|mpeg|vob|mxf|wmv|3gp|ogv|mp3|m4a|wav|aac|flac|ogg|opus)$/i

/** The address to fetch: pages of Google Drive, Dropbox and SharePoint that show one file become its download. */
export function downloadUrl(address: string): URL {
  const url = new URL(address)
  if (DRIVE_HOSTS.has(url.hostname)) return driveDownload(url)
  if (/^(www\.)?dropbox\.com$/.test(url.hostname) && /^\/(s|scl\/fi)\//.test(url.pathname)) {
    url.searchParams.delete('raw')
    url.searchParams.set('dl', '1')
  }
  // `/:v:/` marks a SharePoint link to a shared video; `:u:` is any other file.
  if (url.hostname.endsWith('.sharepoint.com') && /^\/:[vu]:\//.test(url.pathname))
    url.searchParams.set('download', '1')
  return url
}

function driveDownload(url: URL): URL {
  const id = /^\/file\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(url.pathname)?.[1]
  if (id === undefined) return url
  const download = new URL('https://drive.google.com/uc')
  const resourceKey = url.searchParams.get('resourcekey')
  const resource = resourceKey === null ? {} : { resourcekey: resourceKey }
  download.search = new URLSearchParams({ export: 'download', id, confirm: 't', ...resource }).toString()
  return download
}

/** Name of the file sharing service; null for other servers. */
export function sharingService(url: URL): string | null {
  if (DRIVE_HOSTS.has(url.hostname)) return 'Google Drive'
  if (/^(www\.)?dropbox\.com$/.test(url.hostname)) return 'Dropbox'
  return url.hostname.endsWith('.sharepoint.com') ? 'SharePoint' : null
}

/** Whether a redirect has ended at a sign-in page. */
export function isSignInPage(url: URL): boolean {
  return (
    SIGN_IN_HOSTS.has(url.hostname) ||
    (/(^|\.)dropbox\.com$/.test(url.hostname) && url.pathname.startsWith('/login'))
  )
}

/** Whether this is a page of a video site, so that the address itself has no file. */
export function isVideoSite(url: URL): boolean {
  const host = url.hostname.replace(/^(www|m|music|mobile)\./, '')
  return VIDEO_SITES.has(host) && !MEDIA_ENDING.test(url.pathname)
}

/** A name for people: the server's name for the file, otherwise the last part of the address, otherwise its host. */
export function displayName(url: URL, contentDisposition: string | undefined): string {
  const named = fromDisposition(contentDisposition ?? '')
  const last = decode(url.pathname.split('/').findLast((part) => part !== '') ?? '')
  return cleanName(named !== '' ? named : last) || url.hostname
}

/** Without path, control characters and characters that file systems reject; at most 200 characters. */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const plain = Array.from(last).filter(
    (letter) => letter >= ' ' && letter !== '\x7f' && !'<>:"|?*'.includes(letter),
  )
  return plain.slice(0, 200).join('').trim()
}

/** Addresses where a caption file for this video may be: the same one with .srt or .vtt. */
export function sidecarUrls(address: string): { readonly url: string; readonly format: 'srt' | 'vtt' }[] {
  const url = new URL(address)
  if (!MEDIA_ENDING.test(url.pathname)) return []
  return (['srt', 'vtt'] as const).map((format) => {
    const beside = new URL(url)
    beside.pathname = url.pathname.replace(MEDIA_ENDING, `.${format}`)
    return { url: beside.href, format }
  })
}

/** Language in a sidecar's file name (`talk.en.srt`, `talk.mp4.pt-BR.vtt`); `und` if it has none; null if it is no sidecar. */
export function sidecarLanguage(
  video: string,
  candidate: string,
): { language: string; format: 'srt' | 'vtt' | 'ass' } | null {
  const ending = /\.(srt|vtt|ass|ssa)$/i.exec(candidate)
  if (ending === null) return null
  const bare = candidate.slice(0, ending.index)
  const stems = [video, video.replace(/\.[^.]+$/, '')]
  const stem = stems.find((name) => bare === name || bare.startsWith(`${name}.`))
  if (stem === undefined) return null
  const rest = bare.slice(stem.length + 1)
  const language = rest === '' ? 'und' : /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/i.exec(rest)?.[0]
  const written = ending[1]?.toLowerCase()
  const format = written === 'vtt' || written === 'srt' ? written : 'ass'
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
    // A stray percent sign stays: it is part of a name or of a password.
    return text
  }
}

/** Basic authorization, or no header for an address without credentials. Credentials may be percent-encoded or plain. */
export function authorizationOf(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const pair = `${decode(url.username)}:${decode(url.password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** The address without user name and password. */
export function withoutCredentials(url: URL): URL {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return plain
}

/** The text without `user:password@` in addresses of any scheme. */
export function withoutUserinfo(text: string): string {
  return text.replaceAll(/\/\/[^\s/?#"<>\\]*@/g, '//')
}
