/** /studio/people: members and their roles; /studio/audit: the audit log. For owners (http/abilities.ts). */
import { Elysia } from 'elysia'
import { AuditPage, AuditQuery } from '../../contract/audit.ts'
import {
  Invitation,
  People,
  PersonAnswer,
  PersonChanges,
  PersonRequest,
  SessionsEnded,
} from '../../contract/people.ts'
import { readAudit } from '../../domain/people/audit.ts'
import {
  changePerson,
  endSessions,
  invitePerson,
  linkFor,
  listPeople,
  removePerson,
} from '../../domain/people/people.ts'
import type { Services } from '../../domain/services.ts'
import { describeRoute, done, Done } from '../answers.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { contextOf, principalOf } from '../request-context.ts'

const NOT_THERE = ['NOT_FOUND', 'ROLE_NOT_ALLOWED'] as const
const LAST_OWNER = [...NOT_THERE, 'INVALID_STATE', 'COMPANY_NOT_FOUND'] as const

export function peopleRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/people',
      (): People => ({ people: listPeople(services) }),
      describeRoute('Who may use the studio', People, { errors: ['ROLE_NOT_ALLOWED'] }),
    )
    .post(
      '/people',
      (ctx): Invitation => invitePerson(services, { ...ctx.body, baseUrl: contextOf(ctx.request).baseUrl }),
      describeRoute('Add a person; the link signs them in, once', Invitation, {
        body: jsonBody(PersonRequest),
        errors: ['ROLE_NOT_ALLOWED', 'COMPANY_NOT_FOUND'],
      }),
    )
    .patch(
      '/people/:personId',
      (ctx) => ({ person: changePerson(services, ctx.params.personId, ctx.body) }),
      describeRoute('Change name, role or company', PersonAnswer, {
        body: jsonBody(PersonChanges),
        errors: LAST_OWNER,
      }),
    )
    .post(
      '/people/:personId/link',
      (ctx): Invitation =>
        linkFor(services, { id: ctx.params.personId, baseUrl: contextOf(ctx.request).baseUrl }),
      describeRoute('Another one-time link for a person', Invitation, { errors: NOT_THERE }),
    )
    .delete(
      '/people/:personId/sessions',
      (ctx) => {
        const principal = principalOf(ctx.request)
        const own = principal.kind === 'session' ? principal : null
        return { ended: endSessions(services, ctx.params.personId, own) }
      },
      describeRoute('Sign a person out everywhere', SessionsEnded, { errors: NOT_THERE }),
    )
    .delete(
      '/people/:personId',
      (ctx) => {
        removePerson(services, ctx.params.personId)
        return done
      },
      describeRoute('Take a person out', Done, { errors: LAST_OWNER }),
    )
    .get(
      '/audit',
      (ctx): AuditPage => readAudit(services, readQuery(ctx, AuditQuery)),
      describeRoute('What was changed, by whom; the newest first', AuditPage, {
        query: AuditQuery,
        errors: ['ROLE_NOT_ALLOWED'],
      }),
    )
}
