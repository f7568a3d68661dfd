/** What is known of a request before its handler runs, stored on the Request that Elysia sees. */
import { AppError } from '../contract/errors.ts'
import { boundCompany, type Principal } from './authenticate.ts'
import type { CallTrace } from './call-trace.ts'

export interface RequestContext {
  readonly requestId: string
  /** Null only on routes without authentication. */
  readonly principal: Principal | null
  /** Base of the addresses in answers, without a slash at the end. */
  readonly baseUrl: string
  /** What is learned of the call. */
  readonly trace: CallTrace
}

/** On the request itself: a WeakMap of every request that comes in was to be seen in what a small one costs. */
const CONTEXT = Symbol('context')
type Known = Request & { [CONTEXT]?: RequestContext }

/** Gives the request its context, before any application sees it. */
export function attachContext(request: Known, context: RequestContext): void {
  request[CONTEXT] = context
}

/** The context of a request that came through the bridge; every request does. */
export function contextOf(request: Known): RequestContext {
  const context = request[CONTEXT]
  if (context === undefined) throw new Error('the request did not come through the bridge')
  return context
}

/** The authenticated caller. Routes that use this are never reached without one. */
export function principalOf(request: Request): Principal {
  const { principal } = contextOf(request)
  if (principal === null) throw new AppError('INVALID_API_KEY')
  return principal
}

/** Name of the person who makes the request; undefined: it is a program. */
export function editorName(request: Request): string | undefined {
  const { principal } = contextOf(request)
  return principal?.kind === 'session' ? principal.person.name : undefined
}

/** INVALID_API_KEY unless the caller may act for this company: the same answer as for a key that does not exist. */
export function requireAccess(request: Request, companyId: string): void {
  const bound = boundCompany(principalOf(request))
  if (bound !== null && bound !== companyId) throw new AppError('INVALID_API_KEY')
  contextOf(request).trace.companyId = companyId
}

/** Fields of bodies that name the resource of a call whose address does not. */
const ABOUT = ['clipId', 'postId', 'workflowId', 'operationId'] as const

/** Notes which thing a body is about. */
export function noteSubject(request: Request, body: Readonly<Record<string, unknown>>): void {
  const { trace } = contextOf(request)
  const named = ABOUT.map((name) => body[name]).find((value) => typeof value === 'string')
  if (typeof named === 'string') trace.resourceId = named
}
