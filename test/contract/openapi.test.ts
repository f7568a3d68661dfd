/** GET /public/openapi.json: complete, and without a loose end. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../server/contract/errors.ts'
import { NODE_TYPES } from '../../server/nodes/index.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const SPEC = join(import.meta.dirname, '..', '..', '..', 'shared', 'spec', 'public-api.md')

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security?: unknown[]
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: unknown }[]
  readonly requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }
  readonly responses: Record<string, { content?: Record<string, { schema: object }>; headers: object }>
}
interface Document {
  readonly openapi: string
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Record<string, unknown>> }
}

let server: TestServer
let document: Document
let operations: { address: string; path: string; operation: Operation }[]
beforeAll(async () => {
  server = await startTestServer()
  document = (await server.call('/public/openapi.json', { key: null })).json<Document>()
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      address: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  )
})
afterAll(() => server.close())

/** Every value under a name, anywhere inside. */
function valuesOf(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as Record<string, unknown>).flatMap(([key, inner]) => [
    ...(key === name ? [inner] : []),
    ...valuesOf(name, inner),
  ])
}

const codesOf = (operation: Operation): string[] =>
  Object.entries(operation.responses).flatMap(([status, response]) =>
    ['200', '503'].includes(status) ? [] : (valuesOf('enum', response.content).flat() as string[]),
  )

describe('the OpenAPI document', () => {
  it('has every endpoint of part 4 of the API document, alternate path forms included', (context) => {
    if (!existsSync(SPEC)) {
      console.info('the API document is not beside this checkout: its table of endpoints is not compared')
      context.skip()
    }
    const table = readFileSync(SPEC, 'utf8').split('## 4. Endpoints')[1]?.split('## 5.')[0] ?? ''
    const documented = [...table.matchAll(/\b(GET|POST|PATCH|PUT|DELETE) (\/[\w{}/-]+)/g)].map(
      (found) => `${found[1]} ${found[2]}`,
    )
    const named = new Set(documented.filter((one) => !/ \/posts query/.test(one)))
    expect(named.size).toBe(17)
    expect([...named].filter((one) => !operations.some(({ address }) => address === one))).toEqual([])
  })

  it('gives every operation a unique id, a summary, a response with a schema, and its errors', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { address, operation } of operations) {
      const [status = '', response] =
        Object.entries(operation.responses).find(([one]) => one.startsWith('2')) ?? []
      // 204 is an answer without a body, and nothing else is.
      const schema = response?.content?.['application/json']?.schema ?? {}
      const isDescribed = Object.keys(schema).length > 0 !== (status === '204')
      expect([address, isDescribed, operation.summary !== '']).toEqual([address, true, true])
      expect(valuesOf('X-Request-Id', operation.responses).length).toBe(
        Object.keys(operation.responses).length,
      )
      const open = operation.security?.length === 0
      expect([address, codesOf(operation).includes('INVALID_API_KEY')]).toEqual([address, !open])
      for (const code of codesOf(operation)) expect(Object.keys(ERRORS)).toContain(code)
    }
  })

  it('declares path parameters once each, and queries as they are read', () => {
    for (const { address, path, operation } of operations) {
      const parameters = operation.parameters ?? []
      const names = parameters.map((one) => one.name)
      expect([address, new Set(names).size]).toEqual([address, names.length])
      const inPath = parameters.filter((one) => one.in === 'path').map((one) => `{${one.name}}`)
      // `/companies/acme/workflows/` is the list, not a workflow with an empty id.
      for (const one of parameters.filter(({ in: place }) => place === 'path'))
        expect(one.schema).toMatchObject({ type: 'string', minLength: 1 })
      expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? [])
    }
    const list = document.paths['/posts']?.['get']?.parameters ?? []
    expect(list.map((one) => [one.name, one.required])).toEqual([
      ['companyId', true],
      ...['clipId', 'platform', 'sortBy', 'startDate', 'endDate', 'limit', 'cursor'].map((name) => [
        name,
        false,
      ]),
    ])
    expect(list.find((one) => one.name === 'limit')?.schema).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 25,
    })
  })

  it('resolves every reference', () => {
    for (const reference of valuesOf('$ref', document)) {
      const found = (reference as string)
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
      expect([reference, typeof found]).toEqual([reference, 'object'])
    }
    expect(valuesOf('$id', document)).toEqual([])
  })

  it('describes the configs of all node types, the channel header, and what may be edited', () => {
    for (const type of NODE_TYPES)
      expect(document.components.schemas[`NodeConfig.${type}`]).toMatchObject({
        type: 'object',
        additionalProperties: false,
      })
    expect(NODE_TYPES.length).toBeGreaterThanOrEqual(16)
    const trigger = document.paths['/trigger-template']?.['post']
    expect(trigger?.parameters).toMatchObject([
      { name: 'Service-Workflow-Channel', in: 'header', schema: { enum: ['current', 'stable'] } },
      { name: 'Idempotency-Key', in: 'header', required: false },
    ])
    expect(trigger?.requestBody?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/TriggerRequest',
    })
    expect(document.components.schemas['TriggerRequest']).toMatchObject({
      required: ['companyId', 'workflowId', 'url'],
      properties: {
        // Null counts as not sent.
        nodeConfigs: { anyOf: [{ $ref: '#/components/schemas/NodeConfigs' }, { type: 'null' }] },
        keywords: { anyOf: [{ maxItems: 150 }, { type: 'null' }] },
      },
    })
    const update = document.components.schemas['ClipUpdate']?.['properties'] as Record<string, object>
    expect(valuesOf('subtitleConfig', update['updates'])).toEqual([
      { $ref: '#/components/schemas/SubtitleConfig' },
    ])
  })

  it.each([
    [
      'POST /trigger-template',
      [
        'INVALID_WORKFLOW_CHANNEL',
        'INVALID_URL',
        'UNSUPPORTED_SOURCE_URL',
        'WORKFLOW_NOT_FOUND',
        'INVALID_NODE_CONFIG',
        'INVALID_REQUEST',
      ],
    ],
    ['GET /workflow-results/{triggerId}', ['TRIGGER_NOT_FOUND']],
    ['GET /clip', ['CLIP_NOT_FOUND']],
    ['POST /update-clip', ['INVALID_CLIP_UPDATE', 'UNSUPPORTED_CLIP_FIELDS', 'CLIP_NOT_FOUND']],
    ['POST /render', ['CLIP_NOT_FOUND']],
    ['PATCH /clip-transcript', ['INVALID_OPERATIONS', 'NO_TRANSCRIPT', 'CLIP_NOT_FOUND']],
    ['GET /companies/{companyId}/clips/{clipId}/transcript', ['NO_TRANSCRIPT', 'CLIP_NOT_FOUND']],
    ['GET /companies/{companyId}/posts', ['INVALID_CURSOR', 'INVALID_REQUEST']],
    ['GET /post-analytics', ['POST_NOT_FOUND']],
    ['GET /workflow', ['WORKFLOW_NOT_FOUND']],
  ])('%s declares the errors %j', (address, codes) => {
    const operation = operations.find((one) => one.address === address)?.operation
    expect(operation === undefined ? [] : codesOf(operation)).toEqual(expect.arrayContaining(codes))
  })
})
