/** Which role somebody has by what the provider says of them. PURE. */
import type { Role } from '../../contract/people.ts'
import type { ProviderSettings } from '../../contract/sign-in.ts'

/** Highest first. */
const RANK: readonly Role[] = ['owner', 'editor', 'viewer']

type Claims = Readonly<Record<string, unknown>>

const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a claim: by its whole name, as an address such as Auth0's may be, else step by step (`realm_access.roles`). */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>((at, step) => (isClaims(at) && Object.hasOwn(at, step) ? at[step] : undefined), claims)
}

/** Keycloak writes groups as paths. */
const plain = (group: string): string => group.trim().replace(/^\/(?=[^/]+$)/, '')

/** The groups that a claim names; none where it is not there. */
export function groupsIn(claims: Claims, name: string): string[] {
  const value = claimOf(claims, name)
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value]
  return listed.filter((one) => typeof one === 'string').map(plain)
}

/** Whether the provider has said nothing of groups: it may say it where it is asked again. */
export const lacksGroups = (claims: Claims, name: string): boolean => claimOf(claims, name) === undefined

/** The highest role of any group, else that of everybody; null: they do not get in. */
export function roleOf(
  groups: readonly string[],
  { roles, otherwise }: Pick<ProviderSettings, 'roles' | 'otherwise'>,
): Role | null {
  const given = roles.filter(({ group }) => groups.includes(plain(group))).map(({ role }) => role)
  return RANK.find((role) => given.includes(role)) ?? (otherwise === 'refuse' ? null : otherwise)
}
