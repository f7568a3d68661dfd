/** The video of a web page, by the user's own yt-dlp: first what it is, then the file. */
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, type ErrorCode } from '../../../server/contract/errors.ts'
import { lookArguments, pageArguments } from '../../media/arguments/yt-dlp.ts'
import { freeBytes } from '../../media/disk.ts'
import { isKept, keepFinished } from './keep.ts'
import { pageName, readPage, type PageFacts, type PageVideo } from './pure/page-facts.ts'
import { namedSidecar } from './sidecars.ts'
import { cleanName, isVideoSite } from './source-url.ts'
import type { Brought, Web } from './web.ts'
import { download, withYtDlp, type StartYtDlp, type YtDlp } from './yt-dlp.ts'

const FILE = /^video\.[a-z0-9]{2,5}$/u
const LOOK_SECONDS = 180

interface Job extends Web {
  readonly tool: YtDlp
  readonly start: StartYtDlp
  readonly url: URL
}

/**
 * Fetches the video that a page shows. SOURCE_NOT_VIDEO or UNSUPPORTED_SOURCE_URL when there is no yt-dlp or no single
 * recorded video, SOURCE_FORBIDDEN, SOURCE_UNREACHABLE, SOURCE_TOO_LARGE, DISK_FULL, CANCELLED.
 */
export async function fromVideoPage(web: Web, url: URL): Promise<Brought> {
  const { addresses, idleTimeoutSeconds, pages, totalTimeoutSeconds } = web.params
  if (pages === undefined || !('ytDlp' in pages)) {
    const what = 'The address leads to a web page, not to a video file. Use the address of the file itself.'
    const message = pages === undefined ? what : `${what} ${pages.refusal}`
    throw new AppError(isVideoSite(url) ? 'UNSUPPORTED_SOURCE_URL' : 'SOURCE_NOT_VIDEO', { message })
  }
  const { signal } = web.context
  const tool = { executable: pages.ytDlp, addresses, signal, totalTimeoutSeconds, idleTimeoutSeconds }
  return withYtDlp(tool, (start) => fetchVideo({ ...web, tool, start, url }))
}

async function fetchVideo(job: Job): Promise<Brought> {
  const { context, params, agent, url } = job
  context.progress(0, 'Looking for the video on the page')
  const said = await look(job)
  const facts = readPage(said)
  if (facts.kind !== 'video') throw refusal(facts.kind)
  const { video } = facts
  const about = {
    displayName: cleanName(pageName(video.title)),
    finalUrl: video.address ?? url.href,
    etag: video.version,
    lastModified: null,
  }
  const sidecars =
    video.captions === null ? [] : await namedSidecar(video.captions, agent, context.folder, context.signal)
  const { known } = params
  if (known !== null && known.etag !== null && known.etag === video.version) {
    const { digest, bytes } = known
    if (await isKept(context.sources, digest, bytes))
      return { digest, bytes, ...about, sidecars, unchanged: true }
  }
  await checkSize(job, video)
  const infoFile = join(context.temporary, 'page.json')
  await writeFile(infoFile, JSON.stringify(said))
  await fetchDescribed(job, { infoFile, expected: video.expectedBytes })
  return { ...(await keepDownloaded(job)), ...about, sidecars, unchanged: false }
}

async function look({ start, url, params }: Job): Promise<unknown> {
  const { stdout } = await start((proxy) => lookArguments({ address: url.href, proxy }), {
    timeoutSeconds: Math.min(LOOK_SECONDS, params.totalTimeoutSeconds),
  })
  try {
    return JSON.parse(stdout.toString('utf8')) as unknown
  } catch {
    throw refusal('unknown')
  }
}

async function fetchDescribed(
  job: Job,
  { infoFile, expected }: { infoFile: string; expected: number | null },
): Promise<void> {
  const { context, params, tool, start } = job
  const { maxBytes } = params
  await download(tool, start, {
    args: (proxy) =>
      pageArguments({
        ...{ infoFile, folder: context.temporary, maxBytes },
        ...{ ffmpeg: context.tools.ffmpeg, proxy },
      }),
    onBytes: (done, total) => {
      if (done > maxBytes) throw tooLarge(maxBytes)
      job.onBytes(done, expected ?? total)
    },
  })
}

async function keepDownloaded({ context, params }: Job): Promise<{ digest: string; bytes: number }> {
  const name = (await readdir(context.temporary)).find((file) => FILE.test(file))
  // It leaves nothing, and calls it success, when a file is over the limit that it was given.
  if (name === undefined) throw tooLarge(params.maxBytes)
  const path = join(context.temporary, name)
  const { size } = await stat(path)
  if (size > params.maxBytes) throw tooLarge(params.maxBytes)
  if (size === 0)
    throw new AppError('SOURCE_NOT_VIDEO', { message: 'The video of this page is empty (0 bytes).' })
  return { digest: await keepFinished(context.sources, path, size, context.signal), bytes: size }
}

async function checkSize({ context, params }: Job, { expectedBytes }: PageVideo): Promise<void> {
  if (expectedBytes === null) return
  if (expectedBytes > params.maxBytes) throw tooLarge(params.maxBytes)
  // Picture and sound come as two files and are put together into a third.
  const [needed, free] = [expectedBytes * 2, await freeBytes(context.sources)]
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
