/** Requests made from the OpenAPI document: valid, nearly valid and hostile, in every part of a request. */
import type { Random } from './random.ts'
import {
  hostileValue,
  mutate,
  nearlyRight,
  toJson,
  validValue,
  type Known,
  type Making,
  type Schema,
} from './values.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}
export interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >
}
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface FuzzRequest {
  readonly kind: 'valid' | 'near' | 'hostile'
  /** As the OpenAPI document names it. */
  readonly route: { readonly path: string; readonly method: string }
  readonly method: string
  /** Path and query, as sent. */
  readonly target: string
  /** Names and values in turn, as sent; a name may come twice. */
  readonly headers: readonly string[]
  readonly body: Buffer | null
  /** The method or path was changed: what comes back may be a refusal that the route does not declare. */
  readonly astray: boolean
}

export interface Subject {
  readonly document: OpenApi
  /** Name and value of the header with the credentials for this address. */
  readonly credentials: (path: string) => readonly [string, string]
  readonly known: Known
}

const JSON_TYPE = 'application/json'

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'PURGE',
]
const TEN_MEGABYTES = 10 * 1024 ** 2

const PATH_PIECES = [
  '%2F',
  '%2f..%2f',
  '..',
  '.',
  '%00',
  '%',
  '%zz',
  '%C0%80',
  '%ED%A0%80',
  '//',
  ';a=b',
  '%25',
  '__proto__',
  '*',
  '%E2%80%AE',
  'a'.repeat(5000),
  '{companyId}',
  ':companyId',
  '%5c..%5c',
  '@',
  '?',
  '#',
]

const HEADERS: readonly (readonly string[])[] = [
  ['Host', 'evil.example'],
  ['Host', 'localhost:99999999'],
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'multipart/form-data; boundary='],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Content-Type', 'application/json; charset=utf-7'],
  ['Content-Encoding', 'gzip'],
  ['Expect', '100-continue'],
  ['X-Request-Id', 'a'.repeat(500)],
  ['X-Request-Id', 'one', 'X-Request-Id', 'two'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Accept', 'application/xml'],
  ['Accept-Encoding', 'br;q=nonsense'],
  ['Range', 'bytes=0-0,1-1'],
  ['If-None-Match', '*'],
  ['Cookie', 'cutroom_session_=; a=b; ='],
  ['Service-Workflow-Channel', 'stable'],
  ['Service-Workflow-Channel', 'Stable'],
  ['Service-Workflow-Channel', 'current', 'Service-Workflow-Channel', 'stable'],
  ['X-Big', 'b'.repeat(7000)],
  ['X-Forwarded-Host', 'evil.example', 'X-Forwarded-Proto', 'gopher'],
]

const AUTHORIZATIONS = [
  '',
  'Bearer',
  'Bearer x',
  'Basic YTpi',
  `Bearer ck_${'A'.repeat(65)}`,
  'bearer  é',
  `Bearer ${'k'.repeat(6000)}`,
]

const NOT_QUITE_JSON = [
  '',
  ' ',
  '{',
  'null',
  '[]',
  '"x"',
  '1',
  '{"a":1}x',
  '\ufeff{}',
  "{'a':1}",
  '{"companyId":}',
  'NaN',
  '\0',
]

type Kind = FuzzRequest['kind']

/** One request after the other, for ever; the same for the same random numbers. */
export function* requestsFor(subject: Subject, random: Random): Generator<FuzzRequest, never> {
  const { document, known } = subject
  const { schemas } = document.components
  const making: Making = {
    random,
    known,
    resolve: (schema) => {
      const name = schema.$ref?.split('/').at(-1)
      return name === undefined ? schema : (schemas[name] ?? {})
    },
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]) => ({ path, method: verb.toUpperCase(), operation })),
  )
  for (;;) {
    const roll = random.next()
    const kind = roll < 0.35 ? 'valid' : roll < 0.65 ? 'near' : 'hostile'
    yield request(subject, making, random.pick(operations), kind)
  }
}

