/** Webhooks of a company: their addresses, signing secrets and deliveries. */
import { randomBytes, createHmac } from 'node:crypto'
import { AppError, invalidRequest, refuse } from '../../contract/errors.ts'
import { EVENT_PATTERNS, type Delivery, type Webhook } from '../../contract/events.ts'
import {
  deleteWebhook as removeWebhook,
  getDelivery,
  getWebhook,
  insertWebhook,
  listDeliveries as findDeliveries,
  listWebhooks as findWebhooks,
  updateWebhook,
  updateDelivery,
  type DeliveryView,
  type WebhookRow,
} from '../../db/webhooks.ts'
import { newId } from '../../ids.ts'
import { reachable, type Reach } from '../../reachable.ts'
import { openSecret, sealSecret } from '../../secrets.ts'
import { addressAllowed } from '../../../workers/stages/ingest/pure/addresses.ts'
import { isIP } from 'node:net'
import { requireCompany } from '../people/companies.ts'
import type { ClockServices, DbServices, Services } from '../services.ts'
import { inTransaction } from '../../db/prepared.ts'

const MAX_URL_LENGTH = 2000
const purposeOf = (id: string): string => `webhook:${id}`
const iso = (time: number): string => new Date(time).toISOString()

function present({ id, companyId, url, events, state, createdAt }: WebhookRow): Webhook {
  return { id, companyId, url, events, state, createdAt: iso(createdAt) }
}

/** Refuses what can never be sent to; a name is looked at again each time that it is connected to. */
function checkUrl(given: string, policy: Reach): string {
  if (!URL.canParse(given) || given.length > MAX_URL_LENGTH)
    throw invalidRequest('url', 'The url of a webhook should be an http or https address.')
  const url = new URL(given)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalidRequest('url', 'The url of a webhook should begin with https:// or http://.')
  if (url.username !== '' || url.password !== '')
    throw invalidRequest('url', 'The url of a webhook has no name and password: requests are signed instead.')
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  if (isIP(host) !== 0 && !addressAllowed(host, policy))
    throw invalidRequest(
      'url',
      `This appliance does not connect to ${host}; see CUTROOM_SOURCES and CUTROOM_NETWORK.`,
    )
  return url.href
}

function checkEvents(given: readonly string[]): string[] {
  const events = given.length === 0 ? ['*'] : [...new Set(given)]
  const unknown = events.find((event) => !EVENT_PATTERNS.includes(event))
  if (unknown !== undefined)
    throw invalidRequest(
      'events',
      `There are no events "${unknown}"; there are: ${EVENT_PATTERNS.join(', ')}.`,
    )
  return events
}

/** Registers a webhook. Its secret is returned only now and stored encrypted. Throws INVALID_REQUEST, COMPANY_NOT_FOUND. */
export function createWebhook(
  services: Pick<Services, 'db' | 'home' | 'now' | 'config'>,
  input: { companyId: string; url: string; events: readonly string[] },
): { webhook: Webhook; secret: string } {
  const { db, home, now, config } = services
  requireCompany(services, input.companyId)
  const url = checkUrl(input.url, reachable(config))
  const events = checkEvents(input.events)
  const id = newId()
  const secret = `whsec_${randomBytes(32).toString('base64url')}`
  const sealedSecret = sealSecret(home, purposeOf(id), secret)
  const row: WebhookRow = {
    id,
    companyId: input.companyId,
    url,
    sealedSecret,
    events,
    state: 'active',
    createdAt: now(),
    updatedAt: now(),
  }
  insertWebhook(db, row)
  return { webhook: present(row), secret }
}

/** Those of a company, or of all. */
export function listWebhooks(services: DbServices, companyId: string | null): Webhook[] {
  if (companyId !== null) requireCompany(services, companyId)
  return findWebhooks(services.db, companyId).map(present)
}

const noWebhook = (id: string): AppError =>
  new AppError('NOT_FOUND', `There is no webhook "${id}"; \`cutroom webhook list\` shows them.`)

/** Deletes a webhook and its pending deliveries. Throws NOT_FOUND. */
export function deleteWebhook(services: DbServices, id: string): void {
  if (!removeWebhook(services.db, id)) throw noWebhook(id)
}

