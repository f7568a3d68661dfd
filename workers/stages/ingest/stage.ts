/** Brings the source into the home by download or copy, stored once under its SHA-256. */
import { AppError } from '../../../server/contract/errors.ts'
import { sourcePath } from '../../paths.ts'
import { bytesProgress, type StageContext, type StageHandler } from '../context.ts'
import { guardedAgent } from './guard.ts'
import { copyLocal } from './local.ts'
import { readFileHead } from './keep.ts'
import { sniff } from './pure/media-type.ts'
import { PageFound } from './transfer.ts'
import { downloadUrl, isVideoSite } from './source-url.ts'
import { givenSidecar, localSidecars, remoteSidecars } from './sidecars.ts'
import { ingestVideoPage } from './video-page.ts'
import { downloadFile, resolveConfirmPage, type IngestedSource, type Web } from './web.ts'

type Handler = StageHandler<'ingest'>
type Params = Parameters<Handler>[1]

/** The expected failures are listed at `download` and `copyLocal`. */
export const runIngest: Handler = async (context, params) => {
  const brought =
    params.source.kind === 'file'
      ? await ingestFile(context, params, params.source)
      : await ingestAddress(context, params, params.source.url)
  const { sidecars, ...facts } = brought
  const mediaType = await readMediaType(sourcePath(context.sources, facts.digest))
  context.progress(1)
  return { ...facts, mediaType, sidecars }
}

async function ingestFile(
  context: StageContext,
  params: Params,
  { path, captions, captionsName }: Extract<Params['source'], { kind: 'file' }>,
): Promise<IngestedSource> {
  const sidecars =
    captions === undefined
      ? await localSidecars(path, context.folder)
      : await givenSidecar(captions, context.folder, captionsName)
  const { maxBytes, minFreeBytes, known } = params
  const onBytes = bytesProgress(context, 'Copying')
  const copied = await copyLocal({
    path,
    sources: context.sources,
    maxBytes,
    minFreeBytes,
    known,
    signal: context.signal,
    onBytes,
  })
  return { ...copied, finalUrl: null, sidecars }
}

async function ingestAddress(context: StageContext, params: Params, address: string) {
  if (!URL.canParse(address)) throw new AppError('INVALID_URL')
  const url = downloadUrl(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const message = `Only http and https addresses are fetched, not ${url.protocol}//.`
    throw new AppError('UNSUPPORTED_SOURCE_URL', { message })
  }
  const agent = guardedAgent(params.addresses, Math.min(30, params.idleTimeoutSeconds))
  const web = { context, params, agent, onBytes: bytesProgress(context, 'Downloading') }
  try {
    return isVideoSite(url) ? await ingestVideoPage(web, url) : await ingestFileAddress(web, address, url)
  } finally {
    await agent.destroy()
  }
}

async function ingestFileAddress(web: Web, address: string, url: URL): Promise<IngestedSource> {
  const { context, agent } = web
  try {
    const downloaded = await downloadFile(web, url)
    return { ...downloaded, sidecars: await remoteSidecars(address, agent, context.folder, context.signal) }
  } catch (error) {
    if (!(error instanceof PageFound)) throw error
    const next = await resolveConfirmPage(web, url, error.page)
    if (next === null) return ingestVideoPage(web, url)
    return { ...(await downloadFile(web, next, `${url.href}#confirmed`)), sidecars: [] }
  }
}

async function readMediaType(path: string): Promise<string> {
  const found = sniff(await readFileHead(path))
  return found.kind === 'media' ? found.mediaType : 'application/octet-stream'
}
