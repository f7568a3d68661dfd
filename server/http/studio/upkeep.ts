/** /studio/models, storage, backups, and the tasks that they start. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  CleanPlan,
  CleanRequest,
  InboxRequest,
  ModelRemoved,
  RetentionPlan,
  SettingsBackups,
  SettingsModels,
  SettingsTasks,
  Storage,
  TaskStarted,
} from '../../contract/settings.ts'
import { removeModel } from '../../domain/models/models.ts'
import type { Services } from '../../domain/services.ts'
import {
  backupFile,
  backupsFolder,
  deleteBackup,
  listBackups,
  startBackup,
} from '../../domain/settings/backups.ts'
import { settingsModels, startInstall, startInstallFrom } from '../../domain/settings/models.ts'
import { planRetention } from '../../domain/settings/retention.ts'
import { planCleanUp, startCleanUp, storageUse } from '../../domain/settings/storage.ts'
import { cancelTask, listTasks } from '../../domain/settings/tasks.ts'
import { describeRoute, done, Done } from '../answers.ts'
import { jsonBody } from '../json-body.ts'

const OWNERS = ['ROLE_NOT_ALLOWED', 'NOT_FOUND', 'INVALID_STATE'] as const

/** Models: what there is, and what is brought or taken away. */
export function modelRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/models',
      (): Promise<SettingsModels> => settingsModels(services),
      describeRoute('Models: installed, missing, what each is for', SettingsModels),
    )
    .post(
      '/models/:model/install',
      async (ctx) => ({ task: await startInstall(services, ctx.params.model) }),
      describeRoute('Begin to download a model', TaskStarted, { errors: OWNERS }),
    )
    .delete(
      '/models/:model',
      (ctx) => removeModel(services.config, ctx.params.model).then(forgotten),
      describeRoute('Take a model out of the home', ModelRemoved, {
        errors: ['ROLE_NOT_ALLOWED', 'MODEL_NOT_INSTALLED'],
      }),
    )
    .post(
      '/models-inbox/install',
      async (ctx) => ({ task: await startInstallFrom(services, ctx.body.entry) }),
      describeRoute('Begin to install what lies in the inbox', TaskStarted, {
        body: jsonBody(InboxRequest),
        errors: OWNERS,
      }),
    )
}

const forgotten = ({ model, bytes }: { model: string; bytes: number }) => ({ model, bytes })

/** The disk: what takes it up, and what of it may go. */
export function storageRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/storage',
      (): Promise<Storage> => storageUse(services),
      describeRoute('What takes up the disk', Storage, { errors: ['ROLE_NOT_ALLOWED'] }),
    )
    .get(
      '/storage/retention',
      (): Promise<RetentionPlan> => planRetention(services),
      describeRoute('What goes after a while, and what would go now; nothing is touched', RetentionPlan, {
        errors: ['ROLE_NOT_ALLOWED'],
      }),
    )
    .post(
      '/storage/plan',
      (ctx): Promise<CleanPlan> => planCleanUp(services, ctx.body.kinds),
      describeRoute('What a clean-up would remove; nothing is touched', CleanPlan, {
        body: jsonBody(CleanRequest),
        errors: ['ROLE_NOT_ALLOWED'],
      }),
    )
    .post(
      '/storage/clean',
      (ctx) => ({ task: startCleanUp(services, ctx.body.kinds) }),
      describeRoute('Begin to remove it', TaskStarted, { body: jsonBody(CleanRequest), errors: OWNERS }),
    )
}

/** Copies of the database. */
export function backupRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/backups',
      async () => ({ backups: await listBackups(services), folder: backupsFolder(services) }),
      describeRoute('Backups that were made here', SettingsBackups, { errors: ['ROLE_NOT_ALLOWED'] }),
    )
    .post(
      '/backups',
      () => ({ task: startBackup(services) }),
      describeRoute('Begin to copy the database', TaskStarted, { errors: OWNERS }),
    )
    .get(
      '/backups/:name',
      async (ctx) => {
        const { path, name, bytes } = await backupFile(services, ctx.params.name)
        return new Response(Readable.toWeb(createReadStream(path)) as ReadableStream, {
          headers: {
            'content-type': 'application/vnd.sqlite3',
            'content-length': String(bytes),
            'content-disposition': `attachment; filename="${name}"`,
          },
        })
      },
      describeRoute('A backup as a file', Type.String(), { errors: OWNERS }),
    )
    .delete(
      '/backups/:name',
      (ctx) => deleteBackup(services, ctx.params.name).then(() => done),
      describeRoute('Delete a backup', Done, { errors: OWNERS }),
    )
}

/** What is going on. */
export function taskRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/tasks',
      () => ({ tasks: listTasks(services) }),
      describeRoute('What was started in the settings', SettingsTasks),
    )
    .delete(
      '/tasks/:taskId',
      (ctx) => ({ task: cancelTask(services, ctx.params.taskId) }),
      describeRoute('Stop one', TaskStarted, { errors: OWNERS }),
    )
}
