/**
 * The one place where schemas of an OpenAPI document get their names. Routes declare TypeBox schemas, whole; what a table
 * of names holds becomes a component here, and wherever the same structure stands, a reference to it. PURE.
 */
import type { TSchema } from '@sinclair/typebox'
import { ALIAS_OF } from '../contract/config-fields.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** How TypeBox says that any name will do. */
const ANY_NAME = '^(.*)$'

/** Words about a schema: they do not make it another one, and stand beside its reference. */
const WORDS = ['description', 'default', 'deprecated', 'examples'] as const

/** The texts of alternatives that are constants alone. */
function textsOf(choices: unknown): readonly string[] | null {
  if (!Array.isArray(choices) || choices.length === 0) return null
  const texts = choices.map((one: unknown) => (isObject(one) ? one['const'] : undefined))
  return texts.every((text) => typeof text === 'string') ? texts : null
}

/** The same meaning in the words that generators know: `enum` for constants, `additionalProperties` for free names. */
function inPlainWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inPlainWords)
  if (!isObject(value)) return value
  const inner: Record<string, unknown> = Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => name !== '$id' && one !== undefined && !(isObject(one) && ALIAS_OF in one))
      .map(([name, one]) => [name, inPlainWords(one)]),
  )
  const { properties } = value
  if (isObject(properties) && Array.isArray(inner['required'])) {
    const described = inner['properties'] as Json
    inner['required'] = inner['required'].filter((name) => !(name in properties) || name in described)
  }
  const { anyOf, ...others } = inner
  const texts = textsOf(anyOf)
  return texts === null ? freeNames(inner) : { type: 'string', enum: texts, ...others }
}

/** A map whose names are free, or follow one pattern that no other name may break. */
function freeNames(schema: Json): Json {
  const { patternProperties, ...rest } = schema
  const [one, ...more] = isObject(patternProperties) ? Object.entries(patternProperties) : []
  if (one === undefined || more.length > 0) return schema
  const [pattern, inner] = one
  if (pattern === ANY_NAME) return { ...rest, additionalProperties: inner }
  if (rest['additionalProperties'] !== false) return schema
  return { ...rest, additionalProperties: inner, propertyNames: { pattern } }
}

/** A text that is the same for schemas that mean the same. */
function structureOf(schema: Json): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, inner]) => [name, sorted(inner)]),
    )
  }
  const own = Object.entries(schema).filter(([name]) => !(WORDS as readonly string[]).includes(name))
  return JSON.stringify(sorted(Object.fromEntries(own)))
}

const wordsOf = (schema: Json): Json =>
  Object.fromEntries(WORDS.filter((word) => schema[word] !== undefined).map((word) => [word, schema[word]]))

const referenceTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Components that something refers to, in the order of the table, those that only components refer to included. */
function inUse(document: unknown, components: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isObject(value)) return
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(value['$ref']))?.[1]
    if (name !== undefined && !used.has(name)) {
      used.add(name)
      visit(components[name])
    }
    Object.values(value).forEach(visit)
  }
  visit(document)
  return Object.fromEntries(Object.entries(components).filter(([name]) => used.has(name)))
}

interface Described {
  readonly components: Json
}

/**
 * The document with `named` as components, and references in place of every schema of one of these structures.
 * `examples`: by name. Throws where two names have one structure, because nobody could say which one is meant.
 */
export function withNamedSchemas<Document extends Described>(
  document: Document,
  named: Readonly<Record<string, TSchema>>,
  examples: Readonly<Record<string, unknown>>,
): Document {
  const plain = Object.entries(named).map(([name, schema]) => [name, inPlainWords(schema) as Json] as const)
  const names = new Map<string, string>()
  for (const [name, schema] of plain) {
    const structure = structureOf(schema)
    const other = names.get(structure)
    if (other !== undefined) throw new Error(`the schemas ${other} and ${name} are the same one`)
    names.set(structure, name)
  }
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, refer(one)]))
  }
  const refer = (value: unknown): unknown => {
    const name = isObject(value) ? names.get(structureOf(value)) : undefined
    return name === undefined ? inner(value) : { ...referenceTo(name), ...differing(name, value as Json) }
  }
  const own = new Map(plain)
  /** What this place says about the schema besides what the component says. */
  const differing = (name: string, schema: Json): Json =>
    Object.fromEntries(
      Object.entries(wordsOf(schema)).filter(
        ([word, text]) => JSON.stringify(text) !== JSON.stringify(own.get(name)?.[word]),
      ),
    )
  const { components, ...rest } = inPlainWords(document) as Json & Described
  const { schemas: given = {}, ...others } = components
  const described = refer(rest) as Json
  const all = {
    ...Object.fromEntries(
      plain.map(([name, schema]) => [
        name,
        {
          ...(inner(schema) as Json),
          ...(examples[name] === undefined ? {} : { examples: [examples[name]] }),
        },
      ]),
    ),
    ...(inner(given) as Json),
  }
  return { ...described, components: { ...others, schemas: inUse(described, all) } } as unknown as Document
}
