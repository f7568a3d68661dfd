/** Runs that services request: prepared by a client, confirmed by a person, then dispatched. */
import { Value } from '@sinclair/typebox/value'
import { inCharacters } from '../../contract/characters.ts'
import {
  type Confirmation,
  type WorkflowDispatch,
  type WorkflowRequest,
} from '../../contract/tenant-api/workflow.ts'
import { AppError, invalidField, refuse } from '../../contract/errors.ts'
import { TriggerRequest } from '../../contract/trigger.ts'
import { insertDispatch, applyToDispatch, getDispatch, type Dispatch } from '../../db/dispatches.ts'
import type { Workflow } from '../../db/workflows.ts'
import { newId } from '../../ids.ts'
import { firstProblem } from '../../nodes/validate.ts'
import type { Caller } from '../access/authorise.ts'
import { consumeConfirmation, prepareConfirmation } from '../operations/confirmations.ts'
import { digestOf } from '../../../workers/artefacts.ts'
import { workflowRevision, requireWorkflow } from '../workflows/workflows.ts'
import type { Services } from '../services.ts'
import { checkSourceUrl } from './source-url.ts'
import { freezeRun, type FrozenRun } from './start-run.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { createRunWithOperation } from '../../db/runs.ts'
import { inTransaction } from '../../db/prepared.ts'

type Deps = Pick<Services, 'config' | 'db' | 'jobs' | 'now' | 'home'>

/** Fields that the tenant, the route or another member of the request determines. */
const NOT_VALUES = new Set([
  'companyId',
  'workflowId',
  'url',
  'workflowChannel',
  'nodeConfigs',
  'nodeConfigOverrides',
  'actionConfigs',
])

interface RunRequest {
  readonly caller: Caller
  readonly request: WorkflowRequest
}

/** The request as the body of a trigger. */
function triggerBody({ companyId }: Caller, request: WorkflowRequest, workflowId: string): TriggerRequest {
  const { input, nodeConfigs } = request
  const values = input?.values ?? {}
  const taken = Object.keys(values).find((name) => NOT_VALUES.has(name))
  if (taken !== undefined)
    throw invalidField(`input.values.${taken}`, `"${taken}" cannot be given as one of the values.`)
  const more = omitUndefined({ nodeConfigs })
  const body = { ...values, companyId, workflowId, url: input?.url, ...more }
  if (Value.Check(inCharacters(TriggerRequest), body)) return body
  const problem = firstProblem(TriggerRequest, body)
  const path = problem?.path ?? 'input'
  const field = path === 'url' || path.startsWith('nodeConfigs') ? path : `values.${path}`
  const named = field.startsWith('nodeConfigs') ? field : `input.${field}`
  throw invalidField(named, `"${named}" should be ${problem?.expected ?? 'something else'}.`)
}

/** Throws for an address that no run could take: whatever else is wrong, asking a person about it would be in vain. */
function checkAddress({ input }: WorkflowRequest): void {
  if (typeof input?.url === 'string') checkSourceUrl(input.url)
}

/** What a run of this request would start from. Throws every error that the run itself would. */
function freezeRequest(
  services: Pick<Services, 'config' | 'db' | 'home' | 'now'>,
  { caller, request }: RunRequest,
): { workflow: Workflow; frozen: FrozenRun; digest: string } {
  const { workflowId, input, nodeConfigs, expectedWorkflowRevision } = request
  checkAddress(request)
  if (workflowId === undefined)
    throw invalidField('workflowId', '"workflowId" is missing; it says what to run.')
  if (input?.url === undefined)
    throw invalidField('input.url', '"input.url" is missing; it is the video to run on.')
  const { companyId } = caller
  const workflow = requireWorkflow(services, { companyId, workflowId })
  const revision = workflowRevision(workflow)
  if (expectedWorkflowRevision !== undefined && expectedWorkflowRevision.replaceAll('"', '') !== revision)
    throw new AppError('PRECONDITION_FAILED', {
      message: 'The workflow was changed since that revision; read it again.',
      details: { field: 'expectedWorkflowRevision', revision },
    })
  const body = triggerBody(caller, request, workflowId)
  const frozen = freezeRun(services, { companyId, body, channel: 'current', baseUrl: null })
  // The digest ties the confirmation to this request; any other request has another one.
  return { workflow, frozen, digest: digestOf({ workflowId, input, nodeConfigs: nodeConfigs ?? {} }) }
}

/**
 * Requests a person's confirmation for this run. Throws the errors of the trigger, and PRECONDITION_FAILED for a workflow
 * with another revision than expected. May be called inside a transaction.
 */
