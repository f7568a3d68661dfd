/** The setting `serviceIdentity`: issuers whose ID tokens open `/internal/...`, in addition to the appliance's own. */

/** An OIDC provider, and which of its services may call. */
export interface ServiceIdentityProvider {
  /** As its tokens name it, to the letter. */
  readonly issuer: string
  /** What its tokens must be meant for. */
  readonly audience: string
  /** Where its public keys are; https, or http on this machine. */
  readonly jwksUri: string
  /** `sub` or verified `email` of the services that may call; no others may. */
  readonly subjects: readonly string[]
}

export const EXPECTED_PROVIDERS =
  'a list of { "issuer", "audience", "jwksUri" (https), "subjects": [at least one] }'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function isKeyAddress(value: unknown): value is string {
  if (!isText(value) || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  )
}

function provider(value: unknown): ServiceIdentityProvider | null {
  const { issuer, audience, jwksUri, subjects } = (value ?? {}) as Record<string, unknown>
  const named = Array.isArray(subjects) && subjects.length > 0 && subjects.every(isText)
  return isText(issuer) && isText(audience) && isKeyAddress(jwksUri) && named
    ? { issuer, audience, jwksUri, subjects: subjects }
    : null
}

/** A list, or the JSON text of one; undefined for anything else. */
export function parseProviders(value: unknown): readonly ServiceIdentityProvider[] | undefined {
  let given = value
  if (typeof value === 'string') {
    try {
      given = JSON.parse(value)
    } catch {
      // Not JSON: not a list of providers.
      return undefined
    }
  }
  if (!Array.isArray(given)) return undefined
  const providers = given.map(provider)
  return providers.every((one) => one !== null) ? providers : undefined
}
