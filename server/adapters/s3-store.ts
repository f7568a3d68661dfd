/** Pieces as objects of a bucket, at any store that speaks S3: AWS, MinIO, Garage, Ceph, SeaweedFS, rclone. */
import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { AppError } from '../contract/errors.ts'
import type { BackupStore } from '../domain/backups/store.ts'

export interface S3Access {
  /** Base address of the store: `https://s3.eu-central-1.amazonaws.com`, `http://127.0.0.1:9000`. */
  readonly endpoint: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

/** For one answer: pieces are at most 4 MiB. */
const PATIENCE_MS = 120_000
/** A piece that was put longer ago than this is put again rather than kept: no object of S3 can be touched. */
const FRESH_MS = 12 * 3_600_000

const failed = (place: string, why: string, cause?: unknown): AppError =>
  new AppError('BACKUP_UNAVAILABLE', {
    message: `The backups at ${place} cannot be used: ${why}. Look at CUTROOM_S3_ENDPOINT, the bucket and its key.`,
    cause,
  })

const codeIn = (body: string): string => /<Code>([A-Za-z]{1,60})<\/Code>/.exec(body)?.[1] ?? ''

/** The text between tags; keys are names of ours, which need no escapes. */
const valuesIn = (body: string, tag: string): string[] =>
  [...body.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map((found) => found[1] ?? '')

/** `place`: `s3://BUCKET/PREFIX`. The bucket is addressed by path, as every store takes it. */
export function openS3Store(place: string, access: S3Access): BackupStore {
  const [bucket = '', ...rest] = place.slice('s3://'.length).split('/')
  const prefix = rest.filter((part) => part !== '').join('/')
  const keyOf = (name: string): string => (prefix === '' ? name : `${prefix}/${name}`)
  const client = new AwsClient({
    accessKeyId: access.keyId,
    secretAccessKey: access.secret,
    service: 's3',
    region: access.region,
    retries: 4,
  })
  const base = `${access.endpoint}/${encodeURIComponent(bucket)}`

  /** The answer; null: there is no such object. Throws BACKUP_UNAVAILABLE for anything else. */
  async function request(method: string, name: string, body?: Uint8Array): Promise<Response | null> {
    const path = name.startsWith('?') ? name : `/${keyOf(name).split('/').map(encodeURIComponent).join('/')}`
    let answer: Response
    try {
      answer = await client.fetch(`${base}${path}`, {
        method,
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body === undefined
          ? {}
          : {
              body: Buffer.from(body),
              headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
            }),
      })
    } catch (error) {
      throw failed(place, `the store does not answer (${reasonOf(error)})`, error)
    }
    if (answer.ok) return answer
    const code = codeIn(await answer.text())
    if (answer.status === 404 && code !== 'NoSuchBucket') return null
    if (answer.status === 507 || code === 'QuotaExceeded' || code === 'XMinioStorageFull')
      throw new AppError('DISK_FULL', `There is no room for the backup at ${place}. Free some there.`)
    throw failed(place, `the store answered ${answer.status} ${code}`.trim())
  }

  const putAt = async (name: string): Promise<number | null> => {
    const answer = await request('HEAD', name)
    const at = Date.parse(answer?.headers.get('last-modified') ?? '')
    return Number.isNaN(at) ? null : at
  }

  return {
    place,
    put: async (name, bytes) => {
      if ((await request('PUT', name, bytes)) === null)
        throw failed(place, 'the bucket does not take objects')
    },
    get: async (name) => {
      const answer = await request('GET', name)
      return answer === null ? null : Buffer.from(await answer.arrayBuffer())
    },
    keep: async (name) => {
      const at = await putAt(name)
      return at !== null && Date.now() - at < FRESH_MS
    },
    list: async (folder) => {
      const names: string[] = []
      let next = ''
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: `${keyOf(folder)}/` })
        if (next !== '') query.set('continuation-token', next)
        const body = await (await request('GET', `?${query.toString()}`))?.text()
        if (body === undefined) return names
        names.push(...valuesIn(body, 'Key').map((key) => key.slice(keyOf('').length)))
        next = valuesIn(body, 'NextContinuationToken')[0] ?? ''
      } while (next !== '')
      return names
    },
    putAt,
    remove: async (name) => void (await request('DELETE', name)),
  }
}

/** Of a failed fetch the cause has the sentence. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error)
}
