/** Signing in without a session: by password, and as somebody who was invited. Open to whoever reaches the studio. */
import { Elysia } from 'elysia'
import { AppError } from '../../contract/errors.ts'
import {
  AcceptByPassword,
  InvitationLook,
  PasswordSignIn,
  type SignInWay,
  type SignInWays,
} from '../../contract/sign-in.ts'
import { acceptByPassword, viewInvitation } from '../../domain/people/invitations.ts'
import { checkSignIn } from '../../domain/people/passwords.ts'
import { readProvider } from '../../domain/people/provider-settings.ts'
import { openSession, sessionPerson } from '../../domain/people/sign-in.ts'
import type { Services } from '../../domain/services.ts'
import { actorOf, withinLimits } from '../call-trace.ts'
import { acceptBody, done } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { cookieRules, sessionCookie } from './sign-in.ts'

/** Of Elysia's context, what setting a cookie needs. */
export interface Answering {
  readonly request: Request
  readonly set: { readonly headers: Record<string, unknown> }
}

const REFUSED = 'The email address or the password is not right.'

/** Opens a session of a person and gives its cookie to the answer. */
export function enter(services: Services, ctx: Answering, personId: string, way: SignInWay): void {
  const { trace } = contextOf(ctx.request)
  const visit = { address: trace.address, userAgent: ctx.request.headers.get('user-agent') }
  const secret = openSession(services, personId, way, visit)
  const person = sessionPerson(services, secret)
  if (person !== null) trace.actor = actorOf({ kind: 'session', secret, person })
  ctx.set.headers['set-cookie'] = sessionCookie(cookieRules(services), secret)
}

/** What did not sign in counts against its address: RATE_LIMITED where that was too much, else the same refusal. */
export async function counted<T>(ctx: Pick<Answering, 'request'>, work: () => Promise<T> | T): Promise<T> {
  const { trace } = contextOf(ctx.request)
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'SIGN_IN_REFUSED')
      withinLimits(trace, ({ signIn: failed }) => failed(trace.address))
    throw error
  }
}

async function byPassword(
  services: Services,
  { request }: Answering,
  given: { readonly email: string; readonly password: string },
): Promise<string> {
  const { trace } = contextOf(request)
  const account = given.email.trim().toLowerCase()
  withinLimits(trace, (limits) => limits.account.guess(account))
  const personId = await checkSignIn(services, given)
  if (personId === null) throw new AppError('SIGN_IN_REFUSED', REFUSED)
  trace.limits.account.forgive(account)
  return personId
}

export function signInRoutes(services: Services) {
  return new Elysia({ prefix: '/studio/sign-in' })
    .get('/ways', (): SignInWays => {
      const provider = readProvider(services)
      return { provider: provider === null ? null : { name: provider.name } }
    })
    .post(
      '/password',
      async (ctx) => {
        enter(services, ctx, await counted(ctx, () => byPassword(services, ctx, ctx.body)), 'password')
        return done
      },
      acceptBody(PasswordSignIn),
    )
    .post(
      '/invitation',
      (ctx) => counted(ctx, () => viewInvitation(services, ctx.body.token)),
      acceptBody(InvitationLook),
    )
    .post(
      '/invitation/password',
      async (ctx) => {
        enter(services, ctx, await counted(ctx, () => acceptByPassword(services, ctx.body)), 'invitation')
        return done
      },
      acceptBody(AcceptByPassword),
    )
}
