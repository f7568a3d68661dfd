/** Passkeys: signing in, coming in by invitation, and those of whoever is signed in. */
import { Elysia } from 'elysia'
import { deviceOf } from '../../contract/device.ts'
import {
  AcceptByPasskey,
  AcceptOptions,
  NewPasskey,
  PasskeyAnswer,
  PasskeyName,
} from '../../contract/sign-in.ts'
import { describeAccount } from '../../domain/people/account.ts'
import {
  acceptByPasskey,
  addPasskey,
  invitedOptions,
  passkeyOptions,
  removePasskey,
  renamePasskey,
  signInByPasskey,
  signInOptions,
} from '../../domain/people/passkeys.ts'
import type { Services } from '../../domain/services.ts'
import { acceptBody, done } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { personOf } from './account.ts'
import { counted, enter } from './sign-in-routes.ts'

/** The origin of the page that asks: it was judged before (request-guard.ts). */
const originOf = (request: Request): string =>
  request.headers.get('origin') ?? new URL(contextOf(request).baseUrl).origin

/** What a passkey is called that was made with an invitation. */
function deviceName(request: Request): string {
  const { browser, system } = deviceOf(request.headers.get('user-agent'))
  return [browser, system].filter((one) => one !== null).join(', ') || 'Passkey'
}

export function passkeySignInRoutes(services: Services) {
  return new Elysia({ prefix: '/studio/sign-in' })
    .post('/passkey-options', (ctx) => signInOptions(services, originOf(ctx.request)))
    .post(
      '/passkey',
      async (ctx) => {
        const work = () => signInByPasskey(services, originOf(ctx.request), ctx.body)
        enter(services, ctx, await counted(ctx, work), 'passkey')
        return done
      },
      acceptBody(PasskeyAnswer),
    )
    .post(
      '/invitation/passkey-options',
      (ctx) => counted(ctx, () => invitedOptions(services, originOf(ctx.request), ctx.body)),
      acceptBody(AcceptOptions),
    )
    .post(
      '/invitation/passkey',
      async (ctx) => {
        const given = { ...ctx.body, device: deviceName(ctx.request) }
        const work = () => acceptByPasskey(services, originOf(ctx.request), given)
        enter(services, ctx, await counted(ctx, work), 'invitation')
        return done
      },
      acceptBody(AcceptByPasskey),
    )
}

export function accountPasskeyRoutes(services: Services) {
  return new Elysia({ prefix: '/studio/account' })
    .post('/passkey-options', (ctx) => passkeyOptions(services, personOf(ctx.request), originOf(ctx.request)))
    .post(
      '/passkeys',
      async (ctx) => {
        const who = personOf(ctx.request)
        await addPasskey(services, who, originOf(ctx.request), ctx.body)
        return describeAccount(services, who)
      },
      acceptBody(NewPasskey),
    )
    .patch(
      '/passkeys/:passkeyId',
      (ctx) => {
        renamePasskey(services, personOf(ctx.request), ctx.params.passkeyId, ctx.body.name)
        return done
      },
      acceptBody(PasskeyName),
    )
    .delete('/passkeys/:passkeyId', (ctx) => {
      removePasskey(services, personOf(ctx.request), ctx.params.passkeyId)
      return done
    })
}
