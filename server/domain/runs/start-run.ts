/** Starts runs: freezes the workflow and the request, stores them with one operation, wakes the queue. */
import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { invalidRequest } from '../../contract/errors.ts'
import {
  PIPELINE_VERSION,
  STABLE_MAJORS,
  type Channel,
  type RunSnapshot,
  type RunSource,
} from '../../contract/run.ts'
import { withoutEmptyValues, type Metadata } from '../../contract/metadata.ts'
import { TRIGGER_FIELDS, type TriggerRequest } from '../../contract/trigger.ts'
import { createRunWithOperation } from '../../db/runs.ts'
import {
  overridesFromBody,
  rendersEverything,
  resolveNodes,
  withBrandKits,
  type NodeOverrides,
} from '../../nodes/index.ts'
import { brandKitLooks } from '../library/brand-kits.ts'
import { requireQuota } from '../library/quota.ts'
import { sealAccess } from './source-access.ts'
import { checkSourceUrl, splitUserInfo } from './source-url.ts'
import type { Services } from '../services.ts'
import { requireWorkflow } from '../workflows/workflows.ts'
import type { StudioRunRequest } from '../../contract/studio.ts'
import { sampleSource } from '../clips/studio-overview.ts'
import { uploadNamedBy } from '../library/resumable-uploads.ts'
import { uploadSource } from '../library/uploads.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

type StartServices = Pick<Services, 'config' | 'db' | 'home' | 'jobs' | 'now'>

/**
 * The pipeline that a channel resolves to. One is installed; `stable` is the same one as long as its major release is
 * marked stable, which the build guarantees.
 */
function pipelineFor(channel: Channel): string {
  const major = Number(PIPELINE_VERSION.split('.')[0])
  if (channel === 'stable' && !STABLE_MAJORS.includes(major))
    throw new Error(`no stable pipeline is installed: ${PIPELINE_VERSION}`)
  return PIPELINE_VERSION
}

/** Warnings of one request. */
const MAX_WARNINGS = 100

/** What a run starts from. Frozen, so that later changes of the workflow do not affect the run. */
export interface FrozenRun {
  readonly snapshot: RunSnapshot
  readonly warnings: readonly string[]
}

interface NewRun {
  readonly companyId: string
  readonly workflowId: string
  readonly source: RunSource
  readonly originalUrl: string
  readonly overrides: NodeOverrides
  readonly keywords: readonly string[]
  readonly channel: Channel
  readonly language?: string
  readonly metadata?: Metadata
  readonly warnings: readonly string[]
  /** The run ends at found clips, unless its workflow says otherwise. */
  readonly isReviewed?: boolean
}

function freeze(services: Pick<Services, 'config' | 'db' | 'home'>, run: NewRun): FrozenRun {
  const { companyId, workflowId, channel } = run
  const workflow = requireWorkflow(services, { companyId, workflowId })
  requireQuota(services, companyId)
  const resolved = resolveNodes(workflow.graph, run.overrides)
  const nodes = withBrandKits(resolved.nodes, brandKitLooks(services, companyId))
  const snapshot: RunSnapshot = {
    workflowId,
    workflowName: workflow.name,
    nodes,
    source: sealAccess(services.home, run.source),
    originalUrl: splitUserInfo(run.originalUrl).url,
    keywords: [...run.keywords],
    ...omitUndefined({ language: run.language }),
    channel,
    pipelineVersion: pipelineFor(channel),
    ...omitUndefined({ metadata: run.metadata }),
    ...(run.isReviewed === true && !rendersEverything(nodes) ? { endsAt: 'found' as const } : {}),
  }
  return { snapshot, warnings: limitWarnings([...run.warnings, ...resolved.warnings]) }
}

function storeRun(services: StartServices, run: NewRun): { triggerId: string } {
  const { companyId } = run
  const frozen = freeze(services, run)
  const { runId } = createRunWithOperation(services.db, { companyId, ...frozen, now: services.now() })
  services.jobs.wake()
  return { triggerId: runId }
}

/** Every poll of the run returns its warnings, so their number is limited. */
function limitWarnings(warnings: readonly string[]): string[] {
  const more = warnings.length - MAX_WARNINGS
  if (more <= 0) return [...warnings]
  return [...warnings.slice(0, MAX_WARNINGS), `${more} more warnings of this kind were left out.`]
}

function unknownFieldWarnings(body: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(body)
    .filter((field) => !TRIGGER_FIELDS.has(field))
    .map((field) => `The field "${field.slice(0, 100)}" is not known and was ignored.`)
}

/**
 * Stores a run as Pending. `body` was checked against TriggerRequest and may hold unknown fields, which become warnings.
 * INVALID_REQUEST (a workflowChannel field), INVALID_URL, UNSUPPORTED_SOURCE_URL, WORKFLOW_NOT_FOUND,
 * INVALID_NODE_CONFIG, QUOTA_EXCEEDED, and what an upload that is named may be refused for (UPLOAD_NOT_FOUND, UPLOAD_EXPIRED,
 * UPLOAD_INCOMPLETE); nothing is stored then.
 */
