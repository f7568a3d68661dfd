/** The library's routes: GET, POST, PATCH and DELETE under /studio/library, and what uploads are received by. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { choice } from '../../contract/config-fields.ts'
import {
  LIBRARY_KINDS,
  LibraryAddRequest,
  LibraryFolderRequest,
  LibraryItemChanges,
} from '../../contract/library.ts'
import {
  addUploadToLibrary,
  changeLibraryItem,
  createFolder,
  deleteLibraryFolder,
  deleteLibraryItem,
  readLibraryWithAddresses,
  renameLibraryFolder,
} from '../../domain/library/library.ts'
import { deleteUnusedItem, libraryItemUses } from '../../domain/library/uses.ts'
import { storeUpload } from '../../domain/library/uploads.ts'
import type { Services } from '../../domain/services.ts'
import type { Principal } from '../authenticate.ts'
import { acceptBody, done, readQuery } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { requirePlainBody, sendJson } from '../respond.ts'
import { companyFor, companyInBody, companyInQuery } from './company.ts'

const LibraryQuery = Type.Object({
  folderId: Type.Optional(Type.String({ minLength: 1 })),
  kind: Type.Optional(choice(LIBRARY_KINDS)),
  search: Type.Optional(Type.String({ maxLength: 500 })),
})

/** `unused`: what is used stays, and the answer says by what. */
const DeleteQuery = Type.Object({ unused: Type.Optional(Type.Boolean()) })

/** In bodies a null is a field that was not sent, so no folder is an empty name. */
const inFolder = (folderId: string | undefined): { folderId?: string | null } =>
  folderId === undefined ? {} : { folderId: folderId === '' ? null : folderId }

export function libraryRoutes(services: Services) {
  const company = companyInQuery(services)
  const named = companyInBody(services)
  return new Elysia({ prefix: '/studio/library' })
    .get('', (ctx) => {
      const { baseUrl } = contextOf(ctx.request)
      const query = { companyId: company(ctx), ...readQuery(ctx, LibraryQuery) }
      return readLibraryWithAddresses(services, { ...query, baseUrl })
    })
    .post(
      '',
      (ctx) => {
        const { folderId, ...item } = ctx.body
        const addition = { ...item, ...inFolder(folderId), companyId: named(ctx) }
        return addUploadToLibrary(services, addition, ctx.request.signal)
      },
      acceptBody(LibraryAddRequest),
    )
    .patch(
      '/items/:itemId',
      (ctx) => {
        const { folderId, ...changes } = ctx.body
        const place = { ...ctx.params, ...inFolder(folderId), companyId: named(ctx) }
        return { item: changeLibraryItem(services, { ...changes, ...place }) }
      },
      acceptBody(LibraryItemChanges),
    )
    .delete('/items/:itemId', async (ctx) => {
      const { unused = false } = readQuery({ request: ctx.request, params: {} }, DeleteQuery)
      const remove = unused ? deleteUnusedItem : deleteLibraryItem
      return { ...done, ...(await remove(services, { companyId: company(ctx), ...ctx.params })) }
    })
    .get('/items/:itemId/uses', (ctx) =>
      libraryItemUses(services, { companyId: company(ctx), ...ctx.params }),
    )
    .post(
      '/folders',
      (ctx) => ({ folder: createFolder(services, { companyId: named(ctx), name: ctx.body.name }) }),
      acceptBody(LibraryFolderRequest),
    )
    .patch(
      '/folders/:folderId',
      (ctx) => ({
        folder: renameLibraryFolder(services, { ...ctx.body, ...ctx.params, companyId: named(ctx) }),
      }),
      acceptBody(LibraryFolderRequest),
    )
    .delete('/folders/:folderId', (ctx) => {
      deleteLibraryFolder(services, { companyId: company(ctx), ...ctx.params })
      return done
    })
}

/** A client that sends nothing for this long is given up. */
const IDLE_MS = 60_000

/** Answers the upload as it is stored. Throws what storeUpload and companyFor do; a client that stalls is cut off. */
export async function receiveUpload(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  context: { principal: Principal; query: URLSearchParams },
): Promise<void> {
  const { principal, query } = context
  const companyId = companyFor(services, principal, query.get('companyId') ?? undefined)
  requirePlainBody(request)
  const length = request.headers['content-length']
  request.setTimeout(IDLE_MS, () => request.destroy(new Error('the upload stalled')))
  const stored = await storeUpload(services, {
    companyId,
    name: query.get('name') ?? '',
    stream: request,
    bytes: length === undefined ? null : Number(length),
  })
  await services.charge?.settled()
  request.setTimeout(0)
  sendJson(response, 200, stored)
}
