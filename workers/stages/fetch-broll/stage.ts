/** Fetches what a service hands out: a Getty picture by its delivery address, a YouTube video by the user's yt-dlp. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keptAddress } from '../../../server/contract/asset.ts'
import { pictureArguments } from '../../media/arguments/yt-dlp.ts'
import { bytesProgress } from '../bytes-progress.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import { LOOKING } from '../fetch-asset/media.ts'
import { runFetchAsset } from '../fetch-asset/stage.ts'
import { keepFinished } from '../ingest/keep.ts'
import { download, withYtDlp } from '../ingest/yt-dlp.ts'
import type { Access } from '../search-broll/ask.ts'
import { gettyDelivery } from '../search-broll/providers/getty.ts'
import { keyOf } from '../search-broll/providers/searcher.ts'

type Handler = StageHandler<'fetch-broll'>
type Params = Parameters<Handler>[1]

const FILE = /^video\.[a-z0-9]{1,5}$/u

export const runFetchBroll: Handler = async (context, params) => {
  const { provider, id, access, refusal, maxBytes, totalTimeoutSeconds } = params
  if (access === null) throw stageError('SOURCE_FORBIDDEN', refusal)
  const { addresses, idleTimeoutSeconds } = access
  const asset = { addresses, maxBytes, idleTimeoutSeconds, totalTimeoutSeconds }
  if (provider === 'getty') {
    const url = await gettyDelivery(access, id, context.signal)
    return runFetchAsset(context, { ...asset, url, kind: 'image' })
  }
  const digest = await downloadVideo(context, access, params)
  // This run has just fetched it.
  return runFetchAsset(context, { ...asset, url: keptAddress(digest), kind: 'video', owned: true })
}

/** Downloads the picture of a video, without sound, and keeps it; its SHA-256. */
async function downloadVideo(
  context: StageContext,
  access: Access,
  { id, maxBytes, totalTimeoutSeconds }: Params,
): Promise<string> {
  context.progress(0, 'Downloading a video')
  const say = bytesProgress(context, 'Downloading', LOOKING)
  const { temporary: folder, signal } = context
  const { addresses, idleTimeoutSeconds } = access
  const tool = {
    ...{ executable: keyOf(access, 'ytDlp'), addresses, signal },
    ...{ totalTimeoutSeconds, idleTimeoutSeconds },
  }
  await withYtDlp(tool, (start) =>
    download(tool, start, {
      args: (proxy) => pictureArguments({ id, folder, maxBytes: maxBytes.video, proxy }),
      onBytes: (done, total) => {
        if (done > maxBytes.video) throw tooLarge()
        say(done, total)
      },
    }),
  )
  const name = (await readdir(context.temporary)).find((file) => FILE.test(file))
  if (name === undefined) throw tooLarge()
  const path = join(context.temporary, name)
  const { size } = await stat(path)
  if (size > maxBytes.video) throw tooLarge()
  return keepFinished(context.sources, path, size, context.signal)
}

const tooLarge = (): Error =>
  stageError(
    'SOURCE_TOO_LARGE',
    'The video is larger than is accepted, or yt-dlp may not fetch it. Choose another, or put a file into the library.',
  )
