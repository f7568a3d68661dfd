/** What the pages of the APIs need to know of an OpenAPI 3.1 document. Pure. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Answer extends Content {
  readonly description?: string
  readonly headers?: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>
}

export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Answer>>
}

export interface SecurityScheme {
  readonly type: string
  readonly scheme?: string
  readonly in?: string
  readonly name?: string
  readonly description?: string
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
  }
}

export interface Listed extends Operation {
  readonly method: string
  readonly path: string
  /** Names of the security schemes that it accepts; empty: no key is needed. */
  readonly schemes: readonly string[]
}

export interface Group {
  readonly name: string
  readonly operations: readonly Listed[]
}

/** `/companies/{companyId}/clips/{clipId}` → `clips`: what it is about, where there is no tag. */
function subjectOf(path: string): string {
  const words = path.split('/').filter((word) => word !== '' && !word.startsWith('{'))
  return (words[0] === 'companies' ? words[1] : words[0]) ?? 'other'
}

/** All operations by tag, in the document's order. */
export function groupsOf(document: ApiDocument): Group[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => {
      const schemes = (operation.security ?? document.security ?? []).flatMap((one) => Object.keys(one))
      return { ...operation, method: method.toUpperCase(), path, schemes }
    }),
  )
  const byName = Map.groupBy(all, (one) => one.tags?.[0] ?? subjectOf(one.path))
  return [...byName].map(([name, operations]) => ({ name, operations }))
}

/** Groups with only those operations whose name, path or description contains every word. */
export function search(groups: readonly Group[], words: string): Group[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return groups
    .map(({ name, operations }) => ({
      name,
      operations: operations.filter(({ method, path, summary = '', description = '', operationId }) => {
        const searched = `${name} ${method} ${path} ${summary} ${description} ${operationId}`.toLowerCase()
        return wanted.every((word) => searched.includes(word))
      }),
    }))
    .filter(({ operations }) => operations.length > 0)
}

/** The schema that a reference names; the schema itself where it is none. An unknown reference is anything. */
export function resolved(document: ApiDocument, schema: Schema): Schema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1]
  return name === undefined ? schema : (document.components.schemas?.[name] ?? {})
}

/** The schema of a JSON body or answer; null where there is none. */
export const jsonOf = (content: Content | undefined): Schema | null =>
  content?.content?.['application/json']?.schema ?? null

/** The only allowed values of a `const`, an `enum`, or alternatives that are constants alone. */
function choicesOf(schema: Schema): readonly unknown[] | null {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum !== undefined) return schema.enum
  const either = schema.anyOf ?? schema.oneOf
  if (either === undefined || either.length === 0) return null
  return either.every((one) => one.const !== undefined) ? either.map((one) => one.const) : null
}

/** In a few words: `string, uuid`, `list of object`, `"a" or "b"`. */
export function typeText(document: ApiDocument, given: Schema): string {
  const schema = resolved(document, given)
  const choices = choicesOf(schema)
  if (choices !== null) return choices.map((one) => JSON.stringify(one)).join(' or ')
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return [...new Set(either.map((one) => typeText(document, one)))].join(' or ')
  if (schema.allOf !== undefined || schema.properties !== undefined) return 'object'
  if (schema.type === 'array')
    return `list of ${schema.items === undefined ? 'anything' : typeText(document, schema.items)}`
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.join(' or ') ?? 'anything')
  return schema.format === undefined ? type : `${type}, ${schema.format}`
}

/** Restrictions of a value beyond its type: `at least 0`, `at most 200 characters`. */
export function rulesOf(schema: Schema): string[] {
  const rules: [unknown, (value: unknown) => string][] = [
    [schema.minimum, (value) => `at least ${String(value)}`],
    [schema.exclusiveMinimum, (value) => `more than ${String(value)}`],
    [schema.maximum, (value) => `at most ${String(value)}`],
    [schema.exclusiveMaximum, (value) => `less than ${String(value)}`],
    [schema.minLength, (value) => `at least ${String(value)} characters`],
    [schema.maxLength, (value) => `at most ${String(value)} characters`],
    [schema.minItems, (value) => `at least ${String(value)} of them`],
    [schema.maxItems, (value) => `at most ${String(value)} of them`],
    [schema.pattern, (value) => `matches ${String(value)}`],
    [schema.default, (value) => `${JSON.stringify(value)} when left out`],
  ]
  return rules.filter(([value]) => value !== undefined).map(([value, say]) => say(value))
}

