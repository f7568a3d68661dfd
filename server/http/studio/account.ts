/** The account of whoever is signed in, and invitations of owners. */
import { Elysia } from 'elysia'
import { AppError } from '../../contract/errors.ts'
import { InvitationRequest, PasswordChange } from '../../contract/sign-in.ts'
import {
  changePassword,
  describeAccount,
  endOtherSessions,
  endSession,
  type SignedInPerson,
} from '../../domain/people/account.ts'
import { createInvitation, openInvitations, revokeInvitation } from '../../domain/people/invitations.ts'
import type { Services } from '../../domain/services.ts'
import { withinLimits } from '../call-trace.ts'
import { acceptBody, done } from '../json-body.ts'
import { contextOf, editorName, principalOf } from '../request-context.ts'

/** The person who asks. ROLE_NOT_ALLOWED for an API key, which is nobody. */
export function personOf(request: Request): SignedInPerson {
  const principal = principalOf(request)
  if (principal.kind === 'session') return principal
  throw new AppError('ROLE_NOT_ALLOWED', 'API keys have no account. Sign in to the studio.')
}

/** Wrong passwords count against the account, as they do where people sign in. */
async function changeOwnPassword(
  services: Services,
  request: Request,
  body: { readonly email?: string; readonly current?: string; readonly password: string },
): Promise<void> {
  const who = personOf(request)
  const { trace } = contextOf(request)
  const account = `own:${who.person.id}`
  withinLimits(trace, (limits) => limits.account.guess(account))
  try {
    await changePassword(services, who, body)
    trace.limits.account.forgive(account)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SIGN_IN_REFUSED')
      trace.limits.account.forgive(account)
    throw error
  }
}

export function accountRoutes(services: Services) {
  return new Elysia({ prefix: '/studio/account' })
    .get('', (ctx) => describeAccount(services, personOf(ctx.request)))
    .put(
      '/password',
      async (ctx) => {
        await changeOwnPassword(services, ctx.request, ctx.body)
        return describeAccount(services, personOf(ctx.request))
      },
      acceptBody(PasswordChange),
    )
    .delete('/sessions', (ctx) => ({ ended: endOtherSessions(services, personOf(ctx.request)) }))
    .delete('/sessions/:sessionId', (ctx) => {
      endSession(services, personOf(ctx.request).person.id, ctx.params.sessionId)
      return done
    })
}

export function invitationRoutes(services: Services) {
  return new Elysia({ prefix: '/studio/invitations' })
    .get('', () => ({ invitations: openInvitations(services) }))
    .post(
      '',
      (ctx) =>
        createInvitation(services, {
          ...ctx.body,
          invitedBy: editorName(ctx.request) ?? '',
          baseUrl: contextOf(ctx.request).baseUrl,
        }),
      acceptBody(InvitationRequest),
    )
    .delete('/:invitationId', (ctx) => {
      revokeInvitation(services, ctx.params.invitationId)
      return done
    })
}
