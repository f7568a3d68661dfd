import { describe, expect, it } from 'vitest'
import { domainDocument } from '../../server/http/tenant-api/openapi.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import {
  callOf,
  curlOf,
  exampleOf,
  fieldsOf,
  groupsOf,
  rulesOf,
  search,
  typeText,
  type ApiDocument,
  type Listed,
} from './document.ts'

const api: ApiDocument = {
  info: { title: 'Test', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/health': { get: { operationId: 'health', summary: 'Whether it answers', security: [], responses: {} } },
    '/companies/{companyId}/clips': {
      get: {
        operationId: 'clips',
        summary: 'Clips',
        parameters: [
          { name: 'companyId', in: 'path', required: true },
          { name: 'limit', in: 'query' },
          { name: 'If-Match', in: 'header' },
        ],
        responses: {},
      },
      post: {
        operationId: 'add',
        tags: ['making'],
        requestBody: {},
        security: [{ token: [] }],
        responses: {},
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer' },
      token: { type: 'apiKey', in: 'header', name: 'X-Token' },
    },
    schemas: {
      Clip: {
        type: 'object',
        required: ['id', 'start'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          start: { type: 'number', minimum: 2 },
          note: { type: 'string', maxLength: 9 },
        },
      },
    },
  },
}
const operation = (id: string): Listed => {
  const found = groupsOf(api)
    .flatMap(({ operations }) => operations)
    .find((one) => one.operationId === id)
  if (found === undefined) throw new Error(`no ${id}`)
  return found
}

describe('operations', () => {
  it('are grouped by tag, or by what they are about, and know how they are asked', () => {
    expect(
      groupsOf(api).map(({ name, operations }) => [name, operations.map(({ schemes }) => schemes)]),
    ).toEqual([
      ['health', [[]]],
      ['clips', [['key']]],
      ['making', [['token']]],
    ])
  })

  it('are found by any words that are said of them', () => {
    expect(search(groupsOf(api), 'GET answers').map(({ name }) => name)).toEqual(['health'])
    expect(search(groupsOf(api), 'nothing like it')).toEqual([])
  })
})

describe('schemas', () => {
  const clip = { $ref: '#/components/schemas/Clip' }
  it('are told in a few words', () => {
    expect(typeText(api, { type: 'array', items: clip })).toBe('list of object')
    expect(typeText(api, { anyOf: [{ const: 'a' }, { const: 'b' }] })).toBe('"a" or "b"')
    expect(typeText(api, { type: 'string', format: 'uuid' })).toBe('string, uuid')
    expect(rulesOf({ minimum: 0, maximum: 9, default: 3 })).toEqual([
      'at least 0',
      'at most 9',
      '3 when left out',
    ])
  })

  it('show the fields behind references, lists, parts and alternatives', () => {
    const names = (schema: Parameters<typeof fieldsOf>[1]) => fieldsOf(api, schema).map(({ name }) => name)
    expect(names({ type: 'array', items: clip })).toEqual(['id', 'start', 'note'])
    expect(names({ allOf: [clip, { properties: { more: {} } }] })).toEqual(['id', 'start', 'note', 'more'])
    expect(names({ anyOf: [clip, { type: 'null' }] })).toEqual(['id', 'start', 'note'])
    expect(names({ anyOf: [clip, clip] })).toEqual(['either, 1 of 2', 'either, 2 of 2'])
  })

  it('have an example that has all they ask for and keeps their rules', () => {
    expect(exampleOf(api, clip)).toEqual({ id: '00000000-0000-4000-8000-000000000000', start: 2 })
  })

  it('of the domain API itself all give an example, and end', () => {
    const domain = domainDocument(DOMAIN_ROUTES) as unknown as ApiDocument
    const bodies = groupsOf(domain).flatMap(({ operations }) =>
      operations.flatMap(({ requestBody }) => requestBody?.content?.['application/json']?.schema ?? []),
    )
    expect(bodies.length).toBeGreaterThan(5)
    for (const schema of bodies) expect(exampleOf(domain, schema)).toBeTypeOf('object')
  })
})

describe('a call', () => {
  const given = {
    fields: { 'path companyId': 'a/b', 'query limit': '5', 'header If-Match': '' },
    keys: { key: 'secret', token: 'other' },
    body: '',
  }
  it('has its values where they belong, and no empty ones', () => {
    expect(callOf(api, operation('clips'), given)).toEqual({
      method: 'GET',
      target: '/companies/a%2Fb/clips?limit=5',
      headers: { Authorization: 'Bearer secret' },
      body: null,
    })
  })

  it('is a command without the key in it', () => {
    const call = callOf(api, operation('add'), { ...given, body: `{"title":"it's"}` })
    const command = curlOf(api, operation('add'), call, 'http://127.0.0.1:1')
    expect(command).toContain('-X POST')
    expect(command).toContain('"X-Token: $DELEGATION"')
    expect(command).toContain(`-d '{"title":"it'\\''s"}'`)
    expect(command).not.toContain('other')
  })
})
