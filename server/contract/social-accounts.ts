/** Accounts of platforms as the studio connects them: what its own routes take and answer. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'
import { PLATFORMS } from './post.ts'
import { SocialAccountView } from './tenant-api/social.ts'

const Name = Type.String({ minLength: 1, maxLength: 300 })
const Secret = Type.String({ maxLength: 2000 })
const PlatformName = choice(PLATFORMS)

/** The studio's own app on a platform, never with its secret. */
export const PlatformApp = Type.Object({
  /** Null: nobody has set one. */
  setBy: nullable(choice(['studio', 'machine'])),
  clientId: Type.String(),
  hasSecret: Type.Boolean(),
})
export type PlatformApp = Static<typeof PlatformApp>

/** A connected account with what an owner wants to know of it. */
export const StudioAccount = Type.Object({
  ...SocialAccountView.properties,
  /** What the platform refused last, and when; null: the last call went well. */
  lastError: nullable(Type.Object({ message: Type.String(), at: Type.String() })),
  /** Posts that wait for their moment, which would go out by this account. */
  scheduled: Type.Integer(),
})
export type StudioAccount = Static<typeof StudioAccount>

export const ConnectPlatform = Type.Object({
  platform: PlatformName,
  label: Type.String(),
  /** Null: it is connected by a handle and an app password. */
  app: nullable(PlatformApp),
})
export type ConnectPlatform = Static<typeof ConnectPlatform>

/** GET /studio/social/accounts. */
export const StudioAccounts = Type.Object({
  accounts: Type.Array(StudioAccount),
  platforms: Type.Array(ConnectPlatform),
  /** Where platforms send a browser back to: to be entered there. */
  redirectAddress: Type.String(),
})
export type StudioAccounts = Static<typeof StudioAccounts>

export const AppRequest = closedObject({ clientId: Name, clientSecret: Type.Optional(Secret) })
export type AppRequest = Static<typeof AppRequest>

/** `desktop`: the platform's page opens in a browser beside the desktop window. */
export const ConnectBegin = closedObject({ platform: PlatformName, desktop: Type.Optional(Type.Boolean()) })
export const ConnectByPassword = closedObject({
  platform: PlatformName,
  handle: Name,
  password: Type.String({ minLength: 1, maxLength: 2000 }),
  /** The account's own server, where it has one. */
  server: Type.Optional(Type.String({ maxLength: 300 })),
})
export type ConnectByPassword = Static<typeof ConnectByPassword>

/** `accountId`: the one that was chosen of several. */
export const ConnectFinish = closedObject({ accountId: Type.Optional(Name) })

/** Whether the browser is back from the platform; `declined`: the person, or the platform, said no there. */
export const ConnectState = Type.Object({
  platform: PlatformName,
  state: choice(['waiting', 'returned', 'declined']),
})
export type ConnectState = Static<typeof ConnectState>

/** The account; or the accounts of which the person chooses one. */
export const Connected = Type.Object({
  account: nullable(SocialAccountView),
  choices: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
})
export type Connected = Static<typeof Connected>

/** Whether a post is approved by another person than who prepared it. */
export const ApprovalRule = closedObject({ separateApproval: Type.Boolean() })
export type ApprovalRule = Static<typeof ApprovalRule>
