import { AppError } from '../../../server/contract/errors.ts'
import type { StageHandler } from '../context.ts'
import { publishChunks } from './chunks.ts'
import { createFetcher } from './fetcher.ts'
import { recordHls } from './hls.ts'
import type { Ending, RecordJob } from './job.ts'
import { recordPull } from './pull.ts'
import { openSpool } from './spool.ts'

/** RTMP and SRT are used far less than HLS: their clients are optional parts, loaded when an address needs them. */
async function record({ protocol }: URL, job: RecordJob): Promise<Ending> {
  if (protocol === 'rtmp:' || protocol === 'rtmps:') {
    const { pullRtmp } = await import('./pull-rtmp.ts')
    return recordPull(job, () => pullRtmp(job))
  }
  if (protocol === 'srt:') {
    const { pullSrt } = await import('./pull-srt.ts')
    return recordPull(job, () => pullSrt(job))
  }
  return recordHls(job)
}

/** Records a livestream in chunks, and continues after an interruption from the segments in its scratch folder. */
export const runRecord: StageHandler<'record'> = async (context, params) => {
  const { addresses, idleTimeoutSeconds, url } = params
  if (!URL.canParse(url)) throw new AppError('INVALID_URL')
  const spool = await openSpool(context.temporary, params.done)
  const fetcher = createFetcher({ addresses, idleTimeoutSeconds, signal: context.signal })
  const job: RecordJob = { context, params, spool, fetcher }
  try {
    for (const message of spool.state().warnings) context.warn(message)
    publishChunks(job)
    const ended = await record(new URL(url), job)
    const { live, chunks } = spool.state()
    return { live, ended, chunks: [...chunks] }
  } finally {
    await fetcher.close()
  }
}
