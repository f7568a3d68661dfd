/**
 * Every page and dialog of the studio in a real Chromium, new and filled: what they say and what axe finds. Then as an
 * owner of three companies, who sees one company's things at a time.
 */
import type { Page, Request } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { createWebhook } from '../../server/domain/webhooks/webhooks.ts'
import { homePaths } from '../../server/home.ts'
import { openSeed } from '../support/studio-seed.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { everyPlace, jargonOn, whenQuiet, wrongInDialogs, wrongOn } from './studio/crawl.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const COMPANIES = [
  { id: 'local', mark: 'Lindenhof' },
  { id: 'acme', mark: 'Aconcagua' },
  { id: 'bolt', mark: 'Bellweather' },
] as const

let studio: StudioBrowser
let page: Page
let quiet: () => Promise<void>
/** Things of the first company. */
let made = { runId: '', workflowId: '', kitId: '' }

/** Something of each company in every list, named by a word that no other company has. */
async function fill(): Promise<void> {
  const home = homePaths(studio.home)
  const db = openDatabase(home.database)
  const services = { db, now: Date.now, home, config: loadConfig({ home: studio.home, port: '0' }, {}) }
  for (const { id, mark } of COMPANIES) {
    if (id !== 'local') createCompany(services, { id, name: `${mark} Films` })
    createApiKey(services, { companyId: id, name: `${mark} key` })
    createWebhook(services, { companyId: id, url: `https://example.com/${mark}`, events: [] })
  }
  db.close()
  for (const { id, mark } of COMPANIES) {
    const nodes = [{ id: 'find_clips', type: 'find_clips', config: {} }]
    const file = { name: `${mark} workflow`, description: '', nodes, edges: [] }
    const answer = await page.request.post(`${studio.appliance.url}/studio/workflows?companyId=${id}`, {
      data: { file },
      headers: { origin: studio.appliance.url },
    })
    const { workflowId } = (await answer.json()) as { workflowId: string }
    const seed = openSeed(studio.home, id)
    const runId = seed.run(`https://example.com/${mark}.mp4`, `${mark} found`)
    const clipId = await seed.clip(`${mark} clip`, 'x')
    const kit = await page.request.post(`${studio.appliance.url}/studio/brand-kits`, {
      data: { companyId: id, name: `${mark} brand` },
      headers: { origin: studio.appliance.url },
    })
    const { id: kitId } = ((await kit.json()) as { kit: { id: string } }).kit
    if (id === 'local') made = { runId, workflowId, kitId }
    seed.account('bluesky', `${mark}.example`)
    const text = `${mark} post`
    seed.post({ platform: 'bluesky', text, clipId, publishedAt: Date.now() - 86_400_000, views: [10, 30] })
    seed.close()
  }
}

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  quiet = whenQuiet(page)
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('link', { name: 'Workflows', exact: true }).waitFor()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

/** The words of the page once nothing is being fetched. */
async function settled(of: Page, quietly: () => Promise<void>): Promise<string> {
  await quietly()
  return (await of.locator('body').textContent()) ?? ''
}

const others = (id: string) => COMPANIES.filter((one) => one.id !== id)

/** Lists requests of the page that are of no company, or of another than `current()`. */
function watchRequests(of: Page, current: () => string): string[] {
  const wrong: string[] = []
  const check = (request: Request): void => {
    const url = new URL(request.url())
    if (!/^\/(?:studio|clips|posts|search|operations|social|analytics|workflows)/.test(url.pathname)) return
    const wanted = current()
    const company = request.headers()['x-cutroom-company'] ?? url.searchParams.get('companyId')
    // The first request of a window asks who is signed in.
    if (company !== wanted && url.pathname !== '/studio/session') wrong.push(`${url.pathname} of ${company}`)
  }
  of.on('request', check)
  return wrong
}

/** Opens every page by its address; what of another company is seen there. */
async function strangersOn(of: Page, id: string): Promise<string[]> {
  const found: string[] = []
  const quietly = whenQuiet(of)
  for (const place of await everyPlace()) {
    await of.goto(`${studio.appliance.url}/#/@${id}/${place}`)
    const text = await settled(of, quietly)
    for (const { mark } of others(id))
      if (text.replaceAll(`${mark} Films`, '').includes(mark)) found.push(`${place}: ${mark}`)
  }
  return found
}

/** Opens a place, and waits until nothing is being fetched. */
async function open(place: string): Promise<void> {
  await page.goto(`${studio.appliance.url}/#/${place}`)
  await page.locator('main :is(h1, h2, .editor)').first().waitFor()
  await quiet()
}

