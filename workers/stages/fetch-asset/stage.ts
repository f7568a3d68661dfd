/** Brings a file that nodes name by address into the home, inspects it, and stores it once by its content. */
import { GlobalFonts } from '@napi-rs/canvas'
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { storedFileDigest, type AssetKind } from '../../../server/contract/asset.ts'
import { soundOfAddress } from '../../../server/contract/sounds.ts'
import { fileAlias } from '../../compositor/fonts.ts'
import { sourcePath } from '../../paths.ts'
import { bytesProgress, stageError, type StageContext, type StageHandler } from '../context.ts'
import { storeSource, readFileHead, writeSynced } from '../ingest/keep.ts'
import { sniff } from '../ingest/pure/media-type.ts'
import { fetchFile, tooLarge, type FetchedFile } from './fetch-file.ts'
import { INSPECTION_STARTS_AT, inspectMedia } from './media.ts'
import { inspectPicture } from './picture.ts'
import { fontHead, judgeHead } from './pure/judge-head.ts'

type Handler = StageHandler<'fetch-asset'>
type Params = Parameters<Handler>[1]
type Output = Awaited<ReturnType<Handler>>

const PICTURES = 'image/png,image/jpeg,image/webp,image/gif;q=0.9,'
const ACCEPT: Readonly<Record<AssetKind, string>> = {
  image: `${PICTURES}*/*;q=0.1`,
  video: 'video/mp4,video/webm,video/*;q=0.9,*/*;q=0.1',
  audio: 'audio/*,video/mp4;q=0.5,*/*;q=0.1',
  font: 'font/woff2,font/ttf,font/otf,*/*;q=0.1',
  media: `${PICTURES}video/mp4,video/webm,video/*;q=0.9,*/*;q=0.1`,
}

/** Path of the file; `stored` when it is in its final place. */
interface LocalFile extends FetchedFile {
  readonly path: string
  readonly stored: boolean
}

export const runFetchAsset: Handler = async (context, params) => {
  const local = await obtainFile(context, params)
  context.progress(INSPECTION_STARTS_AT)
  const head = await readFileHead(local.path)
  const judged = judgeHead(head, params.kind)
  if (judged.kind === 'refused') throw stageError('SOURCE_NOT_VIDEO', judged.why)
  if (local.bytes > params.maxBytes[judged.limit]) throw tooLarge(params.maxBytes[judged.limit])
  const output = await buildOutput(context, params.kind, judged.kind, local, head)
  if (!local.stored) await storeSource(context.sources, local.path, local.digest, local.bytes)
  context.progress(1)
  return output
}

function buildOutput(
  context: StageContext,
  wanted: AssetKind,
  judged: 'picture' | 'media' | 'font' | 'unsure',
  local: LocalFile,
  head: Buffer,
): Output | Promise<Output> {
  if (judged === 'picture') return pictureOutput(context, local)
  if (judged !== 'font') return mediaOutput(context, wanted, local, head)
  const { path, digest, bytes } = local
  return { kind: 'font', digest, bytes, ...inspectFont(path, digest, head) }
}

async function pictureOutput(context: StageContext, { path, digest, bytes }: LocalFile): Promise<Output> {
  const { mediaType, picture } = await inspectPicture(path, digest, (message) => context.warn(message))
  return { kind: 'image', digest, bytes, mediaType, picture }
}

async function mediaOutput(
  context: StageContext,
  wanted: AssetKind,
  { path, digest, bytes }: LocalFile,
  head: Buffer,
): Promise<Output> {
  const { video, sound } = await inspectMedia(context, path, digest, wanted === 'audio' ? 'sound' : 'any')
  const found = sniff(head)
  const mediaType = found.kind === 'media' ? found.mediaType : 'application/octet-stream'
  if (video !== null) return { kind: 'video', digest, bytes, mediaType, video, sound }
  if (sound === null || wanted === 'video') {
    throw stageError('SOURCE_NOT_VIDEO', 'There is no picture in this file, and a video is needed here.')
  }
  return { kind: 'audio', digest, bytes, mediaType, sound }
}

/** The file of an address: one that the home has already, one inside the address, or a download. */
async function obtainFile(context: StageContext, params: Params): Promise<LocalFile> {
  if (params.url.startsWith('cutroom-source:')) return fileFromHome(context, params)
  const sound = soundOfAddress(params.url)
  if (sound !== null) return fileOfOurs(context, join('sounds', `${sound}.wav`))
  const path = join(context.temporary, 'asset')
  if (/^data:/iu.test(params.url)) return fileFromData(path, params.url)
  const { maxBytes, kind } = params
  const fetched = await fetchFile(
    {
      ...params,
      target: path,
      maxBytes: kind === 'media' ? Math.max(...Object.values(maxBytes)) : maxBytes[findLimit(kind)],
      judge: (head) => {
        const judged = judgeHead(head, kind)
        if (judged.kind === 'refused') throw stageError('SOURCE_NOT_VIDEO', judged.why)
        return maxBytes[judged.limit]
      },
      accept: ACCEPT[kind],
      onBytes: bytesProgress(context, 'Downloading', INSPECTION_STARTS_AT),
    },
    context.signal,
  )
  return { ...fetched, path, stored: false }
}

