/** Takes an action of the outbox under a lease, carries it out once, and stores its outcome together with the post. */
import { AppError, ERRORS, type Failure, refuse } from '../../contract/errors.ts'
import { removePackage } from '../../adapters/social/export.ts'
import { reasonOf, retryAfterOf, socialFailure } from '../../adapters/social/failure.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import {
  applyActionEvent,
  findOpenAction,
  getAction,
  noteOnAction,
  type SocialAction,
} from '../../db/social-actions.ts'
import { getSocialPost, updateSocialPost, type SocialPostRow } from '../../db/social-posts.ts'
import type { ClockServices, Services } from '../services.ts'
import { withAccount } from './accounts.ts'
import { ACTION_LEASE_MS, actionBackoffMs, nextPostState, type PostEvent } from './action-rules.ts'
import { publishOnce, isCancelledByRequest, type PublishOutcome } from './publish-run.ts'
import { inTransaction } from '../../db/prepared.ts'

/** What a call to carry an action out found. */
export type ExecutionOutcome = 'accepted' | 'finished' | 'leased' | 'waiting'

export interface Execution {
  readonly services: Services
  /** Names this appliance's leases. */
  readonly owner: string
  /** Aborted when the appliance stops. */
  readonly signal: AbortSignal
}

/** Added where something was sent and its result could not be looked up. */
const DOUBT = ' It may be there all the same: look before you publish it again.'

/** Without a Retry-After. */
const RATE_PAUSE_MS = 15 * 60_000

/** Changes the post along its states, in the caller's transaction; nothing when they do not allow it. */
function movePost(
  { db, now }: ClockServices,
  row: SocialPostRow | null,
  event: PostEvent,
  changes: Partial<SocialPostRow> = {},
): void {
  const next = row === null ? null : nextPostState(row.status, event)
  if (row === null || next === null || next === 'gone') return
  if (next === row.status) return
  const { momentAt: _momentAt, revision: _revision, ...rest } = changes
  updateSocialPost(db, row.id, { ...rest, status: next, updatedAt: now() })
}

function failPost(services: ClockServices, action: SocialAction, failure: Failure): void {
  if (action.kind !== 'publish') return
  const row = getSocialPost(services.db, action.companyId, action.postId)
  movePost(services, row, 'failed', { failure, publishedAt: services.now() })
}

/** The action under our lease, or why not. */
function take({ services, owner }: Execution, id: string): SocialAction | ExecutionOutcome {
  const { db, now } = services
  return inTransaction(db, () => {
    let action = getAction(db, id)
    if (action === null) throw new AppError('NOT_FOUND', 'There is no such action.')
    if (action.state === 'running') action = recoverAction(services, id)
    if (action === null) return 'leased'
    if (action.state !== 'queued') return 'finished'
    // Cancelling waits until publishing has ended.
    if (action.kind === 'cancel' && findOpenAction(db, action.postId, 'publish') !== null) return 'waiting'
    const taken = applyActionEvent(db, id, { kind: 'claim', owner, now: now() }, now())
    if (taken === null) return 'waiting'
    if (taken.kind === 'publish')
      movePost(services, getSocialPost(db, taken.companyId, taken.postId), 'begin')
    return taken
  })
}

/** Takes over an action whose lease has expired; null: it is still leased. In the caller's transaction. */
export function recoverAction(
  services: Pick<Services, 'db' | 'now' | 'log'>,
  id: string,
): (SocialAction & { gaveUp: boolean }) | null {
  const { db, now, log } = services
  const lost = applyActionEvent(db, id, { kind: 'lost', now: now() }, now())
  if (lost === null) return null
  log.info('found a social action that nobody holds any more', { action: id, state: lost.state })
  if (lost.gaveUp) giveUp(services, lost)
  return lost
}

/** Carries an action out if it is due and free. Throws NOT_FOUND; its own failures are stored, not thrown. */
export async function executeAction(execution: Execution, id: string): Promise<ExecutionOutcome> {
  const taken = take(execution, id)
  if (typeof taken === 'string') return taken
  const { services, owner } = execution
  const lost = new AbortController()
  const beat = setInterval(() => {
    const now = services.now()
    if (applyActionEvent(services.db, id, { kind: 'heartbeat', owner, now }, now) === null) lost.abort('lost')
  }, ACTION_LEASE_MS / 3).unref()
  const signal = AbortSignal.any([execution.signal, lost.signal])
  try {
    await carryOut({ ...execution, signal }, taken)
  } catch (error) {
    // Not even the outcome could be stored: the lease runs out, and the action is taken up again then.
    services.log.error('a social action could not be settled', { action: id, error })
  } finally {
    clearInterval(beat)
  }
  return 'accepted'
}

async function carryOut(execution: Execution, action: SocialAction): Promise<void> {
  try {
    if (action.kind === 'publish') settlePublish(execution, action, await publish(execution, action))
    else await takeBack(execution, action)
  } catch (error) {
    failed(execution, action, error)
  }
}

async function publish(execution: Execution, action: SocialAction): Promise<PublishOutcome> {
  const { services, owner, signal } = execution
  const row =
    getSocialPost(services.db, action.companyId, action.postId) ?? refuse('NOT_FOUND', 'The post is gone.')
  return publishOnce({ services, action, owner, row, signal })
}

