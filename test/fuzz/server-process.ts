/**
 * The server that is fuzzed, in its own process, so that its memory is measured alone: real routes and real SQLite,
 * jobs that settle at once and do nothing. Sends its address to its parent; `memory` requests the heap size after a
 * collection.
 */
import { newId } from '../../server/ids.ts'
import { SCOPES } from '../../server/contract/scopes.ts'
import { insertOperation } from '../../server/db/operations.ts'
import { insertPost } from '../../server/db/posts.ts'
import { createUpload } from '../../server/domain/library/resumable-uploads.ts'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { prepareConfirmation } from '../../server/domain/operations/confirmations.ts'
import { recordPostRefresh } from '../../server/domain/analytics/published-posts.ts'
import type { Jobs } from '../../server/jobs/jobs.ts'
import { importWorkflow } from '../../server/domain/workflows/workflows.ts'
import { createLogger } from '../../server/log.ts'
import { chain } from '../../server/nodes/chain.ts'
import { NODE_TYPES } from '../../server/nodes/index.ts'
import { domainClient } from '../support/domain.ts'
import { addClip, addFacts, addRun, startTestServer } from '../support/server.ts'

export interface Ready {
  readonly port: number
  readonly key: string
  /** For the domain API. */
  readonly delegation: string
  readonly serviceToken: string
  readonly known: Readonly<Record<string, string[]>>
}
export interface Memory {
  readonly rssMb: number
  readonly heapMb: number
}

const jobs: Jobs = {
  wake: () => undefined,
  // `renders-go-on`: no render ends; without it each of them fails.
  whenSettled: () =>
    Promise.resolve(
      process.argv.includes('renders-go-on')
        ? null
        : {
            state: 'failed',
            result: null,
            failure: { code: 'RENDER_FAILED', message: 'No renders here.' },
          },
    ),
  cancel: () => undefined,
  stop: () => Promise.resolve(),
}

const words = () =>
  Array.from({ length: 40 }, (_, index) => ({
    word: ['the', 'quick', 'alpha', 'beta'][index % 4] ?? '',
    start: index * 0.5,
    end: index * 0.5 + 0.4,
  }))

// Refusals are expected; only server errors are logged. Every render fails here by design.
const log = createLogger('error', (line) => {
  if (!line.includes('No renders here.')) process.stderr.write(`${line.slice(0, 4000)}\n`)
})
// Files that are too large are refused by this limit: whether they would fit depends on the disk of the machine.
const server = await startTestServer({ services: { jobs, log }, config: { maxSourceBytes: 1_000_000_000 } })
const { companyId, services } = server
// With every scope: a refusal for the lack of one would hide what the route does.
const { key } = createApiKey(services, { companyId, name: 'fuzz', scopes: SCOPES })
// With every node: what nodes are absent is skipped, whatever is sent for them.
const { workflowId } = importWorkflow(services, {
  companyId,
  file: chain(
    'Every node',
    '',
    NODE_TYPES.map((type) => [type, {}]),
  ),
})
const runIds = (['Completed', 'Error', 'Processing', 'Pending'] as const).map((status) =>
  addRun(server, { workflowId, status }),
)
for (const runId of runIds) addFacts(server, runId)
// Many, because requests delete some.
const clipIds = Array.from({ length: 60 }, (_, index) => {
  const runId = runIds[0] ?? ''
  return addClip(server, { workflowId, runId, ...(index === 0 ? {} : { words: words() }) })
})
const postIds = Array.from({ length: 60 }, (_, index) => {
  const id = newId()
  const at = Date.UTC(2026, 0, 1) + index * 3_600_000
  insertPost(services.db, {
    id,
    companyId,
    clipId: clipIds[index % 8] ?? null,
    platform: index % 2 === 0 ? 'tiktok' : 'youtube',
    text: `post ${index}`,
    status: index % 5 === 0 ? 'error' : 'success',
    publishedAt: at,
    createdAt: at,
    updatedAt: at,
  })
  const counters = {
    views: index * 100,
    likes: index,
    comments: 2,
    shares: 1,
    platformMetrics: { reach: index },
  }
  for (const refreshedAt of [at + 1, at + 2])
    recordPostRefresh(services, { companyId, postId: id, refreshedAt, ...counters })
  return id
})
const uploadIds = Array.from(
  { length: 60 },
  () => createUpload(services, { companyId, bytes: 1000, title: 'talk.mp4', tusMetadata: null }).id,
)
// The domain API: a delegation, a service, and what its addresses name.
const client = await domainClient(server)
const { token: delegation, clientId } = client
const serviceToken = await issueServiceToken(services, { subject: 'fuzz', lifeSeconds: 3600 })
const caller = { companyId, clientId, principalId: 'ada', via: 'delegation' as const, scopes: null }
const confirmationIds = [...postIds.slice(0, 20)].map((id) => {
  const subject = { id, revision: 1 }
  return prepareConfirmation(services, { caller, action: 'publish_post', subject, preview: {} }).id
})
const operationIds = runIds.map((subjectId) =>
  insertOperation(services.db, { companyId, kind: 'run', subjectId, now: Date.now() }),
)
const etags = await Promise.all(
  clipIds
    .flatMap((id) => [`/clips/${id}`, `/clips/${id}/transcript`])
    .map(async (path) => (await client.call('GET', path)).etag),
)
const page = await server.call(`/posts?companyId=${companyId}&limit=5`)

const megabytes = (bytes: number): number => Math.round((bytes / 1024 ** 2) * 10) / 10
process.on('message', (message) => {
  if (message === 'memory') {
    globalThis.gc?.()
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ rssMb: megabytes(rss), heapMb: megabytes(heapUsed) } satisfies Memory)
  } else void server.close().then(() => process.exit(0))
})
process.on('disconnect', () => void server.close().then(() => process.exit(0)))
process.send?.({
  port: server.port,
  key,
  delegation,
  serviceToken,
  known: {
    companyId: [companyId],
    workflowId: [workflowId],
    triggerId: runIds,
    clipId: clipIds,
    postId: postIds,
    uploadId: uploadIds,
    'Upload-Offset': ['0'],
    operationId: operationIds,
    confirmationId: confirmationIds,
    runId: runIds,
    workflowRunId: runIds,
    'If-Match': etags.filter((etag) => etag !== ''),
    'Idempotency-Key': Array.from({ length: 5000 }, newId),
    url: ['https://example.com/talk.mp4'],
    cursor: [page.json<{ cursor: string }>().cursor],
  },
} satisfies Ready)