/** The same of one of the company's; another company's is as unknown as any other. */
export function deleteWebhookOf(
  services: DbServices,
  { companyId, webhookId }: { companyId: string; webhookId: string },
): void {
  if (getWebhook(services.db, webhookId)?.companyId !== companyId) throw new AppError('NOT_FOUND')
  deleteWebhook(services, webhookId)
}

/** A webhook as it was answered when it was made. NOT_FOUND, SECRETS_KEY_UNAVAILABLE. */
export function webhookWithSecret(
  services: Pick<Services, 'db' | 'home'>,
  id: string,
): { webhook: Webhook; secret: string } {
  const row = getWebhook(services.db, id) ?? refuse('NOT_FOUND')
  const secret = webhookSecret(services, row) ?? refuse('SECRETS_KEY_UNAVAILABLE')
  return { webhook: present(row), secret }
}

/** Pauses a webhook, or lets it go on with what has waited. NOT_FOUND. */
export function changeWebhookState(services: ClockServices, id: string, state: Webhook['state']): Webhook {
  updateWebhook(services.db, id, { state, updatedAt: services.now() })
  const row = getWebhook(services.db, id)
  if (row === null) throw noWebhook(id)
  return present(row)
}

function presentDelivery(row: DeliveryView): Delivery {
  const { id, type, subjectId, attempts, responseStatus, error } = row
  const state = row.state
  return {
    id,
    event: type,
    subjectId,
    state,
    attempts,
    responseStatus,
    error,
    nextAt: state === 'queued' ? iso(row.availableAt) : null,
    createdAt: iso(row.createdAt),
  }
}

/** The deliveries to a webhook, newest first. Throws NOT_FOUND. */
export function listDeliveries(
  services: DbServices,
  webhookId: string,
  options: { state?: Delivery['state']; limit: number },
): Delivery[] {
  if (getWebhook(services.db, webhookId) === null) throw noWebhook(webhookId)
  return findDeliveries(services.db, webhookId, options).map(presentDelivery)
}

/**
 * Sends a delivery again, as if for the first time; a paused webhook becomes active. `webhookId`: the webhook that it
 * must belong to. NOT_FOUND.
 */
export function replayDelivery(services: ClockServices, id: string, webhookId?: string): void {
  const { db, now } = services
  inTransaction(db, () => {
    const delivery = getDelivery(db, id)
    if (delivery === null || (webhookId !== undefined && delivery.webhookId !== webhookId))
      throw new AppError('NOT_FOUND', {
        message: `There is no delivery "${id}"; \`cutroom webhook deliveries WEBHOOK\` shows them, for 14 days.`,
      })
    updateDelivery(db, id, {
      state: 'queued',
      attempts: 0,
      availableAt: now(),
      error: null,
      updatedAt: now(),
    })
    updateWebhook(db, delivery.webhookId, { state: 'active', updatedAt: now() })
  })
}

/** The secret by which a webhook's requests are signed; null: it went with a lost key. Throws SECRETS_KEY_UNAVAILABLE. */
export function webhookSecret(
  services: Pick<Services, 'home'>,
  webhook: Pick<WebhookRow, 'id' | 'sealedSecret'>,
): string | null {
  return openSecret(services.home, purposeOf(webhook.id), webhook.sealedSecret)
}

/** The header's value. `seconds`: since the epoch, when it is sent. */
export function signWebhook(secret: string, seconds: number, body: string): string {
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`, 'utf8')
  return `t=${seconds},v1=${hmac.digest('hex')}`
}

/** PURE: when a delivery that failed is tried again. */

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 3_600_000
/** Pauses after the first try, the second, and so on: about a day in all. */
const PAUSES = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR]

export const MAX_ATTEMPTS = PAUSES.length + 1

export interface Answered {
  /** HTTP status; null: there was no answer. */
  readonly status: number | null
  /** One sentence where it did not work. */
  readonly error: string | null
}

export type DeliveryFate =
  | { readonly state: 'delivered' }
  | { readonly state: 'queued'; readonly availableAt: number }
  /** `gone`: the receiver responded 410, so the webhook is paused. */
  | { readonly state: 'dead'; readonly gone: boolean }

/** What becomes of a delivery after its `attempts`-th try (1 is the first). */
export function fateOf({ status }: Answered, attempts: number, now: number): DeliveryFate {
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered' }
  if (status === 410) return { state: 'dead', gone: true }
  const pause = PAUSES[attempts - 1]
  return pause === undefined ? { state: 'dead', gone: false } : { state: 'queued', availableAt: now + pause }
}
