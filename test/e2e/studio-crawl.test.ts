/** The crawl itself: that it finds what it looks for, on a page where each of it was planted. */
import { chromium as playwright, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { jargonOn, wrongInDialogs, wrongOn } from './studio/crawl.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`the crawl is not tried: ${NO_CHROMIUM}\n`)

let browser: Browser
let page: Page
beforeAll(async () => {
  if (chromium === null) return
  browser = await playwright.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] })
  page = await browser.newPage()
})
afterAll(() => (chromium === null ? undefined : browser.close()))

const shown = async (body: string): Promise<void> =>
  page.setContent(
    `<!doctype html><html lang="en"><title>Planted</title><main><h1>Planted</h1>${body}</main></html>`,
  )

describe.skipIf(chromium === null)('the crawl', () => {
  it.each([
    ['a variable in a text', '<p>Set CUTROOM_HOME first.</p>'],
    ['a package runner in a title', '<p title="npx cutroom">Start</p>'],
    ['a command in what is read out', '<p role="note" aria-label="Type cutroom serve">Start</p>'],
    ['a format in a placeholder', '<input aria-label="Music" placeholder="As JSON">'],
    ['a call in the words of a picture', '<img alt="The same by curl" src="data:,">'],
  ])('finds %s', async (_what, body) => {
    await shown(body)
    expect(await jargonOn(page, 'html')).toHaveLength(1)
  })

  it('finds none in plain words, nor in what is for developers', async () => {
    await shown('<p>Cutroom cuts.</p><section data-developer><p>CUTROOM_HOME, npx, JSON, curl</p></section>')
    expect(await jargonOn(page, 'html')).toEqual([])
  })

  it('finds what axe would, in light and in dark', async () => {
    await shown(
      '<style>@media (prefers-color-scheme: dark) { p { color: #222; background: #111 } }</style><p>Dim</p><img src="data:,">',
    )
    const wrong = await wrongOn(page, 'planted')
    expect(wrong.some((one) => one.startsWith('planted: light image-alt'))).toBe(true)
    expect(wrong.some((one) => one.startsWith('planted: dark color-contrast'))).toBe(true)
  })

  it('finds it in a dialog that a button opens, and behind a tab', async () => {
    await page.route('http://planted.test/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><html lang="en"><title>Planted</title><main><h1>Planted</h1>
          <button onclick="document.querySelector('dialog').showModal()">Open</button>
          <div role="tablist"><button role="tab" onclick="out.textContent = 'by curl'">More</button></div>
          <p id="out"></p><dialog aria-label="Hidden"><p>As JSON</p></dialog></main></html>`,
      }),
    )
    await page.goto('http://planted.test/')
    const { wrong, seen } = await wrongInDialogs(page, 'planted', () => page.waitForTimeout(50))
    expect(seen).toEqual(['Hidden'])
    expect(wrong).toContain('planted, dialog “Hidden”: says “As JSON”')
    expect(wrong).toContain('planted, after More: : says “by curl”')
  })

  it('finds a dialog whose button another one takes away before it was pressed', async () => {
    await page.route('http://planted.test/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><html lang="en"><title>Planted</title><main><h1>Planted</h1>
          <button onclick="bar.hidden = false">Select</button>
          <div id="bar" hidden><button onclick="bar.hidden = true">Clear</button>
          <button onclick="document.querySelector('dialog').showModal()">Share</button></div>
          <dialog aria-label="Shared"><p>Plain</p></dialog></main></html>`,
      }),
    )
    await page.goto('http://planted.test/')
    const { wrong, seen } = await wrongInDialogs(page, 'planted', () => page.waitForTimeout(50))
    expect([seen, wrong]).toEqual([['Shared'], []])
  })
})
