/** The video of a web page, by the user's own yt-dlp: first what it is, then the file. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, type ErrorCode } from '../../../server/contract/errors.ts'
import { lookArguments, pageArguments } from '../../media/arguments/yt-dlp.ts'
import { freeBytes } from '../../media/disk.ts'
import { authorizationOf } from './credentials.ts'
import type { SignIn } from './guard-proxy.ts'
import { isKept } from './keep.ts'
import { pageName, readPage, type PageFacts, type PageVideo } from './pure/page-facts.ts'
import { namedSidecar, type Sidecar } from './sidecars.ts'
import { cleanName, isVideoSite } from './source-url.ts'
import { withoutCredentials } from './transfer.ts'
import type { Brought, Web } from './web.ts'
import { withYtDlp, type GuardedYtDlp } from './yt-dlp.ts'

interface Job extends Web {
  readonly ytDlp: GuardedYtDlp
  /** Of the page, as the user gave it: with credentials, which yt-dlp is not given. */
  readonly url: URL
}

/**
 * Fetches the video that a page shows. SOURCE_NOT_VIDEO or UNSUPPORTED_SOURCE_URL when there is no yt-dlp or no single
 * recorded video, or a password that it cannot be given; SOURCE_FORBIDDEN, SOURCE_UNREACHABLE, SOURCE_TOO_LARGE, DISK_FULL,
 * CANCELLED.
 */
export async function fromVideoPage(web: Web, url: URL): Promise<Brought> {
  const { addresses, idleTimeoutSeconds, maxBytes, minFreeBytes, pages, totalTimeoutSeconds } = web.params
  if (pages === undefined || !('ytDlp' in pages)) {
    const what = 'The address leads to a web page, not to a video file. Use the address of the file itself.'
    const message = pages === undefined ? what : `${what} ${pages.refusal}`
    throw new AppError(isVideoSite(url) ? 'UNSUPPORTED_SOURCE_URL' : 'SOURCE_NOT_VIDEO', { message })
  }
  const { context } = web
  const signIn = signInOf(url)
  const tool = {
    executable: pages.ytDlp,
    context,
    addresses,
    signIn,
    totalTimeoutSeconds,
    idleTimeoutSeconds,
    maxBytes,
    minFreeBytes,
    tooLarge: () => tooLarge(maxBytes),
  }
  return withYtDlp(tool, (ytDlp) => fetchVideo({ ...web, ytDlp, url }))
}

/**
 * What the guard tells the page's server for yt-dlp. Throws UNSUPPORTED_SOURCE_URL for https: only yt-dlp itself could tell
 * it there, and it repeats addresses in what it prints and headers to whomever a server redirects to.
 */
function signInOf(url: URL): SignIn | null {
  const { authorization } = authorizationOf(url)
  if (authorization === undefined) return null
  if (url.protocol === 'http:') return { origin: url.origin, authorization }
  const message =
    'The address leads to a web page and carries a user name or password. These cannot be given to yt-dlp so that no other server learns them. Use the address of the video file itself, or of a page that opens without them.'
  throw new AppError('UNSUPPORTED_SOURCE_URL', { message })
}

async function fetchVideo(job: Job): Promise<Brought> {
  const { context, params, url, ytDlp } = job
  context.progress(0, 'Looking for the video on the page')
  const said = await look(job)
  const facts = readPage(said)
  if (facts.kind !== 'video') throw refusal(facts.kind)
  const { video } = facts
  const about = {
    displayName: cleanName(pageName(video.title)),
    finalUrl: withoutCredentials(addressOf(video, url)).href,
    etag: video.version,
    lastModified: null,
  }
  const sidecars = await captionsOf(job, video)
  const { known } = params
  if (known !== null && known.etag !== null && known.etag === video.version) {
    const { digest, bytes } = known
    if (await isKept(context.sources, digest, bytes))
      return { digest, bytes, ...about, sidecars, unchanged: true }
  }
  await checkSize(job, video)
  const infoFile = join(context.temporary, 'page.json')
  await writeFile(infoFile, JSON.stringify(said))
  const { maxBytes } = params
  const args = { infoFile, folder: context.temporary, maxBytes, ffmpeg: context.tools.ffmpeg }
  const kept = await ytDlp.download(
    (proxy) => pageArguments({ ...args, proxy }),
    (done, total) => job.onBytes(done, video.expectedBytes ?? total),
  )
  return { ...kept, ...about, sidecars, unchanged: false }
}

function addressOf({ address }: PageVideo, page: URL): URL {
  return address !== null && URL.canParse(address) ? new URL(address) : page
}

/** Those on the page's own server are behind the page's password. */
async function captionsOf({ context, agent, url }: Job, { captions }: PageVideo): Promise<Sidecar[]> {
  if (captions === null || !URL.canParse(captions.url)) return []
  const asked = new URL(captions.url)
  if (asked.origin === url.origin) {
    asked.username = url.username
    asked.password = url.password
  }
  return namedSidecar({ ...captions, url: asked.href }, agent, context.folder, context.signal)
}

async function look({ ytDlp, url }: Job): Promise<unknown> {
  const address = withoutCredentials(url).href
  const said = await ytDlp.look((proxy) => lookArguments({ address, proxy }))
  try {
    return JSON.parse(said) as unknown
  } catch {
    throw refusal('unknown')
  }
}

async function checkSize({ context, params }: Job, { expectedBytes }: PageVideo): Promise<void> {
  if (expectedBytes === null) return
  if (expectedBytes > params.maxBytes) throw tooLarge(params.maxBytes)
  // Picture and sound come as two files and are put together into a third.
  const needed = expectedBytes * 2
  const free = await freeBytes(context.sources)
  if (needed > free) throw new AppError('DISK_FULL', { details: { needed, free } })
}

function refusal(kind: Exclude<PageFacts['kind'], 'video'>): AppError {
  const [code, message]: [ErrorCode, string] = {
    list: [
      'UNSUPPORTED_SOURCE_URL' as const,
      'The address leads to a list of videos. Use the address of one of them.',
    ],
    live: [
      'UNSUPPORTED_SOURCE_URL' as const,
      'This is the page of a livestream that still runs. Give the address of its playlist (….m3u8) to have it recorded, or use this one again when it is over.',
    ],
    upcoming: [
      'SOURCE_UNREACHABLE' as const,
      'This video has not begun yet. Use its address again when it is over.',
    ],
    unknown: [
      'SOURCE_NOT_VIDEO' as const,
      'No video was found on this page. Use the address of the file itself.',
    ],
  }[kind] as [ErrorCode, string]
  return new AppError(code, { message })
}

function tooLarge(maxBytes: number): AppError {
  const message = `The video is larger than this appliance accepts (${(maxBytes / 1e9).toFixed(1)} GB), or yt-dlp may not fetch it. Choose a shorter one.`
  return new AppError('SOURCE_TOO_LARGE', { message, details: { maxBytes } })
}
