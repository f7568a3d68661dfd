/** Files from the web, and the pages that services show before a shared file. */
import type { Agent } from 'undici'
import { AppError } from '../../../server/contract/errors.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { download, type Downloaded } from './download.ts'
import { hearAhead } from './hear-ahead.ts'
import { fetchSmall, type Sidecar } from './sidecars.ts'
import { isSignInPage, sharingService } from './source-url.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

/** What everything that downloads needs. */
export interface Web {
  readonly context: StageContext
  readonly params: Parameters<StageHandler<'ingest'>>[1]
  readonly agent: Agent
  readonly onBytes: (done: number, total: number | null) => void
}

/** A source that is in the home now. */
export type IngestedSource = Omit<Downloaded, 'finalUrl'> & { finalUrl: string | null; sidecars: Sidecar[] }

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
    ...(params.hearAhead === true
      ? { listen: (path: string) => hearAhead(context, path, params.totalTimeoutSeconds) }
      : {}),
  })
}

/** The address behind a page that asks for confirmation; null: an ordinary page. SOURCE_FORBIDDEN: not shared. */
export async function resolveConfirmPage(
  { context, agent }: Web,
  requested: URL,
  page: URL,
): Promise<URL | null> {
  const service = sharingService(requested)
  if (isSignInPage(page)) throw notShared(service ?? requested.hostname)
  const html = (await fetchSmall(page.href, agent, context.signal))?.toString('utf8') ?? ''
  const form = downloadForm(html)
  if (form !== null && URL.canParse(form.action, page)) {
    const next = new URL(form.action, page)
    for (const [name, value] of form.fields) next.searchParams.set(name, value)
    // A form with another origin is not the service's own.
    if (next.origin === page.origin) return next
  }
  if (service === null) return null
  if (isQuotaExceeded(html)) {
    const message = `${service} does not deliver this file any more today, because it was downloaded too often. Try again tomorrow, or make a copy of it and share that.`
    throw new AppError('SOURCE_FORBIDDEN', { message })
  }
  throw notShared(service)
}

function notShared(service: string): AppError {
  const message = `${service} shows a page instead of the file. Share the file with everyone who has the link, and use the link to the file itself.`
  return new AppError('SOURCE_FORBIDDEN', { message })
}

/** The page's own download form ("too large to scan for viruses"), relative to the page; null when there is none. */
export function downloadForm(html: string) {
  const form = /<form\b([^>]*\bid\s*=\s*["']download-form["'][^>]*)>([\s\S]*?)<\/form>/i.exec(html)
  const action = attribute(form?.[1] ?? '', 'action')
  const method = attribute(form?.[1] ?? '', 'method') ?? 'get'
  if (action === null || method.toLowerCase() !== 'get') return null
  const fields: [string, string][] = []
  for (const [, input = ''] of (form?.[2] ?? '').matchAll(/<input\b([^>]*)>/gi)) {
    const name = attribute(input, 'name')
    if (name !== null && name !== '') fields.push([name, attribute(input, 'value') ?? ''])
  }
  return { action, fields }
}

/** Whether a page says that a file was downloaded too often today. */
export function isQuotaExceeded(html: string): boolean {
  return /quota exceeded|too many users have viewed or downloaded this file/i.test(html)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" }

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag)
  const value = found?.[1] ?? found?.[2]
  return value === undefined
    ? null
    : value.replace(/&(amp|quot|lt|gt|#39);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}
