/** Changes of a database as one object: a line of JSON, then the pages, deflated. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { PAGE_BYTES } from '../../db/log-format.ts'
import type { PageChanges } from '../../db/log-reader.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

const Head = Type.Object({
  version: Type.Literal(1),
  /** Numbers of the pages, in the order of their content. */
  pages: Type.Array(Type.Integer({ minimum: 1 })),
  /** Pages of the database afterwards. */
  size: Type.Integer({ minimum: 1 }),
  /** SHA-256 of the content. */
  sum: Type.String(),
})

/** SHA-256 in hex. */
export const sumOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** Quickly rather than small: somebody waits for it. */
export async function packChanges({ pages, size }: PageChanges): Promise<Buffer> {
  const content = Buffer.concat([...pages.values()])
  const head = { version: 1, pages: [...pages.keys()], size, sum: sumOf(content) }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), await deflate(content, { level: 1 })])
}

/** Throws where it is not what was packed. */
export async function unpackChanges(bytes: Buffer): Promise<PageChanges> {
  const end = bytes.indexOf('\n')
  const { pages, size, sum } = Value.Decode(Head, JSON.parse(bytes.subarray(0, end).toString('utf8')))
  const content: Buffer = await inflate(bytes.subarray(end + 1))
  if (content.length !== pages.length * PAGE_BYTES || sumOf(content) !== sum)
    throw new Error('the changes are not what was written')
  return {
    pages: new Map(pages.map((page, at) => [page, content.subarray(at * PAGE_BYTES, (at + 1) * PAGE_BYTES)])),
    size,
  }
}
