/**
 * Both OpenAPI documents as generators of clients need them: the cheap form of `npm run check:clients`, which makes and runs
 * those clients.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../server/contract/events.ts'
import { withNamedSchemas } from '../../server/http/openapi-schemas.ts'
import { DOMAIN_LINKS, PUBLIC_LINKS } from '../../server/http/openapi-links.ts'
import { PUBLIC_NAMES } from '../../server/http/public/names.ts'
import { DOMAIN_NAMES } from '../../server/http/tenant-api/names.ts'
import { PUBLIC_EXAMPLES } from '../../server/http/public/examples.ts'
import { DOMAIN_EXAMPLES } from '../../server/http/tenant-api/examples.ts'
import { Type } from '@sinclair/typebox'
import { DOCUMENTS } from '../clients/documents.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

type Json = Readonly<Record<string, unknown>>
interface Document {
  readonly tags: readonly { name: string; description: string }[]
  readonly paths: Record<string, Record<string, Json>>
  readonly webhooks?: Record<string, { post: Json }>
  readonly components: { readonly schemas: Record<string, Json> }
}

const TABLES = {
  public: { names: PUBLIC_NAMES, examples: PUBLIC_EXAMPLES, links: PUBLIC_LINKS },
  domain: { names: DOMAIN_NAMES, examples: DOMAIN_EXAMPLES, links: DOMAIN_LINKS },
} as const

let server: TestServer
const documents = new Map<string, Document>()
beforeAll(async () => {
  server = await startTestServer()
  for (const [name, path] of Object.entries(DOCUMENTS))
    documents.set(name, (await server.call(path, { key: null })).json<Document>())
})
afterAll(() => server.close())

/** Every object inside, with where it is. */
function* objectsIn(value: unknown, at = ''): Generator<readonly [at: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as Json]
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${at}/${name}`)
}

/** As generators write a name: `endCardOption` and `end_card_option` become one. */
const spelled = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()

const twice = (names: readonly string[]): string[] => {
  const seen = names.map(spelled)
  return names.filter((name, at) => seen.indexOf(spelled(name)) !== at)
}

describe.each(['public', 'domain'] as const)('the document of the %s API', (api) => {
  const documented = (): Document => documents.get(api) ?? expect.fail('there is no document')
  const operations = (): Json[] => Object.values(documented().paths).flatMap((path) => Object.values(path))

  it('has every named schema, and each name is one class', () => {
    const names = Object.keys(documented().components.schemas)
    expect(Object.keys(TABLES[api].names).filter((name) => !names.includes(name))).toEqual([])
    expect(names).toEqual(
      expect.arrayContaining(['Clip', 'Word', 'Run', 'RunStatus', 'Workflow', 'Post', 'Platform', 'Error']),
    )
    expect(twice(names)).toEqual([])
  })

  it('has no two properties of a schema, and no two parameters, that become one name', () => {
    let schemas = 0
    for (const [at, one] of objectsIn(documented().components.schemas)) {
      if (typeof one['properties'] !== 'object' || one['properties'] === null) continue
      schemas += 1
      const properties = Object.keys(one['properties'])
      expect([at, twice(properties)]).toEqual([at, []])
      // An alias that is not described is not required either.
      const required = (one['required'] ?? []) as string[]
      expect([at, required.filter((name) => !properties.includes(name))]).toEqual([at, []])
    }
    expect(schemas).toBeGreaterThan(50)
    for (const { operationId, parameters = [] } of operations())
      expect([operationId, twice((parameters as { name: string }[]).map(({ name }) => name))]).toEqual([
        operationId,
        [],
      ])
  })

  it('says choices as enums, and free names as additionalProperties', () => {
    const enums = [...objectsIn(documented())].filter(([, one]) => Array.isArray(one['enum']))
    expect(enums.length).toBeGreaterThan(20)
    for (const [at, one] of enums) expect([at, one['type']]).toEqual([at, 'string'])
    const constants = [...objectsIn(documented())].filter(
      ([, one]) =>
        Array.isArray(one['anyOf']) &&
        one['anyOf'].every((inner: Json) => 'const' in inner && inner['const'] !== null),
    )
    expect(constants.map(([at]) => at)).toEqual([])
    expect([...objectsIn(documented())].filter(([, one]) => 'patternProperties' in one)).toEqual([])
    expect(documented().components.schemas['RunStatus']).toMatchObject({
      type: 'string',
      enum: ['Pending', 'Processing', 'Learning', 'Completed', 'Error'],
    })
  })

  it('has a unique id, a described tag and the refusals of every operation', () => {
    const ids = operations().map(({ operationId }) => operationId as string)
    const hooks = Object.values(documented().webhooks ?? {}).map(({ post }) => post['operationId'] as string)
    expect(twice([...ids, ...hooks])).toEqual([])
    const tags = documented().tags.map(({ name }) => name)
    for (const { name, description } of documented().tags) expect(description).not.toBe(name)
    for (const { operationId, tags: own, responses } of operations()) {
      expect(tags).toEqual(expect.arrayContaining(own as string[]))
      const statuses = Object.keys(responses as object)
      expect([operationId, ['403', '408', '431'].filter((one) => !statuses.includes(one))]).toEqual([
        operationId,
        [],
      ])
    }
  })

  it('has links that lead to operations with such parameters', () => {
    const links = operations().flatMap(({ responses }) =>
      Object.values(responses as Record<string, { links?: Record<string, Json> }>).flatMap((one) =>
        Object.values(one.links ?? {}),
      ),
    )
    expect(links.length).toBe(Object.values(TABLES[api].links).flatMap((one) => Object.keys(one)).length)
    for (const { operationId, parameters = {} } of links) {
      const there = operations().find((one) => one['operationId'] === operationId)
      const names = ((there?.['parameters'] ?? []) as { name: string }[]).map(({ name }) => name)
      expect([operationId, there !== undefined, names]).toEqual([
        operationId,
        true,
        expect.arrayContaining(Object.keys(parameters as object)),
      ])
    }
  })

  it('has examples that are valid', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(documented(), 'api')
    const { schemas } = documented().components
    const wrong = Object.entries(TABLES[api].examples).flatMap(([name, example]) => {
      expect(schemas[name]?.['examples']).toEqual([example])
      const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
      return validate(example) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`]
    })
    expect(wrong).toEqual([])
  })
})

