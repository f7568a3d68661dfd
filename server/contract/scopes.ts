/** Scopes: what an API key, or a grant to a client, may be used for. Which route needs which: http/abilities.ts. PURE. */
import { choice } from './config-fields.ts'

export const SCOPES = ['read', 'trigger', 'edit', 'render', 'publish', 'delete', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
export const ScopeSchema = choice(SCOPES)

/** Null: made before there were scopes, or without a list of them; it may do all that it could do then. */
export type Scopes = readonly Scope[] | null

/** What a key is given where nobody says which: a company's work, without its settings. */
export const WORK_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin')

/** What each opens, for the command line and the descriptions of the APIs. */
export const SCOPE_ABOUT: Readonly<Record<Scope, string>> = {
  read: 'see runs, clips, transcripts, workflows, posts and figures',
  trigger: 'start, resume and cancel runs',
  edit: 'change clips, transcripts, workflows and the media library, and draft posts',
  render: 'render clips',
  publish: 'have posts published or taken back once a person said yes, and share clips by link',
  delete: 'delete runs, clips, workflows, drafts and files',
  admin: 'the company’s webhooks and named voices',
}

/** Whether one of `anyOf` is allowed. */
export const allowsOneOf = (scopes: Scopes, anyOf: readonly Scope[]): boolean =>
  scopes === null || anyOf.some((scope) => scopes.includes(scope))