export interface Field {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

/** What is inside a value of this schema: fields of an object, of a list's items, alternatives. Empty: nothing. */
export function fieldsOf(document: ApiDocument, given: Schema): Field[] {
  const schema = resolved(document, given)
  const either = schema.anyOf ?? schema.oneOf ?? []
  const nested = either.filter((one) => fieldsOf(document, one).length > 0)
  const free = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []
  return [
    ...Object.entries(schema.properties ?? {}).map(([name, inner]) => ({
      name,
      schema: inner,
      required: schema.required?.includes(name) === true,
    })),
    ...[...Object.values(schema.patternProperties ?? {}), ...free].map((inner) => ({
      name: 'any name',
      schema: inner,
      required: false,
    })),
    ...(schema.items === undefined ? [] : fieldsOf(document, schema.items)),
    ...(schema.allOf ?? []).flatMap((part) => fieldsOf(document, part)),
    ...(nested.length === 1 && nested[0] !== undefined
      ? fieldsOf(document, nested[0])
      : nested.map((inner, index) => {
          const name = resolved(document, inner).title ?? `either, ${index + 1} of ${nested.length}`
          return { name, schema: inner, required: false }
        })),
  ]
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2030-01-31T12:00:00.000Z',
  date: '2030-01-31',
  uri: 'https://example.com/talk.mp4',
  email: 'editor@example.com',
}
const DEEPEST = 6

/** A value that the schema describes: its own example or default, else the smallest valid one. */
export function exampleOf(document: ApiDocument, given: Schema, depth = 0): unknown {
  const schema = resolved(document, given)
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  const choices = choicesOf(schema)
  if (choices !== null) return choices[0]
  const first = (schema.anyOf ?? schema.oneOf)?.[0]
  if (first !== undefined) return exampleOf(document, first, depth)
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(document, part, depth))) as unknown
  switch (schema.type) {
    case 'object': {
      // The outermost object shows optional fields if none is required; nested ones show required fields only.
      const must = schema.required ?? (depth === 0 ? Object.keys(schema.properties ?? {}) : [])
      const fields = depth >= DEEPEST ? [] : must
      return Object.fromEntries(
        fields.map((name) => [name, exampleOf(document, schema.properties?.[name] ?? {}, depth + 1)]),
      )
    }
    case 'array':
      return depth >= DEEPEST || schema.items === undefined
        ? []
        : [exampleOf(document, schema.items, depth + 1)]
    case 'integer':
    case 'number':
      return Math.max(
        schema.minimum ?? 0,
        schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 1,
      )
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return SAMPLES[schema.format ?? ''] ?? 'text'.padEnd(schema.minLength ?? 0, '.')
  }
}

export interface Call {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** `fields` by place and name, such as `path clipId`; empty ones are not sent. `keys` by name of scheme. */
export function callOf(
  document: ApiDocument,
  operation: Listed,
  given: { fields: Readonly<Record<string, string>>; keys: Readonly<Record<string, string>>; body: string },
): Call {
  const parameters = (operation.parameters ?? []).map(({ name, in: place }) => ({
    name,
    place,
    value: given.fields[`${place} ${name}`] ?? '',
  }))
  const path = parameters
    .filter(({ place }) => place === 'path')
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)), operation.path)
  const query = new URLSearchParams(
    parameters
      .filter(({ place, value }) => place === 'query' && value !== '')
      .map(({ name, value }): [string, string] => [name, value]),
  ).toString()
  const headers: Record<string, string> = {}
  for (const name of operation.schemes) {
    const scheme = document.components.securitySchemes?.[name]
    const key = given.keys[name] ?? ''
    if (scheme === undefined || key === '') continue
    if (scheme.type === 'http') headers['Authorization'] = `Bearer ${key}`
    else headers[scheme.name ?? name] = key
  }
  for (const { name, place, value } of parameters)
    if (place === 'header' && value !== '') headers[name] = value
  const body = operation.requestBody === undefined || given.body.trim() === '' ? null : given.body
  if (body !== null) headers['Content-Type'] = 'application/json'
  return { method: operation.method, target: path + (query === '' ? '' : `?${query}`), headers, body }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The call as a command for a shell. Keys are given as variables, because shells store commands in their history. */
export function curlOf(document: ApiDocument, operation: Listed, call: Call, origin: string): string {
  const secret = new Map<string, string>()
  for (const name of operation.schemes) {
    const scheme = document.components.securitySchemes?.[name]
    if (scheme?.type === 'http') secret.set('Authorization', `"Authorization: Bearer $KEY"`)
    else if (scheme !== undefined) secret.set(scheme.name ?? name, `"${scheme.name ?? name}: $DELEGATION"`)
  }
  const plain = Object.entries(call.headers)
    .filter(([name]) => !secret.has(name))
    .map(([name, value]) => quoted(`${name}: ${value}`))
  return [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}${quoted(origin + call.target)}`,
    ...[...secret.values(), ...plain].map((header) => `  -H ${header}`),
    ...(call.body === null ? [] : [`  -d ${quoted(call.body)}`]),
  ].join(' \\\n')
}
