/**
 * What each route is for: the tables by which roles and scopes are held (request-guard.ts, tenant-api/serve-route.ts) and by
 * which calls are recorded (call-trace.ts). Whatever is not named and is not a read is an edit, so a new route is closed to
 * viewers before anybody thinks of it; and no scope opens a route of no named family.
 */
import type { Ability } from '../contract/people.ts'
import type { Scope } from '../contract/scopes.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** By method and template, to the letter. */
const ROUTES: Readonly<Record<string, Ability>> = {
  'POST /studio/sign-out': 'self',
  // Composes what is not saved: looking at a clip needs it.
  'POST /studio/clips/:clipId/compose': 'read',
  'POST /studio/clips/:clipId/thumbnail': 'read',
  'POST /studio/workflow-preview': 'read',
  'GET /studio/models': 'read',
  'GET /studio/tasks': 'read',
  'GET /studio/search-index': 'read',
  // What is connected, without what opens it.
  'GET /studio/social/accounts': 'read',
  // Who writes a post should know who approves it.
  'GET /studio/social/approval': 'read',
  // A browser that a platform sends back; it only notes what it brings.
  'GET /studio/social/callback': 'self',
  'POST /studio/runs': 'run',
  'POST /studio/runs/:runId/resume': 'run',
  'DELETE /studio/runs/:runId': 'run',
  'POST /studio/runs/:runId/cancel': 'run',
  'POST /trigger-template': 'run',
  'POST /workflow-results/:triggerId/cancel': 'run',
  'POST /uploads': 'run',
  'PATCH /uploads/:uploadId': 'run',
  'DELETE /uploads/:uploadId': 'run',
  'POST /workflows:prepare-run': 'run',
  'POST /workflows:run': 'run',
  'POST /studio/runs/:runId/render-kept': 'render',
  'POST /studio/clips/:clipId/exports': 'render',
  'POST /studio/operations/:operationId/cancel': 'render',
  'POST /render': 'render',
  'POST /clips/{clipId}/render': 'render',
  'POST /clips/{clipId}/render-jobs': 'render',
  'POST /clips/{clipId}/exports': 'render',
  'POST /confirmations/{confirmationId}:decide': 'approve',
}

/** By how the template begins; reading them takes the same. */
const BY_PREFIX: readonly (readonly [prefix: string, ability: Ability])[] = [
  ['/studio/sign-in', 'self'],
  // By the cookie of a share link, not by a person.
  ['/shared', 'self'],
  ['/studio/account', 'self'],
  ['/studio/people', 'people'],
  ['/studio/invitations', 'people'],
  ['/studio/sign-in-provider', 'people'],
  ['/studio/audit', 'audit'],
  ['/studio/keys', 'keys'],
  ['/studio/clients', 'clients'],
  ['/studio/webhooks', 'webhooks'],
  ['/webhooks', 'webhooks'],
  ['/companies/:companyId/webhooks', 'webhooks'],
  ['/studio/social', 'accounts'],
  ['/studio/voices', 'voices'],
  ['/voices', 'voices'],
  ['/studio/models', 'models'],
  ['/studio/models-inbox', 'models'],
  ['/studio/storage', 'storage'],
  ['/studio/search-index', 'machine'],
  ['/studio/backups', 'backup'],
  ['/studio/hardware', 'machine'],
  ['/studio/model-servers', 'machine'],
  ['/studio/set-up', 'machine'],
  ['/studio/environment', 'machine'],
  ['/studio/workers', 'machine'],
  ['/studio/web-videos', 'machine'],
  ['/studio/render-limit', 'machine'],
  ['/studio/tasks', 'machine'],
  // They name folders of this machine.
  ['/studio/watch-folders', 'machine'],
]

const begins = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

/** What a route is for; `path` is its template, as it is declared. */
export function abilityOf(given: string, path: string): Ability {
  const method = given === 'HEAD' ? 'GET' : given
  const named = ROUTES[`${method} ${path}`]
  if (named !== undefined) return named
  const family = BY_PREFIX.find(([prefix]) => begins(path, prefix))
  if (family !== undefined) return family[1]
  if (SAFE_METHODS.has(method)) return 'read'
  if (begins(path, '/social/accounts')) return 'accounts'
  return begins(path, '/social') ? 'draft' : 'edit'
}

