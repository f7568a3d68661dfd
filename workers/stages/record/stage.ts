/** Records a stream. See declaration. */
import { AppError } from '../../../server/contract/errors.ts'
import type { StageHandler } from '../context.ts'
import { tellChunks } from './chunks.ts'
import { createFetcher } from './fetcher.ts'
import { recordHls } from './hls.ts'
import type { Ending, RecordJob } from './job.ts'
import { recordPull } from './pull.ts'
import { pullRtmp } from './pull-rtmp.ts'
import { pullSrt } from './pull-srt.ts'
import { openSpool } from './spool.ts'

function recorderOf({ protocol }: URL): (job: RecordJob) => Promise<Ending> {
  if (protocol === 'rtmp:' || protocol === 'rtmps:') return (job) => recordPull(job, () => pullRtmp(job))
  if (protocol === 'srt:') return (job) => recordPull(job, () => pullSrt(job))
  return recordHls
}

/**
 * Goes on from what the scratch folder holds. Throws SOURCE_UNREACHABLE, SOURCE_FORBIDDEN, SOURCE_NOT_VIDEO,
 * UNSUPPORTED_SOURCE_URL (protected streams), DISK_FULL and CANCELLED.
 */
export const runRecord: StageHandler<'record'> = async (context, params) => {
  const { addresses, idleTimeoutSeconds, url } = params
  if (!URL.canParse(url)) throw new AppError('INVALID_URL')
  const spool = await openSpool(context.temporary, params.done)
  const fetcher = createFetcher({ addresses, idleTimeoutSeconds, signal: context.signal })
  const job: RecordJob = { context, params, spool, fetcher }
  try {
    for (const message of spool.state().warnings) context.warn(message)
    tellChunks(job)
    const ended = await recorderOf(new URL(url))(job)
    const { live, chunks } = spool.state()
    return { live, ended, chunks: [...chunks] }
  } finally {
    await fetcher.close()
  }
}
