/** The library's routes: GET, POST, PATCH and DELETE under /studio/library, by session cookie or API key. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  Library,
  LibraryAddRequest,
  LibraryFolder,
  LibraryFolderRequest,
  LibraryItem,
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
import type { Services } from '../../domain/services.ts'
import { describeRoute, done, Done } from '../answers.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { contextOf, principalOf } from '../request-context.ts'
import { companyFor, companyInQuery, CompanyQuery } from './company.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { storeUpload } from '../../domain/library/uploads.ts'
import type { Principal } from '../authenticate.ts'
import { sendJson } from '../respond.ts'

const LibraryQuery = Type.Object({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  folderId: Type.Optional(Type.String({ minLength: 1 })),
  kind: Type.Optional(
    Type.Union([Type.Literal('image'), Type.Literal('video'), Type.Literal('audio')], {
      description: 'Left out: pictures and videos',
    }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: 500, description: 'Words that tags or name hold, all of them' }),
  ),
})
const ItemAnswer = Type.Object({ item: LibraryItem })
const AddedAnswer = Type.Object({ item: LibraryItem, added: Type.Boolean() })
const FolderAnswer = Type.Object({ folder: LibraryFolder })
const RenamedAnswer = Type.Object({ folder: Type.Pick(LibraryFolder, ['id', 'name']) })
const ItemDeletedAnswer = Type.Object({ status: Type.Literal('success'), fileDeleted: Type.Boolean() })

const NO_COMPANY = ['COMPANY_NOT_FOUND'] as const
const NOT_THERE = ['NOT_FOUND', 'COMPANY_NOT_FOUND'] as const
const NOT_ADDED = [
  ...NOT_THERE,
  'SOURCE_NOT_VIDEO',
  'SOURCE_TOO_LARGE',
  'SOURCE_UNREACHABLE',
  'QUOTA_EXCEEDED',
  'DISK_FULL',
  'CANCELLED',
] as const

/** In bodies a null is a field that was not sent, so no folder is an empty name. */
const inFolder = (folderId: string | undefined): { folderId?: string | null } =>
  folderId === undefined ? {} : { folderId: folderId === '' ? null : folderId }

/** Items: list, add, change, take out. */
export function libraryItemRoutes(services: Services) {
  const company = (request: Request, given?: string) => companyFor(services, principalOf(request), given)
  return new Elysia({ prefix: '/studio/library' })
    .get(
      '',
      (ctx) => {
        const { companyId: given, ...query } = readQuery(ctx, LibraryQuery)
        const { baseUrl } = contextOf(ctx.request)
        return readLibraryWithAddresses(services, {
          ...query,
          companyId: company(ctx.request, given),
          baseUrl,
        })
      },
      describeRoute('Pictures and videos for clips, and their folders', Library, {
        query: LibraryQuery,
        errors: NOT_THERE,
      }),
    )
    .post(
      '',
      (ctx) => {
        const { companyId, folderId, ...item } = ctx.body
        const addition = { ...item, ...inFolder(folderId), companyId: company(ctx.request, companyId) }
        return addUploadToLibrary(services, addition, ctx.request.signal)
      },
      describeRoute('Add an upload to the library', AddedAnswer, {
        body: jsonBody(LibraryAddRequest),
        errors: NOT_ADDED,
      }),
    )
    .patch(
      '/items/:itemId',
      (ctx) => {
        const { companyId, folderId, ...changes } = ctx.body
        const { itemId } = ctx.params
        const item = changeLibraryItem(services, {
          ...changes,
          ...inFolder(folderId),
          itemId,
          companyId: company(ctx.request, companyId),
        })
        return { item }
      },
      describeRoute('Change name, tags or folder of an item', ItemAnswer, {
        body: jsonBody(LibraryItemChanges),
        errors: NOT_THERE,
      }),
    )
    .delete(
      '/items/:itemId',
      async (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        const deleted = await deleteLibraryItem(services, { companyId, itemId: ctx.params.itemId })
        return { status: 'success' as const, ...deleted }
      },
      describeRoute('Take an item out of the library', ItemDeletedAnswer, {
        query: CompanyQuery,
        errors: NOT_THERE,
      }),
    )
}

/** Folders: make, rename, delete. */
export function libraryFolderRoutes(services: Services) {
  const folder = jsonBody(LibraryFolderRequest)
  const company = (request: Request, given?: string) => companyFor(services, principalOf(request), given)
  return new Elysia({ prefix: '/studio/library' })
    .post(
      '/folders',
      (ctx) => {
        const companyId = company(ctx.request, ctx.body.companyId)
        return { folder: createFolder(services, { companyId, name: ctx.body.name }) }
      },
      describeRoute('Make a folder', FolderAnswer, { body: folder, errors: NO_COMPANY }),
    )
    .patch(
      '/folders/:folderId',
      (ctx) => {
        const companyId = company(ctx.request, ctx.body.companyId)
        const { folderId } = ctx.params
        return { folder: renameLibraryFolder(services, { companyId, folderId, name: ctx.body.name }) }
      },
      describeRoute('Rename a folder', RenamedAnswer, { body: folder, errors: NOT_THERE }),
    )
    .delete(
      '/folders/:folderId',
      (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        deleteLibraryFolder(services, { companyId, folderId: ctx.params.folderId })
        return done
      },
      describeRoute('Delete a folder; its items stay, in none', Done, {
        query: CompanyQuery,
        errors: NOT_THERE,
      }),
    )
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
  const length = request.headers['content-length']
  request.setTimeout(IDLE_MS, () => request.destroy(new Error('the upload stalled')))
  const stored = await storeUpload(services, {
    companyId,
    name: query.get('name') ?? '',
    stream: request,
    bytes: length === undefined ? null : Number(length),
  })
  request.setTimeout(0)
  sendJson(response, 200, stored)
}
