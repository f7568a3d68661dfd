/** Accounts of platforms in the studio: connected by the platform's own page or by an app password, and disconnected. */
import { Elysia } from 'elysia'
import {
  AppRequest,
  ApprovalRule,
  ConnectBegin,
  ConnectByPassword,
  ConnectFinish,
  type StudioAccounts,
} from '../../contract/social-accounts.ts'
import { changeCompany, requireCompany } from '../../domain/people/companies.ts'
import { describeAccounts, disconnectAccount, requirePlatform } from '../../domain/publishing/accounts.ts'
import { describeApps, removeApp, saveApp } from '../../domain/publishing/apps.ts'
import {
  beginConnect,
  connectState,
  finishConnect,
  returnFromPlatform,
  SOCIAL_CALLBACK,
} from '../../domain/publishing/browser-connect.ts'
import { connectByPassword } from '../../domain/publishing/connect.ts'
import type { Services } from '../../domain/services.ts'
import { acceptBody } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { personOf } from './account.ts'
import { companyInQuery } from './company.ts'
import { browserSecret, tieToBrowser } from './flow-cookie.ts'

/** Platforms answer within seconds; whoever waits longer tries again. */
const PATIENCE_MS = 60_000

export function socialRoutes(services: Services) {
  const company = companyInQuery(services)
  const ownerOf = (ctx: { readonly request: Request }) => ({
    companyId: company(ctx),
    personId: personOf(ctx.request).person.id,
  })
  const listed = (ctx: { readonly request: Request }): StudioAccounts => ({
    accounts: describeAccounts(services, company(ctx)),
    platforms: describeApps(services),
    redirectAddress: `${contextOf(ctx.request).baseUrl}${SOCIAL_CALLBACK}`,
  })
  return new Elysia({ prefix: '/studio/social' })
    .get('/accounts', listed)
    .delete('/accounts/:accountId', (ctx) => {
      disconnectAccount(services, { companyId: company(ctx), id: ctx.params.accountId })
      return listed(ctx)
    })
    .put(
      '/apps/:platform',
      (ctx) => {
        saveApp(services, requirePlatform(ctx.params.platform), ctx.body)
        return listed(ctx)
      },
      acceptBody(AppRequest),
    )
    .delete('/apps/:platform', (ctx) => {
      removeApp(services, requirePlatform(ctx.params.platform))
      return listed(ctx)
    })
    .post(
      '/password',
      async (ctx) => {
        const { server = '', ...given } = ctx.body
        const signal = AbortSignal.timeout(PATIENCE_MS)
        const input = { ...given, companyId: company(ctx), server: server === '' ? null : server, signal }
        return { account: await connectByPassword(services, input), choices: [] }
      },
      acceptBody(ConnectByPassword),
    )
    .post(
      '/connect',
      (ctx) => {
        const owner = ownerOf(ctx)
        const { platform, desktop = false } = ctx.body
        const browser = tieToBrowser(services, ctx, '/studio/social')
        const { baseUrl } = contextOf(ctx.request)
        return beginConnect(services, { ...owner, platform, desktop, baseUrl, browser })
      },
      acceptBody(ConnectBegin),
    )
    .get('/callback', (ctx) => {
      const { search } = new URL(ctx.request.url)
      const back = returnFromPlatform(services, { search, browser: browserSecret(services, ctx.request) })
      ctx.set.status = 303
      ctx.set.headers['cache-control'] = 'no-store'
      ctx.set.headers['location'] =
        back === null
          ? '/#/publish/connect:over'
          : back.desktop
            ? '/#/sign-in/connected'
            : `/#/publish/connect:${back.flow}`
      return ''
    })
    .get('/connect/:flow', (ctx) => connectState(services, { ...ownerOf(ctx), flow: ctx.params.flow }))
    .post(
      '/connect/:flow/finish',
      (ctx) => {
        const { accountId = null } = ctx.body
        const signal = AbortSignal.timeout(PATIENCE_MS)
        return finishConnect(services, { ...ownerOf(ctx), flow: ctx.params.flow, accountId, signal })
      },
      acceptBody(ConnectFinish),
    )
}

/** Whether a company's posts are approved by another person than who prepared them. */
export function approvalRoutes(services: Services) {
  const company = companyInQuery(services)
  const ruleOf = (companyId: string): ApprovalRule => {
    const { separateApproval } = requireCompany(services, companyId)
    return { separateApproval }
  }
  return new Elysia({ prefix: '/studio/social/approval' })
    .get('', (ctx) => ruleOf(company(ctx)))
    .put(
      '',
      (ctx) => {
        changeCompany(services, company(ctx), ctx.body)
        return ruleOf(company(ctx))
      },
      acceptBody(ApprovalRule),
    )
}