export function prepareRun(services: Deps, requested: RunRequest): Confirmation {
  const { caller, request } = requested
  if (request.confirmationId !== undefined)
    throw invalidField(
      'confirmationId',
      'A confirmation is what this call makes; leave "confirmationId" out.',
    )
  const { workflow, frozen, digest } = freezeRequest(services, requested)
  const { id, name, revision } = workflow
  return prepareConfirmation(services, {
    caller,
    action: 'run_workflow',
    subject: { id, revision },
    payload: { digest },
    preview: {
      workflowId: id,
      workflowName: name,
      url: frozen.snapshot.originalUrl,
      values: request.input?.values ?? {},
      nodeConfigs: request.nodeConfigs ?? {},
      warnings: frozen.warnings,
    },
  })
}

/**
 * Consumes the confirmation of exactly this request and dispatches the run, in one transaction. Throws the errors of
 * prepareRun and consumeConfirmation, and CONFIRMATION_MISMATCH for a request other than the confirmed one.
 */
export function runWorkflow(services: Deps, requested: RunRequest): WorkflowDispatch {
  const { caller, request } = requested
  const { confirmationId } = request
  checkAddress(request)
  if (confirmationId === undefined)
    throw invalidField(
      'confirmationId',
      '"confirmationId" is missing; POST /workflows:prepare-run makes one, and a person approves it.',
    )
  const { db, jobs, now } = services
  return inTransaction(db, () => {
    const { workflow, frozen, digest } = freezeRequest(services, requested)
    const subject = { id: workflow.id, revision: workflow.revision }
    const about = { caller, id: confirmationId, action: 'run_workflow' as const, subject }
    const confirmed = consumeConfirmation(services, about) as { digest?: unknown } | null
    if (confirmed?.digest !== digest) throw new AppError('CONFIRMATION_MISMATCH')
    const time = now()
    const ids = { id: newId(), runId: newId(), operationId: newId() }
    insertDispatch(db, {
      ...ids,
      companyId: caller.companyId,
      clientId: caller.clientId,
      workflowId: workflow.id,
      workflowRevision: workflow.revision,
      snapshot: frozen.snapshot,
      warnings: [...frozen.warnings],
      state: 'queued',
      availableAt: time,
      createdAt: time,
      updatedAt: time,
    })
    jobs.wake()
    return {
      ...ids,
      state: 'queued',
      workflowId: workflow.id,
      workflowRevision: workflowRevision(workflow),
      createdAt: new Date(time).toISOString(),
    }
  })
}

type DispatchServices = Pick<Services, 'db' | 'log' | 'now'>

/** `started`: by this call. The others: this call has done nothing, or its try has failed and there will be another. */
export type DispatchOutcome = 'started' | 'finished' | 'leased' | 'waiting'

/**
 * Starts the run of a dispatch. The run's id was assigned with the dispatch and both rows change in one transaction, so
 * there is one run however often this is called and wherever it is interrupted. Throws NOT_FOUND.
 */
export function executeDispatch(
  services: DispatchServices,
  input: { id: string; owner: string },
): { dispatch: Dispatch; outcome: DispatchOutcome } {
  const { db, now } = services
  const { id, owner } = input
  const known = getDispatch(db, id) ?? refuse('NOT_FOUND', 'There is no such dispatch.')
  const claimed = applyToDispatch(db, id, { kind: 'claim', owner, now: now() }, now())
  if (claimed === null) {
    const outcome = known.state === 'queued' ? 'waiting' : known.state === 'leased' ? 'leased' : 'finished'
    return { dispatch: known, outcome }
  }
  try {
    return { dispatch: startClaimed(services, claimed, owner), outcome: 'started' }
  } catch (error) {
    services.log.error('a confirmed run could not be started', { dispatch: id, error })
    const left = applyToDispatch(db, id, { kind: 'lost', by: 'lease', now: now() }, now()) ?? claimed
    return { dispatch: left, outcome: left.state === 'failed' ? 'finished' : 'waiting' }
  }
}

function startClaimed({ db, log, now }: DispatchServices, dispatch: Dispatch, owner: string): Dispatch {
  const { id, companyId, snapshot, warnings, runId, operationId } = dispatch
  const done = inTransaction(db, () => {
    const settled = applyToDispatch(db, id, { kind: 'settle', owner, state: 'succeeded' }, now())
    if (settled === null) throw new Error('the lease of a dispatch was lost')
    createRunWithOperation(db, { companyId, snapshot, warnings, now: now(), ids: { runId, operationId } })
    return settled
  })
  log.info('a confirmed run was started', { dispatch: id, run: runId })
  return done
}
