/**
 * The two-step guard of actions that go out into the world: prepared by a client, decided by a person, consumed once, by
 * that client, for that subject at that revision, within 15 minutes.
 */
import type {
  Confirmation,
  ConfirmationAction,
  ConfirmationDecision,
  ConfirmationState,
} from '../../contract/tenant-api/workflow.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import type { WaitingConfirmation } from '../../contract/studio.ts'
import { getClient } from '../../db/clients.ts'
import {
  expireConfirmations,
  getConfirmation,
  insertConfirmation,
  listPending,
  updateConfirmation,
  type ConfirmationRow,
} from '../../db/confirmations.ts'
import { getPerson } from '../../db/people.ts'
import { newId } from '../../ids.ts'
import { STUDIO_CLIENT, type Caller } from '../access/authorise.ts'
import { requireCompany } from '../people/companies.ts'
import type { ClockServices } from '../services.ts'
import { inTransaction } from '../../db/prepared.ts'

const CONFIRMATION_LIVES_MS = 15 * 60_000

/** What an action is about. */
export interface ConfirmationSubject {
  readonly id: string
  /** The action is refused when the subject was changed since. */
  readonly revision: number
}

export interface NewConfirmation {
  readonly caller: Caller
  readonly action: ConfirmationAction
  /** Who prepared it, if that is somebody else than the caller. */
  readonly preparedBy?: string
  readonly subject: ConfirmationSubject
  /** What the action will be given; JSON. */
  readonly payload?: unknown
  /** What a person is shown. */
  readonly preview: Record<string, unknown>
}

/** The current state: a confirmation that was not used in time has expired. */
function stateOf(row: ConfirmationRow, now: number): ConfirmationState {
  const open = row.state === 'pending' || row.state === 'approved'
  return open && row.expiresAt <= now ? 'expired' : row.state
}

function present(row: ConfirmationRow, now: number): Confirmation {
  return {
    id: row.id,
    action: row.action,
    state: stateOf(row, now),
    preview: row.preview,
    expiresAt: new Date(row.expiresAt).toISOString(),
  }
}

/** Confirmations of other tenants and clients are not visible; the studio sees all of its tenant. */
function find({ db }: ClockServices, caller: Caller, id: string): ConfirmationRow {
  const row = getConfirmation(db, caller.companyId, id)
  if (row === null || (caller.via === 'delegation' && row.clientId !== caller.clientId))
    throw new AppError('NOT_FOUND', 'There is no such confirmation.')
  return row
}

/** May be called inside a transaction. */
export function prepareConfirmation(services: ClockServices, input: NewConfirmation): Confirmation {
  const { caller, action, subject, payload, preview } = input
  const { preparedBy = caller.principalId } = input
  const now = services.now()
  const row: ConfirmationRow = {
    id: newId(),
    companyId: caller.companyId,
    clientId: caller.clientId,
    preparedBy,
    action,
    subjectId: subject.id,
    subjectRevision: subject.revision,
    payload: payload ?? null,
    preview,
    state: 'pending',
    expiresAt: now + CONFIRMATION_LIVES_MS,
    createdAt: now,
    decidedBy: null,
    decidedAt: null,
    consentText: null,
    consentSource: null,
    consumedAt: null,
  }
  insertConfirmation(services.db, row)
  return present(row, now)
}

/** NOT_FOUND for one that is not the caller's. */
export function readConfirmation(
  services: ClockServices,
  input: { caller: Caller; id: string },
): Confirmation {
  return present(find(services, input.caller, input.id), services.now())
}

const MAX_WAITING = 50

const spanOf = (now: number) => ({ since: now - CONFIRMATION_LIVES_MS, now })

/** Undecided confirmations that clients have prepared, newest first; without those that the studio itself requested. */
export function listWaiting(
  services: ClockServices,
  { companyId }: { companyId: string },
): WaitingConfirmation[] {
  const now = services.now()
  const rows = listPending(services.db, companyId, { ...spanOf(now), limit: MAX_WAITING })
  return rows
    .filter(({ clientId }) => clientId !== STUDIO_CLIENT)
    .map((row) => ({
      confirmation: present(row, now),
      client: { id: row.clientId, name: getClient(services.db, row.clientId)?.name ?? row.clientId },
    }))
}

/** Whether two names are of one person: the ids of people, and of delegations whose subject is an id or an address. */
function isSamePerson({ db }: ClockServices, one: string, other: string): boolean {
  const emailOf = (name: string): string => getPerson(db, name)?.email ?? name.toLowerCase()
  return one === other || emailOf(one) === emailOf(other)
}

