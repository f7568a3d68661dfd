/** Pages in windows of three widths and in both themes: pictures to look at, and layout errors in any of them. */
import type { Page } from 'playwright'
import { shot } from './studio-browser.ts'

const WIDTHS = [900, 1280, 1680] as const
const HEIGHT = 800
const USUAL = { width: 1280, height: HEIGHT }

/** What of the page cannot be reached without scrolling sideways, by the words it begins with. */
const outside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    return wide > 1 ? [`the page is ${wide} pixels too wide`] : []
  })

/**
 * Takes a picture of each of the addresses at each width in both themes; returns what is wrong with them. `ready` waits
 * until a page is there.
 */
export async function looks(
  page: Page,
  pages: readonly { readonly name: string; readonly ready: (page: Page) => Promise<void> }[],
  go: (page: Page, name: string) => Promise<void>,
): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, ready } of pages) {
    await go(page, name)
    await ready(page)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await shot(page, `looks-${name.toLowerCase()}-${width}-${colorScheme}`)
      }
      wrong.push(...(await outside(page)).map((what) => `${name} at ${width}: ${what}`))
    }
    await page.setViewportSize(USUAL)
  }
  return wrong
}

/** How far what was shown has jumped since the page was opened: https://web.dev/articles/cls. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            if (!(entry as unknown as { hadRecentInput: boolean }).hadRecentInput)
              sum += (entry as unknown as { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        // Entries are reported in the next task.
        setTimeout(() => resolve(sum), 50)
      }),
  )

/** Milliseconds from requesting the page to its first words or pictures. */
export const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1)
