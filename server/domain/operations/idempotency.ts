/** Requests with an Idempotency-Key: carried out once, answered again for 24 hours. */
import { randomUUID } from 'node:crypto'
import { digestOf } from '../../../workers/artefacts.ts'
import { AppError } from '../../contract/errors.ts'
import {
  deleteAnswer,
  deleteAnswersBefore,
  getAnswer,
  insertRunning,
  saveAnswer,
  type AnswerKey,
} from '../../db/idempotency.ts'
import type { ClockServices } from '../services.ts'
import { inTransaction } from '../../db/prepared.ts'
import { keepAddresses, renewAddresses } from './kept-addresses.ts'

/** A response as it is sent; stored, its addresses of files are ids (kept-addresses.ts). */
export interface StoredResponse {
  readonly status: number
  /** The headers that matter, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The response reports progress, not a result. */
  readonly passing?: boolean
}

export interface IdempotentRequest extends AnswerKey {
  /** Everything that makes two requests the same one; JSON. */
  readonly content: unknown
}

const LIVES_MS = 24 * 3_600_000
/** One appliance works on a home: what another process began, it never ended. */
const PROCESS = randomUUID()

/** Progress and refusals are not stored, so the same request may be sent again. */
const shouldStore = ({ status, passing }: StoredResponse): boolean =>
  status < 500 && status !== 429 && passing !== true

/** How a request is carried out. */
export interface IdempotentWork {
  /** `atomic`: synchronous, its changes and its answer are stored together or not at all. */
  readonly run: { readonly atomic: () => StoredResponse } | { readonly slow: () => Promise<StoredResponse> }
  /** The response to an error of `run`, whose changes are then rolled back; without it the error is thrown, and not stored. */
  readonly refused?: (error: unknown) => StoredResponse
  /** The same request while this one is going on waits for its answer, instead of IDEMPOTENCY_IN_PROGRESS. */
  readonly joins?: boolean
}

type Answered = { answer: StoredResponse; replayed: boolean }

/** Requests that others may wait for, by what their key is bound to. */
const going = new Map<string, { readonly digest: string; readonly answered: Promise<Answered> }>()

/** Carries a request out, or answers what it was answered before. Throws IDEMPOTENCY_KEY_REUSED and IDEMPOTENCY_IN_PROGRESS. */
export async function answerOnce(
  services: ClockServices,
  request: IdempotentRequest,
  work: IdempotentWork,
): Promise<Answered> {
  if (work.joins !== true) return carryOut(services, request, work)
  const { companyId, clientId, route, key, content } = request
  const digest = digestOf(content)
  const name = JSON.stringify([companyId, clientId, route, key])
  const other = going.get(name)
  if (other !== undefined) {
    if (other.digest !== digest) throw new AppError('IDEMPOTENCY_KEY_REUSED')
    return { ...(await other.answered), replayed: true }
  }
  const answered = carryOut(services, request, work)
  going.set(name, { digest, answered })
  try {
    return await answered
  } finally {
    going.delete(name)
  }
}

async function carryOut(
  services: ClockServices,
  { content, ...key }: IdempotentRequest,
  { run, refused }: IdempotentWork,
): Promise<Answered> {
  const { db, now } = services
  const request = { ...key, requestDigest: digestOf(content) }
  const known = begin(services, request)
  if (known !== null)
    return { answer: { ...known, body: renewAddresses(services, key.companyId, known.body) }, replayed: true }
  const store = (answer: StoredResponse): StoredResponse => {
    if (shouldStore(answer))
      saveAnswer(db, request, { ...answer, body: keepAddresses(services, key.companyId, answer.body) })
    else deleteAnswer(db, request)
    return answer
  }
  try {
    const answer = 'slow' in run ? store(await run.slow()) : inTransaction(db, () => store(run.atomic()))
    return { answer, replayed: false }
  } catch (error) {
    if (refused !== undefined) return { answer: store(refused(error)), replayed: false }
    deleteAnswer(db, request)
    throw error
  } finally {
    deleteAnswersBefore(db, now() - LIVES_MS)
  }
}

/** The stored response; null: the request has to be executed. */
function begin(
  { db, now }: ClockServices,
  request: AnswerKey & { requestDigest: string },
): StoredResponse | null {
  return inTransaction(db, () => {
    const found = getAnswer(db, request)
    const live = found !== null && found.createdAt > now() - LIVES_MS
    if (live && found.requestDigest !== request.requestDigest) throw new AppError('IDEMPOTENCY_KEY_REUSED')
    if (live && found.answer !== null) return found.answer
    if (live && found.owner === PROCESS) throw new AppError('IDEMPOTENCY_IN_PROGRESS')
    if (found !== null) deleteAnswer(db, request)
    insertRunning(db, { ...request, owner: PROCESS, createdAt: now() })
    return null
  })
}
