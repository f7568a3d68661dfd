/** A file from the web, and the pages that services put before a shared file. */
import type { Agent } from 'undici'
import { AppError } from '../../../server/contract/errors.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { download, type Downloaded } from './download.ts'
import { downloadForm, isQuotaExceeded } from './pure/confirm-page.ts'
import { fetchSmall, type Sidecar } from './sidecars.ts'
import { isSignInPage, sharingService } from './source-url.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

/** What everything that fetches works with. */
export interface Web {
  readonly context: StageContext
  readonly params: Parameters<StageHandler<'ingest'>>[1]
  readonly agent: Agent
  readonly onBytes: (done: number, total: number | null) => void
}

/** A source that is in the home now. */
export type Brought = Omit<Downloaded, 'finalUrl'> & { finalUrl: string | null; sidecars: Sidecar[] }

/** Downloads a file. Throws what `download` throws. */
export function downloadFile(web: Web, url: URL, resumeAs?: string): Promise<Downloaded> {
  const { context, params, agent, onBytes } = web
  return download({
    ...params,
    ...omitUndefined({ resumeAs }),
    url,
    sources: context.sources,
    agent,
    signal: context.signal,
    onBytes,
    onNote: (note) => context.progress(0, note),
  })
}

/**
 * The address behind a page that asks whether one really wants the file (Drive does for large ones). Null: this is a
 * page like any other. SOURCE_FORBIDDEN when a service keeps the file to itself.
 */
export async function resolveConfirmPage(
  { context, agent }: Web,
  asked: URL,
  page: URL,
): Promise<URL | null> {
  const service = sharingService(asked)
  if (isSignInPage(page)) throw notShared(service ?? asked.hostname)
  const html = (await fetchSmall(page.href, agent, context.signal))?.toString('utf8') ?? ''
  const form = downloadForm(html)
  if (form !== null && URL.canParse(form.action, page)) {
    const next = new URL(form.action, page)
    for (const [name, value] of form.fields) next.searchParams.set(name, value)
    // A form that leads elsewhere is not the service's own.
    if (next.origin === page.origin) return next
  }
  if (service === null) return null
  if (isQuotaExceeded(html)) {
    const message = `${service} does not give this file any more today: it was downloaded too often. Try again tomorrow, or make a copy of it and share that.`
    throw new AppError('SOURCE_FORBIDDEN', { message })
  }
  throw notShared(service)
}

function notShared(service: string): AppError {
  const message = `${service} shows a page instead of the file. Share the file with everyone who has the link, and use the link to the file itself.`
  return new AppError('SOURCE_FORBIDDEN', { message })
}
