/** A real Chromium and a real appliance on a home of the test's own: for tests that use the studio as people do. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { chromium as playwright, type BrowserContext, type Page } from 'playwright'
import { openDatabase } from '../../../server/db/client.ts'
import { SET_UP, setSetting } from '../../../server/db/settings.ts'
import { homePaths } from '../../../server/home.ts'
import { serve, type ServeProcess } from '../../support/appliance-process.ts'

export const ARTIFACTS = join(import.meta.dirname, '..', '..', '.artifacts', 'studio')
const PATIENCE_MS = 60_000

export interface StudioBrowser {
  /** The folder of the home; removed at the end. */
  readonly folder: string
  readonly home: string
  readonly appliance: ServeProcess
  readonly context: BrowserContext
  /** Errors on the consoles of pages, and exceptions that they have thrown. */
  readonly complaints: string[]
  readonly newPage: () => Promise<Page>
  readonly close: () => Promise<void>
}

/** The first page is home, as for everybody but the first owner of a new home. */
function skipSetUp(home: string): void {
  const db = openDatabase(homePaths(home).database)
  setSetting(db, SET_UP, JSON.stringify({ state: 'skipped', since: new Date().toISOString() }))
  db.close()
}

/**
 * Starts both, without a sign-in (`appliance.studioUrl` does that). `environment`: more for the appliance, by the folder
 * that is removed at the end. `setUp`: the first owner is led through the set-up, as on every new home.
 */
export async function openStudio(
  executablePath: string,
  environment: (folder: string) => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({}),
  { setUp = false } = {},
): Promise<StudioBrowser> {
  await mkdir(ARTIFACTS, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-studio-'))
  const home = join(folder, 'home')
  const appliance = await serve(home, [], { CUTROOM_MIN_FREE_BYTES: '0', ...(await environment(folder)) })
  if (!setUp) skipSetUp(home)
  const browser = await playwright.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-sync',
      '--disable-background-networking',
      '--disable-component-update',
    ],
    // Under the locale C Chromium names every download in other letters "download".
    env: { ...process.env, LANG: 'C.UTF-8' },
  })
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  const complaints: string[] = []
  return {
    folder,
    home,
    appliance,
    context,
    complaints,
    newPage: async () => {
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
      })
      return page
    },
    close: async () => {
      await browser.close()
      await appliance.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Stores a picture of the page, to look at. */
export const shot = (page: Page, name: string) => page.screenshot({ path: join(ARTIFACTS, `${name}.png`) })

/**
 * Accessibility errors of the page as it is now, in both themes: breaches of WCAG 2.2 AA that axe can find. `within`: a
 * selector, for tests of a part.
 */
export async function violations(page: Page, within = 'html'): Promise<string[]> {
  await page.evaluate(axe.source)
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const result = await page.evaluate(
      (part) =>
        (window as unknown as { axe: typeof axe }).axe.run(part, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
        }),
      within,
    )
    found.push(
      ...result.violations.map(
        ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      ),
    )
  }
  return found
}
