/** Runs as people start them in the studio: on an upload, on an address, or on the sample. */
import { AppError } from '../../contract/errors.ts'
import type { RunSource } from '../../contract/run.ts'
import type { StudioRunRequest } from '../../contract/studio.ts'
import type { Services } from '../services.ts'
import { startLocalRun } from './start-run.ts'
import { sampleSource } from '../clips/studio-overview.ts'
import { uploadSource } from '../library/uploads.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

type Deps = Parameters<typeof startLocalRun>[0]

/** INVALID_REQUEST unless exactly one source is named, or where the upload is not there; all else as startLocalRun. */
export function startStudioRun(
  services: Deps,
  { companyId, workflowId, nodeConfigs, ...asked }: StudioRunRequest & { readonly companyId: string },
): { triggerId: string } {
  return startLocalRun(services, {
    companyId,
    workflowId,
    source: sourceOf(services, companyId, asked),
    ...omitUndefined({ nodeConfigs }),
  })
}

function sourceOf(
  services: Pick<Services, 'config' | 'db' | 'home'>,
  companyId: string,
  { url, uploadId, sample }: Pick<StudioRunRequest, 'url' | 'uploadId' | 'sample'>,
): RunSource {
  if ([url, uploadId, sample].filter((given) => given !== undefined).length !== 1)
    throw new AppError('INVALID_REQUEST', {
      message: 'Give one of "url", "uploadId" and "sample".',
      details: { field: 'url' },
    })
  if (sample === true) return sampleSource(services)
  return uploadId === undefined
    ? { kind: 'url', url: url ?? '' }
    : uploadSource(services, { companyId, uploadId })
}
