/** What there is on the studio of the sheet: a real run of the bundled sample, and something in every other list. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { loadConfig } from '../../server/config/config.ts'
import type { StudioClip, StudioListedRun } from '../../server/contract/studio.ts'
import { openDatabase } from '../../server/db/client.ts'
import { createWebhook } from '../../server/domain/webhooks/webhooks.ts'
import { homePaths } from '../../server/home.ts'
import { WORKFLOW_TEMPLATES } from '../../server/nodes/index.ts'
import type { StudioBrowser } from '../e2e/studio/studio-browser.ts'
import { openSeed } from '../support/studio-seed.ts'

/** A run of the whole sample, on a machine that has other work. */
const RUN_MS = 300_000
/** Of the clip that reviewers play. */
const SHARED_SECONDS = 5
const DAY = 86_400_000
const ROOT = join(import.meta.dirname, '..', '..')
const MEDIA = join(ROOT, '..', 'shared', 'media')
export const PASSWORD = 'the heron left before noon'

export interface Filled {
  readonly runId: string
  readonly clipId: string
  readonly workflowId: string
  readonly kitId: string
  readonly itemId: string
  readonly postId: string
  /** Addresses of share links: one opens at once, one by PASSWORD, one not any more. */
  readonly shared: string
  readonly locked: string
  readonly revoked: string
  /** Of somebody who is invited. */
  readonly invitation: string
}

