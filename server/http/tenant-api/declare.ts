/**
 * The domain API lives here: routes that trusted services call for a tenant. Each route is one declaration: it feeds the
 * router, the checks, the answers and the OpenAPI description. Handlers unpack, call one domain function, return.
 */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Caller } from '../../domain/access/authorise.ts'
import type { Delegation } from '../../domain/access/delegations.ts'
import type { ServiceIdentity } from '../../domain/access/service-tokens.ts'
import type { Services } from '../../domain/services.ts'

/** What a handler is given. Everything in it has been checked. */
interface Call {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
  /** The quoted revision of If-Match; empty where the route takes none. */
  readonly ifMatch: string
  /** Base of the addresses in answers, without a slash at the end. */
  readonly baseUrl: string
  readonly requestId: string
}

/** A call for a tenant. */
export interface TenantCall extends Call {
  readonly caller: Caller
  /** Null from the studio. */
  readonly delegation: Delegation | null
}

/** A call of a service of the platform. */
interface ServiceCall extends Call {
  readonly service: ServiceIdentity
}

/** What a handler returns, before it is wrapped in the envelope. */
export interface Answer {
  readonly data: unknown
  readonly meta?: unknown
  /** Quoted, for the header ETag. */
  readonly etag?: string
  /** Where it is not the declared success: one of `also`. */
  readonly status?: number
  /** The response may differ later, so it is not stored under its Idempotency-Key. */
  readonly passing?: boolean
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface Declared<Query extends TObject, Body extends TObject> {
  /** Name in the description and of typed clients: `decideConfirmation`. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly query?: Query
  /** Needed unless `bodyOptional`. */
  readonly body?: Body
  readonly bodyOptional?: true
  /** What the OpenAPI document says about the body beyond what is checked before the handler runs. */
  readonly bodyShown?: TObject
  /** Takes If-Match, and answers with ETag. */
  readonly ifMatch?: true
  /** Answers with ETag. */
  readonly etag?: true
  /** The whole body of the answer, as `single` or `list` give it. */
  readonly answer: TSchema
  /** Success; 200 where left out. */
  readonly status?: 200 | 201 | 202
  readonly success: string
  /** Other successes that the handler may answer with. */
  readonly also?: Readonly<Record<number, string>>
  /** The public API has the same address: without a delegation it answers, so the refusal of a stranger is its own. */
  readonly sharedAddress?: true
  /** Error codes of this route, in addition to those of its access, parameters and body. */
  readonly errors?: readonly ErrorCode[]
}

type Handle<Given> = (services: Services, call: Given) => Answer | Promise<Answer>

interface Tenant<Given> {
  /**
   * Takes an Idempotency-Key. `atomic`: the handler is synchronous, and what it changes is stored together with its
   * answer, or not at all; `slow`: it waits for something.
   */
  readonly idempotent?: 'atomic' | 'slow'
  readonly handle: Handle<Given>
}

/** A route as the registry knows it; its path is like `/confirmations/{confirmationId}:decide`. */
export type DomainRoute = Declared<TObject, TObject> & { readonly method: Method; readonly path: string } & (
    | ({ readonly access: 'tenant' } & Tenant<TenantCall>)
    | { readonly access: 'service'; readonly idempotent?: never; readonly handle: Handle<ServiceCall> }
  )

/** The body as documented to callers. */
export const describedBody = ({ body, bodyShown = body }: DomainRoute): TObject | undefined => bodyShown

type Address = `${Method} /${string}`

/** The parameters that an address names in braces. */
type ParamsIn<At extends string> = At extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & ParamsIn<Rest>
  : unknown

/** A call as the handler of one route sees it: typed by the address and the schemas of the route. */
type Typed<Given extends Call, At extends Address, Query extends TObject, Body extends TObject> = Omit<
  Given,
  'params' | 'query' | 'body'
> & { readonly params: ParamsIn<At>; readonly query: Static<Query>; readonly body: Static<Body> }

const routeAt = (address: Address, route: object): DomainRoute => {
  const [method, path] = address.split(' ')
  return { method, path, ...route } as DomainRoute
}

/** A route that a client calls for a tenant, with a delegation. */
export const tenantRoute = <
  const At extends Address,
  const Query extends TObject,
  const Body extends TObject,
>(
  address: At,
  route: Declared<Query, Body> & Tenant<Typed<TenantCall, At, Query, Body>>,
): DomainRoute => routeAt(address, { access: 'tenant', ...route })

/** A route under /internal that a service of the platform calls, with its identity. */
export const serviceRoute = <
  const At extends Address,
  const Query extends TObject,
  const Body extends TObject,
>(
  address: At,
  route: Declared<Query, Body> & { readonly handle: Handle<Typed<ServiceCall, At, Query, Body>> },
): DomainRoute => routeAt(address, { access: 'service', ...route })
