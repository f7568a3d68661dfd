/** Signed requests to one bucket of any store that speaks S3: AWS, MinIO, Garage, Ceph, SeaweedFS, rclone. */
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'

export interface S3Access {
  /** Base address of the store: `https://s3.eu-central-1.amazonaws.com`, `http://127.0.0.1:9000`. */
  readonly endpoint: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

/** `name`: of the object, below the place's prefix; empty for the bucket itself. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer<ArrayBuffer> | string
  readonly signal?: AbortSignal | undefined
  /** For the head of the answer, and without `signal` for all of it. */
  readonly patienceMs?: number
}

/** What the store answered in place of what was asked for. Never holds an address, which may be signed. */
export class S3Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(`the store answered ${status} ${code}`.trim())
    this.status = status
    this.code = code
  }
  get isFull(): boolean {
    return this.status === 507 || this.code === 'QuotaExceeded' || this.code === 'XMinioStorageFull'
  }
}

const TRIES = 5
const FIRST_PAUSE_MS = 100

const codeIn = (body: string): string => /<Code>([A-Za-z]{1,60})<\/Code>/.exec(body)?.[1] ?? ''

/** Text in an answer, with the five escapes of XML taken out. */
export const valuesIn = (body: string, tag: string): string[] =>
  [...body.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map((found) =>
    (found[1] ?? '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#34;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&apos;', "'")
      .replaceAll('&amp;', '&'),
  )

/** `place`: `s3://BUCKET/PREFIX`. The bucket is addressed by path, as every store takes it. */
export function openBucket(place: string, access: S3Access) {
  const [bucket = '', ...rest] = place.slice('s3://'.length).split('/')
  const prefix = rest.filter((part) => part !== '').join('/')
  const keyOf = (name: string): string => (prefix === '' ? name : `${prefix}/${name}`)
  const client = new AwsClient({
    accessKeyId: access.keyId,
    secretAccessKey: access.secret,
    service: 's3',
    region: access.region,
    retries: 0,
  })

  function urlOf(name: string, query: Readonly<Record<string, string>> = {}): string {
    const path = name === '' ? '' : `/${keyOf(name).split('/').map(encodeURIComponent).join('/')}`
    const search = new URLSearchParams(query).toString()
    return `${access.endpoint}/${encodeURIComponent(bucket)}${path}${search === '' ? '' : `?${search}`}`
  }

  async function once({ method, name, query, headers, body, signal, patienceMs = 120_000 }: S3Request) {
    const limit = AbortSignal.timeout(patienceMs)
    const answer = await client.fetch(urlOf(name, query), {
      method,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...(headers === undefined ? {} : { headers: { ...headers } }),
      ...(body === undefined ? {} : { body }),
    })
    if (answer.ok) return answer
    const code = codeIn(await answer.text())
    if (answer.status === 404 && code !== 'NoSuchBucket') return null
    throw new S3Refusal(answer.status, code)
  }

  /** The answer; null: there is no such object. Tries again what may pass. Throws S3Refusal, and what fetch throws. */
  async function request(wanted: S3Request): Promise<Response | null> {
    for (let tried = 1; ; tried++) {
      try {
        return await once(wanted)
      } catch (error) {
        wanted.signal?.throwIfAborted()
        const final = error instanceof S3Refusal && error.status < 500 && error.status !== 429
        if (final || tried === TRIES) throw error
        await pause(FIRST_PAUSE_MS * 2 ** tried, undefined, omitted(wanted.signal))
      }
    }
  }

  return {
    place,
    request,
    /** Names of a folder with their bytes, below the prefix. */
    list: async function* (
      folder: string,
      signal?: AbortSignal,
    ): AsyncGenerator<{ name: string; bytes: number }> {
      const start = keyOf('').length
      for (let next: string | undefined = ''; next !== undefined;) {
        const query: Record<string, string> = {
          'list-type': '2',
          prefix: folder === '' ? keyOf('') : `${keyOf(folder)}/`,
          ...(next === '' ? {} : { 'continuation-token': next }),
        }
        const body: string = (await (await request({ method: 'GET', name: '', query, signal }))?.text()) ?? ''
        const sizes = valuesIn(body, 'Size')
        for (const [index, key] of valuesIn(body, 'Key').entries())
          yield { name: key.slice(start), bytes: Number(sizes[index]) }
        next = valuesIn(body, 'NextContinuationToken')[0]
      }
    },
    /** An address that opens this one object by itself, for this method alone and a short time. Never logged. */
    sign: async (
      { method, name, query, headers }: Pick<S3Request, 'method' | 'name' | 'query' | 'headers'>,
      seconds: number,
    ): Promise<string> => {
      const url = urlOf(name, { ...query, 'X-Amz-Expires': String(seconds) })
      const aws = { signQuery: true, allHeaders: true }
      return (await client.sign(url, { method, headers: { ...headers }, aws })).url
    },
  }
}

export type Bucket = ReturnType<typeof openBucket>

const omitted = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })

/** Of a failed fetch the cause has the sentence. */
export function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error)
}
