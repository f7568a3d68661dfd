/**
 * The user's own yt-dlp behind our guard: the one place that starts it. It looks names up and follows redirects by itself,
 * so it is given a proxy that holds each connection to the rule of our own downloads (docs/decisions/0014).
 */
import { AppError } from '../../../server/contract/errors.ts'
import { runTool, type ToolResult, type ToolRun } from '../../media/run-tool.ts'
import { startGuardProxy } from './guard-proxy.ts'
import type { AddressPolicy } from './guard.ts'
import { progressLine } from './pure/page-facts.ts'

/** Putting picture and sound of a long video together says nothing for a while. */
const STALL_SECONDS = 300

export interface YtDlp {
  /** Its own program. */
  readonly executable: string
  readonly addresses: AddressPolicy
  readonly signal: AbortSignal
  readonly totalTimeoutSeconds: number
  readonly idleTimeoutSeconds: number
}

/** Starts it with the arguments that are made for the address of the guard. */
export type StartYtDlp = (
  args: (proxy: string) => readonly string[],
  more?: Pick<ToolRun, 'timeoutSeconds' | 'stallSeconds' | 'onStdout'>,
) => Promise<ToolResult>

/**
 * Lets `use` start it as often as it needs. Throws what the guard refused rather than what the tool says of a proxy; else
 * SOURCE_NOT_VIDEO, SOURCE_FORBIDDEN or SOURCE_UNREACHABLE with what it printed; DISK_FULL, CANCELLED.
 */
export async function withYtDlp<T>(tool: YtDlp, use: (start: StartYtDlp) => Promise<T>): Promise<T> {
  const { executable, signal, totalTimeoutSeconds: timeoutSeconds } = tool
  const proxy = await startGuardProxy(tool.addresses)
  try {
    return await use((args, more) =>
      runTool({ executable, args: args(proxy.url), signal, timeoutSeconds, foreign: true, ...more }),
    )
  } catch (error) {
    if (signal.aborted) throw new AppError('CANCELLED', { cause: error })
    throw proxy.refusal() ?? explain(error)
  } finally {
    await proxy.close()
  }
}

/** One download with `progressTemplate` of its arguments. `onBytes` may throw, which ends it. */
export async function download(
  tool: YtDlp,
  start: StartYtDlp,
  job: {
    readonly args: (proxy: string) => readonly string[]
    readonly onBytes: (done: number, total: number | null) => void
  },
): Promise<void> {
  await start(job.args, {
    onStdout: byteCounter(job.onBytes),
    stallSeconds: Math.min(tool.totalTimeoutSeconds, Math.max(STALL_SECONDS, tool.idleTimeoutSeconds)),
  })
}

/** Adds up the files that a video comes in: each counts from nothing again. */
function byteCounter(report: (done: number, total: number | null) => void): (chunk: Buffer) => void {
  let [rest, before, last] = ['', 0, 0]
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split(/[\r\n]/)
    rest = (lines.pop() ?? '').slice(-1000)
    for (const line of lines) {
      const news = progressLine(line)
      if (news === null) continue
      if (news.done < last) before += last
      last = news.done
      report(before + news.done, news.total === null ? null : before + news.total)
    }
  }
}

/** What yt-dlp printed as one of our own errors. */
function explain(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'STAGE_FAILED') return error
  const printed = error.details?.['stderr']
  const said = typeof printed === 'string' ? (/^ERROR: (.*)$/m.exec(printed)?.[1]?.slice(0, 300) ?? '') : ''
  const options = { details: { tool: 'yt-dlp' }, cause: error }
  // Worded as "Sign in to confirm that you are not a bot", of videos that anybody may see.
  if (/not a bot|captcha|HTTP Error 429/i.test(said)) {
    const message = `The site takes no more requests from this machine for now: ${said} Try again later, and make sure that your yt-dlp is up to date.`
    return new AppError('SOURCE_UNREACHABLE', { ...options, message })
  }
  if (/unsupported url|no video( formats)? (could be )?found|there('s| is) no video/i.test(said)) {
    const message = `yt-dlp finds no video on this page: ${said} Choose a page that shows one, or a file.`
    return new AppError('SOURCE_NOT_VIDEO', { ...options, message })
  }
  if (
    /private|sign in|log ?in|members|not available in your|geo.?restrict|confirm your age|DRM|HTTP Error 40[13]/i.test(
      said,
    )
  ) {
    const message = `The site does not give this video to everybody: ${said} Choose one that opens without signing in, or a file.`
    return new AppError('SOURCE_FORBIDDEN', { ...options, message })
  }
  const message = `yt-dlp could not download the video: ${said === '' ? error.message : said} Make sure that your yt-dlp is up to date.`
  return new AppError('SOURCE_UNREACHABLE', { ...options, message })
}
