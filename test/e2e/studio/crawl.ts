/** Goes through the pages of the studio and the dialogs that their buttons open: what they say, and what axe finds. */
import axe from 'axe-core'
import type { Locator, Page } from 'playwright'

/** What an editor should never have to read, outside of sections for developers. */
const JARGON = /CUTROOM_\w*|\bnpx\b|\bcutroom [a-z]+|\bJSON\b|\bcurl\b/

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
    if (pending.delete(request)) last = Date.now()
  }
  page.on('request', (request) => {
    // None of these is ever done: what happens is told as it happens, a video is fetched as it plays, and an editor whose
    // changes are refused asks again and again whether the appliance is there.
    if (/\/studio\/events|\/health$/.test(request.url()) || request.resourceType() === 'media') return
    pending.add(request)
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

/** What pressing a button has brought up. `name`: a dialog's title, or what is on the button. */
export interface Opened {
  readonly kind: 'dialog' | 'tab' | 'button'
  readonly name: string
}

interface Button {
  /** Buttons of the same shape do the same, and one of them is pressed. */
  readonly shape: string
  readonly isTab: boolean
}
const readButtons = (buttons: Locator): Promise<Button[]> =>
  buttons.evaluateAll((all) =>
    all.map((one) => {
      const name = (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()
      // Those of the rows of a list, and of days, begin with the same word.
      const ofMany = one.closest('li, tr, [data-item]') !== null || /\d/.test(name)
      const named = ofMany ? (/^[^\s:]*/.exec(name)?.[0] ?? '') : name
      const isTab = one.getAttribute('role') === 'tab'
      return { shape: one.matches('[data-at]') ? 'a word of the transcript' : named, isTab }
    }),
  )

/** Shows the dialog that is open, unless one of that title was shown, and closes it; false: none is open. */
async function showDialog(page: Page, titles: Set<string>, show: (opened: Opened) => Promise<void>) {
  const opened = page.locator(DIALOG)
  if ((await opened.count()) === 0) return false
  const title = await opened
    .first()
    .evaluate((dialog) => dialog.getAttribute('aria-label') ?? dialog.querySelector('h2')?.textContent ?? '')
  const name = title.trim()
  if (!titles.has(name)) await show({ kind: 'dialog', name })
  titles.add(name)
  await page.keyboard.press('Escape')
  if ((await opened.count()) > 0) await page.keyboard.press('Escape')
  return true
}

/**
 * Presses each button of the page once, which should have every change refused, and shows what comes of it: each dialog
 * once, by its title. `shown`: waits until the page shows what it shows.
 */
export async function pressEach(
  page: Page,
  shown: () => Promise<void>,
  show: (opened: Opened) => Promise<void>,
): Promise<void> {
  const titles = new Set<string>()
  const pressed = new Set<string>()
  /** By what a button first was there, and the tab it was on: pressing another one may take it away. */
  const foundBy = new Map<string, { readonly opener: string | undefined; readonly tab: string | undefined }>()
  const address = page.url()
  const buttons = page.locator('main button:visible:enabled')
  let tab: string | undefined
  let latest: string | undefined
  const press = async (at: number): Promise<void> => {
    await buttons
      .nth(at)
      .click({ timeout: 1000 })
      .catch(() => undefined)
    await shown()
  }
  async function pressNamed(wanted: string | undefined, isTab = false): Promise<void> {
    const at = (await readButtons(buttons)).findIndex((one) => one.shape === wanted && one.isTab === isTab)
    if (at !== -1) await press(at)
  }
  /** The page as it was when it was opened, with the same tab. */
  async function openAgain(): Promise<void> {
    await page.goto('about:blank')
    await page.goto(address)
    await shown()
    await pressNamed(tab, true)
  }
  /** Brings back what was there and was not pressed, and answers where it is; null: nothing is left. */
  async function bringBack(): Promise<{ at: number; button: Button } | null> {
    for (const [shape, found] of foundBy) {
      if (pressed.has(shape)) continue
      tab = found.tab
      await openAgain()
      await pressNamed(found.opener)
      const all = await readButtons(buttons)
      const at = all.findIndex((one) => one.shape === shape)
      const button = all[at]
      if (button !== undefined) return { at, button }
      pressed.add(shape)
    }
    return null
  }
  async function findNext(): Promise<{ at: number; button: Button } | null> {
    const all = await readButtons(buttons)
    for (const { shape } of all) if (!foundBy.has(shape)) foundBy.set(shape, { opener: latest, tab })
    const isNew = ({ shape }: Button): boolean => !pressed.has(shape)
    // What a tab shows is gone through before the next tab.
    const inside = all.findIndex((one) => isNew(one) && !one.isTab)
    const at = inside === -1 ? all.findIndex(isNew) : inside
    const button = all[at]
    return button === undefined ? await bringBack() : { at, button }
  }
  await showDialog(page, titles, show)
  for (;;) {
    const next = await findNext()
    if (next === null) return
    const { at, button } = next
    pressed.add(button.shape)
    if (button.isTab) tab = button.shape
    latest = button.isTab ? undefined : button.shape
    await press(at)
    if (!(await showDialog(page, titles, show)))
      await show({ kind: button.isTab ? 'tab' : 'button', name: button.shape })
    if (page.url() !== address || (await page.locator(DIALOG).count()) > 0) await openAgain()
  }
}

/** What is wrong with the dialogs that the page's buttons open and with the panels of its tabs; `seen`: titles of dialogs. */
export async function wrongInDialogs(
  page: Page,
  place: string,
  shown: () => Promise<void>,
): Promise<{ wrong: string[]; seen: string[] }> {
  const wrong: string[] = []
  const seen: string[] = []
  await pressEach(page, shown, async ({ kind, name }) => {
    if (kind === 'dialog') {
      seen.push(name)
      wrong.push(...(await wrongOn(page, `${place}, dialog “${name}”`, DIALOG)))
      return
    }
    const found = kind === 'tab' ? await wrongOn(page, '', 'main') : await jargonOn(page, 'main')
    wrong.push(...found.map((what) => `${place}, after ${name}: ${what}`))
  })
  return { wrong, seen }
}
