/** The machine: /studio/hardware, /model-servers, /about, /models, /storage, /backups, and the tasks that they start. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  CleanRequest,
  InboxRequest,
  ModelServerPath,
  ModelServerRequest,
  RenderLimitRequest,
  RetentionQuery,
  RetentionRequest,
  SetUpEnd,
  WebVideosRequest,
} from '../../contract/settings.ts'
import { WorkerTokenRequest } from '../../contract/workers.ts'
import { removeModel } from '../../domain/models/models.ts'
import type { Services } from '../../domain/services.ts'
import { describeAbout, describeHardware, describeSettings } from '../../domain/settings/about.ts'
import {
  backupFile,
  backupsFolder,
  deleteBackup,
  describeAutomatic,
  listBackups,
  startBackup,
} from '../../domain/settings/backups.ts'
import {
  describeModelServer,
  removeModelServer,
  saveModelServer,
  tryModelServer,
} from '../../domain/settings/model-servers.ts'
import { settingsModels, startInstall, startInstallFrom } from '../../domain/settings/models.ts'
import { describeIndex, resumeIndex } from '../../domain/search/index-passages.ts'
import { prepareSearch } from '../../domain/search/find-passages.ts'
import { describeRenderLimit, setRenderLimit } from '../../domain/settings/render-limit.ts'
import { describeWebVideos, tryWebVideos, useWebVideos } from '../../domain/settings/web-videos.ts'
import { planRetention } from '../../domain/settings/retention.ts'
import { saveRetentionDays } from '../../domain/settings/retention-days.ts'
import { describeSetUp, endSetUp } from '../../domain/settings/set-up.ts'
import { planCleanUp, startCleanUp, storageUse } from '../../domain/settings/storage.ts'
import { cancelTask, listTasks } from '../../domain/settings/tasks.ts'
import { describeWorkers, inviteNode, revokeNode } from '../../domain/settings/workers.ts'
import { contextOf } from '../request-context.ts'
import { acceptBody, done, readQuery } from '../json-body.ts'

/** `soon`: somebody is about to search. */
const IndexQuery = Type.Object({ soon: Type.Optional(Type.Boolean()) })
const HardwareQuery = Type.Object({ again: Type.Optional(Type.Boolean()) })

const serverIn = (ctx: Parameters<typeof readQuery>[0]) => readQuery(ctx, ModelServerPath).server

/** What the appliance runs on and is made of, and its models. */
export function machineRoutes(services: Services, version: string) {
  return new Elysia({ prefix: '/studio' })
    .get('/hardware', (ctx) => describeHardware(services, readQuery(ctx, HardwareQuery).again === true))
    .get('/model-servers/:server', (ctx) => describeModelServer(services, serverIn(ctx)))
    .put(
      '/model-servers/:server',
      (ctx) => saveModelServer(services, serverIn(ctx), ctx.body),
      acceptBody(ModelServerRequest),
    )
    .delete('/model-servers/:server', (ctx) => removeModelServer(services, serverIn(ctx)))
    .post('/model-servers/:server/try', (ctx) => tryModelServer(services, serverIn(ctx)))
    .get('/set-up', () => describeSetUp(services))
    .put('/set-up', (ctx) => endSetUp(services, ctx.body), acceptBody(SetUpEnd))
    .get('/environment', () => describeSettings(services))
    .get('/web-videos', () => describeWebVideos(services))
    .put('/web-videos', (ctx) => useWebVideos(services, ctx.body.use), acceptBody(WebVideosRequest))
    .post('/web-videos/try', () => tryWebVideos(services))
    .get('/render-limit', () => describeRenderLimit(services))
    .put('/render-limit', (ctx) => setRenderLimit(services, ctx.body.chosen), acceptBody(RenderLimitRequest))
    .get('/workers', () => describeWorkers(services))
    .post(
      '/workers/tokens',
      (ctx) => inviteNode(services, { name: ctx.body.name, baseUrl: contextOf(ctx.request).baseUrl }),
      acceptBody(WorkerTokenRequest),
    )
    .delete('/workers/:nodeId', (ctx) => revokeNode(services, ctx.params.nodeId))
    .get('/about', () => describeAbout(services, version))
    .get('/models', () => settingsModels(services))
    .post('/models/:model/install', async (ctx) => ({ task: await startInstall(services, ctx.params.model) }))
    .delete('/models/:model', async (ctx) => {
      const { model, bytes } = await removeModel(services.config, ctx.params.model)
      return { model, bytes }
    })
    .post(
      '/models-inbox/install',
      async (ctx) => ({ task: await startInstallFrom(services, ctx.body.entry) }),
      acceptBody(InboxRequest),
    )
}

/** The disk: what takes it up, what of it may go, copies of the database, and what is going on. */
export function storageRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get('/storage', () => storageUse(services))
    .get('/storage/retention', (ctx) => planRetention(services, readQuery(ctx, RetentionQuery)))
    .put(
      '/storage/retention',
      (ctx) => {
        saveRetentionDays(services, ctx.body)
        return planRetention(services)
      },
      acceptBody(RetentionRequest),
    )
    .post('/storage/plan', (ctx) => planCleanUp(services, ctx.body.kinds), acceptBody(CleanRequest))
    .post(
      '/storage/clean',
      (ctx) => ({ task: startCleanUp(services, ctx.body.kinds) }),
      acceptBody(CleanRequest),
    )
    .get('/backups', async () => ({
      backups: await listBackups(services),
      folder: backupsFolder(services),
      automatic: describeAutomatic(services),
    }))
    .post('/backups', () => ({ task: startBackup(services) }))
    .get('/backups/:name', async (ctx) => {
      const { path, name, bytes } = await backupFile(services, ctx.params.name)
      return new Response(Readable.toWeb(createReadStream(path)) as ReadableStream, {
        headers: {
          'content-type': 'application/vnd.sqlite3',
          'content-length': String(bytes),
          'content-disposition': `attachment; filename="${name}"`,
        },
      })
    })
    .delete('/backups/:name', async (ctx) => {
      await deleteBackup(services, ctx.params.name)
      return done
    })
    .get('/search-index', (ctx) => {
      if (readQuery(ctx, IndexQuery).soon === true) prepareSearch(services)
      return describeIndex(services)
    })
    .post('/search-index/resume', () => {
      resumeIndex(services)
      return done
    })
    .get('/tasks', () => ({ tasks: listTasks(services) }))
    .delete('/tasks/:taskId', (ctx) => ({ task: cancelTask(services, ctx.params.taskId) }))
}
