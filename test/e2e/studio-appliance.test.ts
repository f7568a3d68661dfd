/** The page of the appliance in a real Chromium, with a program in the place of yt-dlp, and a run that it refuses. */
import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRedis, makeRedis, whyNoRedis } from '../support/redis.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-node.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const program = findRedis()
if (program === null) process.stderr.write(`${whyNoRedis}\n`)

let studio: StudioBrowser
let page: Page
let pages: Server

beforeAll(async () => {
  if (chromium === null) return
  pages = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A talk</title>')
  })
  await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done))
  studio = await openStudio(chromium, async (folder) => {
    const program = join(folder, 'yt-dlp')
    await writeFile(program, '#!/bin/sh\necho 2026.11.01\n')
    await chmod(program, 0o755)
    return { CUTROOM_YT_DLP: program, CUTROOM_METRICS_TOKEN: 'very-secret-token' }
  })
  page = await studio.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await page.goto(`${studio.appliance.url}/#/settings/appliance`)
}, 180_000)
afterAll(async () => {
  if (chromium === null) return
  pages.close()
  await studio.close()
})

describe.skipIf(chromium === null)('an owner', () => {
  it('chooses how many renders go on at once, by keyboard', async () => {
    await page.goto(`${studio.appliance.url}/#/settings/workers`)
    await page.getByText('This machine does everything by itself.').waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'settings-workers')
    const choice = page.getByLabel('Renders at once', { exact: true })
    await choice.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByText('Saved. It holds from the next render on.').waitFor()
    await page.reload()
    await expect.poll(() => choice.inputValue()).toBe('1')
    await page.goto(`${studio.appliance.url}/#/settings/appliance`)
  })

  it('tests yt-dlp, turns it off, and reads why a page is not fetched', async () => {
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('It works: version 2026.11.01.').waitFor()
    await page.getByLabel('Fetch videos from web pages').uncheck()
    await page.reload()
    await expect.poll(() => page.getByLabel('Fetch videos from web pages').isChecked()).toBe(false)
    const { port } = pages.address() as AddressInfo
    const { workflows } = (await (
      await studio.context.request.get(`${studio.appliance.url}/studio/workflows`)
    ).json()) as { workflows: { id: string }[] }
    await studio.context.request.post(`${studio.appliance.url}/studio/runs`, {
      data: { workflowId: workflows[0]?.id, url: `http://127.0.0.1:${port}/talk` },
      headers: { origin: studio.appliance.url },
    })
    await page.goto(`${studio.appliance.url}/#/`)
    await page.getByText('an owner has turned that off under Settings, Appliance').waitFor()
    await page.goto(`${studio.appliance.url}/#/settings/appliance`)
  })

  it('searches all settings by keyboard', async () => {
    const field = page.getByRole('searchbox', { name: 'Search settings' })
    await field.fill('renders at')
    await page.getByRole('heading', { name: 'Settings that were found' }).waitFor()
    await page.getByText('Usually: by the cores · From the next render on').waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'settings-search')
    await field.fill('zzz')
    await page.locator('p.muted').getByText('No setting has to do with “zzz”.').waitFor()
    await field.fill('passkey')
    await page.getByRole('link', { name: 'Passkeys' }).press('Enter')
    await page.getByRole('heading', { name: 'Your account', level: 2 }).waitFor()
    expect(await field.inputValue()).toBe('')
    await page.goto(`${studio.appliance.url}/#/settings/appliance`)
  })

  it('sees what is set outside of the studio, and no secret of it', async () => {
    await page.getByRole('row', { name: /Token that opens the metrics.*set, not shown/ }).waitFor()
    expect(await page.content()).not.toContain('very-secret-token')
    await page.getByRole('searchbox', { name: 'Search these settings' }).fill('free')
    await page.getByRole('row', { name: /Space that always stays free changed 0 bytes 268 MB/ }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Search these settings' }).fill('')
    expect(await violations(page)).toEqual([])
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 1000 })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(over).toBeLessThanOrEqual(0)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await shot(page, `settings-appliance-${width}-${colorScheme}`)
      }
    }
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('an appliance that takes worker nodes', () => {
  it('makes a token for one, shown once, and says that the queue is away', async () => {
    const other = await openStudio(chromium ?? '', () =>
      Promise.resolve({ CUTROOM_QUEUE: 'bullmq', CUTROOM_REDIS_URL: 'redis://127.0.0.1:1' }),
    )
    try {
      const own = await other.newPage()
      own.setDefaultTimeout(30_000)
      await own.goto(other.appliance.studioUrl)
      await own.getByRole('navigation', { name: 'Pages' }).waitFor()
      await own.goto(`${other.appliance.url}/#/settings/workers`)
      await own.getByText('The queue of the worker nodes cannot be reached now.').waitFor()
      await own.getByText('No worker node has joined yet.').waitFor()
      await own.getByLabel('Name of the machine').fill('render-1')
      await own.getByRole('button', { name: 'Create token' }).click()
      const token = await own.getByRole('dialog').getByLabel('Token').inputValue()
      expect(token.split('.')).toHaveLength(3)
      expect(await violations(own)).toEqual([])
      await own.keyboard.press('Escape')
      const joined = await fetch(`${other.appliance.url}/internal/worker/token`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      expect(joined.status).toBe(200)
      await own.getByRole('button', { name: 'Revoke render-1' }).click()
      await shot(own, 'settings-workers-nodes')
      await own.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await own.getByText('Revoked', { exact: true }).waitFor()
      expect(await violations(own)).toEqual([])
    } finally {
      await other.close()
    }
  }, 120_000)

  it.skipIf(program === null)(
    'sees a node that has joined, what it is, and that it is away once it has ended',
    async () => {
      const redis = await makeRedis(program ?? '')
      await redis.start()
      const environment = { CUTROOM_QUEUE: 'bullmq', CUTROOM_REDIS_URL: redis.url }
      const other = await openStudio(chromium ?? '', () => Promise.resolve(environment))
      let node: WorkerProcess | null = null
      try {
        const own = await other.newPage()
        await own.goto(other.appliance.studioUrl)
        await own.getByRole('navigation', { name: 'Pages' }).waitFor()
        await own.goto(`${other.appliance.url}/#/settings/workers`)
        await own.getByText(/ cores?, (?:a|no) graphics card\. Nothing goes on now\./).waitFor()
        await own.getByLabel('Name of the machine').fill('render-1')
        await own.getByRole('button', { name: 'Create token' }).click()
        const token = await own.getByRole('dialog').getByLabel('Token').inputValue()
        await own.keyboard.press('Escape')
        node = startWorkerProcess(join(other.folder, 'node'), { server: other.appliance.url, token })
        await node.working
        const row = own.getByRole('row', { name: /render-1/ })
        await row.getByText('Ready', { exact: true }).waitFor({ timeout: 60_000 })
        await row.getByText(/^\d+ cores?, (?:a|no) graphics card; /).waitFor()
        expect(await violations(own)).toEqual([])
        await shot(own, 'settings-workers-node-ready')
        await node.kill('SIGKILL')
        await row.getByText('Away', { exact: true }).waitFor({ timeout: 60_000 })
        await row.getByText('not known while it is away').waitFor()
      } finally {
        await node?.kill('SIGKILL')
        await other.close()
        await redis.remove()
      }
    },
    240_000,
  )
})