describe.skipIf(chromium === null)('an owner of one company', () => {
  it('reads plain words on every page of a new studio, in both themes', async () => {
    const wrong: string[] = []
    for (const place of await everyPlace()) {
      await open(place)
      // Sections of the settings are the same with and without clips: axe looks at them once, below.
      const of = place.startsWith('settings/') ? jargonOn(page, 'html') : wrongOn(page, place)
      wrong.push(...(await of))
    }
    expect(wrong).toEqual([])
  })

  it('is not shown a choice of companies', async () => {
    expect(await page.getByRole('button', { name: /^Company:/ }).count()).toBe(0)
    expect(page.url()).not.toContain('@')
  })
})

describe.skipIf(chromium === null)('an owner of three companies', () => {
  const switcher = () => page.getByRole('button', { name: /^Company:/ })

  it('switches by keyboard, and stays on the page', async () => {
    await fill()
    await page.goto(`${studio.appliance.url}/#/workflows`)
    await page.reload()
    await page.getByText('Lindenhof workflow').waitFor()
    await switcher().focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('dialog', { name: 'Companies' }).waitFor()
    expect(await violations(page, '[role=dialog]')).toEqual([])
    await shot(page, 'companies')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText(/Aconcagua workflow|Bellweather workflow/).waitFor()
    expect(await page.getByText('Lindenhof workflow').count()).toBe(0)
    expect(page.url()).toMatch(/#\/@(?:acme|bolt)\/workflows$/)
  })

  it('sees one company on every page, in its requests, after a reload and in a second window', async () => {
    let first = 'acme'
    await page.goto('about:blank')
    const wrong = watchRequests(page, () => first)
    await page.goto(`${studio.appliance.url}/#/@acme/`)
    expect(await strangersOn(page, 'acme')).toEqual([])
    const second = await studio.newPage()
    const wrongThere = watchRequests(second, () => 'bolt')
    await second.goto(`${studio.appliance.url}/#/@bolt/`)
    expect(await strangersOn(second, 'bolt')).toEqual([])
    await page.goto(`${studio.appliance.url}/#/@acme/workflows`)
    await page.reload()
    await page.getByText('Aconcagua workflow').waitFor()
    first = 'local'
    await page.goto(`${studio.appliance.url}/#/@local/workflows`)
    await page.getByText('Lindenhof workflow').waitFor()
    await page.goto(`${studio.appliance.url}/#/@local/clips`)
    await page.getByText('Lindenhof clip').waitFor()
    await page.goBack()
    await page.getByText('Lindenhof workflow').waitFor()
    expect(wrong).toEqual([])
    expect(wrongThere).toEqual([])
    await second.close()
  })

  it('opens the company of last time where an address names none, and none in place of an unknown one', async () => {
    const third = await studio.newPage()
    await third.goto(`${studio.appliance.url}/#/workflows`)
    await third.getByText('Lindenhof workflow').waitFor()
    await third.goto(`${studio.appliance.url}/#/@nobody/workflows`)
    await third.getByRole('alert').getByText('There is no company “nobody” here').waitFor()
    expect(await violations(third)).toEqual([])
    await third.getByRole('main').getByRole('link', { name: 'Bellweather Films' }).click()
    await third.getByText('Bellweather.mp4').waitFor()
    await third.close()
  })
})

describe.skipIf(chromium === null)('every page', () => {
  it('was opened without a complaint of the browser', () => {
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('every page with something on it', () => {
  beforeAll(async () => {
    // Whatever is pressed, nothing is changed.
    await page.route('**/*', (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({ status: 409, json: { error: 'Not now.' } }),
    )
    page.on('dialog', (dialog) => void dialog.dismiss())
  })

  /** How many dialogs were looked at. */
  let dialogs = 0

  /** Expects nothing wrong with pages and with the dialogs that their buttons open. */
  async function lookAt(places: readonly string[]): Promise<void> {
    const wrong: string[] = []
    for (const place of places) {
      await open(`@local/${place}`)
      wrong.push(...(await wrongOn(page, place)))
      const inDialogs = await wrongInDialogs(page, place, quiet)
      wrong.push(...inDialogs.wrong)
      dialogs += inDialogs.seen.length
    }
    expect(wrong).toEqual([])
  }
  const isSetting = (place: string): boolean => place.startsWith('settings/')

  it('has plain words and no breach in both themes, and so have its dialogs', async () => {
    const places = (await everyPlace()).filter((place) => !isSetting(place))
    await lookAt(places)
  })

  it('has so in the settings', async () => {
    await lookAt((await everyPlace()).filter(isSetting))
  })

  it('has so for one run, one workflow and one brand kit', async () => {
    // The clip editor is looked at where tests open it.
    await lookAt([`review/${made.runId}`, `workflows/${made.workflowId}`, `brands/${made.kitId}`])
    expect(dialogs).toBeGreaterThan(8)
  })
})
