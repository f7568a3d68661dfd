/** Downloads the video of a web page with the user's own yt-dlp: first its description, then the file. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, type ErrorCode } from '../../../server/contract/errors.ts'
import { lookArguments, pageArguments } from '../../media/arguments/yt-dlp.ts'
import { freeBytes } from '../../media/disk.ts'
import { authorizationOf, cleanName, isVideoSite, withoutCredentials } from './source-url.ts'
import type { SignIn } from './guard-proxy.ts'
import { isStored } from './keep.ts'
import { pageName, readPage, type PageFacts, type PageVideo } from './pure/page-facts.ts'
import { namedSidecar, type Sidecar } from './sidecars.ts'
import type { IngestedSource, Web } from './web.ts'
import { withYtDlp, type GuardedYtDlp } from './yt-dlp.ts'

interface Job extends Web {
  readonly ytDlp: GuardedYtDlp
  /** The page as the user gave it, possibly with credentials, which yt-dlp does not receive. */
  readonly url: URL
}

/** Downloads the video of a page. Throws what `download` throws, and UNSUPPORTED_SOURCE_URL. */
export async function ingestVideoPage(web: Web, url: URL): Promise<IngestedSource> {
  const { addresses, idleTimeoutSeconds, maxBytes, minFreeBytes, pages, totalTimeoutSeconds } = web.params
  if (pages === undefined || !('ytDlp' in pages)) {
    const what = 'The address leads to a web page, not to a video file. Use the address of the file itself.'
    const message = pages === undefined ? what : `${what} ${pages.refusal}`
    throw new AppError(isVideoSite(url) ? 'UNSUPPORTED_SOURCE_URL' : 'SOURCE_NOT_VIDEO', { message })
  }
  const { context } = web
  const signIn = buildSignIn(url)
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
 * The credentials that the guard adds for yt-dlp. Throws UNSUPPORTED_SOURCE_URL for https: only yt-dlp itself could send them
 * there, and it repeats addresses in its output and sends headers to servers to which it is redirected.
 */
function buildSignIn(url: URL): SignIn | null {
  const { authorization } = authorizationOf(url)
  if (authorization === undefined) return null
  if (url.protocol === 'http:') return { origin: url.origin, authorization }
  const message =
    'The address leads to a web page and carries a user name or password. These cannot be given to yt-dlp so that no other server learns them. Use the address of the video file itself, or of a page that opens without them.'
  throw new AppError('UNSUPPORTED_SOURCE_URL', { message })
}

async function fetchVideo(job: Job): Promise<IngestedSource> {
  const { context, params, url, ytDlp } = job
  context.progress(0, 'Looking for the video on the page')
  const description = await describeVideo(job)
  const facts = readPage(description)
  if (facts.kind !== 'video') throw refusal(facts.kind)
  const { video } = facts
  const about = {
    displayName: cleanName(pageName(video.title)),
    finalUrl: withoutCredentials(parseAddress(video, url)).href,
    etag: video.version,
    lastModified: null,
  }
  const sidecars = await fetchCaptions(job, video)
  const { known } = params
  if (known !== null && known.etag !== null && known.etag === video.version) {
    const { digest, bytes } = known
    if (await isStored(context.sources, digest, bytes))
      return { digest, bytes, ...about, sidecars, unchanged: true }
  }
  await checkSize(job, video)
  const infoFile = join(context.temporary, 'page.json')
  await writeFile(infoFile, JSON.stringify(description))
  const { maxBytes } = params
  const args = { infoFile, folder: context.temporary, maxBytes, ffmpeg: context.tools.ffmpeg }
  const stored = await ytDlp.download(
    (proxy) => pageArguments({ ...args, proxy }),
    (done, total) => job.onBytes(done, video.expectedBytes ?? total),
  )
  return { ...stored, ...about, sidecars, unchanged: false }
}

function parseAddress({ address }: PageVideo, page: URL): URL {
  return address !== null && URL.canParse(address) ? new URL(address) : page
}

/** Captions on the page's own server need the page's password. */
async function fetchCaptions({ context, agent, url }: Job, { captions }: PageVideo): Promise<Sidecar[]> {
  if (captions === null || !URL.canParse(captions.url)) return []
  const address = new URL(captions.url)
  if (address.origin === url.origin) {
    address.username = url.username
    address.password = url.password
  }
  return namedSidecar({ ...captions, url: address.href }, agent, context.folder, context.signal)
}

async function describeVideo({ ytDlp, url }: Job): Promise<unknown> {
  const address = withoutCredentials(url).href
  const description = await ytDlp.describe((proxy) => lookArguments({ address, proxy }))
  try {
    return JSON.parse(description) as unknown
  } catch {
    throw refusal('unknown')
  }
}

async function checkSize({ context, params }: Job, { expectedBytes }: PageVideo): Promise<void> {
  if (expectedBytes === null) return
  if (expectedBytes > params.maxBytes) throw tooLarge(params.maxBytes)
  // Picture and sound are two files that are joined into a third.
  const needed = expectedBytes * 2
  const free = await freeBytes(context.sources)
  if (needed > free) throw new AppError('DISK_FULL', { details: { needed, free } })
}

const REFUSALS: Readonly<Record<Exclude<PageFacts['kind'], 'video'>, readonly [ErrorCode, string]>> = {
  list: ['UNSUPPORTED_SOURCE_URL', 'The address leads to a list of videos. Use the address of one of them.'],
  live: [
    'UNSUPPORTED_SOURCE_URL',
    'This is the page of a livestream that still runs. Give the address of its playlist (….m3u8) to have it recorded, or use this one again when it is over.',
  ],
  upcoming: ['SOURCE_UNREACHABLE', 'This video has not begun yet. Use its address again when it is over.'],
  unknown: ['SOURCE_NOT_VIDEO', 'No video was found on this page. Use the address of the file itself.'],
}

function refusal(kind: keyof typeof REFUSALS): AppError {
  const [code, message] = REFUSALS[kind]
  return new AppError(code, { message })
}

function tooLarge(maxBytes: number): AppError {
  const message = `The video is larger than this appliance accepts (${(maxBytes / 1e9).toFixed(1)} GB), or yt-dlp cannot fetch it. Choose a shorter one.`
  return new AppError('SOURCE_TOO_LARGE', { message, details: { maxBytes } })
}