export function startRun(services: StartServices, input: TriggeredRun): { triggerId: string } {
  return storeRun(services, buildRun(services, input))
}

/** What the run would start from: the same checks and errors as startRun, and nothing is stored. */
export function freezeRun(
  services: Pick<Services, 'config' | 'db' | 'home' | 'now'>,
  input: TriggeredRun,
): FrozenRun {
  return freeze(services, buildRun(services, input))
}

interface TriggeredRun {
  readonly companyId: string
  readonly body: TriggerRequest
  readonly channel: Channel
  /** Base of the addresses that this caller is answered; null: a caller that has no uploads to name. */
  readonly baseUrl: string | null
}

function buildRun(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  { body, channel, companyId, baseUrl }: TriggeredRun,
): NewRun {
  const fields: Readonly<Record<string, unknown>> = body
  if (Object.hasOwn(fields, 'workflowChannel'))
    throw invalidRequest(
      'workflowChannel',
      'The channel is chosen by the Service-Workflow-Channel header, never by a body field.',
    )
  const upload = baseUrl === null ? null : uploadNamedBy(services, { companyId, address: body.url, baseUrl })
  return {
    companyId,
    workflowId: body.workflowId,
    source: upload ?? { kind: 'url', url: checkSourceUrl(body.url) },
    originalUrl: body.url,
    overrides: overridesFromBody({ ...fields }),
    keywords: body.keywords ?? [],
    ...(body.metadata === undefined ? {} : { metadata: withoutEmptyValues(body.metadata) }),
    channel,
    warnings: unknownFieldWarnings(fields),
  }
}

/** A source on this machine, for the command line and uploads. Throws INVALID_REQUEST when there is no such file. */
export function localFileSource(path: string, displayName = basename(path)): RunSource {
  const absolute = resolve(path)
  const facts = statSync(absolute, { throwIfNoEntry: false })
  if (facts?.isFile() !== true) throw invalidRequest('source', `There is no file ${path}.`)
  return { kind: 'file', path: absolute, displayName }
}

/**
 * Starts a run for the command line and the studio: of an address or of a local file. Errors as startRun. `isReviewed`: it
 * ends at found clips, unless its workflow renders everything.
 * `nodeConfigs`: `{ nodeType: config }` or the list form.
 */
export function startLocalRun(
  services: StartServices,
  input: {
    companyId: string
    workflowId: string
    source: RunSource
    nodeConfigs?: unknown
    language?: string
    isReviewed?: boolean
  },
): { triggerId: string } {
  const { companyId, workflowId, nodeConfigs, language, isReviewed } = input
  const source: RunSource =
    input.source.kind === 'url' ? { kind: 'url', url: checkSourceUrl(input.source.url) } : input.source
  return storeRun(services, {
    companyId,
    workflowId,
    source,
    // The path on this machine is not shown outside it.
    originalUrl: source.kind === 'url' ? source.url : source.displayName,
    overrides: nodeConfigs === undefined ? [] : overridesFromBody({ nodeConfigs }),
    keywords: [],
    channel: 'current',
    ...omitUndefined({ language, isReviewed }),
    warnings: [],
  })
}

type Deps = Parameters<typeof startLocalRun>[0]

/**
 * A run that ends at found clips. INVALID_REQUEST unless exactly one source is named, or where the upload is not there; all
 * else as startLocalRun.
 */
export function startStudioRun(
  services: Deps,
  { companyId, workflowId, nodeConfigs, language, ...named }: StudioRunRequest & { companyId: string },
): { triggerId: string } {
  return startLocalRun(services, {
    companyId,
    workflowId,
    source: sourceOf(services, companyId, named),
    isReviewed: true,
    ...omitUndefined({ nodeConfigs, language }),
  })
}

function sourceOf(
  services: Pick<Services, 'config' | 'db' | 'home'>,
  companyId: string,
  named: Pick<StudioRunRequest, 'url' | 'uploadId' | 'sample' | 'captionsUploadId'>,
): RunSource {
  const { url, uploadId, sample, captionsUploadId } = named
  if (captionsUploadId !== undefined && uploadId === undefined)
    throw invalidRequest('captionsUploadId', 'Subtitles belong to a video that is uploaded: give "uploadId".')
  if ([url, uploadId, sample].filter((given) => given !== undefined).length !== 1)
    throw invalidRequest('url', 'Give one of "url", "uploadId" and "sample".')
  if (sample === true) return sampleSource(services)
  if (uploadId === undefined) return { kind: 'url', url: url ?? '' }
  const source = uploadSource(services, { companyId, uploadId })
  if (captionsUploadId === undefined) return source
  const captions = uploadSource(services, { companyId, uploadId: captionsUploadId })
  return { ...source, captions: captions.path, captionsName: captions.displayName }
}
