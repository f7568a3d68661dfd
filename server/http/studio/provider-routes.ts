/** Signing in at the studio's own provider, and its settings. */
import { Elysia } from 'elysia'
import {
  ProviderBegin,
  ProviderConnect,
  ProviderFinish,
  ProviderFlow,
  ProviderRequest,
} from '../../contract/sign-in.ts'
import { describeProvider, removeProvider, saveProvider } from '../../domain/people/provider-settings.ts'
import {
  beginProviderSignIn,
  CALLBACK_PATH,
  desktopResult,
  disconnectProvider,
  finishDesktop,
  returnFromProvider,
  tryProvider,
  type Returned,
} from '../../domain/people/provider-sign-in.ts'
import type { Services } from '../../domain/services.ts'
import { acceptBody, done, readQuery } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { personOf } from './account.ts'
import { browserSecret, tieToBrowser } from './flow-cookie.ts'
import { counted, enter, type Answering } from './sign-in-routes.ts'

const PATH = '/studio/sign-in/provider'

function begin(
  services: Services,
  ctx: Answering,
  purpose: { invitation?: string; desktop?: boolean; connect?: string },
): Promise<{ address: string; flow: string }> {
  const { baseUrl } = contextOf(ctx.request)
  const browser = tieToBrowser(services, ctx, PATH)
  return beginProviderSignIn(services, { ...purpose, baseUrl, browser })
}

/** Where a browser goes that has come back from the provider; the pages there have the sentences. */
function placeAfter({ purpose, result }: Returned): string {
  const refused = 'refused' in result ? result.refused : null
  if (purpose === 'connect')
    return refused === null ? '/#/settings/account' : `/?refused=${refused}#/settings/account`
  if (purpose === 'desktop' && refused === null) return '/#/sign-in/back'
  return refused === null ? '/' : `/#/sign-in/${refused}`
}

export function providerSignInRoutes(services: Services) {
  return new Elysia({ prefix: PATH })
    .post('', (ctx) => counted(ctx, () => begin(services, ctx, ctx.body)), acceptBody(ProviderBegin))
    .get('/callback', async (ctx) => {
      const { search } = new URL(ctx.request.url)
      const returned = await returnFromProvider(services, {
        search,
        browser: browserSecret(services, ctx.request),
      })
      if (returned.purpose === 'sign-in' && 'personId' in returned.result)
        enter(services, ctx, returned.result.personId, 'provider')
      ctx.set.status = 303
      ctx.set.headers['location'] = placeAfter(returned)
      ctx.set.headers['cache-control'] = 'no-store'
      return ''
    })
    .get('/state', (ctx) => {
      const { flow } = readQuery(ctx, ProviderFlow)
      const result = desktopResult(services, { flow, browser: browserSecret(services, ctx.request) })
      if (result === null) return { state: 'waiting' as const }
      return 'refused' in result
        ? { state: 'refused' as const, refused: result.refused }
        : { state: 'ready' as const }
    })
    .post(
      '/finish',
      async (ctx) => {
        const given = { flow: ctx.body.flow, browser: browserSecret(services, ctx.request) }
        enter(services, ctx, await counted(ctx, () => finishDesktop(services, given)), 'provider')
        return done
      },
      acceptBody(ProviderFinish),
    )
}

export function accountProviderRoutes(services: Services) {
  return new Elysia({ prefix: '/studio/account' })
    .post(
      '/provider',
      (ctx) => begin(services, ctx, { ...ctx.body, connect: personOf(ctx.request).person.id }),
      acceptBody(ProviderConnect),
    )
    .delete('/provider', (ctx) => {
      disconnectProvider(services, personOf(ctx.request))
      return done
    })
}

export function providerSettingsRoutes(services: Services) {
  const page = (request: Request) => ({
    provider: describeProvider(services),
    redirectUri: `${contextOf(request).baseUrl}${CALLBACK_PATH}`,
  })
  return new Elysia({ prefix: '/studio/sign-in-provider' })
    .get('', (ctx) => page(ctx.request))
    .put(
      '',
      (ctx) => {
        saveProvider(services, ctx.body)
        return page(ctx.request)
      },
      acceptBody(ProviderRequest),
    )
    .delete('', (ctx) => {
      removeProvider(services)
      return page(ctx.request)
    })
    .post('/test', () => tryProvider(services))
}
