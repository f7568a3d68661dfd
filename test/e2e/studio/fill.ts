/** Something of a company in every list of the studio, named by a word that no other company has. */
import type { Page } from 'playwright'
import { loadConfig } from '../../../server/config/config.ts'
import { openDatabase } from '../../../server/db/client.ts'
import { createApiKey } from '../../../server/domain/people/api-keys.ts'
import { createCompany } from '../../../server/domain/people/companies.ts'
import { createWebhook } from '../../../server/domain/webhooks/webhooks.ts'
import { homePaths } from '../../../server/home.ts'
import { openSeed } from '../../support/studio-seed.ts'
import type { StudioBrowser } from './studio-browser.ts'

export interface Mark {
  /** Of the company. */
  readonly id: string
  readonly mark: string
}
export interface Filled {
  readonly runId: string
  readonly workflowId: string
  readonly kitId: string
  readonly postId: string
}

/** What a page of the studio sends to the appliance, as whoever is signed in. */
export async function send<T>(studio: StudioBrowser, page: Page, path: string, data: unknown): Promise<T> {
  const headers = { origin: studio.appliance.url }
  const answer = await page.request.post(`${studio.appliance.url}${path}`, { data, headers })
  if (!answer.ok()) throw new Error(`${path} was refused: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** `page`: of an owner who is signed in. */
export async function fillCompany(studio: StudioBrowser, page: Page, { id, mark }: Mark): Promise<Filled> {
  const home = homePaths(studio.home)
  const db = openDatabase(home.database)
  const services = { db, now: Date.now, home, config: loadConfig({ home: studio.home, port: '0' }, {}) }
  if (id !== 'local') createCompany(services, { id, name: `${mark} Films` })
  createApiKey(services, { companyId: id, name: `${mark} key` })
  createWebhook(services, { companyId: id, url: `https://example.com/${mark}`, events: [] })
  db.close()
  const nodes = [{ id: 'find_clips', type: 'find_clips', config: {} }]
  const file = { name: `${mark} workflow`, description: '', nodes, edges: [] }
  const address = `/studio/workflows?companyId=${id}`
  const { workflowId } = await send<{ workflowId: string }>(studio, page, address, { file })
  const named = { companyId: id, name: `${mark} brand` }
  const { kit } = await send<{ kit: { id: string } }>(studio, page, '/studio/brand-kits', named)
  const seed = openSeed(studio.home, id)
  const runId = seed.run(`https://example.com/${mark}.mp4`, `${mark} found`)
  const clipId = await seed.clip(`${mark} clip`, 'x')
  seed.account('bluesky', `${mark}.example`)
  const publishedAt = Date.now() - 86_400_000
  const post = { platform: 'bluesky', text: `${mark} post`, clipId } as const
  const postId = seed.post({ ...post, publishedAt, views: [10, 30] })
  seed.close()
  return { runId, workflowId, kitId: kit.id, postId }
}