function settlePublish({ services, owner }: Execution, action: SocialAction, outcome: PublishOutcome): void {
  const { db, now, log } = services
  const { id, companyId, postId } = action
  const time = now()
  inTransaction(db, () => {
    if (outcome.kind === 'later') {
      if (isUnwanted(db, id)) return cancelled(services, owner, action)
      const { afterMs } = outcome
      const paused = applyActionEvent(db, id, { kind: 'later', owner, now: time, afterMs }, time)
      if (paused?.gaveUp === true) giveUp(services, paused)
      return
    }
    if (outcome.kind === 'cancelled') return cancelled(services, owner, action)
    const { nativeId, url, note } = outcome.published
    const result = { postId, nativeId: nativeId === '' ? null : nativeId, postUrl: url, note: note ?? null }
    const settled = applyActionEvent(db, id, { kind: 'settle', owner, state: 'succeeded' }, time, { result })
    if (settled === null) return
    movePost(services, getSocialPost(db, companyId, postId), 'published', {
      nativeId: result.nativeId,
      postUrl: url,
      note: note ?? null,
      publishedAt: time,
      failure: null,
      ...outcome.media,
    })
    log.info('a post was published', { action: id, post: postId })
  })
}

/** Cancelled while it was tried, and nothing of it was sent: no further try is waited for. */
function isUnwanted(db: Services['db'], id: string): boolean {
  const action = getAction(db, id)
  return action?.cancelRequested === true && action.sendingAt === null
}

function cancelled({ db, now }: Services, owner: string, action: SocialAction): void {
  const failure: Failure = { code: 'CANCELLED', message: 'The post was cancelled.' }
  applyActionEvent(db, action.id, { kind: 'settle', owner, state: 'cancelled' }, now(), { failure })
}

async function takeBack(execution: Execution, action: SocialAction): Promise<void> {
  const { services, owner, signal } = execution
  const { db, home, now, log } = services
  const { companyId, postId } = action
  const row = getSocialPost(db, companyId, postId) ?? refuse('NOT_FOUND', 'The post is gone.')
  const { label, remove } = ADAPTERS[row.platform]
  if (nextPostState(row.status, 'cancelled') === null && row.status !== 'cancelled')
    throw new AppError('INVALID_STATE', `The post is ${row.status}: there is nothing of it to take back.`)
  if (row.status === 'success' && row.accountId === null) await removePackage(home, row.id)
  else if (row.status === 'success' && row.nativeId !== null) {
    if (remove === null)
      throw socialFailure(
        'unsupported',
        `The post went out before it could be stopped, and ${label} lets no app take it back; delete it there.`,
      )
    const { nativeId, accountId } = row
    if (accountId !== null)
      await withAccount(services, { companyId, accountId, signal }, (call) => remove(call, nativeId))
  }
  inTransaction(db, () => {
    const result = { postId, removed: row.status === 'success' }
    const event = { kind: 'settle', owner, state: 'succeeded' } as const
    if (applyActionEvent(db, action.id, event, now(), { result }) === null) return
    movePost(services, getSocialPost(db, companyId, postId), 'cancelled')
    log.info('a post was cancelled', { action: action.id, post: postId })
  })
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError)) return { code: 'INTERNAL', message: ERRORS.INTERNAL.message }
  const { code, message, details } = error.toFailure()
  const reason = reasonOf(error)
  return { code, message, ...(reason === null ? {} : { details: { reason, ...details } }) }
}

/** Whether another try may succeed. */
function passes(error: unknown): boolean {
  const reason = reasonOf(error)
  if (reason !== null) return reason === 'transient' || reason === 'rate_limited'
  return !(error instanceof AppError) || ERRORS[error.code].retryable
}

function failed({ services, owner, signal }: Execution, action: SocialAction, error: unknown): void {
  const { db, now, log } = services
  const { id } = action
  const time = now()
  if (signal.aborted) {
    // The appliance stops: the next process continues. A lost lease belongs to another process already.
    applyActionEvent(db, id, { kind: 'release', owner, now: time }, time)
    return
  }
  const sendingAt = getAction(db, id)?.sendingAt ?? null
  const sentBefore = sendingAt !== null && sendingAt === action.sendingAt
  const final = !passes(error)
  // A clear no to what this try was sending, or to what became of an earlier one: nothing of it is there.
  const refused = final && reasonOf(error) !== null && (reasonOf(error) === 'rejected' || !sentBefore)
  const plain = failureOf(error)
  const failure = final && sentBefore && !refused ? { ...plain, message: `${plain.message}${DOUBT}` } : plain
  log.warn('a social action met with trouble', { action: id, code: failure.code, error })
  inTransaction(db, () => {
    if (isCancelledByRequest(error) || isUnwanted(db, id)) return cancelled(services, owner, action)
    const limited = reasonOf(error) === 'rate_limited'
    // What was refused for now is not there either: it need not be looked for, which may be refused just so.
    if (refused || (limited && !sentBefore)) noteOnAction(db, { id, owner }, { sendingAt: null })
    if (final) {
      applyActionEvent(db, id, { kind: 'settle', owner, state: 'failed' }, time, { failure })
      failPost(services, action, failure)
      return
    }
    const afterMs =
      retryAfterOf(error) ?? (limited ? RATE_PAUSE_MS : actionBackoffMs(getAction(db, id)?.attempts ?? 1))
    const kind = limited ? 'later' : 'retry'
    const next = applyActionEvent(db, id, { kind, owner, now: time, afterMs }, time, { failure })
    if (next?.gaveUp === true) giveUp(services, next)
  })
}

/** Ends what was tried once too often, or for too long; in the caller's transaction. */
function giveUp(services: Pick<Services, 'db' | 'now' | 'log'>, action: SocialAction): void {
  const last = action.failure?.message ?? ERRORS.INTERRUPTED.message
  const doubt = action.sendingAt === null ? '' : DOUBT
  const message = `Given up after ${action.attempts} tries. The last said: ${last}${doubt}`
  const failure: Failure = { code: 'INTERRUPTED', message }
  services.log.warn('a social action was given up', { action: action.id, message })
  failPost(services, action, failure)
}