describe('addresses of both APIs', () => {
  it('are marked: a stranger is refused there in the form of the public API', async () => {
    const ofPublic = documents.get('public')?.paths ?? {}
    const ofDomain = documents.get('domain')?.paths ?? {}
    const both = Object.keys(ofDomain).filter((path) => path in ofPublic)
    const marked = Object.entries(ofDomain).filter(([, { get }]) =>
      [...objectsIn(get?.['responses'])].some(([at, one]) => at.startsWith('/401/') && 'anyOf' in one),
    )
    expect(marked.map(([path]) => path)).toEqual(both)
    expect(both).toEqual(['/workflows'])
    const answer = await server.call('/workflows', { key: null })
    expect([answer.status, answer.json()]).toMatchObject([401, { code: 'INVALID_API_KEY' }])
  })
})

describe('the public document', () => {
  it('names every event that a webhook may be sent', () => {
    const { webhooks = {} } = documents.get('public') ?? expect.fail('there is no document')
    expect(Object.keys(webhooks)).toEqual([...EVENT_TYPES])
  })

  it('describes what /ready answers when it cannot work', () => {
    const responses = documents.get('public')?.paths['/ready']?.['get']?.['responses']
    expect(Object.keys(responses as object)).toContain('503')
  })
})

describe('aliases', () => {
  it('are accepted as ever', async () => {
    const body = { companyId: server.companyId, clipId: 'none', updates: { end_card_option: {} } }
    const answer = await server.call('/update-clip', { method: 'POST', json: body })
    expect(answer.json()).toMatchObject({ code: 'CLIP_NOT_FOUND' })
  })
})

describe('two names for one structure', () => {
  it('are refused, whatever is said about them', () => {
    const names = {
      One: Type.Object({ a: Type.String() }, { description: 'one' }),
      Two: Type.Object({ a: Type.String() }, { description: 'two' }),
    }
    expect(() => withNamedSchemas({ components: {} }, names, {})).toThrow(
      'the schemas One and Two are the same',
    )
  })
})
