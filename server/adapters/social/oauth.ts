/** The requests of OAuth 2.0 that every platform has in common (RFC 6749, 7636). */
import type { SocialApp } from '../../config/social.ts'
import type { OAuthWay, SocialTokens, TokenCall } from './adapter.ts'
import { socialFailure } from './failure.ts'
import { isOk, refusal, type SocialRequest } from './http.ts'
import { countAt, textAt } from './values.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** The user's own app, or a sentence that names the settings. */
export function requireApp({ app }: Pick<TokenCall, 'app'>, label: string, platform: string) {
  if (app !== null) return app
  const upper = platform.toUpperCase()
  throw socialFailure(
    'unsupported',
    `${label} needs an app of your own: set CUTROOM_${upper}_CLIENT_ID and CUTROOM_${upper}_CLIENT_SECRET.`,
  )
}

/** Requests tokens; `fields` are the form. Throws `auth` when they are refused. */
export async function requestTokens(
  call: TokenCall,
  label: string,
  request: SocialRequest,
  before?: SocialTokens,
): Promise<SocialTokens> {
  const answer = await call.http(request)
  const access = textAt(answer.json, 'access_token') ?? textAt(answer.json, 'data', 'access_token')
  if (!isOk(answer) || access === null) {
    const message =
      textAt(answer.json, 'error_description') ??
      textAt(answer.json, 'error', 'message') ??
      textAt(answer.json, 'error')
    // 400 invalid_grant: the refresh token is used up or taken back.
    const refused = (answer.status >= 400 && answer.status < 500 && answer.status !== 429) || isOk(answer)
    throw refusal(label, answer, message, refused ? 'auth' : undefined)
  }
  return tokensOf(answer.json, call.now(), before)
}

/** Tokens of a response; without a new refresh token the previous one stays valid. */
function tokensOf(json: Readonly<Record<string, unknown>>, now: number, before?: SocialTokens): SocialTokens {
  const refresh = textAt(json, 'refresh_token') ?? before?.refresh
  const lives = countAt(json, 'expires_in')
  const refreshLives = countAt(json, 'refresh_expires_in') || countAt(json, 'refresh_token_expires_in')
  const refreshEnds = refreshLives > 0 ? now + refreshLives * 1000 : before?.refreshExpiresAt
  return {
    access: textAt(json, 'access_token') ?? '',
    ...omitUndefined({ refresh }),
    ...(lives > 0 ? { expiresAt: now + lives * 1000 } : {}),
    ...omitUndefined({ refreshExpiresAt: refreshEnds }),
  }
}

/** How a platform names the app in requests for tokens: by default in the form, by its id and secret. */
type AppFields = (app: SocialApp) => Pick<SocialRequest, 'form' | 'headers'>

const inForm: AppFields = ({ clientId, clientSecret }) => ({
  form: { client_id: clientId, client_secret: clientSecret ?? '' },
})

/** Exchange and renewal of tokens as RFC 6749 has them, at one address. */
export function createTokenRequests(
  { label, platform }: { readonly label: string; readonly platform: string },
  request: Pick<SocialRequest, 'at' | 'path'>,
  pkce: OAuthWay['pkce'],
  nameApp = inForm,
): Pick<OAuthWay, 'exchange' | 'pkce' | 'refresh'> {
  const tokens = (call: TokenCall, fields: Record<string, string>, before?: SocialTokens) => {
    const { form, headers = {} } = nameApp(requireApp(call, label, platform))
    return requestTokens(call, label, { ...request, headers, form: { ...fields, ...form } }, before)
  }
  return {
    pkce,
    exchange: (call, { code, redirectAddress, verifier }) =>
      tokens(call, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectAddress,
        ...(pkce === null ? {} : { code_verifier: verifier }),
      }),
    refresh: (call, before) =>
      tokens(call, { grant_type: 'refresh_token', refresh_token: before.refresh ?? '' }, before),
  }
}

/** `Authorization: Basic` of an app. */
export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
