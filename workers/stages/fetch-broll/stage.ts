/** Fetches a Getty picture by its delivery address, or a YouTube video with the user's yt-dlp. */
import { storedFileAddress } from '../../../server/contract/asset.ts'
import { pictureArguments } from '../../media/arguments/yt-dlp.ts'
import { bytesProgress, stageError, type StageContext, type StageHandler } from '../context.ts'
import { INSPECTION_STARTS_AT } from '../fetch-asset/media.ts'
import { runFetchAsset } from '../fetch-asset/stage.ts'
import { withYtDlp } from '../ingest/yt-dlp.ts'
import { type Access, keyOf } from '../search-broll/ask.ts'
import { gettyDelivery } from '../search-broll/providers/getty.ts'

type Handler = StageHandler<'fetch-broll'>
type Params = Parameters<Handler>[1]

export const runFetchBroll: Handler = async (context, params) => {
  const { provider, id, access, refusal, maxBytes, minFreeBytes, totalTimeoutSeconds } = params
  if (access === null) throw stageError('SOURCE_FORBIDDEN', refusal)
  const { addresses, idleTimeoutSeconds } = access
  const asset = { addresses, maxBytes, minFreeBytes, idleTimeoutSeconds, totalTimeoutSeconds }
  if (provider === 'getty') {
    const url = await gettyDelivery(access, id, context.signal)
    return runFetchAsset(context, { ...asset, url, kind: 'image' })
  }
  const digest = await downloadVideo(context, access, params)
  // The file has just been fetched by this run, so the company may use it.
  return runFetchAsset(context, { ...asset, url: storedFileAddress(digest), kind: 'video', owned: true })
}

/** Downloads the picture of a video without sound and stores it. Resolves to its SHA-256. */
async function downloadVideo(
  context: StageContext,
  access: Access,
  { id, maxBytes, minFreeBytes, totalTimeoutSeconds }: Params,
): Promise<string> {
  context.progress(0, 'Downloading a video')
  const say = bytesProgress(context, 'Downloading', INSPECTION_STARTS_AT)
  const { addresses, idleTimeoutSeconds } = access
  const tool = {
    executable: keyOf(access, 'ytDlp'),
    context,
    addresses,
    totalTimeoutSeconds,
    idleTimeoutSeconds,
    maxBytes: maxBytes.video,
    minFreeBytes,
    tooLarge,
  }
  const args = { id, folder: context.temporary, maxBytes: maxBytes.video }
  const { digest } = await withYtDlp(tool, ({ download }) =>
    download((proxy) => pictureArguments({ ...args, proxy }), say),
  )
  return digest
}

const tooLarge = (): Error =>
  stageError(
    'SOURCE_TOO_LARGE',
    'The video is larger than allowed, or yt-dlp cannot fetch it. Choose another one, or add a file to the library.',
  )