/**
 * A yes to something that goes out. Where the company asks for two people, whoever prepared a publication may not approve it, and a
 * delegation, which may be an agent's, approves nothing without a person's own words. Elsewhere the text is optional, as the
 * document of the API has it. Throws CONSENT_NEEDED, SECOND_PERSON_NEEDED.
 */
function checkApproval(
  services: ClockServices,
  caller: Caller,
  row: ConfirmationRow,
  { decision, consentText, source }: ConfirmationDecision,
): void {
  const hasWords = (consentText ?? '').trim() !== ''
  if (source !== undefined && !hasWords) throw new AppError('CONSENT_NEEDED')
  if (decision !== 'approve') return
  const { separateApproval } = requireCompany(services, caller.companyId)
  const isWritten = source !== undefined && hasWords
  if (caller.via === 'delegation' && separateApproval && !isWritten) throw new AppError('CONSENT_NEEDED')
  const isOwn = row.action === 'publish_post' && isSamePerson(services, row.preparedBy, caller.principalId)
  if (separateApproval && isOwn) throw new AppError('SECOND_PERSON_NEEDED')
}

/**
 * Records a person's yes or no. Throws NOT_FOUND, CONFIRMATION_EXPIRED, INVALID_STATE when it was decided already,
 * CONSENT_NEEDED, SECOND_PERSON_NEEDED.
 */
export function decideConfirmation(
  services: ClockServices,
  input: { caller: Caller; id: string; decision: ConfirmationDecision },
): Confirmation {
  const { caller, id, decision } = input
  const { db, now } = services
  return inTransaction(db, () => {
    const row = find(services, caller, id)
    const state = stateOf(row, now())
    if (state === 'expired') throw new AppError('CONFIRMATION_EXPIRED')
    if (state !== 'pending') {
      const message = `The confirmation is ${state}; a decision is made once.`
      throw new AppError('INVALID_STATE', { message, details: { state } })
    }
    checkApproval(services, caller, row, decision)
    const changes = {
      state: decision.decision === 'approve' ? ('approved' as const) : ('declined' as const),
      decidedBy: caller.principalId,
      decidedAt: now(),
      consentText: decision.consentText ?? null,
      consentSource: decision.source ?? null,
    }
    updateConfirmation(db, row.id, changes)
    return present({ ...row, ...changes }, now())
  })
}

/**
 * Expires every unused confirmation of a subject that was changed or deleted. To be called in the transaction of that
 * change.
 */
export function endConfirmations(services: ClockServices, subject: { companyId: string; id: string }): void {
  expireConfirmations(services.db, subject.companyId, subject.id, spanOf(services.now()))
}

interface Use {
  readonly caller: Caller
  readonly id: string
  readonly action: ConfirmationAction
  readonly subject: ConfirmationSubject
}

/** Whether it was prepared by this client for this action on this subject, whatever its revision is by now. */
const isMeant = (row: ConfirmationRow, { caller, action, subject }: Use): boolean =>
  row.clientId === caller.clientId && row.action === action && row.subjectId === subject.id

/**
 * Throws CONFIRMATION_CONSUMED where this client has consumed it for this very action: to be checked before the state
 * of the subject, which that action has changed. Ignores any other confirmation.
 */
export function refuseConsumed(services: ClockServices, use: Use): void {
  const row = getConfirmation(services.db, use.caller.companyId, use.id)
  if (row?.state === 'consumed' && isMeant(row, use)) throw new AppError('CONFIRMATION_CONSUMED')
}

/**
 * Uses an approved confirmation up and answers its payload. To be called in the transaction of the action itself.
 * Throws NOT_FOUND, CONFIRMATION_MISMATCH, CONFIRMATION_CONSUMED, CONFIRMATION_EXPIRED, CONFIRMATION_NOT_APPROVED.
 */
export function consumeConfirmation(services: ClockServices, use: Use): unknown {
  const { db, now } = services
  const row =
    getConfirmation(db, use.caller.companyId, use.id) ?? refuse('NOT_FOUND', 'There is no such confirmation.')
  if (!isMeant(row, use)) throw new AppError('CONFIRMATION_MISMATCH')
  const state = stateOf(row, now())
  // Before the revision: using it up may have changed its subject.
  if (state === 'consumed') throw new AppError('CONFIRMATION_CONSUMED')
  if (row.subjectRevision !== use.subject.revision) throw new AppError('CONFIRMATION_MISMATCH')
  if (state === 'expired') throw new AppError('CONFIRMATION_EXPIRED')
  if (state !== 'approved') throw new AppError('CONFIRMATION_NOT_APPROVED', { details: { state } })
  updateConfirmation(db, row.id, { state: 'consumed', consumedAt: now() })
  return row.payload
}
