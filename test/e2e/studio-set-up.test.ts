/**
 * The set-up of a new studio in a real Chromium: the first link leads there, once, and through every step to Review. Each
 * step is checked by axe in both themes, and looked at by keyboard.
 */
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { issueSignInLink } from '../../server/domain/people/sign-in.ts'
import { homePaths } from '../../server/home.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { jargonOn } from './studio/crawl.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

/** A run of the bundled talk on two cores that do other things as well. */
const RUN_MS = 240_000
const SHARED = join(import.meta.dirname, '../../../shared')
const PASSWORD = 'seven quiet otters paint'

let studio: StudioBrowser
let page: Page

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium, undefined, { setUp: true })
  page = await studio.newPage()
  page.setDefaultTimeout(30_000)
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const step = (name: string) => page.getByRole('heading', { name, level: 2 })
const goOn = (name: 'Continue' | 'Skip this step') => page.getByRole('link', { name, exact: true }).click()

/** What is wrong with the step as it is, and a picture of it at three widths in both themes. */
async function lookAt(name: string): Promise<void> {
  expect(await violations(page)).toEqual([])
  expect(await jargonOn(page, 'html')).toEqual([])
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await shot(page, `set-up-${name}-${width}-${colorScheme}`)
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Another one-time link, as every start prints one. */
function anotherLink(): string {
  const db = openDatabase(homePaths(studio.home).database)
  const services = { db, now: Date.now, config: loadConfig({ home: studio.home }, {}) }
  const link = issueSignInLink(services, studio.appliance.url)
  db.close()
  return link
}

describe.skipIf(chromium === null)('the first owner of a new home', () => {
  it('is led to the set-up by the first link, and names themself with a password', async () => {
    await page.goto(studio.appliance.studioUrl)
    await step('Your account').waitFor()
    expect(new URL(page.url()).hash).toBe('#/set-up')
    await page.getByText('Step 1 of 5').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Ada Lindenhof')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your name is saved.').waitFor()
    await lookAt('account')
    await page.getByLabel('Email address').fill('ada@studio.example')
    await page.getByLabel('New password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('The password is changed.').waitFor()
    await goOn('Continue')
  })

  it('sees where footage is kept and how much of it fits', async () => {
    await step('Footage').waitFor()
    expect(await step('Footage').evaluate((heading) => heading === document.activeElement)).toBe(true)
    await page.getByText(studio.home, { exact: true }).waitFor()
    await page.getByRole('row', { name: /1080p.*11\.3 GB/ }).waitFor()
    await page.getByText('Set by whoever runs the appliance').waitFor()
    await lookAt('footage')
    await goOn('Continue')
  })

  it('reads what the machine can do, with what to do about the rest', async () => {
    await step('This machine').waitFor()
    await page.getByRole('heading', { name: 'Rendering', level: 4 }).waitFor()
    await page.getByText('only footage with captions of its own').waitFor()
    await page.getByRole('link', { name: 'Open Models' }).first().waitFor()
    await page.getByRole('link', { name: 'Open Backup' }).waitFor()
    await lookAt('machine')
    await page
      .getByRole('link', { name: /Continue|Skip this step/ })
      .last()
      .click()
  })

  it('is offered the models for this machine, with sizes, and the folder for machines without internet', async () => {
    await step('Models').waitFor()
    await page.getByRole('button', { name: /^Install all recommended, over .* [MG]B$/ }).waitFor()
    await page.getByRole('heading', { name: 'Speech to text' }).waitFor()
    await page.getByText('The folder is empty.').waitFor()
    await lookAt('models')
  })

  it('installs what was brought on a disk, without the internet', async () => {
    await mkdir(join(studio.home, 'models-inbox', 'from-a-disk'))
    for (const name of ['silero_vad_16k_op15.onnx', 'LICENSE.silero'])
      await copyFile(
        join(SHARED, 'models', 'vad', name),
        join(studio.home, 'models-inbox', 'from-a-disk', name),
      )
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('button', { name: 'Install from from-a-disk' }).click()
    await page.getByText('Installed: silero-vad.').waitFor({ timeout: 60_000 })
    const model = page.getByRole('listitem').filter({ hasText: 'Silero voice activity' })
    await model.getByText(/^in(?:stalled| use)$/).waitFor()
  })

  it('sees how much of a model is there, and stops it', async () => {
    // Nothing is fetched in tests: the task is one as the appliance tells it.
    let going = true
    const task = {
      id: 'task-1',
      kind: 'install-model',
      subject: 'yunet',
      state: 'running',
      progress: 0.4,
      note: 'yunet_n_dynamic.onnx, 0.1 MB of 0.3 MB',
      error: null,
      startedAt: new Date().toISOString(),
      finishedAt: null,
    }
    await page.route('**/studio/tasks', (route) => route.fulfill({ json: { tasks: going ? [task] : [] } }))
    await page.route('**/studio/tasks/task-1', (route) => {
      going = route.request().method() !== 'DELETE'
      return route.fulfill({ json: {} })
    })
    await page.reload()
    const model = page.getByRole('listitem').filter({ hasText: 'YuNet face detection' })
    await model.getByRole('progressbar').waitFor()
    await model.getByText('40 % · yunet_n_dynamic.onnx, 0.1 MB of 0.3 MB').waitFor()
    await lookAt('models-going')
    await model.getByRole('button', { name: 'Cancel' }).click()
    await model.getByRole('progressbar').waitFor({ state: 'detached' })
    expect(going).toBe(false)
    await page.unroute('**/studio/tasks')
    await page.unroute('**/studio/tasks/task-1')
    await goOn('Skip this step')
  })

  it(
    'puts the sample through the first workflow, and ends in Review',
    { timeout: RUN_MS + 60_000 },
    async () => {
      await step('A first run').waitFor()
      await page.getByRole('button', { name: 'Run the sample' }).click()
      await page.getByRole('progressbar').waitFor()
      await lookAt('sample')
      await page.reload()
      await page.locator('button:enabled', { hasText: 'Open Review' }).waitFor({ timeout: RUN_MS })
      await page.getByRole('button', { name: 'Open Review' }).click()
      await page.waitForURL(/#\/review\//)
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Set-up' }).click()
      await page.getByText(/^Finished /).waitFor()
      expect(await violations(page)).toEqual([])
      await shot(page, 'settings-set-up')
    },
  )

  it('finds each step of it in the settings', async () => {
    const sections = page.getByRole('navigation', { name: 'Settings' })
    const found = [
      ['Your account', /Signed in as Ada Lindenhof/],
      ['Storage', studio.home],
      ['Hardware', /^Checked /],
      ['Models', 'Silero voice activity'],
    ] as const
    for (const [name, what] of found) {
      await sections.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 2 }).waitFor()
      await page.getByText(what).first().waitFor()
    }
    await sections.getByRole('link', { name: 'Set-up' }).click()
  })

  it('finds it in the settings from then on, and comes home by the next link', async () => {
    await page.getByRole('link', { name: 'Open set-up' }).click()
    await step('Your account').waitFor()
    await page.getByRole('link', { name: 'Back to Settings' }).waitFor()
    expect(await page.getByRole('button', { name: 'Skip set-up' }).count()).toBe(0)
    await page.goto('about:blank')
    await page.goto(anotherLink())
    await page
      .getByRole('heading', { name: /Waiting for you|Runs/ })
      .first()
      .waitFor()
    expect(new URL(page.url()).hash).not.toContain('set-up')
  })
})

describe.skipIf(chromium === null)('every step', () => {
  it('was opened without a complaint of the browser', () => {
    expect(studio.complaints).toEqual([])
  })
})
