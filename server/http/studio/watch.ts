/** Watched folders, for owners: they name folders of this machine (http/abilities.ts). */
import { Elysia } from 'elysia'
import { WatchFolderChange, WatchFolderRequest, type WatchFolders } from '../../contract/watch.ts'
import { watchRoots } from '../../domain/watch/folder-paths.ts'
import {
  addWatchFolder,
  changeWatchFolder,
  describeWatchFolder,
  describeWatchFolders,
  removeWatchFolder,
  retryWatched,
} from '../../domain/watch/watch-folders.ts'
import type { Services } from '../../domain/services.ts'
import { acceptBody, done } from '../json-body.ts'
import { companyInBody, isShown } from './company.ts'

/** Newest first; older ones are for the command line. */
const MAX_FILES_SHOWN = 100

export function watchRoutes(services: Services) {
  const roots = watchRoots(services.config)
  return new Elysia({ prefix: '/studio/watch-folders' })
    .get('', (ctx): WatchFolders => {
      const isOurs = isShown(ctx)
      const folders = describeWatchFolders(services, null).filter(({ companyId }) => isOurs(companyId))
      return { folders, roots: [...roots] }
    })
    .post(
      '',
      async (ctx) => {
        const companyId = companyInBody(services)(ctx)
        return { folder: await addWatchFolder(services, { ...ctx.body, companyId, roots }) }
      },
      acceptBody(WatchFolderRequest),
    )
    .get('/:folderId', (ctx) => describeWatchFolder(services, ctx.params.folderId, MAX_FILES_SHOWN))
    .patch(
      '/:folderId',
      (ctx) => ({ folder: changeWatchFolder(services, ctx.params.folderId, ctx.body.state) }),
      acceptBody(WatchFolderChange),
    )
    .delete('/:folderId', (ctx) => {
      removeWatchFolder(services, ctx.params.folderId)
      return done
    })
    .post('/:folderId/retry', (ctx) => retryWatched(services, { folderId: ctx.params.folderId }))
    .post('/:folderId/files/:fileId/retry', (ctx) => retryWatched(services, ctx.params))
}