/** The limit that applies before the first bytes are known. A plan sets smaller limits for fonts. */
function findLimit(kind: Exclude<AssetKind, 'media'>): keyof Params['maxBytes'] {
  return kind === 'font' ? 'image' : kind
}

/** Such a file is named by its SHA-256 only, so that no other path on the disk can be meant. */
async function fileFromHome(context: StageContext, { url, owned }: Params): Promise<LocalFile> {
  const digest = storedFileDigest(url)
  if (digest === null) {
    throw stageError(
      'INVALID_URL',
      'cutroom-source: is followed by the SHA-256 of a stored file, 64 characters.',
    )
  }
  // The same answer for a file of another company as for one that does not exist.
  if (owned !== true) {
    const message =
      'No file of this company has this SHA-256. Add it to the library first: cutroom library add FILE'
    throw stageError('SOURCE_FORBIDDEN', message, { details: { digest } })
  }
  const path = sourcePath(context.sources, digest)
  try {
    const { size } = await stat(path)
    return { path, digest, bytes: size, stored: true }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    const message = 'This file is no longer in the home. Add it again.'
    throw stageError('SOURCE_UNREACHABLE', message, { details: { digest }, cause })
  }
}

/** A copy of a file that comes with the appliance, by its name in `resources`. */
async function fileOfOurs(context: StageContext, name: string): Promise<LocalFile> {
  const path = join(context.temporary, 'asset')
  const bytes = await readFile(join(context.resources, name))
  await writeSynced(path, bytes)
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { path, digest, bytes: bytes.length, stored: false }
}

async function fileFromData(path: string, url: string): Promise<LocalFile> {
  const bytes = dataBytes(url)
  await writeSynced(path, bytes)
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { path, digest, bytes: bytes.length, stored: false }
}

/** Throws SOURCE_NOT_VIDEO with a sentence for users. */
function inspectFont(path: string, digest: string, head: Uint8Array): { mediaType: string } {
  const judged = fontHead(head)
  if (judged.kind === 'refused') throw stageError('SOURCE_NOT_VIDEO', judged.why)
  if (GlobalFonts.registerFromPath(path, fileAlias(digest)) === null) {
    throw stageError('SOURCE_NOT_VIDEO', 'The font is damaged and cannot be read.')
  }
  return { mediaType: judged.mediaType }
}

/** Maximum number of decoded bytes. */
const MAX_DATA_BYTES = 10_000_000

/** The bytes of a `data:` address. Throws INVALID_URL if it cannot be decoded, SOURCE_TOO_LARGE above 10 MB. */
function dataBytes(address: string): Buffer {
  const comma = address.indexOf(',')
  if (comma < 0) {
    throw stageError('INVALID_URL', 'This data: address has no data: put a comma before it.')
  }
  const isBase64 = /;\s*base64\s*$/iu.test(address.slice(0, comma))
  const body = percentDecoded(address.slice(comma + 1))
  const bytes = isBase64 ? fromBase64(body.toString('latin1')) : body
  if (bytes.length > MAX_DATA_BYTES) {
    const message = `A data: address may hold ${MAX_DATA_BYTES / 1e6} MB. Put larger files on a server.`
    throw stageError('SOURCE_TOO_LARGE', message, { details: { maxBytes: MAX_DATA_BYTES } })
  }
  return bytes
}

/** Turns `%41` into its byte and leaves invalid escapes unchanged, as browsers do. */
function percentDecoded(text: string): Buffer {
  const raw = Buffer.from(text, 'utf8')
  const out = Buffer.alloc(raw.length)
  let length = 0
  for (let at = 0; at < raw.length; at++) {
    const pair = raw[at] === 0x25 ? raw.toString('latin1', at + 1, at + 3) : ''
    const escaped = /^[0-9a-f]{2}$/iu.test(pair)
    out[length++] = escaped ? Number.parseInt(pair, 16) : (raw[at] ?? 0)
    if (escaped) at += 2
  }
  return out.subarray(0, length)
}

function fromBase64(text: string): Buffer {
  const letters = text.replace(/\s+/gu, '')
  if (!/^[\w+/-]*={0,2}$/u.test(letters) || letters.replace(/=+$/u, '').length % 4 === 1) {
    throw stageError('INVALID_URL', 'The data of this data: address is not valid base64.')
  }
  return Buffer.from(letters, 'base64')
}
