import { describe, expect, it } from 'vitest'
import { groupsIn, lacksGroups, roleOf } from './provider-roles.ts'

describe('groups', () => {
  it.each([
    ['a list (Authentik, Entra)', { groups: ['cut', 'ops'] }, 'groups', ['cut', 'ops']],
    ['paths of Keycloak', { groups: ['/cut', '/studio/ops'] }, 'groups', ['cut', '/studio/ops']],
    ['roles inside of a claim', { realm_access: { roles: ['cut'] } }, 'realm_access.roles', ['cut']],
    ['a name that is an address', { 'https://x.example/roles': ['cut'] }, 'https://x.example/roles', ['cut']],
    ['one text', { role: 'cut' }, 'role', ['cut']],
    ['nothing', { sub: '1' }, 'groups', []],
    ['what is no text', { groups: [1, null, { name: 'x' }, 'cut'] }, 'groups', ['cut']],
    ['a name of every object', {}, 'constructor', []],
  ])('%s', (_, claims, name, groups) => expect(groupsIn(claims, name)).toEqual(groups))

  it('are lacking where the claim is not there, not where it is empty', () => {
    expect([lacksGroups({}, 'groups'), lacksGroups({ groups: [] }, 'groups')]).toEqual([true, false])
  })
})

describe('roles', () => {
  const roles = [
    { group: 'all', role: 'viewer' as const },
    { group: '/cut', role: 'editor' as const },
    { group: 'ops', role: 'owner' as const },
  ]
  it.each([
    [['cut', 'all'], 'refuse', 'editor'],
    [['all', 'ops', 'cut'], 'refuse', 'owner'],
    [['else'], 'refuse', null],
    [[], 'refuse', null],
    [['else'], 'viewer', 'viewer'],
    [['cut'], 'viewer', 'editor'],
    [['Cut'], 'refuse', null],
  ] as const)('%j, otherwise %s: %s', (groups, otherwise, role) =>
    expect(roleOf(groups, { roles, otherwise })).toBe(role),
  )
})
