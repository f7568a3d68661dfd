/** Tables of who uses the studio, and of what everybody did. */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Actor } from '../contract/audit.ts'
import { companies } from './schema-companies.ts'

/** A person who uses the studio. One-time links and sessions belong to one; both end with it. */
export const people = sqliteTable(
  'people',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    role: text('role').$type<'owner' | 'editor' | 'viewer'>().notNull(),
    /** The only company that they work for; null: every one. Owners have every one. */
    companyId: text('company_id').references(() => companies.id),
    createdAt: integer('created_at').notNull(),
    /** When a session of theirs was seen last, to a few minutes. */
    lastSeenAt: integer('last_seen_at'),
    /** What they sign in with beside a password: in lower case; null: none. */
    email: text('email'),
  },
  (table) => [uniqueIndex('people_by_email').on(table.email)],
)

const ofPerson = () =>
  text('person_id')
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' })

/** The password of a person: argon2id, in the form of PHC strings. */
export const personPasswords = sqliteTable('person_passwords', {
  personId: text('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  hash: text('hash').notNull(),
  changedAt: integer('changed_at').notNull(),
})

/** A public key that an authenticator of a person holds the other half of. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** The credential's id, base64url. */
    id: text('id').primaryKey(),
    personId: ofPerson(),
    name: text('name').notNull(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    /** Uses that the authenticator counted; 0 where it counts none. */
    counter: integer('counter').notNull(),
    transports: text('transports', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** The name of the host that it was made for: it works under no other. */
    host: text('host').notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('passkeys_by_person').on(table.personId)],
)

/** Who somebody is at the studio's own provider: its issuer and their subject there, never an address. */
export const personIdentities = sqliteTable(
  'person_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    personId: ofPerson(),
    /** Where the role comes from: `groups` are looked at at each sign-in; `owner`: an owner gave it. */
    roleFrom: text('role_from').$type<'groups' | 'owner'>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index('person_identities_by_person').on(table.personId),
  ],
)

/** An invitation that waits to be used: whoever has the link becomes a person with this role. */
export const invitations = sqliteTable('invitations', {
  id: text('id').primaryKey(),
  /** SHA-256 of the link's token, hex. */
  hash: text('hash').notNull().unique(),
  /** Of whom it is for; null: whoever has the link. In lower case. */
  email: text('email'),
  role: text('role').$type<'owner' | 'editor' | 'viewer'>().notNull(),
  companyId: text('company_id').references(() => companies.id, { onDelete: 'cascade' }),
  /** Name of the person who made it; of a command its own word. */
  invitedBy: text('invited_by').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

/** One row for each call that changes something. It refers to nothing: rows outlive what they name. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').$type<Actor['kind']>().notNull(),
    /** Id of the person, key or client; subject of a service; user of the machine; address of nobody. */
    actorId: text('actor_id').notNull(),
    /** Name of the person, or subject of a delegation; null where there is none. */
    actorName: text('actor_name'),
    companyId: text('company_id'),
    /** `POST`; `CLI` for a command. */
    method: text('method').notNull(),
    /** Template of the route, never the address: `/studio/clips/:clipId`. */
    route: text('route').notNull(),
    resourceId: text('resource_id'),
    /** HTTP status of the answer; 499: who asked had gone. Of a command its exit code. */
    status: integer('status').notNull(),
    requestId: text('request_id').notNull(),
  },
  (table) => [index('audit_log_by_age').on(table.at)],
)
