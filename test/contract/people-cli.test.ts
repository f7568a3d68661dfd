/** `cutroom people ...` and `cutroom audit` on a home, as a person types them; and the row that a command leaves. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommandLine } from '../../server/cli/command-line.ts'
import type { AuditRow } from '../../server/contract/audit.ts'
import type { Invitation, Person } from '../../server/contract/people.ts'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'cutroom-people-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

async function cutroom(...words: string[]): Promise<{ code: number; out: string[]; notes: string[] }> {
  const [out, notes]: [string[], string[]] = [[], []]
  const terminal = {
    ...{ out: (line: string) => void out.push(line), note: (line: string) => void notes.push(line) },
    ...{ status: () => undefined, interactive: false, columns: 80 },
  }
  const code = await runCommandLine([...words, '--home', root], terminal)
  return { code, out, notes }
}

it('invites, lists, changes and removes people; the last owner stays', async () => {
  await cutroom('company', 'create', 'acme', '--name', 'Acme')
  const made = await cutroom('people', 'invite', 'Ada', '--role', 'owner', '--json')
  const { person, link } = JSON.parse(made.out[0] ?? '') as Invitation
  expect(person).toMatchObject({ name: 'Ada', role: 'owner', companyId: null, invited: true })
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/studio\/sign-in\?token=[\w-]{43}$/)
  expect((await cutroom('people', 'role', 'Ada', 'editor')).notes.join()).toContain('last owner')
  expect((await cutroom('people', 'remove', person.id)).code).toBe(1)
  expect((await cutroom('people', 'invite', 'Bo', '--company', 'acme')).code).toBe(0)
  expect((await cutroom('people', 'invite', 'Cy', '--role', 'chief')).code).toBe(1)
  expect((await cutroom('people', 'invite', 'Bo', '--again')).out[0]).not.toBe(link)
  const listed = JSON.parse((await cutroom('people', 'list', '--json')).out[0] ?? '') as Person[]
  expect(listed.map(({ name, role, companyId }) => [name, role, companyId])).toEqual([
    ['Ada', 'owner', null],
    ['Bo', 'viewer', 'acme'],
  ])
  expect((await cutroom('people', 'role', 'Bo', 'owner', '--company', '')).code).toBe(0)
  expect((await cutroom('people', 'remove', 'Ada')).code).toBe(0)
})

it('leaves rows of what was changed, with the exit code, and nothing of what was typed in secret', async () => {
  const key =
    (await cutroom('key', 'create', '--company', 'acme', '--name', 'secret-name', '--json')).out[0] ?? ''
  const shown = await cutroom('audit', '--since', '1h', '--json', '--limit', '1000')
  const rows = shown.out.map((line) => JSON.parse(line) as AuditRow)
  expect(rows.map(({ route, status }) => `${route} ${status}`).reverse()).toEqual([
    ...['cutroom company create 0', 'cutroom people invite 0', 'cutroom people role 1'],
    ...['cutroom people remove 1', 'cutroom people invite 0', 'cutroom people invite 1'],
    ...[
      'cutroom people invite 0',
      'cutroom people role 0',
      'cutroom people remove 0',
      'cutroom key create 0',
    ],
  ])
  expect(rows[0]).toMatchObject({ method: 'CLI', companyId: 'acme', actor: { kind: 'cli' } })
  expect(rows.at(-1)).toMatchObject({ resourceId: 'acme' })
  expect(shown.out.join()).not.toContain((JSON.parse(key) as { key: string }).key)
  const table = await cutroom('audit', '--limit', '2')
  expect(table.out).toHaveLength(3)
  expect((await cutroom('audit', '--since', 'never')).code).toBe(2)
})
