/**
 * Pictures of a page as it is taken through widths and themes, and the sheets of them. Each picture is a file as soon as it
 * is taken, and the sheets are drawn by the browser from the files: none of them is held.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright'

const WIDTHS = [1440, 1024, 390] as const
const THEMES = ['light', 'dark'] as const
const HEIGHT = 900
/** A picture on the sheet: as high as these pixels, its width in proportion. */
const CELL_HEIGHT = 600
/** More rows go on a further sheet: the browser takes no picture higher than some 16000 pixels. */
const ROWS = 8

interface Row {
  readonly sheet: string
  readonly name: string
  /** Relative to the folder, in the order of widths and themes. */
  readonly files: readonly string[]
}

const inName = (words: string): string => words.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')
const inPage = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** `folder`: gets `pictures/`, `index.html` with all of them, and `SHEET.png` for each sheet. */
export function openSheets(folder: string) {
  const rows: Row[] = []

  /** Takes the page as it is, as a row of the sheet. */
  async function shoot(page: Page, sheet: string, name: string): Promise<void> {
    await mkdir(join(folder, 'pictures', sheet), { recursive: true })
    const files: string[] = []
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme })
        await page.waitForTimeout(100)
        const file = `pictures/${sheet}/${inName(name)}-${width}-${colorScheme}.png`
        await page.screenshot({ path: join(folder, file) })
        files.push(file)
      }
    }
    await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT })
    rows.push({ sheet, name, files })
  }

  /** Draws the sheets on a page of its own; returns their files. */
  async function draw(page: Page): Promise<string[]> {
    const sheets = [...Map.groupBy(rows, ({ sheet }) => sheet)].flatMap(([sheet, all]) =>
      Array.from({ length: Math.ceil(all.length / ROWS) }, (_, at) => ({
        id: at === 0 ? sheet : `${sheet}-${at + 1}`,
        rows: all.slice(at * ROWS, (at + 1) * ROWS),
      })),
    )
    const index = join(folder, 'index.html')
    await writeFile(index, documentOf(sheets))
    const drawn: string[] = []
    for (const { id } of sheets) {
      // A new document: the browser lets go of the pictures of the last one.
      await page.goto('about:blank')
      await page.goto(`${pathToFileURL(index).href}#${id}`)
      await page.evaluate(async () => {
        const images = [...document.querySelectorAll<HTMLImageElement>('section:target img')]
        for (const image of images) image.loading = 'eager'
        await Promise.all(images.map((image) => image.decode()))
      })
      const file = join(folder, `${id}.png`)
      await page.locator('section:target').screenshot({ path: file })
      drawn.push(file)
    }
    return drawn
  }

  return { shoot, draw }
}

/** All sheets below each other; with `#SHEET` only that one. */
function documentOf(sheets: readonly { id: string; rows: readonly Row[] }[]): string {
  const row = ({ name, files }: Row): string => {
    const images = files.map((file) => `<a href="${file}"><img loading="lazy" alt="" src="${file}"></a>`)
    return `<h2>${inPage(name)}</h2><p>${images.join('')}</p>`
  }
  const section = ({ id, rows }: (typeof sheets)[number]): string =>
    `<section id="${id}"><h1>${inPage(id)}</h1>${rows.map(row).join('')}</section>`
  return `<!doctype html><meta charset="utf-8"><title>The studio</title><style>
    body { margin: 0; background: #808080; font: 20px sans-serif; }
    :root:has(:target) section:not(:target) { display: none; }
    section { width: max-content; padding: 16px; }
    h1, h2, p { margin: 0 0 8px; font-size: 20px; }
    h2 { font-weight: normal; }
    p { display: flex; gap: 16px; }
    img { display: block; height: ${CELL_HEIGHT}px; }
  </style>${sheets.map(section).join('\n')}\n`
}
