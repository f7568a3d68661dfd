/**
 * A home with runs, clips, accounts and posts of a company, next to a running appliance: for tests of the studio.
 */
import type { Platform } from '../../server/contract/post.ts'
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { insertPost } from '../../server/db/posts.ts'
import { recordPostRefresh } from '../../server/domain/analytics/published-posts.ts'
import { preparePublish } from '../../server/domain/publishing/actions.ts'
import { storeAccount } from '../../server/domain/publishing/accounts.ts'
import { listWorkflows } from '../../server/domain/workflows/workflows.ts'
import { openHome } from '../../server/home.ts'
import { newId } from '../../server/ids.ts'
import { createLogger } from '../../server/log.ts'
import { addClip, addFacts, addMedia, addRun, fakeJobs, type TestServer } from './server.ts'

export interface SeededPost {
  readonly platform: Platform
  readonly text: string
  readonly clipId: string | null
  /** Epoch milliseconds. */
  readonly publishedAt: number
  readonly failed?: string
  /** Views at each refresh, evenly spread from publication until now; likes, comments and shares go along. */
  readonly views: readonly number[]
}

export interface Seed {
  /** A clip that is rendered; its video is `content`. */
  clip(title: string, content: Buffer | string): Promise<string>
  /** A finished run of an address, with a found clip. */
  run(url: string, title: string): string
  /** A finished run with clips of these titles that can be edited. */
  found(url: string, titles: readonly string[]): { runId: string; clipIds: string[] }
  account(platform: Platform, handle: string): string
  post(post: SeededPost): string
  /** As if an agent had requested an approval to publish. */
  ask(postId: string): void
  close(): void
}

/** Opens the home of an appliance that has been started, for a company that it has. */
export function openSeed(root: string, companyId = 'local'): Seed {
  const home = openHome(root)
  const db = openDatabase(home.database)
  const config = loadConfig({ home: root, port: '0' }, {})
  const services = {
    config,
    home,
    db,
    jobs: fakeJobs(),
    log: createLogger('error', () => undefined),
    now: Date.now,
  }
  const server = { services, companyId } as unknown as TestServer
  return {
    clip: async (title, content) => {
      const workflowId = listWorkflows(services, { companyId })[0]?.id ?? ''
      const video = await addMedia(server, 'clip.mp4', content)
      const row = { renderedMedia: video.id, renderKey: 'k', title }
      return addClip(server, { workflowId, document: { title }, row })
    },
    run: (url, title) => {
      const workflowId = listWorkflows(services, { companyId })[0]?.id ?? ''
      const source = { kind: 'url', url } as const
      const runId = addRun(server, { workflowId, snapshot: { workflowId, source, originalUrl: url } })
      addClip(server, { workflowId, runId, document: { title }, row: { title } })
      return runId
    },
    found: (url, titles) => {
      const workflowId = listWorkflows(services, { companyId })[0]?.id ?? ''
      const source = { kind: 'url', url } as const
      const runId = addRun(server, { workflowId, snapshot: { workflowId, source, originalUrl: url } })
      addFacts(server, runId)
      const clipIds = titles.map((title, ordinal) =>
        addClip(server, { workflowId, runId, document: { title }, row: { title, ordinal } }),
      )
      return { runId, clipIds }
    },
    account: (platform, handle) =>
      storeAccount(services, {
        companyId,
        platform,
        identified: { nativeId: handle, handle, tokens: { access: 'nothing' } },
      }).id,
    post: ({ platform, text, clipId, publishedAt, failed, views }) => {
      const id = newId()
      const now = Date.now()
      insertPost(db, {
        id,
        companyId,
        platform,
        text,
        clipId,
        publishedAt,
        createdAt: publishedAt,
        updatedAt: publishedAt,
        status: failed === undefined ? 'success' : 'error',
        failure: failed === undefined ? null : { code: 'SOURCE_FORBIDDEN', message: failed },
        postUrl: failed === undefined ? `https://${platform}.example/${id}` : null,
        nativeId: failed === undefined ? id : null,
      })
      views.forEach((seen, index) => {
        const at = publishedAt + ((now - publishedAt) * (index + 1)) / (views.length + 1)
        const counters = { views: seen, likes: seen >> 4, comments: seen >> 7, shares: seen >> 8 }
        recordPostRefresh(
          { db, now: Date.now },
          {
            companyId,
            postId: id,
            refreshedAt: Math.round(at),
            ...counters,
            platformMetrics: { plays: seen },
          },
        )
      })
      return id
    },
    ask: (id) => {
      const caller = {
        companyId,
        clientId: 'agent',
        principalId: 'agent',
        via: 'delegation',
        scopes: null,
      } as const
      preparePublish(services, { caller, id, baseUrl: 'http://127.0.0.1' })
    },
    close: () => db.close(),
  }
}
