/** Access to the domain API by the command line alone, next to a running appliance. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutroom, serve, type ServeProcess } from '../support/appliance-process.ts'

let home: string
let appliance: ServeProcess
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'cutroom-domain-cli-'))
  appliance = await serve(home)
})
afterAll(async () => {
  await appliance.stop()
  await rm(home, { recursive: true, force: true })
})

async function json<T>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await cutroom([...words, '--home', home, '--json'])
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as T
}

async function code(...words: string[]): Promise<{ code: number; stderr: string }> {
  const { code, stderr } = await cutroom([...words, '--home', home])
  return { code, stderr }
}

async function context(
  token: string,
): Promise<{ status: number; body: Record<string, Record<string, unknown>> }> {
  const answer = await fetch(`${appliance.url}/context`, { headers: { 'x-service-delegation': token } })
  return { status: answer.status, body: (await answer.json()) as Record<string, Record<string, unknown>> }
}

it('gives access by client, grant and delegation, and ends it with the grant', async () => {
  await json('company', 'create', 'acme', '--name', 'Acme', '--plan', 'business', '--feature', 'domain_api')
  expect(await json('client', 'create', 'planner', '--company', 'acme')).toMatchObject({
    id: 'planner',
    companyId: 'acme',
  })
  const both = ['--client', 'planner', '--company', 'acme']
  const { token } = await json<{ token: string }>('delegation', 'issue', ...both, '--subject', 'ada')
  const refused = await context(token)
  expect([refused.status, refused.body['error']?.['code']]).toEqual([403, 'GRANT_MISSING'])
  const grant = await json<{ expiresAt: string }>('grant', 'create', ...both, '--expires', '2d')
  expect(Date.parse(grant.expiresAt) - Date.now()).toBeGreaterThan(47 * 3_600_000)
  const allowed = await context(token)
  expect([allowed.status, allowed.body['data']]).toEqual([
    200,
    expect.objectContaining({ organization: expect.objectContaining({ id: 'acme' }) as unknown }),
  ])
  expect(await json('grant', 'revoke', ...both)).toMatchObject({ revoked: true })
  expect((await context(token)).status).toBe(403)
})

it('reports what is wrong', async () => {
  const unknown = ['--client', 'nobody', '--company', 'local']
  expect(await code('delegation', 'issue', ...unknown, '--subject', 'x')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no client "nobody".*cutroom client create/s) as string,
  })
  expect(await code('grant', 'create', ...unknown, '--expires', 'soon')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--expires is a date/) as string,
  })
  expect(await code('service-token', 'issue', '--subject', 's', '--ttl', '2h')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/one second to one hour/) as string,
  })
  expect(await code('issuer', 'trust', 'x', '--jwks', join(home, 'config.json'))).toMatchObject({ code: 2 })
})
