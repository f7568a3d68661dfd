/** Sends events to webhooks at least once: what was sent when the appliance died is sent again. */
import { networkSentence, rootCause } from '../../workers/stages/ingest/transfer.ts'
import type { WebhookSender } from '../adapters/webhook-sender.ts'
import { AppError } from '../contract/errors.ts'
import { deleteEventsBefore } from '../db/events.ts'
import { listDueDeliveries, updateDelivery, updateWebhook, type DueDelivery } from '../db/webhooks.ts'
import { presentEvent } from '../domain/operations/event-stream.ts'
import type { Services } from '../domain/services.ts'
import { fateOf, type Answered, signWebhook, webhookSecret } from '../domain/webhooks/webhooks.ts'
import { isKeyTrouble } from '../secrets.ts'
import { inTransaction } from '../db/prepared.ts'

const POLL_MS = 1000
const SWEEP_MS = 3_600_000
const AT_ONCE = 8
const AT_ONCE_EACH = 2
/** How long events and their deliveries are stored. */
const KEPT_MS = 14 * 86_400_000
const SWEPT_AT_ONCE = 5000
const MAX_ERROR_LENGTH = 300
/** What cannot be signed waits this long for the key. */
const HELD_MS = 60_000

type Deps = Pick<Services, 'charge' | 'config' | 'db' | 'home' | 'log' | 'now'>

export interface WebhookLoop {
  /** Sends what is due and resolves when all of it is answered. */
  tick(): Promise<void>
  /** Forgets old events. */
  sweep(): void
  stop(): Promise<void>
}

function requestOf(deps: Deps, { delivery, webhook, event }: DueDelivery, secret: string) {
  const body = JSON.stringify(presentEvent(event))
  const seconds = Math.floor(deps.now() / 1000)
  return {
    url: webhook.url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Cutroom-Webhooks/1',
      'cutroom-event': event.type,
      'cutroom-delivery': delivery.id,
      'cutroom-signature': signWebhook(secret, seconds, body),
    },
  }
}

/** For a host with several addresses the error is an aggregate: the reasons are in its inner errors. */
function sentence(error: unknown, url: string): string {
  const cause = rootCause(error)
  const { code } = cause as { code?: unknown }
  const plain = cause instanceof AppError || typeof code !== 'string'
  const text = plain ? cause.message : networkSentence(code, new URL(url).host)
  return text.slice(0, MAX_ERROR_LENGTH) || 'It could not be sent.'
}

/** It cannot be signed for now: the key is away, and may be put back. */
interface Held {
  readonly held: string
}

/** Null: the loop was stopped meanwhile, so the result is unknown. */
async function sendDelivery(
  deps: Deps,
  sender: WebhookSender,
  due: DueDelivery,
  signal: AbortSignal,
): Promise<Answered | Held | null> {
  const secret = secretOf(deps, due)
  if (secret === null)
    return {
      status: 410,
      error: 'The secret of this webhook cannot be opened on this home; create the webhook anew.',
    }
  if (typeof secret !== 'string') return secret
  try {
    const status = await sender.send(requestOf(deps, due, secret), signal)
    return { status, error: status >= 200 && status < 300 ? null : `It answered ${status}.` }
  } catch (error) {
    return signal.aborted ? null : { status: null, error: sentence(error, due.webhook.url) }
  }
}

function secretOf(deps: Deps, { webhook }: DueDelivery): string | Held | null {
  try {
    return webhookSecret(deps, webhook)
  } catch (error) {
    if (isKeyTrouble(error)) return { held: error.message.slice(0, MAX_ERROR_LENGTH) }
    throw error
  }
}

/** Retried when the key may be available again; without the key it does not count as an attempt. */
function hold({ db, now }: Deps, { delivery }: DueDelivery, why: string): void {
  updateDelivery(db, delivery.id, { availableAt: now() + HELD_MS, error: why, updatedAt: now() })
}

function settle({ db, now, log }: Deps, { delivery, webhook }: DueDelivery, answered: Answered): void {
  const attempts = delivery.attempts + 1
  const fate = fateOf(answered, attempts, now())
  inTransaction(db, () => {
    updateDelivery(db, delivery.id, {
      state: fate.state,
      attempts,
      responseStatus: answered.status,
      error: answered.error,
      updatedAt: now(),
      ...(fate.state === 'queued' ? { availableAt: fate.availableAt } : {}),
    })
    if (fate.state === 'dead' && fate.gone)
      updateWebhook(db, webhook.id, { state: 'paused', updatedAt: now() })
  })
  if (fate.state === 'dead')
    log.warn('a webhook could not be told', {
      webhook: webhook.id,
      delivery: delivery.id,
      error: answered.error,
    })
}

/** Starts telling. `sender` is closed with the loop. */
export function startWebhookLoop(
  deps: Deps,
  sender: WebhookSender,
  options: { readonly pollMs?: number } = {},
): WebhookLoop {
  const { db, log, now } = deps
  const stopped = new AbortController()
  const active = new Map<string, { webhookId: string; done: Promise<void> }>()

  async function carryOut(due: DueDelivery): Promise<void> {
    try {
      // What is told has to be so also for an appliance that takes over.
      if (deps.charge !== undefined) await deps.charge.settled()
      const answered = await sendDelivery(deps, sender, due, stopped.signal)
      if (answered === null) return
      if ('held' in answered) hold(deps, due, answered.held)
      else settle(deps, due, answered)
    } catch (error) {
      log.error('a delivery could not be written down', { delivery: due.delivery.id, error })
    } finally {
      active.delete(due.delivery.id)
    }
  }

  function take(): void {
    const busy = new Map<string, number>()
    for (const { webhookId } of active.values()) busy.set(webhookId, (busy.get(webhookId) ?? 0) + 1)
    // Includes those that are being sent.
    for (const due of listDueDeliveries(db, now(), { each: 2 * AT_ONCE_EACH, limit: 200 })) {
      const { id } = due.webhook
      if (active.size >= AT_ONCE) return
      if (active.has(due.delivery.id) || (busy.get(id) ?? 0) >= AT_ONCE_EACH) continue
      busy.set(id, (busy.get(id) ?? 0) + 1)
      active.set(due.delivery.id, { webhookId: id, done: carryOut(due) })
    }
  }

  const safely = (act: () => void, what: string): void => {
    try {
      if (!stopped.signal.aborted) act()
    } catch (error) {
      log.error(what, { error })
    }
  }
  const look = (): void => safely(take, 'deliveries could not be read')
  const sweep = (): void =>
    safely(
      () => void deleteEventsBefore(db, now() - KEPT_MS, SWEPT_AT_ONCE),
      'old events could not be removed',
    )
  const timers = [setInterval(look, options.pollMs ?? POLL_MS), setInterval(sweep, SWEEP_MS)]
  for (const timer of timers) timer.unref()
  return {
    sweep,
    tick: async () => {
      look()
      while (active.size > 0) {
        await Promise.all([...active.values()].map(({ done }) => done))
        look()
      }
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      stopped.abort()
      await sender.close()
      await Promise.all([...active.values()].map(({ done }) => done))
    },
  }
}
