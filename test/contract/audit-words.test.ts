/** The audit log in words: every route and command that is recorded has some, and they can be told of what was refused. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actions, PAST } from '../../renderer/messages/audit.ts'
import { actionText } from '../../renderer/settings/words.ts'
import type { AuditRow } from '../../server/contract/audit.ts'
import { isRecordedCommand } from '../../server/cli/record-command.ts'
import { COMMANDS, type CommandName } from '../../server/cli/registry.ts'
import { isRecorded } from '../../server/http/abilities.ts'
import { createApp } from '../../server/http/app.ts'
import { RAW_ROUTES } from '../../server/http/bridge.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** Served beside the routes (server/http/worker-files.ts). */
const FILES = 'PUT /internal/worker/files/blobs/{sha256}'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('has words for every route that is recorded, and for no other', () => {
  const routes = [...createApp(server.services, '0').routes, ...RAW_ROUTES, ...DOMAIN_ROUTES]
  const recorded = routes.filter(({ method, path }) => isRecorded(method, path))
  expect(recorded.length).toBeGreaterThan(100)
  const named = new Set([...recorded.map(({ method, path }) => `${method} ${path}`), FILES])
  expect(Object.keys(actions.routes).toSorted()).toEqual([...named].toSorted())
})

it('has words for every command that is recorded, and for no other', () => {
  const recorded = (Object.keys(COMMANDS) as CommandName[]).filter(isRecordedCommand)
  expect(Object.keys(actions.commands).toSorted()).toEqual(recorded.toSorted())
})

it('begins each with a verb that it knows the past of, and has no verb too many', () => {
  const all = [...Object.values(actions.routes), ...Object.values(actions.commands), actions.other]
  const verbs = new Set(all.map((words) => words.split(' ')[0]))
  expect([...verbs].toSorted()).toEqual(Object.keys(PAST).toSorted())
})

it('tells what was done, what was only tried, and what later versions did', () => {
  const row = (changes: Partial<AuditRow>): AuditRow => ({
    id: 1,
    at: '',
    companyId: null,
    method: 'POST',
    route: '/studio/runs',
    resourceId: null,
    status: 200,
    requestId: '',
    actor: { kind: 'person', id: 'p', name: 'Ada' },
    ...changes,
  })
  expect(actionText(row({}))).toBe('Started a run')
  expect(actionText(row({ status: 403 }))).toBe('Tried to start a run')
  expect(actionText(row({ status: 499 }))).toBe('Tried to start a run')
  const command = { method: 'CLI', route: 'cutroom key revoke' }
  expect(actionText(row({ ...command, status: 0 }))).toBe('Revoked a key')
  expect(actionText(row({ ...command, status: 1 }))).toBe('Tried to revoke a key')
  expect(actionText(row({ route: '/studio/of-later' }))).toBe('Changed something')
})
