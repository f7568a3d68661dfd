/** Signing in to the studio: ways, the account of whoever is signed in, invitations, and the studio's own provider. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'
import { RoleSchema } from './people.ts'

export const SIGN_IN_WAYS = ['link', 'password', 'passkey', 'provider', 'invitation'] as const
export type SignInWay = (typeof SIGN_IN_WAYS)[number]

/** Why a sign-in at the provider came to nothing; the page has a sentence for each. */
export const PROVIDER_REFUSALS = [
  /** The page where it began is another one, or it took too long. */
  'expired',
  /** The person said no there, or the provider did. */
  'declined',
  /** What the provider sent is not valid, or it cannot be reached. */
  'failed',
  /** No group of theirs has a role here, and nobody has invited them. */
  'no-group',
  /** The invitation is for another address, used or over. */
  'invitation',
  /** Somebody else here is connected with that account. */
  'taken',
] as const
export type ProviderRefusal = (typeof PROVIDER_REFUSALS)[number]

const Email = Type.String({ minLength: 3, maxLength: 254 })
const Password = Type.String({ minLength: 1, maxLength: 1024 })
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Token = Type.String({ minLength: 1, maxLength: 200 })
/** What browsers send of a passkey; the library checks all of it. */
const Credential = Type.Unknown()

export const SignInWays = Type.Object({
  /** The studio's own provider; null: none is set up. */
  provider: nullable(Type.Object({ name: Type.String() })),
})
export type SignInWays = Static<typeof SignInWays>

export const PasswordSignIn = closedObject({ email: Email, password: Password })

export const PasskeyAnswer = closedObject({ flow: Token, response: Credential })
export const NewPasskey = closedObject({ flow: Token, name: Name, response: Credential })
export const PasskeyName = closedObject({ name: Name })

/** `desktop`: the provider's page opens in a browser beside the desktop window. */
export const ProviderBegin = closedObject({
  invitation: Type.Optional(Token),
  desktop: Type.Optional(Type.Boolean()),
})
export const ProviderConnect = closedObject({ desktop: Type.Optional(Type.Boolean()) })
export const ProviderFinish = closedObject({ flow: Token })
export const ProviderFlow = Type.Object({ flow: Token })

export const InvitationLook = closedObject({ token: Token })
/** What the invited sees before they are anybody. */
export const InvitationView = Type.Object({
  email: nullable(Type.String()),
  role: RoleSchema,
  invitedBy: Type.String(),
  expiresAt: Type.String(),
  provider: SignInWays.properties.provider,
})
export type InvitationView = Static<typeof InvitationView>

export const AcceptByPassword = closedObject({ token: Token, name: Name, email: Email, password: Password })
export const AcceptOptions = closedObject({ token: Token, name: Name })
export const AcceptByPasskey = closedObject({
  token: Token,
  name: Name,
  email: Type.Optional(Email),
  flow: Token,
  response: Credential,
})

export const InvitationRequest = closedObject({
  role: RoleSchema,
  /** The only company that they work for; absent: every one. */
  scope: Type.Optional(Type.String({ maxLength: 100 })),
  email: Type.Optional(Type.String({ maxLength: 254 })),
  /** Until it is over; 1 to 30. */
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
})
export type InvitationRequest = Static<typeof InvitationRequest>

export const OpenInvitation = Type.Object({
  id: Type.String(),
  email: nullable(Type.String()),
  role: RoleSchema,
  companyId: nullable(Type.String()),
  invitedBy: Type.String(),
  createdAt: Type.String(),
  expiresAt: Type.String(),
})
export type OpenInvitation = Static<typeof OpenInvitation>

/** The link is shown here and never again. */
export const MadeInvitation = Type.Object({ invitation: OpenInvitation, link: Type.String() })
export type MadeInvitation = Static<typeof MadeInvitation>

export const AccountSession = Type.Object({
  id: Type.String(),
  /** The one that asks. */
  current: Type.Boolean(),
  /** Null: not known. */
  way: nullable(choice(SIGN_IN_WAYS)),
  browser: nullable(Type.String()),
  system: nullable(Type.String()),
  address: nullable(Type.String()),
  createdAt: Type.String(),
  /** To a few minutes. */
  lastUsedAt: Type.String(),
})
export type AccountSession = Static<typeof AccountSession>

export const AccountPasskey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  host: Type.String(),
  createdAt: Type.String(),
  lastUsedAt: nullable(Type.String()),
})
export type AccountPasskey = Static<typeof AccountPasskey>

export const Account = Type.Object({
  name: Type.String(),
  role: RoleSchema,
  email: nullable(Type.String()),
  hasPassword: Type.Boolean(),
  /** Whether a password is changed only with the one before it: not soon after a link. */
  needsPassword: Type.Boolean(),
  passkeys: Type.Array(AccountPasskey),
  sessions: Type.Array(AccountSession),
  provider: nullable(Type.Object({ name: Type.String(), connected: Type.Boolean() })),
})
export type Account = Static<typeof Account>

export const PasswordChange = closedObject({
  email: Type.Optional(Email),
  current: Type.Optional(Password),
  password: Password,
})

const ProviderRole = closedObject({
  group: Type.String({ minLength: 1, maxLength: 300 }),
  role: RoleSchema,
})
const providerFields = {
  /** On the button: "Sign in with NAME". */
  name: Type.String({ minLength: 1, maxLength: 60 }),
  issuer: Type.String({ minLength: 1, maxLength: 2000 }),
  clientId: Type.String({ minLength: 1, maxLength: 500 }),
  scopes: Type.String({ minLength: 1, maxLength: 500 }),
  /** Name of the claim with the groups; `realm_access.roles` reaches into one. */
  groupsClaim: Type.String({ minLength: 1, maxLength: 200 }),
  /** The highest role of any group counts. */
  roles: Type.Array(ProviderRole, { maxItems: 100 }),
  /** Of people without a mapped group. `refuse`: they do not get in. */
  otherwise: choice(['refuse', 'viewer', 'editor'] as const),
}
/** An absent secret stays as it is. */
export const ProviderRequest = closedObject({
  ...providerFields,
  clientSecret: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type ProviderRequest = Static<typeof ProviderRequest>

export const ProviderSettings = Type.Object({
  ...providerFields,
  hasSecret: Type.Boolean(),
})
export type ProviderSettings = Static<typeof ProviderSettings>

export const ProviderPage = Type.Object({
  provider: nullable(ProviderSettings),
  /** What the provider must be given as the address to come back to. */
  redirectUri: Type.String(),
})
export type ProviderPage = Static<typeof ProviderPage>

export const ProviderTried = Type.Object({
  ok: Type.Boolean(),
  /** What was found, or what is wrong and what to do. */
  sentences: Type.Array(Type.String()),
})
export type ProviderTried = Static<typeof ProviderTried>
