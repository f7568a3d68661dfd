/** GET /studio/sign-in?token=: turns the one-time link into a session cookie; POST /studio/sign-out ends it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { applianceId, SESSION_LIVES_MS, sessionPerson, signIn, signOut } from '../../domain/people/sign-in.ts'
import { opensSetUp } from '../../domain/settings/set-up.ts'
import type { Services } from '../../domain/services.ts'
import { sessionCookieName, type Principal } from '../authenticate.ts'
import { visitOf } from '../request-guard.ts'
import { actorOf, withinLimits, type CallTrace } from '../call-trace.ts'
import { sendJson, sendPage } from '../respond.ts'

export interface CookieRules {
  readonly name: string
  /** Behind an https address the cookie never travels without TLS. */
  readonly secure: boolean
}

/** The rules of this appliance. */
export const cookieRules = (services: Services): CookieRules => ({
  name: sessionCookieName(applianceId(services)),
  secure: services.config.publicUrl?.startsWith('https:') === true,
})

/** The Set-Cookie header of a new session. */
export const sessionCookie = (rules: CookieRules, secret: string): string =>
  cookie(rules, secret, SESSION_LIVES_MS / 1000)

function cookie(rules: CookieRules, value: string, maxAgeSeconds: number): string {
  const secure = rules.secure ? '; Secure' : ''
  return `${rules.name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

/** Answers with a session cookie and the way to the studio; with a page of 401 for a link that does not work. */
export function handleSignIn(
  services: Services,
  { request, response, trace }: { request: IncomingMessage; response: ServerResponse; trace: CallTrace },
  context: { query: URLSearchParams; rules: CookieRules },
): void {
  const secret = signIn(services, context.query.get('token') ?? '', visitOf(request, trace))
  const person = secret === null ? null : sessionPerson(services, secret)
  if (secret === null || person === null) {
    withinLimits(trace, ({ signIn: failed }) => failed(trace.address))
    sendPage(response, 401, {
      title: 'This link does not work any more',
      text: 'A sign-in link works once and for a day. Get a new one by starting the appliance again, or where it runs.',
    })
    return
  }
  trace.actor = actorOf({ kind: 'session', secret, person })
  response.setHeader('Set-Cookie', sessionCookie(context.rules, secret))
  const page = opensSetUp(services, person) ? '/#/set-up' : '/'
  response.writeHead(303, { Location: page, 'Content-Length': 0 }).end()
}

/** Ends the caller's session and clears its cookie. */
export async function handleSignOut(
  services: Services,
  response: ServerResponse,
  context: { principal: Principal; rules: CookieRules },
): Promise<void> {
  if (context.principal.kind === 'session') signOut(services, context.principal.secret)
  await services.charge?.settled()
  response.setHeader('Set-Cookie', cookie(context.rules, '', 0))
  sendJson(response, 200, { status: 'success' })
}
