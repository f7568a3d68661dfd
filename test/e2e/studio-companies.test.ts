/** An owner of three companies in a real Chromium: who sees one company's things at a time, on every page. */
import type { Page, Request } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { whenQuiet } from './studio/crawl.ts'
import { fillCompany } from './studio/fill.ts'
import { everyPlace } from './studio/places.ts'
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

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('link', { name: 'Workflows', exact: true }).waitFor()
  for (const company of COMPANIES) await fillCompany(studio, page, company)
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

describe.skipIf(chromium === null)('an owner of three companies', () => {
  const switcher = () => page.getByRole('button', { name: /^Company:/ })

  it('switches by keyboard, and stays on the page', async () => {
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
