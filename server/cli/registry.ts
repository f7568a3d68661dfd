/** Every subcommand, by the words that call it. Code is loaded when the command is called, so that `serve` listens soon. */
import type { Command } from './command.ts'

export const COMMANDS = {
  demo: async () => (await import('./commands/demo.ts')).demo,
  start: async () => (await import('./commands/serve.ts')).start,
  serve: async () => (await import('./commands/serve.ts')).serve,
  worker: async () => (await import('./commands/worker.ts')).worker,
  run: async () => (await import('./commands/run.ts')).run,
  inspect: async () => (await import('./commands/inspect.ts')).inspect,
  resume: async () => (await import('./commands/run.ts')).resume,
  'company create': async () => (await import('./commands/company.ts')).companyCreate,
  'company change': async () => (await import('./commands/company.ts')).companyChange,
  'company list': async () => (await import('./commands/company.ts')).companyList,
  'key create': async () => (await import('./commands/key.ts')).keyCreate,
  'key list': async () => (await import('./commands/key.ts')).keyList,
  'key revoke': async () => (await import('./commands/key.ts')).keyRevoke,
  'people list': async () => (await import('./commands/people.ts')).peopleList,
  'people invite': async () => (await import('./commands/people.ts')).peopleInvite,
  'people role': async () => (await import('./commands/people.ts')).peopleRole,
  'people remove': async () => (await import('./commands/people.ts')).peopleRemove,
  'invitation create': async () => (await import('./commands/invitation.ts')).invitationCreate,
  'invitation list': async () => (await import('./commands/invitation.ts')).invitationList,
  'invitation revoke': async () => (await import('./commands/invitation.ts')).invitationRevoke,
  'sessions list': async () => (await import('./commands/sessions.ts')).sessionsList,
  'sessions end': async () => (await import('./commands/sessions.ts')).sessionsEnd,
  audit: async () => (await import('./commands/audit.ts')).audit,
  'client create': async () => (await import('./commands/access.ts')).clientCreate,
  'grant create': async () => (await import('./commands/access.ts')).grantCreate,
  'grant revoke': async () => (await import('./commands/access.ts')).grantRevoke,
  'delegation issue': async () => (await import('./commands/access.ts')).delegationIssue,
  'service-token issue': async () => (await import('./commands/access.ts')).serviceTokenIssue,
  'issuer trust': async () => (await import('./commands/access.ts')).issuerTrust,
  'issuer distrust': async () => (await import('./commands/access.ts')).issuerDistrust,
  'social connect': async () => (await import('./commands/social.ts')).socialConnect,
  'social list': async () => (await import('./commands/social.ts')).socialList,
  'social disconnect': async () => (await import('./commands/social.ts')).socialDisconnect,
  'workflow import': async () => (await import('./commands/workflow.ts')).workflowImport,
  'workflow list': async () => (await import('./commands/workflow.ts')).workflowList,
  'workflow export': async () => (await import('./commands/workflow.ts')).workflowExport,
  'library list': async () => (await import('./commands/library.ts')).libraryList,
  'library add': async () => (await import('./commands/library.ts')).libraryAdd,
  'library remove': async () => (await import('./commands/library.ts')).libraryRemove,
  'library tag': async () => (await import('./commands/library.ts')).libraryTag,
  'watch add': async () => (await import('./commands/watch.ts')).watchAdd,
  'watch list': async () => (await import('./commands/watch.ts')).watchList,
  'watch show': async () => (await import('./commands/watch.ts')).watchShow,
  'watch pause': async () => (await import('./commands/watch.ts')).watchPause,
  'watch resume': async () => (await import('./commands/watch.ts')).watchResume,
  'watch retry': async () => (await import('./commands/watch.ts')).watchRetry,
  'watch remove': async () => (await import('./commands/watch.ts')).watchRemove,
  'learning show': async () => (await import('./commands/learning.ts')).learningShow,
  'operations list': async () => (await import('./commands/operations.ts')).operationsList,
  'operations retry': async () => (await import('./commands/operations.ts')).operationsRetry,
  'webhook create': async () => (await import('./commands/webhook.ts')).webhookCreate,
  'webhook list': async () => (await import('./commands/webhook.ts')).webhookList,
  'webhook delete': async () => (await import('./commands/webhook.ts')).webhookDelete,
  'webhook deliveries': async () => (await import('./commands/webhook.ts')).webhookDeliveries,
  'webhook replay': async () => (await import('./commands/webhook.ts')).webhookReplay,
  'voice recognise': async () => (await import('./commands/voice.ts')).voiceRecognise,
  'voice list': async () => (await import('./commands/voice.ts')).voiceList,
  'voice name': async () => (await import('./commands/voice.ts')).voiceName,
  'voice rename': async () => (await import('./commands/voice.ts')).voiceRename,
  'voice forget': async () => (await import('./commands/voice.ts')).voiceForget,
  'secrets renew': async () => (await import('./commands/home.ts')).secretsRenew,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  'models list': async () => (await import('./commands/models.ts')).modelsList,
  'models install': async () => (await import('./commands/models.ts')).modelsInstall,
  'models remove': async () => (await import('./commands/models.ts')).modelsRemove,
  'models verify': async () => (await import('./commands/models.ts')).modelsVerify,
  'profiles list': async () => (await import('./commands/profiles.ts')).profilesList,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  'support-bundle': async () => (await import('./commands/support-bundle.ts')).supportBundle,
  'storage plan': async () => (await import('./commands/home.ts')).storagePlan,
  'storage clean': async () => (await import('./commands/home.ts')).storageClean,
  'home adopt': async () => (await import('./commands/home.ts')).homeAdopt,
  backup: async () => (await import('./commands/home.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  'backups list': async () => (await import('./commands/backups.ts')).backupsList,
  'backups run': async () => (await import('./commands/backups.ts')).backupsRun,
  'backups drill': async () => (await import('./commands/backups.ts')).backupsDrill,
  'backups begin': async () => (await import('./commands/backups.ts')).backupsBegin,
} satisfies Readonly<Record<string, () => Promise<Command>>>

export type CommandName = keyof typeof COMMANDS
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]

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