/** Which scope an ability takes; the others are people's, and no scope opens them. */
const BY_ABILITY: Partial<Record<Ability, Scope>> = {
  read: 'read',
  run: 'trigger',
  edit: 'edit',
  // Nothing goes out by a draft.
  draft: 'edit',
  render: 'render',
}

/** Routes whose scope is not that of their ability, by method and template. */
const SCOPES_OF_ROUTES: Readonly<Record<string, readonly Scope[]>> = {
  'POST /social/posts/{postId}:prepare-publish': ['publish'],
  'POST /social/posts/{postId}:publish': ['publish'],
  'POST /social/posts/{postId}:prepare-cancel': ['publish'],
  'POST /social/posts/{postId}:cancel': ['publish'],
  // The one that the confirmation is about (operations/confirmations.ts).
  'POST /confirmations/{confirmationId}:decide': ['trigger', 'publish'],
  // Sending a file takes all of these, and a key for runs alone does it.
  'GET /uploads/:uploadId': ['read', 'trigger'],
  'DELETE /uploads/:uploadId': ['delete', 'trigger'],
  // Whoever has the link sees the clips.
  'POST /studio/shares': ['publish'],
  'PATCH /studio/shares/:shareId': ['publish'],
  // Ends with the session of whoever listens.
  'GET /studio/events': [],
}

/** Settings of a company that a program may be given, by how the template begins. */
const SETTINGS: readonly string[] = [
  '/studio/webhooks',
  '/webhooks',
  '/companies/:companyId/webhooks',
  '/voices',
]

/** How the templates begin that are a company's work. */
const WORK: readonly string[] = [
  '/analytics',
  '/clip',
  '/clip-transcript',
  '/clips',
  '/companies',
  '/confirmations',
  '/context',
  '/operations',
  '/post-analytics',
  '/posts',
  '/render',
  '/runs',
  '/search',
  '/social',
  '/trigger-template',
  '/update-clip',
  '/uploads',
  '/workflow',
  '/workflow-results',
  '/workflows',
  '/workflows:prepare-run',
  '/workflows:run',
  '/studio/about',
  '/studio/agent',
  '/studio/analytics',
  '/studio/brand-kits',
  '/studio/clips',
  '/studio/confirmations',
  '/studio/learning',
  '/studio/clip-edits',
  '/studio/library',
  '/studio/models',
  '/studio/operations',
  '/studio/platforms',
  '/studio/runs',
  '/studio/search-index',
  '/studio/session',
  '/studio/shares',
  '/studio/social/accounts',
  '/studio/social/approval',
  '/studio/tasks',
  '/studio/uploads',
  '/studio/workflow-preview',
  '/studio/workflow-sample',
  '/studio/workflows',
]

/**
 * The scopes of which a key or a grant needs one for a route; none: it is for people alone. Null: nobody has said yet, so
 * that no scope opens it either (test/contract/scopes.test.ts fails).
 */
export function scopesOf(given: string, path: string): readonly Scope[] | null {
  const method = given === 'HEAD' ? 'GET' : given
  const named = SCOPES_OF_ROUTES[`${method} ${path}`]
  if (named !== undefined) return named
  if (SETTINGS.some((prefix) => begins(path, prefix))) return ['admin']
  const scope = BY_ABILITY[abilityOf(method, path)]
  if (scope === undefined) return []
  if (!WORK.some((prefix) => begins(path, prefix))) return null
  return [method === 'DELETE' ? 'delete' : scope]
}

/** Reads by their method that sign somebody in. */
const SIGN_INS: ReadonlySet<string> = new Set(['/studio/sign-in', '/studio/sign-in/provider/callback'])

/** Carries other calls, each of which leaves a row of its own. */
const CARRIERS: ReadonlySet<string> = new Set(['POST /mcp'])

/** Whether a call of this route leaves a row in the audit log, whatever comes of it. */
export function isRecorded(method: string, path: string): boolean {
  if (method === 'GET' && SIGN_INS.has(path)) return true
  if (SAFE_METHODS.has(method) || CARRIERS.has(`${method} ${path}`)) return false
  return abilityOf(method, path) !== 'read'
}
