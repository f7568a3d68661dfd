/** People of the studio: their roles, and what each role may do. Enforced in one place: http/request-guard.ts. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'

export const ROLES = ['owner', 'editor', 'viewer'] as const
export type Role = (typeof ROLES)[number]
export const RoleSchema = choice(ROLES)

/** What can be done here; every route is for exactly one of these (http/abilities.ts). */
export const ABILITIES = [
  /** Oneself only: to sign out. */
  'self',
  'read',
  'edit',
  'render',
  'run',
  /** Drafts of posts, and requests for approval to publish them. */
  'draft',
  /** The yes or no to what waits for a person. */
  'approve',
  'people',
  'audit',
  'keys',
  'clients',
  'webhooks',
  /** Named voices, which are biometric data. */
  'voices',
  'accounts',
  'models',
  'storage',
  'backup',
  'machine',
] as const
export type Ability = (typeof ABILITIES)[number]

const VIEWER: readonly Ability[] = ['self', 'read']
const EDITOR: readonly Ability[] = [...VIEWER, 'edit', 'render', 'run', 'draft']

export const ROLE_MAY: Readonly<Record<Role, ReadonlySet<Ability>>> = {
  viewer: new Set(VIEWER),
  editor: new Set(EDITOR),
  owner: new Set(ABILITIES),
}

/** What an API key may do where it opens a route at all: its company's work, never the appliance. */
export const KEY_MAY: ReadonlySet<Ability> = ROLE_MAY.editor

/** The role that is needed at least, for the sentence of a refusal. */
export const roleFor = (ability: Ability): Role =>
  ROLE_MAY.viewer.has(ability) ? 'viewer' : ROLE_MAY.editor.has(ability) ? 'editor' : 'owner'

const Name = Type.String({ minLength: 1, maxLength: 200 })
const CompanyId = nullable(Type.String({ minLength: 1 }))

export const Person = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: RoleSchema,
  /** The only company that they work for; null: every one. */
  companyId: CompanyId,
  createdAt: Type.String(),
  /** To a few minutes; null: they have not been here. */
  lastSeenAt: nullable(Type.String()),
  /** Browsers that are signed in. */
  sessions: Type.Integer(),
  /** Whether a one-time link waits to be used. */
  invited: Type.Boolean(),
  /** What they sign in with beside a password, in lower case; null: none. */
  email: nullable(Type.String()),
  /** What they can sign in by without a link. */
  ways: Type.Array(choice(['password', 'passkey', 'provider'] as const)),
})
export type Person = Static<typeof Person>

export const People = Type.Object({ people: Type.Array(Person) })
export type People = Static<typeof People>

/** A null is a field that was not sent, so every company is an empty text. */
export const PersonRequest = closedObject({
  name: Name,
  role: RoleSchema,
  scope: Type.Optional(Type.String({ maxLength: 100 })),
})
export type PersonRequest = Static<typeof PersonRequest>

export const PersonChanges = Type.Partial(PersonRequest, { additionalProperties: false })
export type PersonChanges = Static<typeof PersonChanges>

/** The link signs in once; it is shown here and never again. */
export const Invitation = Type.Object({ person: Person, link: Type.String(), expiresAt: Type.String() })
export type Invitation = Static<typeof Invitation>
