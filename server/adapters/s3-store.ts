/** Pieces of backups as objects of a bucket. */
import { createHash } from 'node:crypto'
import { AppError } from '../contract/errors.ts'
import type { BackupStore } from '../domain/backups/store.ts'
import { openBucket, reasonOf, S3Refusal, type S3Access, type S3Request } from './s3-bucket.ts'

/** A piece that was put longer ago than this is put again rather than kept: no object of S3 can be touched. */
const FRESH_MS = 12 * 3_600_000

const failed = (place: string, why: string, cause?: unknown): AppError =>
  new AppError('BACKUP_UNAVAILABLE', {
    message: `The backups at ${place} cannot be used: ${why}. Look at CUTROOM_S3_ENDPOINT, the bucket and its key.`,
    cause,
  })

function failureOf(place: string, error: unknown): AppError {
  if (!(error instanceof S3Refusal))
    return failed(place, `the store does not answer (${reasonOf(error)})`, error)
  if (error.isFull)
    return new AppError('DISK_FULL', `There is no room for the backup at ${place}. Free some there.`)
  return failed(place, error.message, error)
}

/** `place`: `s3://BUCKET/PREFIX`. */
export function openS3Store(place: string, access: S3Access): BackupStore {
  const bucket = openBucket(place, access)

  /** The answer; null: there is no such object. Throws BACKUP_UNAVAILABLE for anything else. */
  const request = (wanted: S3Request): Promise<Response | null> =>
    bucket.request(wanted).catch((error: unknown) => {
      throw failureOf(place, error)
    })

  const putAt = async (name: string): Promise<number | null> => {
    const answer = await request({ method: 'HEAD', name })
    const at = Date.parse(answer?.headers.get('last-modified') ?? '')
    return Number.isNaN(at) ? null : at
  }

  return {
    place,
    put: async (name, bytes) => {
      const headers = { 'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex') }
      if ((await request({ method: 'PUT', name, headers, body: Buffer.from(bytes) })) === null)
        throw failed(place, 'the bucket does not take objects')
    },
    get: async (name) => {
      const answer = await request({ method: 'GET', name })
      return answer === null ? null : Buffer.from(await answer.arrayBuffer())
    },
    keep: async (name) => {
      const at = await putAt(name)
      return at !== null && Date.now() - at < FRESH_MS
    },
    list: async (folder) => {
      const names: string[] = []
      try {
        for await (const { name } of bucket.list(folder)) names.push(name)
      } catch (error) {
        throw failureOf(place, error)
      }
      return names
    },
    putAt,
    remove: async (name) => void (await request({ method: 'DELETE', name })),
  }
}
