/** Goes through the pages of the studio and the dialogs that their buttons open: what they say, and what axe finds. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright'

/** What an editor should never have to read, outside of sections for developers. */
const JARGON = /CUTROOM_\w*|\bnpx\b|\bcutroom [a-z]+|\bJSON\b|\bcurl\b/
const RENDERER = join(import.meta.dirname, '..', '..', '..', 'renderer')

async function named(file: string, pattern: RegExp): Promise<string[]> {
  const source = await readFile(join(RENDERER, file), 'utf8')
  return [...source.matchAll(pattern)].map((match) => match[1] ?? '')
}

/** The addresses of all pages and sections of the settings, as the renderer's own registries list them. */
export async function everyPlace(): Promise<string[]> {
  const pages = await named('pages.ts', /\bpage\(\s*'([\w-]*)'/g)
  const sections = await named('settings/sections.ts', /\bname: '([\w-]+)'/g)
  return [
    // Review is of a run, and has no page without one.
    ...pages.filter((name) => name !== 'settings' && name !== 'review'),
    ...sections.map((name) => `settings/${name}`),
  ]
}

/** Words that are seen or read out: texts, titles, labels and placeholders. `within`: a selector. */
const wordsOn = (page: Page, within: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const words: string[] = []
    for (const root of document.querySelectorAll(selector)) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const parent = node.parentElement
        if (parent === null || parent.closest('[data-developer], script, style') !== null) continue
        words.push(node.textContent ?? '')
      }
      for (const element of root.querySelectorAll('[title], [aria-label], [placeholder], [alt]')) {
        if (element.closest('[data-developer]') !== null) continue
        for (const name of ['title', 'aria-label', 'placeholder', 'alt'])
          words.push(element.getAttribute(name) ?? '')
      }
    }
    return words
  }, within)

/** The jargon in what is shown. */
export async function jargonOn(page: Page, within: string): Promise<string[]> {
  const found = (await wordsOn(page, within)).filter((words) => JARGON.test(words))
  return [...new Set(found)].map((words) => `says “${words.trim().slice(0, 120)}”`)
}

/** What axe finds, in light, and of contrasts in dark. */
async function breachesOn(page: Page, within: string): Promise<string[]> {
  await page.evaluate(axe.source)
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const runOnly =
      colorScheme === 'dark'
        ? { type: 'rule' as const, values: ['color-contrast'] }
        : { type: 'tag' as const, values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
    const { violations } = await page.evaluate(
      ([part, only]) =>
        (window as unknown as { axe: typeof axe }).axe.run(part, {
          runOnly: only,
          resultTypes: ['violations'],
        }),
      [within, runOnly] as const,
    )
    found.push(
      ...violations.map(
        ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      ),
    )
  }
  return found
}

/** What is wrong with the page as it is now. */
export async function wrongOn(page: Page, place: string, within = 'html'): Promise<string[]> {
  const found = [...(await jargonOn(page, within)), ...(await breachesOn(page, within))]
  return found.map((what) => `${place}: ${what}`)
}

/** Makes what waits until a page has fetched what it shows: quicker than Playwright's half a second of silence. */
export function whenQuiet(page: Page): () => Promise<void> {
  const pending = new Set<unknown>()
  let last = Date.now()
  const end = (request: unknown): void => {
    pending.delete(request)
    last = Date.now()
  }
  page.on('request', (request) => {
    if (!request.url().includes('/studio/events')) pending.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    const patience = Date.now() + 20_000
    do await page.waitForTimeout(30)
    while ((pending.size > 0 || Date.now() - last < 90) && Date.now() < patience)
  }
}

const DIALOG = 'dialog[open], [role=dialog]'
/** Buttons that begin with the same word do the same on every row. */
const shapeOf = (name: string): string => /^[^\s:]*/.exec(name.trim())?.[0] ?? ''

/**
 * Presses each button of the page once, with every change refused, and looks at the dialogs that open. Returns what is
 * wrong with them and the names of those seen.
 */
export async function wrongInDialogs(
  page: Page,
  place: string,
  quiet: () => Promise<void>,
): Promise<{ wrong: string[]; seen: string[] }> {
  const wrong: string[] = []
  const seen: string[] = []
  const pressed = new Set<string>()
  const address = page.url()
  const buttons = page.locator('main button:visible:enabled')
  for (;;) {
    const names = await buttons.evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''),
    )
    const at = names.findIndex((name) => !pressed.has(shapeOf(name)))
    if (at === -1) return { wrong, seen }
    const name = names[at] ?? ''
    pressed.add(shapeOf(name))
    const opened = page.locator(DIALOG)
    await buttons
      .nth(at)
      .click({ timeout: 2000 })
      .catch(() => undefined)
    await page.waitForTimeout(40)
    if ((await opened.count()) > 0) {
      const title = (await opened.first().getAttribute('aria-label')) ?? name
      seen.push(`${place}: ${title.trim()}`)
      wrong.push(...(await wrongOn(page, `${place}, dialog of ${name.trim()}`, DIALOG)))
      await page.keyboard.press('Escape')
      if ((await opened.count()) > 0) await page.keyboard.press('Escape')
    } else
      wrong.push(...(await jargonOn(page, 'main')).map((what) => `${place}, after ${name.trim()}: ${what}`))
    if (page.url() !== address || (await opened.count()) > 0) {
      await page.goto('about:blank')
      await page.goto(address)
      await quiet()
    }
  }
}
