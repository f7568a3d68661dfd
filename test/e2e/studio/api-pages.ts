/** The pages of both APIs as a stranger opens them: for a test that has an appliance and a browser already. */
import { expect } from 'vitest'
import { shot, violations, type StudioBrowser } from './studio-browser.ts'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

const PAGES = [
  { path: '/docs/api', source: '/public/openapi.json' },
  { path: '/docs/domain-api', source: '/openapi.json' },
] as const

/** Every operation is listed, opened and closed again; only the appliance gets requests; axe finds nothing. */
export async function readApiPages({ context, appliance }: StudioBrowser): Promise<void> {
  const stranger = await context.browser()?.newContext({ viewport: { width: 1280, height: 800 } })
  if (stranger === undefined) throw new Error('no browser')
  const requested = new Set<string>()
  const complaints: string[] = []
  const page = await stranger.newPage()
  page.on('request', (request) => requested.add(new URL(request.url()).origin))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  for (const { path, source } of PAGES) {
    await page.goto(appliance.url + path)
    const described = (await (await stranger.request.get(appliance.url + source)).json()) as Described
    const ids = Object.values(described.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    await page.locator('.operation').first().waitFor()
    const shown = await page.locator('.operation').evaluateAll((all) => all.map(({ id }) => id))
    expect(shown.toSorted()).toEqual(ids.toSorted())
    const summaries = page.locator('.operation > summary')
    // All at once: what is inside each is drawn, and no schema stops the page.
    await summaries.evaluateAll((all) => all.forEach((one) => (one as HTMLElement).click()))
    await expect.poll(() => page.locator('.operation > .inside').count()).toBe(ids.length)
    await summaries.evaluateAll((all) => all.slice(3).forEach((one) => (one as HTMLElement).click()))
    await expect.poll(() => page.locator('.operation > .inside').count()).toBe(3)
    expect(await violations(page)).toEqual([])
    await shot(page, path.slice(1).replace('/', '-'))
  }
  await page.goto(`${appliance.url}/docs/api#getHealth`)
  await page.locator('#getHealth').getByRole('button', { name: 'Try GET /health' }).click()
  await page.locator('#getHealth').getByRole('button', { name: 'Send' }).click()
  await page.getByRole('region', { name: 'Answer' }).getByText('"status": "ok"').waitFor()
  await page.getByLabel('Find an operation').fill('trigger')
  await page.locator('#postTriggerTemplate > summary').click()
  await page.getByRole('button', { name: 'Try POST /trigger-template' }).click()
  await page.getByLabel(/^apiKey/).fill('not-a-key')
  const trigger = page.locator('#postTriggerTemplate')
  expect(await trigger.getByRole('region', { name: 'As a command' }).textContent()).not.toContain('not-a-key')
  await page.setViewportSize({ width: 900, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(await violations(page)).toEqual([])
  await shot(page, 'docs-api-try')
  expect(
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
  ).not.toContain('not-a-key')
  expect([...requested]).toEqual([appliance.url])
  expect(complaints).toEqual([])
  await stranger.close()
}
