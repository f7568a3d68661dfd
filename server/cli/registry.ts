/**
 * Every subcommand, by the words that call it. Code is loaded when the command is called, so that `serve` listens soon;
 * the summaries for `cutroom --help` are here for the same reason.
 */
import type { Command } from './command.ts'

export const COMMAND_NAMES = [
  'demo',
  'start',
  'serve',
  'worker',
  'run',
  'resume',
  'company create',
  'company list',
  'key create',
  'key list',
  'key revoke',
  'people list',
  'people invite',
  'people role',
  'people remove',
  'audit',
  'client create',
  'grant create',
  'grant revoke',
  'delegation issue',
  'service-token issue',
  'issuer trust',
  'issuer distrust',
  'social connect',
  'social list',
  'social disconnect',
  'workflow import',
  'workflow list',
  'workflow export',
  'library list',
  'library add',
  'library remove',
  'library tag',
  'learning show',
  'operations list',
  'operations retry',
  'webhook create',
  'webhook list',
  'webhook delete',
  'webhook deliveries',
  'webhook replay',
  'mcp',
  'models list',
  'models install',
  'models remove',
  'models verify',
  'export',
  'doctor',
  'backup',
  'restore',
] as const
export type CommandName = (typeof COMMAND_NAMES)[number]

type Registry = { readonly [Name in CommandName]: () => Promise<Command> }

export const COMMANDS: Registry = {
  demo: async () => (await import('./commands/demo.ts')).demo,
  start: async () => (await import('./commands/start.ts')).start,
  serve: async () => (await import('./commands/serve.ts')).serve,
  worker: async () => (await import('./commands/worker.ts')).worker,
  run: async () => (await import('./commands/run.ts')).run,
  resume: async () => (await import('./commands/resume.ts')).resume,
  'company create': async () => (await import('./commands/company-create.ts')).companyCreate,
  'company list': async () => (await import('./commands/company-list.ts')).companyList,
  'key create': async () => (await import('./commands/key-create.ts')).keyCreate,
  'key list': async () => (await import('./commands/key-list.ts')).keyList,
  'key revoke': async () => (await import('./commands/key-revoke.ts')).keyRevoke,
  'people list': async () => (await import('./commands/people-list.ts')).peopleList,
  'people invite': async () => (await import('./commands/people-invite.ts')).peopleInvite,
  'people role': async () => (await import('./commands/people-role.ts')).peopleRole,
  'people remove': async () => (await import('./commands/people-remove.ts')).peopleRemove,
  audit: async () => (await import('./commands/audit.ts')).audit,
  'client create': async () => (await import('./commands/client-create.ts')).clientCreate,
  'grant create': async () => (await import('./commands/grant-create.ts')).grantCreate,
  'grant revoke': async () => (await import('./commands/grant-revoke.ts')).grantRevoke,
  'delegation issue': async () => (await import('./commands/delegation-issue.ts')).delegationIssue,
  'service-token issue': async () => (await import('./commands/service-token-issue.ts')).serviceTokenIssue,
  'issuer trust': async () => (await import('./commands/issuer-trust.ts')).issuerTrust,
  'issuer distrust': async () => (await import('./commands/issuer-distrust.ts')).issuerDistrust,
  'social connect': async () => (await import('./commands/social-connect.ts')).socialConnect,
  'social list': async () => (await import('./commands/social-list.ts')).socialList,
  'social disconnect': async () => (await import('./commands/social-disconnect.ts')).socialDisconnect,
  'workflow import': async () => (await import('./commands/workflow-import.ts')).workflowImport,
  'workflow list': async () => (await import('./commands/workflow-list.ts')).workflowList,
  'workflow export': async () => (await import('./commands/workflow-export.ts')).workflowExport,
  'library list': async () => (await import('./commands/library-list.ts')).libraryList,
  'library add': async () => (await import('./commands/library-add.ts')).libraryAdd,
  'library remove': async () => (await import('./commands/library-remove.ts')).libraryRemove,
  'library tag': async () => (await import('./commands/library-tag.ts')).libraryTag,
  'learning show': async () => (await import('./commands/learning-show.ts')).learningShow,
  'operations list': async () => (await import('./commands/operations-list.ts')).operationsList,
  'operations retry': async () => (await import('./commands/operations-retry.ts')).operationsRetry,
  'webhook create': async () => (await import('./commands/webhook-create.ts')).webhookCreate,
  'webhook list': async () => (await import('./commands/webhook-list.ts')).webhookList,
  'webhook delete': async () => (await import('./commands/webhook-delete.ts')).webhookDelete,
  'webhook deliveries': async () => (await import('./commands/webhook-deliveries.ts')).webhookDeliveries,
  'webhook replay': async () => (await import('./commands/webhook-replay.ts')).webhookReplay,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  'models list': async () => (await import('./commands/models-list.ts')).modelsList,
  'models install': async () => (await import('./commands/models-install.ts')).modelsInstall,
  'models remove': async () => (await import('./commands/models-remove.ts')).modelsRemove,
  'models verify': async () => (await import('./commands/models-verify.ts')).modelsVerify,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
}

/** The command that the first words name, and what is left; null when they name none. */
export function findCommand(
  words: readonly string[],
): { readonly name: CommandName; readonly rest: readonly string[] } | null {
  for (const length of [2, 1]) {
    const called = words.slice(0, length).join(' ')
    const name = COMMAND_NAMES.find((candidate) => candidate === called)
    if (name !== undefined && words.length >= length) return { name, rest: words.slice(length) }
  }
  return null
}