function request(
  subject: Subject,
  making: Making,
  { path, method, operation }: { path: string; method: string; operation: Operation },
  kind: Kind,
): FuzzRequest {
  const { random } = making
  const parameters = operation.parameters ?? []
  const values = new Map<string, unknown>()
  for (const one of parameters)
    if (one.required || random.chance(0.3)) values.set(one.name, validValue(one.schema, making, one.name))
  const [contentType = JSON_TYPE, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const schema = contentType === JSON_TYPE ? content?.schema : undefined
  // One part of the request is made wrong, so that the others carry it as far in as it will go.
  const parts = [
    'method',
    'path',
    'headers',
    ...(values.size > 0 ? ['value', 'value'] : []),
    'query',
    ...(schema === undefined ? [] : ['body', 'body', 'body', 'body', 'bytes']),
  ]
  const broken = kind === 'valid' ? '' : random.pick(parts)
  if (broken === 'value') {
    const name = random.pick([...values.keys()])
    values.set(name, kind === 'near' ? nearlyRight(values.get(name), random) : hostileValue(random))
  }
  // An empty part of a path is another address.
  const emptyInPath = parameters.some((one) => one.in === 'path' && encode(values.get(one.name) ?? '') === '')
  const sentMethod = broken === 'method' ? random.pick(METHODS) : method
  const inQuery = queryOf(parameters, values, broken === 'query', random)
  const filled = fill(path, values)
  const sentPath = broken === 'path' ? breakPath(filled, random) : filled
  const body =
    contentType !== JSON_TYPE
      ? Buffer.alloc(random.below(2000), 'x')
      : schema === undefined
        ? strayBody(kind, random)
        : bodyOf(schema, making, kind, broken)
  return {
    kind,
    method: sentMethod,
    route: { path, method },
    target: `${sentPath}${inQuery}`,
    headers: headersOf(subject.credentials(path), parameters, values, {
      body,
      contentType,
      broken,
      kind,
      random,
    }),
    body,
    astray: broken === 'path' || emptyInPath || sentMethod !== method,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** As `encodeURIComponent`, which throws on half a surrogate pair. */
const encode = (value: unknown): string => encodeURIComponent(textOf(value).toWellFormed())

function fill(path: string, values: ReadonlyMap<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encode(values.get(name) ?? ''))
}

function queryOf(
  parameters: readonly Parameter[],
  values: ReadonlyMap<string, unknown>,
  broken: boolean,
  random: Random,
): string {
  const pairs = parameters
    .filter((one) => one.in === 'query' && values.has(one.name))
    .map((one) => `${one.name}=${encode(values.get(one.name))}`)
  if (broken) {
    const extra = [
      'companyId=other',
      '__proto__=1',
      '%',
      '%00=%00',
      '=',
      '&&&',
      'limit=1e1',
      'limit=-1',
      'limit=25&limit=26',
      'cursor=e30',
      'cursor=%FF',
      'a[b]=c',
      'startDate=2026-13-45',
      `x=${'y'.repeat(9000)}`,
    ]
    pairs.splice(random.below(pairs.length + 1), 0, random.pick(extra))
    if (random.chance(0.3)) pairs.splice(random.below(pairs.length), 1)
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function breakPath(path: string, random: Random): string {
  const parts = path.split('/')
  const at = 1 + random.below(Math.max(1, parts.length - 1))
  const piece = random.pick(PATH_PIECES)
  if (random.chance(0.5)) parts[at] = piece
  else parts.splice(at, 0, piece)
  return parts.join('/')
}

function strayBody(kind: Kind, random: Random): Buffer | null {
  return kind === 'hostile' && random.chance(0.05) ? Buffer.from('{"companyId":1}') : null
}

function bodyOf(schema: Schema, making: Making, kind: Kind, broken: string): Buffer {
  const { random } = making
  if (broken === 'bytes' && kind === 'hostile') {
    // Rare, for it is slow to send: a string ten times as long as a body may be.
    if (random.chance(0.05)) return Buffer.alloc(TEN_MEGABYTES, 'x')
    if (random.chance(0.3)) return Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])
    return Buffer.from(random.pick(NOT_QUITE_JSON))
  }
  const value = validValue(schema, making)
  if (broken !== 'body') return Buffer.from(toJson(value))
  const wrong = (inner: unknown): unknown =>
    kind === 'near' ? nearlyRight(inner, random) : hostileValue(random)
  let mutated = mutate(value, random, wrong)
  while (random.chance(0.3)) mutated = mutate(mutated, random, wrong)
  return Buffer.from(toJson(mutated))
}

function headersOf(
  [credential, secret]: readonly [string, string],
  parameters: readonly Parameter[],
  values: ReadonlyMap<string, unknown>,
  {
    body,
    contentType,
    broken,
    kind,
    random,
  }: { body: Buffer | null; contentType: string; broken: string; kind: Kind; random: Random },
): string[] {
  const wrong = broken === 'headers'
  const authorization = wrong && random.chance(0.3) ? random.pick(AUTHORIZATIONS) : secret
  const extra = wrong ? random.pick(HEADERS) : []
  const given = parameters.flatMap((one) =>
    // A header holds no control characters and nothing beyond Latin-1: node:http would not send it.
    one.in === 'header' && values.has(one.name) ? [one.name, headerText(values.get(one.name))] : [],
  )
  const type = body === null || extra.includes('Content-Type') ? [] : ['Content-Type', contentType]
  const twice = wrong && kind === 'hostile' && random.chance(0.2) ? ['Authorization', 'Bearer second'] : []
  return [
    ...(extra[0] === 'Host' ? [] : ['Host', '127.0.0.1']),
    ...(authorization === '' ? [] : [credential, authorization]),
    ...twice,
    ...type,
    ...given,
    ...extra,
    ...(body === null ? [] : ['Content-Length', String(body.length)]),
  ]
}

const headerText = (value: unknown): string =>
  textOf(value)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 2000)
