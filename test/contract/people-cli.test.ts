/** `cutroom people ...`, `company ...` and `cutroom audit` on a home, as a person types them; and the row that a command leaves. */
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { expect, it, vi } from 'vitest'
import type { AuditRow } from '../../server/contract/audit.ts'
import type { Invitation, Person } from '../../server/contract/people.ts'
import type { AccountSession, MadeInvitation, OpenInvitation } from '../../server/contract/sign-in.ts'
import type { Company } from '../../server/domain/people/companies.ts'
import { typedCommands } from '../support/typed-commands.ts'

const { cutroom, home, json } = typedCommands()

it('invites, lists, changes and removes people; the last owner stays', async () => {
  await cutroom('company', 'create', 'acme', '--name', 'Acme')
  const { person, link } = await json<Invitation>('people', 'invite', 'Ada', '--role', 'owner')
  expect(person).toMatchObject({ name: 'Ada', role: 'owner', companyId: null, invited: true })
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/studio\/sign-in\?token=[\w-]{43}$/)
  expect((await cutroom('people', 'role', 'Ada', 'editor')).notes.join()).toContain('last owner')
  expect((await cutroom('people', 'remove', person.id)).code).toBe(1)
  expect((await cutroom('people', 'invite', 'Bo', '--company', 'acme')).code).toBe(0)
  expect((await cutroom('people', 'invite', 'Cy', '--role', 'chief')).code).toBe(1)
  expect((await cutroom('people', 'invite', 'Bo', '--again')).out[0]).not.toBe(link)
  const listed = await json<Person[]>('people', 'list')
  expect(listed.map(({ name, role, companyId }) => [name, role, companyId])).toEqual([
    ['Ada', 'owner', null],
    ['Bo', 'viewer', 'acme'],
  ])
  expect((await cutroom('people', 'role', 'Bo', 'owner', '--company', '')).code).toBe(0)
  expect((await cutroom('people', 'remove', 'Ada')).code).toBe(0)
})

it('writes audit rows with the exit code, and none of the secrets that were typed', async () => {
  const secret = ['--company', 'acme', '--name', 'secret-name']
  const { key } = await json<{ key: string }>('key', 'create', ...secret)
  const shown = await cutroom('audit', '--since', '1h', '--json', '--limit', '1000')
  const rows = shown.out.map((line) => JSON.parse(line) as AuditRow)
  expect(rows.map(({ route, status }) => `${route} ${status}`).reverse()).toEqual([
    'cutroom company create 0',
    'cutroom people invite 0',
    'cutroom people role 1',
    'cutroom people remove 1',
    'cutroom people invite 0',
    'cutroom people invite 1',
    'cutroom people invite 0',
    'cutroom people role 0',
    'cutroom people remove 0',
    'cutroom key create 0',
  ])
  expect(rows[0]).toMatchObject({ method: 'CLI', companyId: 'acme', actor: { kind: 'cli' } })
  expect(rows.at(-1)).toMatchObject({ resourceId: 'acme' })
  expect(shown.out.join()).not.toContain(key)
  const table = await cutroom('audit', '--limit', '2')
  expect(table.out).toHaveLength(3)
  expect((await cutroom('audit', '--since', 'never')).code).toBe(2)
})

it('makes, lists and takes back invitations, and ends sessions', async () => {
  const create = ['invitation', 'create', '--role', 'editor', '--email', 'Dee@example.com', '--days', '3']
  const { invitation, link } = await json<MadeInvitation>(...create)
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/welcome\/[\w-]{43}$/)
  expect(invitation).toMatchObject({ role: 'editor', email: 'dee@example.com', companyId: null })
  expect(await json<OpenInvitation[]>('invitation', 'list')).toEqual([invitation])
  expect((await cutroom('invitation', 'create', '--days', '31')).code).toBe(2)
  expect((await cutroom('invitation', 'revoke', invitation.id)).code).toBe(0)
  expect((await cutroom('invitation', 'revoke', invitation.id)).code).toBe(1)
  expect(await json<OpenInvitation[]>('invitation', 'list')).toEqual([])
  expect(await json<AccountSession[]>('sessions', 'list', 'Bo')).toEqual([])
  expect((await json<{ ended: number }>('sessions', 'end', 'Bo')).ended).toBe(0)
  expect((await cutroom('sessions', 'end', 'Bo', '--session', 'none')).code).toBe(1)
})

it('records the user who called sudo besides the effective user, if it is a valid name', async () => {
  const user = userInfo().username
  const recorded = async (requested: string): Promise<AuditRow['actor'] | undefined> => {
    vi.stubEnv('CUTROOM_ASKED_BY', requested)
    await cutroom('people', 'remove', 'nobody-of-this-name')
    vi.unstubAllEnvs()
    const [row] = (await cutroom('audit', '--json', '--limit', '1')).out
    return row === undefined ? undefined : (JSON.parse(row) as AuditRow).actor
  }
  expect(await recorded('alice')).toEqual({ kind: 'cli', id: user, name: `alice, as ${user}` })
  expect(await recorded('a\nb; rm')).toEqual({ kind: 'cli', id: user, name: null })
  expect(await recorded('')).toEqual({ kind: 'cli', id: user, name: null })
})

it('changes the given fields of a company, and refuses invalid values', async () => {
  await cutroom('company', 'create', 'later', '--name', 'Later')
  const change = (...words: string[]) => ['company', 'change', 'later', ...words]
  const raised = await json<Company>(
    ...change('--plan', 'business', '--feature', 'domain_api', '--feature', 'mcp'),
  )
  expect(raised).toMatchObject({ name: 'Later', plan: 'business', features: ['domain_api', 'mcp'] })
  const renamed = await json<Company>(
    ...change('--name', 'Now', '--render-concurrency', '3', '--feature', ''),
  )
  expect(renamed).toMatchObject({ name: 'Now', plan: 'business', features: [], renderConcurrency: 3 })
  expect((await json<Company[]>('company', 'list')).at(-1)).toEqual(renamed)
  expect((await cutroom(...change('--plan', 'golden'))).code).toBe(1)
  expect((await cutroom(...change('--render-concurrency', 'many'))).code).toBe(2)
  expect((await cutroom(...change())).code).toBe(2)
  expect((await cutroom('company', 'change', 'nobody', '--name', 'N')).notes.join()).toContain('no company')
})

it('shows the audience that delegations of another issuer need: the same as of those made here', async () => {
  const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const file = join(home(), 'keys.json')
  await writeFile(file, JSON.stringify({ keys: [key] }))
  const trust = ['issuer', 'trust', 'https://id.example', '--jwks', file]
  const { audience } = await json<{ audience: string }>(...trust)
  await cutroom('client', 'create', 'planner', '--company', 'acme')
  const asking = ['--client', 'planner', '--company', 'acme', '--subject', 'ada']
  const { token } = await json<{ token: string }>('delegation', 'issue', ...asking)
  expect(decodeJwt(token).aud).toBe(audience)
  expect((await cutroom(...trust)).out.join()).toContain(audience)
})
