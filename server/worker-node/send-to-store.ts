/** The files of a result on their way to the store: in parts, by addresses, read back before they count. */
import { AppError } from '../contract/errors.ts'
import type { ArtefactFile } from '../contract/tenant-api/worker.ts'
import type { LeasedTaskCalls } from './appliance.ts'
import type { NodeBucket } from './bucket.ts'

interface Sender {
  readonly appliance: LeasedTaskCalls
  readonly bucket: NodeBucket
}

interface ResultName {
  readonly stage: string
  readonly key: string
}

type FileToSend = ArtefactFile & { readonly file: string }

/** Throws STORE_UNAVAILABLE, VALIDATION_FAILED where the store has not what was sent, and what calls of the appliance throw. */
export async function sendToStore(
  { appliance, bucket }: Sender,
  result: ResultName,
  files: readonly FileToSend[],
  signal: AbortSignal,
): Promise<void> {
  if (files.length === 0) return
  const wanted = files.map(({ path, bytes }) => ({ path, bytes }))
  const begun = await appliance.beginUploads({ ...result, files: wanted }, signal)
  const sent: { path: string; bytes: number; uploadId: string; etags: string[] }[] = []
  for (const { path, bytes, file } of files) {
    let upload = find(begun.files, path)
    const etags: string[] = []
    for (const index of upload.addresses.keys()) {
      const start = index * upload.partBytes
      const address = async (again: boolean): Promise<string> => {
        const { uploadId } = upload
        if (again) {
          const next = await appliance.beginUploads({ ...result, files: [{ path, bytes, uploadId }] }, signal)
          upload = find(next.files, path)
        }
        return upload.addresses[index] ?? ''
      }
      const part = { path: file, start, bytes: Math.min(upload.partBytes, bytes - start), address }
      etags.push(await bucket.sendPart(part, signal))
    }
    sent.push({ path, bytes, uploadId: upload.uploadId, etags })
  }
  const ended = await appliance.endUploads({ ...result, files: sent }, signal)
  for (const { path, sha256 } of files) {
    const { address } = find(ended.files, path)
    if ((await bucket.digest(() => Promise.resolve(address), signal)) !== sha256)
      throw new AppError('VALIDATION_FAILED', `The store has not what was sent: ${path}.`)
  }
}

function find<File extends { readonly path: string }>(files: readonly File[], path: string): File {
  const found = files.find((one) => one.path === path)
  if (found === undefined)
    throw new AppError('INTERNAL', 'The appliance names no address for a file of the result.')
  return found
}
