/**
 * The user's own yt-dlp behind our guard: the one place that starts it. It looks names up and follows redirects by itself,
 * so it is given a proxy that holds each connection to the rule of our own downloads (docs/decisions/0014).
 */
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../server/contract/errors.ts'
import { guardFile } from '../../media/arguments/yt-dlp.ts'
import { RECHECK_EVERY_BYTES, requireDiskSpace } from '../../media/disk.ts'
import { runTool, type ToolRun } from '../../media/run-tool.ts'
import type { StageContext } from '../context.ts'
import { startGuardProxy, type SignIn } from './guard-proxy.ts'
import type { AddressPolicy } from './guard.ts'
import { storeFinishedFile } from './keep.ts'
import { progressLine } from './pure/page-facts.ts'
import { withoutUserinfo } from './pure/userinfo.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

const FILE = /^video\.[a-z0-9]{1,5}$/u
const LOOK_SECONDS = 180
/** Putting picture and sound of a long video together says nothing for a while. */
const STALL_SECONDS = 300

export interface YtDlp {
  /** Its own program. */
  readonly executable: string
  readonly context: Pick<StageContext, 'signal' | 'sources' | 'temporary'>
  readonly addresses: AddressPolicy
  /** What the server of the page is told, by the guard: the tool itself never knows it. */
  readonly signIn?: SignIn | null
  readonly totalTimeoutSeconds: number
  readonly idleTimeoutSeconds: number
  /** More than so many bytes is refused by what `tooLarge` makes. */
  readonly maxBytes: number
  readonly tooLarge: () => Error
  /** So much of the disk stays free. */
  readonly minFreeBytes: number
}

/** Arguments, made for the file that says where the guard is. */
type Arguments = (proxy: string) => readonly string[]

export interface GuardedYtDlp {
  /** What it prints, which is to come soon. */
  readonly look: (args: Arguments) => Promise<string>
  /** Downloads a video to the temporary files of the stage, by arguments that say so, and keeps it among the sources. */
  readonly download: (args: Arguments, onBytes: OnBytes) => Promise<{ digest: string; bytes: number }>
}

type OnBytes = (done: number, total: number | null) => void

/**
 * Lets `use` start it as often as it needs. Throws what the guard refused rather than what the tool says of a proxy; else
 * SOURCE_NOT_VIDEO, SOURCE_FORBIDDEN or SOURCE_UNREACHABLE with what it printed; DISK_FULL, CANCELLED.
 */
export async function withYtDlp<T>(tool: YtDlp, use: (ytDlp: GuardedYtDlp) => Promise<T>): Promise<T> {
  const { executable, totalTimeoutSeconds: timeoutSeconds, maxBytes, minFreeBytes, tooLarge } = tool
  const { signal, temporary } = tool.context
  const proxy = await startGuardProxy(tool.addresses, tool.signIn)
  const guard = join(temporary, 'guard.conf')
  const start = (args: Arguments, more: Pick<ToolRun, 'timeoutSeconds' | 'stallSeconds' | 'onStdout'>) =>
    runTool({ executable, args: args(guard), signal, timeoutSeconds, foreign: true, ...more })
  try {
    // One that a killed attempt left would keep its rights.
    await rm(guard, { force: true })
    await writeFile(guard, guardFile(proxy.url), { mode: 0o600, flag: 'wx' })
    return await use({
      look: async (args) => {
        const { stdout } = await start(args, { timeoutSeconds: Math.min(LOOK_SECONDS, timeoutSeconds) })
        return stdout.toString('utf8')
      },
      download: async (args, onBytes) => {
        let looked = 0
        const count = byteCounter((done, total) => {
          if (done > maxBytes) throw tooLarge()
          if (done - looked > RECHECK_EVERY_BYTES) {
            requireDiskSpace(temporary, { what: 'The video', bytes: 0, minFreeBytes })
            looked = done
          }
          onBytes(done, total)
        })
        const patience = Math.max(STALL_SECONDS, tool.idleTimeoutSeconds)
        await start(args, { onStdout: count, stallSeconds: Math.min(timeoutSeconds, patience) })
        return keepDownloaded(tool)
      },
    })
  } catch (error) {
    const told = withoutSecrets(error)
    if (signal.aborted) throw new AppError('CANCELLED', { cause: told })
    throw proxy.refusal() ?? explain(told)
  } finally {
    await proxy.close()
    await rm(guard, { force: true })
  }
}

async function keepDownloaded({ context, maxBytes, tooLarge }: YtDlp) {
  const name = (await readdir(context.temporary)).find((file) => FILE.test(file))
  // It leaves nothing, and calls it success, when a file is over the limit that it was given.
  if (name === undefined) throw tooLarge()
  const path = join(context.temporary, name)
  const { size } = await stat(path)
  if (size > maxBytes) throw tooLarge()
  if (size === 0)
    throw new AppError('SOURCE_NOT_VIDEO', { message: 'The video of this page is empty (0 bytes).' })
  return { digest: await storeFinishedFile(context.sources, path, size, context.signal), bytes: size }
}

/** Adds up the files that a video comes in: each counts from nothing again. */
function byteCounter(report: OnBytes): (chunk: Buffer) => void {
  let rest = ''
  let before = 0
  let last = 0
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

/** What is told of a tool is kept for good and shown to people: addresses in it have no passwords. */
function withoutSecrets(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { code, message, details, cause } = error
  const printed = details?.['stderr']
  const told = typeof printed === 'string' ? { ...details, stderr: withoutUserinfo(printed) } : details
  return new AppError(code, {
    message: withoutUserinfo(message),
    cause,
    ...omitUndefined({ details: told }),
  })
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
