/** Whatever configs the nodes' schemas take, a workflow of them compiles to a valid Composition. */
import { type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Composition } from '../contract/composition.ts'
import { documentOf, factsOf, spoken } from '../../test/support/node-values.ts'
import { compileComposition } from './index.ts'
import { isNodeType, nodeDefinition, NODE_TYPES } from './registry.ts'

const WORDS = spoken(
  'So um this is what I mean when I say damn it every every bike deserves a second life',
  11,
)
/** Texts that mean something to one field or another, and some that mean nothing to any. */
const TEXTS = ['', 'left', 'fade', '#ff4539', '9:16', 'pop', 'de', 'https://media.test/a.png', '\u202eabc 🔥']

/** Values that the schema takes; null where it has no way to be met by this generator. */
function valuesOf(schema: TSchema): fc.Arbitrary<unknown> {
  const one = schema as TSchema & Record<string, unknown>
  if ('const' in one) return fc.constant(one['const'])
  if (Array.isArray(one['anyOf'])) return fc.oneof(...(one['anyOf'] as TSchema[]).map(valuesOf))
  switch (one['type']) {
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'number':
    case 'integer': {
      const least = Number(one['minimum'] ?? -1e6)
      const most = Number(one['maximum'] ?? 1e6)
      const whole = fc.integer({ min: Math.ceil(least), max: Math.floor(most) })
      const usual = fc.constantFrom(0, 1, 50, 100, 2).filter((value) => value >= least && value <= most)
      if (one['type'] === 'integer') return fc.oneof(whole, usual)
      return fc.oneof(whole, usual, fc.double({ min: least, max: most, noNaN: true }))
    }
    case 'array': {
      const most = Math.min(3, Number(one['maxItems'] ?? 3))
      const least = Math.min(most, Number(one['minItems'] ?? 0))
      return fc.array(valuesOf(one['items'] as TSchema), { minLength: least, maxLength: most })
    }
    case 'object':
      return objectOf(one)
    case 'string':
      return fc.constantFrom(...TEXTS).filter((text) => Value.Check(schema, text) || text === '9:16')
    default:
      return fc.constantFrom(...TEXTS, 1, true)
  }
}

function objectOf(schema: TSchema & Record<string, unknown>): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>)
  const required = new Set((schema['required'] ?? []) as string[])
  const fields = properties.map(([name, value]) => {
    const some = valuesOf(value).map((made) => [[name, made]] as const)
    return required.has(name) ? some : fc.option(some, { nil: [], freq: 2 })
  })
  return fc.tuple(...fields).map((parts) => Object.fromEntries(parts.flat()))
}

/** Each type with a config that its schema and its own rule take, or none of it. */
const anyNodes = fc
  .tuple(
    ...NODE_TYPES.map((type) => {
      const { config } = nodeDefinition(type)
      const configs = valuesOf(config).filter((value) => Value.Check(config, value))
      return fc.option(configs.map((value) => ({ id: type, type, enabled: true, config: value })))
    }),
  )
  .map((nodes) => nodes.filter((node) => node !== null))

const facts = fc.constantFrom(
  factsOf({ seconds: 60 }),
  factsOf({ seconds: 60, width: 720, height: 1280, frameRate: { numerator: 30_000, denominator: 1001 } }),
  factsOf({ seconds: 60, video: null }),
  factsOf({ seconds: 60, audio: null }),
)

describe('any workflow', () => {
  it('compiles to a valid Composition', () => {
    const kinds = new Set<string>()
    fc.assert(
      fc.property(anyNodes, facts, (nodes, given) => {
        const resolved = nodes.map((node) => ({ ...node, config: node.config }))
        const document = documentOf(resolved, {}, given)
        const { composition, warnings } = compileComposition({ document, words: WORDS, facts: given })
        for (const layer of composition.layers) kinds.add(layer.kind)
        expect([...Value.Errors(Composition, composition)]).toEqual([])
        expect(warnings.every(({ field, message }) => field !== '' && message !== '')).toBe(true)
        expect(JSON.parse(JSON.stringify(composition))).toEqual(composition)
      }),
      { seed: 11, numRuns: 150 },
    )
    expect([...kinds]).toEqual(expect.arrayContaining(['captions', 'title']))
  })

  it('is made of every type of node', () => {
    const seen = new Set(
      fc.sample(anyNodes, { seed: 11, numRuns: 200 }).flatMap((nodes) => nodes.map(({ type }) => type)),
    )
    expect([...seen].toSorted()).toEqual([...NODE_TYPES].toSorted())
    expect(NODE_TYPES.every(isNodeType)).toBe(true)
  })
})
