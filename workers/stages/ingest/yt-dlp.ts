/**
 * Runs the user's own yt-dlp behind our guard; nothing else starts it. It resolves names and follows redirects by itself, so it
 * gets a proxy that applies the rules of our own downloads to each connection (docs/decisions/0014).
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
import { withoutUserinfo } from './source-url.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

const FILE = /^video\.[a-z0-9]{1,5}$/u
const LOOK_SECONDS = 180
/** Joining picture and sound of a long video prints nothing for a while. */
const STALL_SECONDS = 300

export interface YtDlp {
  readonly executable: string
  readonly context: Pick<StageContext, 'signal' | 'sources' | 'temporary'>
  readonly addresses: AddressPolicy
  /** Credentials for the page's server, added by the guard; the tool itself never knows them. */
  readonly signIn?: SignIn | null
  readonly totalTimeoutSeconds: number
  readonly idleTimeoutSeconds: number
  /** Larger videos fail with the error that `tooLarge` makes. */
  readonly maxBytes: number
  readonly tooLarge: () => Error
  readonly minFreeBytes: number
}

/** Builds the arguments for the file that has the address of the guard. */
type Arguments = (proxy: string) => readonly string[]

export interface GuardedYtDlp {
  /** Returns its output, which must come soon. */
  readonly describe: (args: Arguments) => Promise<string>
  /** Downloads a video to the stage's temporary files and stores it among the sources. */
  readonly download: (args: Arguments, onBytes: OnBytes) => Promise<{ digest: string; bytes: number }>
}

type OnBytes = (done: number, total: number | null) => void

/**
 * Calls `use`, which may run the tool several times. Throws the guard's refusal rather than the tool's proxy error; otherwise
 * SOURCE_NOT_VIDEO, SOURCE_FORBIDDEN or SOURCE_UNREACHABLE with its output; DISK_FULL, CANCELLED.
 */
export async function withYtDlp<T>(tool: YtDlp, use: (ytDlp: GuardedYtDlp) => Promise<T>): Promise<T> {
  const { executable, totalTimeoutSeconds: timeoutSeconds, maxBytes, minFreeBytes, tooLarge } = tool
  const { signal, temporary } = tool.context
  const proxy = await startGuardProxy(tool.addresses, tool.signIn)
  const guard = join(temporary, 'guard.conf')
  const start = (args: Arguments, more: Pick<ToolRun, 'timeoutSeconds' | 'stallSeconds' | 'onStdout'>) =>
    runTool({ executable, args: args(guard), signal, timeoutSeconds, foreign: true, ...more })
  try {
    // A file left by a killed attempt would keep its permissions.
    await rm(guard, { force: true })
    await writeFile(guard, guardFile(proxy.url), { mode: 0o600, flag: 'wx' })
    return await use({
      describe: async (args) => {
        const { stdout } = await start(args, { timeoutSeconds: Math.min(LOOK_SECONDS, timeoutSeconds) })
        return stdout.toString('utf8')
      },
      download: async (args, onBytes) => {
        let checkedAt = 0
        const count = byteCounter((done, total) => {
          if (done > maxBytes) throw tooLarge()
          if (done - checkedAt > RECHECK_EVERY_BYTES) {
            requireDiskSpace(temporary, { what: 'The video', bytes: 0, minFreeBytes })
            checkedAt = done
          }
          onBytes(done, total)
        })
        const patience = Math.max(STALL_SECONDS, tool.idleTimeoutSeconds)
        await start(args, { onStdout: count, stallSeconds: Math.min(timeoutSeconds, patience) })
        return storeDownloaded(tool)
      },
    })
  } catch (error) {
    const cleaned = withoutSecrets(error)
    if (signal.aborted) throw new AppError('CANCELLED', { cause: cleaned })
    throw proxy.refusal() ?? explain(cleaned)
  } finally {
    await proxy.close()
    await rm(guard, { force: true })
  }
}

async function storeDownloaded({ context, maxBytes, tooLarge }: YtDlp) {
  const name = (await readdir(context.temporary)).find((file) => FILE.test(file))
  // When a file exceeds its limit, yt-dlp writes nothing and still reports success.
  if (name === undefined) throw tooLarge()
  const path = join(context.temporary, name)
  const { size } = await stat(path)
  if (size > maxBytes) throw tooLarge()
  if (size === 0)
    throw new AppError('SOURCE_NOT_VIDEO', { message: 'The video of this page is empty (0 bytes).' })
  return { digest: await storeFinishedFile(context.sources, path, size, context.signal), bytes: size }
}

/** Adds up the files of a video, because yt-dlp counts each from zero. */
function byteCounter(report: OnBytes): (chunk: Buffer) => void {
  let rest = ''
  let before = 0
  let last = 0
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split(/[\r\n]/)
    rest = (lines.pop() ?? '').slice(-1000)
    for (const line of lines) {
      const progress = progressLine(line)
      if (progress === null) continue
      if (progress.done < last) before += last
      last = progress.done
      report(before + progress.done, progress.total === null ? null : before + progress.total)
    }
  }
}

/** Errors of tools are stored and shown to people, so passwords in addresses are removed. */
function withoutSecrets(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { code, message, details, cause } = error
  const printed = details?.['stderr']
  const cleaned = typeof printed === 'string' ? { ...details, stderr: withoutUserinfo(printed) } : details
  return new AppError(code, {
    message: withoutUserinfo(message),
    cause,
    ...omitUndefined({ details: cleaned }),
  })
}

/** Turns the output of yt-dlp into one of our errors. */
function explain(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'STAGE_FAILED') return error
  const printed = error.details?.['stderr']
  const reason = typeof printed === 'string' ? (/^ERROR: (.*)$/m.exec(printed)?.[1]?.slice(0, 300) ?? '') : ''
  const options = { details: { tool: 'yt-dlp' }, cause: error }
  // Also printed as "Sign in to confirm that you are not a bot" for videos that everybody may see.
  if (/not a bot|captcha|HTTP Error 429/i.test(reason)) {
    const message = `The site takes no more requests from this machine for now: ${reason} Try again later, and make sure that your yt-dlp is up to date.`
    return new AppError('SOURCE_UNREACHABLE', { ...options, message })
  }
  if (/unsupported url|no video( formats)? (could be )?found|there('s| is) no video/i.test(reason)) {
    const message = `yt-dlp finds no video on this page: ${reason} Choose a page that shows one, or a file.`
    return new AppError('SOURCE_NOT_VIDEO', { ...options, message })
  }
  if (
    /private|sign in|log ?in|members|not available in your|geo.?restrict|confirm your age|DRM|HTTP Error 40[13]/i.test(
      reason,
    )
  ) {
    const message = `The site does not give this video to everybody: ${reason} Choose one that opens without signing in, or a file.`
    return new AppError('SOURCE_FORBIDDEN', { ...options, message })
  }
  const message = `yt-dlp could not download the video: ${reason === '' ? error.message : reason} Make sure that your yt-dlp is up to date.`
  return new AppError('SOURCE_UNREACHABLE', { ...options, message })
}
