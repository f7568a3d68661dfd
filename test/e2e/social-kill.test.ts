/**
 * The real appliance is killed with -9 between 'sent' and 'stored': the platform has the post, the appliance does not
 * know it. Restarted it finds the post, and publishes nothing twice; a post that became due meanwhile is published at
 * once.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withServices } from '../../server/cli/open-home.ts'
import { createClient, grantAccess } from '../../server/domain/access/clients.ts'
import { issueDelegation } from '../../server/domain/access/delegations.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { storeAccount } from '../../server/domain/publishing/accounts.ts'
import { cutroom, serve, type ServeProcess } from '../support/appliance-process.ts'
import { startFake, type Platformer } from '../support/fake-platforms.ts'
import { FAKES } from '../support/fakes.ts'

let home: string
let platform: Platformer
let token: string
let appliance: ServeProcess | null = null

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'cutroom-social-kill-'))
  platform = await startFake(FAKES.bluesky, Date.now)
  token = await withServices({ home, json: false }, (services) => {
    createCompany(services, { id: 'acme', name: 'Acme', plan: 'business', features: ['domain_api'] })
    createClient(services, { id: 'planner', companyId: 'acme' })
    const both = { clientId: 'planner', companyId: 'acme' }
    grantAccess(services, { ...both, expiresAt: services.now() + 3_600_000 })
    storeAccount(services, {
      companyId: 'acme',
      platform: 'bluesky',
      identified: {
        nativeId: 'did:plc:me',
        handle: 'me.test',
        tokens: { access: 'a', refresh: 'r' },
        settings: { server: platform.url },
      },
    })
    return issueDelegation(services, { ...both, subject: 'ada', lifeSeconds: 3600 })
  })
  // The first call builds, where that is needed.
  expect((await cutroom(['--version'], { timeoutMs: 200_000 })).code).toBe(0)
}, 230_000)
afterAll(async () => {
  await appliance?.stop('SIGKILL')
  await platform.close()
  await rm(home, { recursive: true, force: true })
})

let keys = 0
async function call(method: string, path: string, json?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${appliance?.url ?? ''}${path}`, {
    method,
    headers: {
      'x-service-delegation': token,
      'idempotency-key': `k${++keys}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const body = (await answer.json()) as { data?: Record<string, unknown> }
  if (!answer.ok || body.data === undefined) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
  return body.data
}

async function publish(fields: Record<string, unknown>): Promise<string> {
  const id = String((await call('POST', '/social/posts', { platform: 'bluesky', ...fields }))['id'])
  const { id: confirmationId } = await call('POST', `/social/posts/${id}:prepare-publish`)
  await call('POST', `/confirmations/${String(confirmationId)}:decide`, { decision: 'approve' })
  await call('POST', `/social/posts/${id}:publish`, { confirmationId })
  return id
}

async function until(id: string, status: string): Promise<Record<string, unknown>> {
  for (let round = 0; round < 600; round++) {
    const post = await call('GET', `/social/posts/${id}`)
    if (post['status'] === status) return post
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`it is ${JSON.stringify(await call('GET', `/social/posts/${id}`))}`)
}

it('publishes once all the same, and publishes posts that became due while it was down', async () => {
  appliance = await serve(home)
  platform.fault = { after: 0, kind: 'hang' }
  const struck = platform.struck()
  const first = await publish({ text: 'Sent, and never stored' })
  await struck
  expect(platform.state.posts.map(({ text }) => text)).toEqual(['Sent, and never stored'])
  const scheduledAt = new Date(Date.now() + 4000).toISOString()
  const later = await publish({ text: 'Due while the appliance is dead', scheduledAt })
  await appliance.stop('SIGKILL')
  platform.release()
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(scheduledAt) - Date.now())))
  appliance = await serve(home)
  const due = await until(later, 'success')
  expect(Date.parse(String(due['publishedAt']))).toBeGreaterThanOrEqual(Date.parse(scheduledAt))
  const done = await until(first, 'success')
  const operation = await call('GET', `/operations/${String(done['operationId'])}`)
  expect(operation).toMatchObject({ state: 'succeeded', attempts: 2 })
  expect(platform.state.posts.map(({ text }) => text).sort()).toEqual([
    'Due while the appliance is dead',
    'Sent, and never stored',
  ])
  expect((await appliance.stop()).code).toBe(0)
}, 120_000)