/** `page`: of the owner, signed in. */
export async function fillStudio(studio: StudioBrowser, page: Page): Promise<Filled> {
  const { url } = studio.appliance
  async function call<T>(method: string, path: string, data?: unknown): Promise<T> {
    const answer = await page.request.fetch(`${url}${path}`, {
      method,
      headers: { origin: url },
      ...(data === undefined ? {} : { data }),
    })
    if (!answer.ok()) throw new Error(`${path} was refused: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  await connect(studio, call)
  await page.goto(`${url}/#/`)
  await page.getByRole('button', { name: 'Try the sample' }).click()
  await page.getByRole('heading', { name: 'Waiting for you' }).waitFor({ timeout: RUN_MS })
  const { runs } = await call<{ runs: StudioListedRun[] }>('GET', '/studio/runs')
  const { clips } = await call<{ clips: StudioClip[] }>('GET', '/studio/clips')
  const itemId = await addMedia(page, url, call)
  const kitId = await addBrands(call)
  for (const file of WORKFLOW_TEMPLATES.slice(0, 2)) await call('POST', '/studio/workflows', { file })
  const { workflows } = await call<{ workflows: { id: string }[] }>('GET', '/studio/workflows')
  const postId = publish(studio, clips)
  await askToPublish(studio, page, call)
  // A reviewer's file is rendered when it is opened: of seconds, so that nobody waits for all.
  const [shortest] = clips.toSorted((a, b) => a.duration - b.duration)
  const segments = [{ startSeconds: 0, endSeconds: SHARED_SECONDS }]
  await call('POST', '/update-clip', { companyId: 'local', clipId: shortest?.id, segments })
  const share = async (request: object): Promise<string> => {
    const shared = { clipIds: [shortest?.id], ...request }
    return (await call<{ address: string }>('POST', '/studio/shares', shared)).address
  }
  const revoked = await share({ title: 'First look' })
  const { links } = await call<{ links: { id: string }[] }>('GET', '/studio/shares')
  await call('DELETE', `/studio/shares/${links[0]?.id ?? ''}`)
  const locked = await share({ title: 'For the lawyers', password: PASSWORD, days: 3, download: true })
  const shared = await share({ title: 'For the client', watermark: 'For review' })
  await comment(studio, shared, shortest?.id ?? '')
  const { link } = await call<{ link: string }>('POST', '/studio/invitations', {
    role: 'editor',
    email: 'rita@example.com',
  })
  return {
    runId: runs[0]?.id ?? '',
    clipId: clips[0]?.id ?? '',
    workflowId: workflows[0]?.id ?? '',
    kitId,
    itemId,
    postId,
    shared,
    locked,
    revoked,
    invitation: link,
  }
}

type Call = <T>(method: string, path: string, data?: unknown) => Promise<T>

/** What a reviewer says, in a browser of their own. */
async function comment({ context, appliance }: StudioBrowser, address: string, clipId: string) {
  const [id = '', token] = new URL(address).hash.slice(1).split('.')
  const reviewer = await context.browser()?.newContext()
  const post = async (path: string, data: object): Promise<void> => {
    const options = { data, headers: { origin: appliance.url } }
    const answer = await reviewer?.request.post(`${appliance.url}/shared/links/${id}/${path}`, options)
    if (answer?.ok() !== true)
      throw new Error(`${path} was refused: ${(await answer?.text()) ?? 'no browser'}`)
  }
  await post('open', { token })
  const author = 'Rita Vogel'
  await post('comments', { clipId, author, frame: 42, text: 'The name in the caption is misspelt here.' })
  await post('comments', { clipId, author, frame: 110, text: 'Can we stay on her face for longer?' })
  await reviewer?.close()
}

/** Of the settings, what connects the studio to others. */
async function connect(studio: StudioBrowser, call: Call): Promise<void> {
  const home = homePaths(studio.home)
  const db = openDatabase(home.database)
  const services = { db, now: Date.now, home, config: loadConfig({ home: studio.home, port: '0' }, {}) }
  // Where there is nobody: by the studio it would be refused.
  createWebhook(services, { companyId: 'local', url: 'https://example.com/cutroom', events: [] })
  db.close()
  await call('PUT', '/studio/account/password', { email: 'owner@example.com', password: PASSWORD })
  await call('POST', '/studio/keys', { name: 'Render farm', scopes: ['read', 'trigger', 'render'] })
  await call('POST', '/studio/keys', { name: 'Dashboard in the newsroom', scopes: ['read'] })
  await call('POST', '/studio/clients', { id: 'newsroom', name: 'Newsroom assistant', companyId: 'local' })
  await call('PUT', '/studio/clients/newsroom/grant', { days: 90, scopes: ['read', 'edit'] })
  const { workflows } = await call<{ workflows: { id: string }[] }>('GET', '/studio/workflows')
  const folder = join(studio.folder, 'Incoming interviews')
  await mkdir(folder)
  await call('POST', '/studio/watch-folders', { workflowId: workflows[0]?.id, folder })
  await call('POST', '/studio/backups')
}

/** Filmed and recorded where there is something; returns one item. */
async function addMedia(page: Page, url: string, call: Call): Promise<string> {
  const files = [
    join(ROOT, 'resources', 'icon', 'icon.png'),
    ...['moving_face_10s.mp4', 'jfk.flac', 'astronaut.png'].map((name) => join(MEDIA, name)),
  ].filter(existsSync)
  await page.goto(`${url}/#/library`)
  await page.locator('main input[type=file]').first().setInputFiles(files)
  const items = async () =>
    (await call<{ items: { id: string; name: string }[] }>('GET', '/studio/library')).items
  for (let tries = 0; tries < 60 && (await items()).length < files.length; tries += 1)
    await page.waitForTimeout(1000)
  const all = await items()
  return (all.find(({ name }) => name.startsWith('astronaut')) ?? all[0])?.id ?? ''
}

async function addBrands(call: Call): Promise<string> {
  const look = {
    text_color: '#ffffff',
    accent_color: '#ffb020',
    background_color: '#17324d',
    lower_third: { enabled: true },
  }
  await call('POST', '/studio/brand-kits', { name: 'Weekday news', look: { accent_color: '#4fb3ff' } })
  const { kit } = await call<{ kit: { id: string } }>('POST', '/studio/brand-kits', {
    name: 'Lindenhof talks',
    look,
  })
  return kit.id
}

/** Posts of the clips with their figures, one of them refused by its platform; returns the one with the most. */
function publish(studio: StudioBrowser, clips: readonly StudioClip[]): string {
  const seed = openSeed(studio.home)
  seed.account('bluesky', 'studio.example')
  const [first] = clips.map(({ id, title }, at) => {
    const views = [120, 900, 2400].map((seen) => Math.round(seen / (at + 1)))
    const publishedAt = Date.now() - (at + 1) * 3 * DAY
    return seed.post({ platform: 'bluesky', text: title, clipId: id, publishedAt, views })
  })
  seed.post({
    platform: 'bluesky',
    text: 'Three rules that we learned the hard way.',
    clipId: clips[0]?.id ?? null,
    publishedAt: Date.now() - DAY,
    failed: 'The account is suspended.',
    views: [],
  })
  seed.close()
  return first ?? ''
}

/** A draft that waits for a person's yes. */
async function askToPublish(studio: StudioBrowser, page: Page, call: Call): Promise<void> {
  await page.goto(`${studio.appliance.url}/#/publish/posts`)
  await page.getByRole('button', { name: 'New post', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Publish to').selectOption({ label: 'Bluesky, as a package' })
  await dialog.getByLabel('Text', { exact: true }).fill('What the tide leaves behind, in forty seconds.')
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { data } = await call<{ data: { id: string; status: string }[] }>('GET', '/social/posts')
  const seed = openSeed(studio.home)
  seed.ask(data.find(({ status }) => status === 'draft')?.id ?? '')
  seed.close()
}
