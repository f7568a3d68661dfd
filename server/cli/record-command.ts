/** A row of the audit log for a command that changes something. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { randomUUID } from 'node:crypto'
import { openAsItIs, type Db } from '../db/client.ts'
import { recordCall } from '../domain/people/audit.ts'
import { homePaths } from '../home.ts'
import { standingOfHome } from '../home-identity.ts'
import { createLogger } from '../log.ts'
import type { Command, Terminal } from './command.ts'
import { commandConfig } from './open-home.ts'
import type { ParsedWords } from './parse.ts'
import type { CommandName } from './registry.ts'

/** Commands that change nothing, or whose changes leave audit rows of their own. Every other command is recorded. */
const NOT_RECORDED: ReadonlySet<CommandName> = new Set<CommandName>([
  'demo',
  'start',
  'serve',
  'worker',
  // Of homes whose database is that of another appliance, or none yet.
  'standby',
  'standby promote',
  'mcp',
  'doctor',
  'inspect',
  'audit',
  'export',
  'company list',
  'key list',
  'people list',
  'social list',
  'workflow list',
  'workflow export',
  'library list',
  'learning show',
  'operations list',
  'voice list',
  'webhook list',
  'webhook deliveries',
  'watch list',
  'watch show',
  'models list',
  'models verify',
  'ffmpeg list',
  'profiles list',
  'storage plan',
])

/** Whether a command leaves a row in the audit log. */
export const isRecordedCommand = (name: CommandName): boolean => !NOT_RECORDED.has(name)

/** What a command is about: the first of its words that is an id, never an address or a path. */
function subjectOf({ positionals }: Command, words: readonly string[]): string | null {
  const at = positionals.findIndex((name) => /ID\b|^NAME$/.test(name))
  return at === -1 ? null : (words[at] ?? null)
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A user id without a name, as in some containers.
    return String(process.getuid?.() ?? 'unknown')
  }
}

/**
 * With the Debian package every command runs as the user cutroom; cutroom-service passes on who asked root for it. That
 * is only a claim, as is everything that somebody with access to the home could set, so it is recorded next to the user
 * that the system reports and never in its place.
 */
function claimedName(user: string): string | null {
  const requester = process.env['CUTROOM_ASKED_BY'] ?? ''
  return /^[\w.@+\\-]{1,64}$/.test(requester) ? `${requester}, as ${user}` : null
}

/** Not so in databases of early versions. */
const hasAuditLog = ({ sqlite }: Db): boolean =>
  sqlite.prepare("select 1 from sqlite_master where name = 'audit_log'").get() !== undefined

/** Best effort: the command has done its work, so a failure to write the audit log is only reported. */
export function recordCommand(
  name: CommandName,
  command: Command,
  { options, positionals }: ParsedWords,
  { exitCode, terminal }: { readonly exitCode: number; readonly terminal: Terminal },
): void {
  if (!isRecordedCommand(name)) return
  try {
    const config = commandConfig(options)
    const home = homePaths(config.home)
    const { database } = home
    // What a command was refused for is not written into.
    if (!existsSync(database) || standingOfHome(home).kind === 'lost') return
    const user = userName()
    const company = (options as Readonly<Record<string, unknown>>)['company']
    // As it is: a backup that is made before an upgrade does not begin it.
    const db = openAsItIs(database)
    try {
      const log = createLogger('warn')
      if (hasAuditLog(db))
        recordCall(
          { db, config, log, now: Date.now },
          {
            actor: { kind: 'cli', id: user, name: claimedName(user) },
            companyId: typeof company === 'string' && company !== '' ? company : null,
            method: 'CLI',
            route: `cutroom ${name}`,
            resourceId: subjectOf(command, positionals),
            status: exitCode,
            requestId: randomUUID(),
          },
        )
    } finally {
      db.close()
    }
  } catch (error) {
    terminal.note(
      `The audit log could not be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
