/** The Elysia application: every JSON route and one error hook. It never listens; bridge.ts passes requests to it. */
import { node } from '@elysiajs/node'
import { Type, type Static } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import { READINESS_CHECKS, readiness } from '../domain/operations/readiness.ts'
import type { Services } from '../domain/services.ts'
import { describeRoute } from './answers.ts'
import { answerError } from './error-mapper.ts'
import { openApiDocument } from './openapi.ts'
import { clipChangeRoutes, clipRoutes, postRoutes } from './public/clips.ts'
import { triggerRoutes, workflowRoutes } from './public/trigger.ts'
import { PIECE_ROUTE, uploadRoutes } from './public/uploads.ts'
import { webhookApiRoutes } from './public/webhooks.ts'
import { contextOf } from './request-context.ts'
import { accountRoutes, invitationRoutes } from './studio/account.ts'
import { clipEditRoutes } from './studio/clip-edits.ts'
import { editorRoutes } from './studio/editor.ts'
import { exportRoutes } from './studio/exports.ts'
import { brandKitRoutes } from './studio/brand-kits.ts'
import { libraryRoutes } from './studio/library.ts'
import { reviewRoutes } from './studio/review.ts'
import { runRoutes, studioRoutes, workflowEditorRoutes } from './studio/routes.ts'
import { keyRoutes, peopleRoutes, voiceRoutes, webhookRoutes } from './studio/settings.ts'
import { signInRoutes } from './studio/sign-in-routes.ts'
import { accountPasskeyRoutes, passkeySignInRoutes } from './studio/passkey-routes.ts'
import {
  accountProviderRoutes,
  providerSettingsRoutes,
  providerSignInRoutes,
} from './studio/provider-routes.ts'
import { sharedRoutes } from './shared.ts'
import { shareRoutes } from './studio/shares.ts'
import { approvalRoutes, socialRoutes } from './studio/social.ts'
import { machineRoutes, storageRoutes } from './studio/upkeep.ts'
import { watchRoutes } from './studio/watch.ts'

/** Routes that need no authentication. */
export const OPEN_ROUTES: ReadonlySet<string> = new Set([
  '/health',
  '/ready',
  '/public/openapi.json',
  '/studio/sign-in/ways',
  '/studio/sign-in/password',
  '/studio/sign-in/invitation',
  '/studio/sign-in/invitation/password',
  '/studio/sign-in/invitation/passkey-options',
  '/studio/sign-in/invitation/passkey',
  '/studio/sign-in/passkey-options',
  '/studio/sign-in/passkey',
  '/studio/sign-in/provider',
  '/studio/sign-in/provider/callback',
  '/studio/sign-in/provider/state',
  '/studio/sign-in/provider/finish',
  '/studio/social/callback',
  // By the cookie of a share link, which these alone read.
  '/shared/links/:linkId/open',
  '/shared/links/:linkId',
  '/shared/links/:linkId/comments',
  '/shared/links/:linkId/decisions',
])

const Readiness = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('not ready')]),
  checks: Type.Array(
    Type.Object({
      name: Type.Union(READINESS_CHECKS.map((name) => Type.Literal(name))),
      ok: Type.Boolean(),
      message: Type.String({ description: 'What to do about it' }),
    }),
  ),
})

const Health = Type.Object({ status: Type.Literal('ok'), version: Type.String() })

/**
 * Groups of routes: the public API's, then the studio's. A list and no chain, because the type of a chain of so many is too deep for the
 * compiler, and nobody reads it: requests pass through bridge.ts.
 */
const ROUTES: readonly ((services: Services, version: string) => AnyElysia)[] = [
  triggerRoutes,
  uploadRoutes,
  clipRoutes,
  clipChangeRoutes,
  workflowRoutes,
  postRoutes,
  webhookApiRoutes,
  studioRoutes,
  runRoutes,
  reviewRoutes,
  editorRoutes,
  exportRoutes,
  workflowEditorRoutes,
  libraryRoutes,
  brandKitRoutes,
  peopleRoutes,
  signInRoutes,
  passkeySignInRoutes,
  providerSignInRoutes,
  accountRoutes,
  accountPasskeyRoutes,
  accountProviderRoutes,
  providerSettingsRoutes,
  invitationRoutes,
  keyRoutes,
  webhookRoutes,
  voiceRoutes,
  socialRoutes,
  approvalRoutes,
  clipEditRoutes,
  shareRoutes,
  sharedRoutes,
  watchRoutes,
  machineRoutes,
  storageRoutes,
]

/** The public API and the studio's own routes, as one Elysia application; every error is an envelope of its family. */
export function createApp(services: Services, version: string) {
  // normalize off: Elysia would strip unknown properties in silence.
  const app = new Elysia({ adapter: node(), normalize: false })
    .onError({ as: 'global' }, (ctx) => {
      const path = new URL(ctx.request.url).pathname
      const { requestId } = contextOf(ctx.request)
      const { status, headers, body } = answerError(
        ctx.error,
        { path, method: ctx.request.method, requestId },
        services.log,
      )
      return Response.json(body, { status, headers })
    })
    .get(
      '/health',
      () => ({ status: 'ok' as const, version }),
      describeRoute('Whether the appliance answers', Health, { open: true }),
    )
    .get(
      '/ready',
      async (ctx): Promise<Static<typeof Readiness>> => {
        const checks = await readiness(services)
        const ready = checks.every(({ ok }) => ok)
        if (!ready) ctx.set.status = 503
        return { status: ready ? 'ready' : 'not ready', checks }
      },
      describeRoute('Whether the appliance can do its work; 503 when it cannot', Readiness, {
        open: true,
        also: { 503: 'It cannot; the checks say what to do about it' },
      }),
    )
  for (const routes of ROUTES) app.use(routes(services, version))
  // Made when it is first asked for: the start waits for nothing that few read.
  let document: unknown
  return app.get(
    '/public/openapi.json',
    () => (document ??= openApiDocument([...app.routes, PIECE_ROUTE], version)),
    {
      detail: { summary: 'This document' },
    },
  )
}

export type App = ReturnType<typeof createApp>
