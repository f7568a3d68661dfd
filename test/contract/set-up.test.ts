/** The set-up of a new home: for whom it comes up by itself, and what is remembered. Roles are in people.test.ts. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SetUp } from '../../server/contract/settings.ts'
import { Value } from '@sinclair/typebox/value'
import { SET_UP, deleteSetting } from '../../server/db/settings.ts'
import { firstStart } from '../../server/domain/first-start.ts'
import { issueSignInLink } from '../../server/domain/people/sign-in.ts'
import { invitePerson } from '../../server/domain/people/people.ts'
import { awaitSetUp, describeSetUp } from '../../server/domain/settings/set-up.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import { addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let owner: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  owner = signInAs(server, 'owner')
})
afterAll(() => server.close())

/** Where a one-time link leads. */
async function leadsTo(link: string): Promise<string | undefined> {
  const { pathname, search } = new URL(link)
  const answer = await server.call(`${pathname}${search}`, { key: null })
  expect(answer.status).toBe(303)
  return answer.headers.location
}
const ownersLink = (): string => issueSignInLink(server.services, server.url)
const editorsLink = (): string =>
  invitePerson(server.services, { name: 'Another editor', role: 'editor', baseUrl: server.url }).link
async function state(): Promise<SetUp['state']> {
  const answer = await owner.call('/studio/set-up')
  expect(Value.Check(SetUp, answer.json())).toBe(true)
  return answer.json<SetUp>().state
}

it('never comes up on a home from before there was one', async () => {
  deleteSetting(server.services.db, SET_UP)
  expect(await state()).toBe('none')
  expect(await leadsTo(ownersLink())).toBe('/')
})

it('waits for an owner after the first start, and comes up once', async () => {
  const fresh = await startTestServer()
  fresh.services.db.sqlite.exec('delete from api_keys; delete from companies')
  await firstStart(fresh.services)
  expect(describeSetUp(fresh.services).state).toBe('due')
  await fresh.close()
  awaitSetUp(server.services)
  expect(await leadsTo(editorsLink())).toBe('/')
  expect(await state()).toBe('due')
  expect(await leadsTo(ownersLink())).toBe('/#/set-up')
  expect(await state()).toBe('open')
  expect(await leadsTo(ownersLink())).toBe('/')
})

it('remembers that it was skipped or done, as an owner says', async () => {
  for (const how of ['skipped', 'done'] as const) {
    const answer = await owner.call('/studio/set-up', { method: 'PUT', json: { state: how } })
    expect(answer.status).toBe(200)
    expect(await state()).toBe(how)
  }
  const wrong = await owner.call('/studio/set-up', { method: 'PUT', json: { state: 'due' } })
  expect(wrong.status).toBe(400)
  const editor = signInAs(server, 'editor')
  for (const request of [{}, { method: 'PUT' as const, json: { state: 'done' } }])
    expect((await editor.call('/studio/set-up', request)).status).toBe(403)
})

it('does not come up on a home that has worked already, as after a demonstration', async () => {
  awaitSetUp(server.services)
  addRun(server, { workflowId: addWorkflow(server) })
  expect(await leadsTo(ownersLink())).toBe('/')
  expect(await state()).toBe('due')
})
