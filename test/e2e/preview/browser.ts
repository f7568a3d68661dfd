/** A real Chromium with the preview on its own page; the test answers all of the page's requests. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { chromium, type Browser, type Page, type Route } from 'playwright'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ADDRESS = 'http://preview.test'
const PLACES = [
  process.env['CUTROOM_TEST_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The installed Chromium, or null: then a test is skipped with a message. */
export function findChromium(): string | null {
  return PLACES.find((place) => place !== undefined && existsSync(place)) ?? null
}

export const NO_CHROMIUM =
  'no Chromium on this machine: install the package "chromium", or name one in CUTROOM_TEST_CHROMIUM'

export interface PreviewPage {
  readonly page: Page
  /** What `/pictures/<digest>` answers. */
  readonly pictures: Map<string, Buffer>
  /** What `/videos/<digest>` answers. */
  readonly videos: Map<string, Buffer>
  /** What `/clip.mp4` answers. */
  readonly clip: { bytes: Buffer | null }
  readonly close: () => Promise<void>
}

/** Bundles the page with the studio's own bundler and opens it. */
export async function openPreviewPage(executablePath: string): Promise<PreviewPage> {
  const [script, browser] = await Promise.all([bundlePage(), launch(executablePath)])
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(20_000)
    const pictures = new Map<string, Buffer>()
    const videos = new Map<string, Buffer>()
    const clip: PreviewPage['clip'] = { bytes: null }
    await page.route('**/*', (route) => answer(route, { script, pictures, videos, clip }))
    await page.goto(`${ADDRESS}/`)
    await page.waitForFunction(() => 'cutroom' in window)
    return { page, pictures, videos, clip, close: () => browser.close() }
  } catch (error) {
    await browser.close()
    throw error
  }
}

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
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
  })
}

async function bundlePage(): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'es2024',
      rollupOptions: { input: join(import.meta.dirname, 'page.ts') },
    },
  })
  const outputs = Array.isArray(built) ? built : [built]
  const chunks = outputs.flatMap((one) => ('output' in one ? one.output : []))
  const code = chunks.find((chunk) => chunk.type === 'chunk' && chunk.isEntry)
  if (code?.type !== 'chunk') throw new Error('vite made no script of the test page')
  return code.code
}

interface Answers extends Pick<PreviewPage, 'pictures' | 'videos' | 'clip'> {
  readonly script: string
}

async function answer(route: Route, { script, pictures, videos, clip }: Answers): Promise<void> {
  const { pathname } = new URL(route.request().url())
  const name = basename(pathname)
  if (pathname === '/') {
    const body = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>'
    return route.fulfill({ contentType: 'text/html', body })
  }
  if (pathname === '/page.js') return route.fulfill({ contentType: 'text/javascript', body: script })
  if (pathname.startsWith('/fonts/')) {
    const file = join(ROOT, 'resources', pathname)
    return existsSync(file) ? route.fulfill({ path: file }) : route.fulfill({ status: 404, body: '' })
  }
  const picture = pathname.startsWith('/pictures/') ? pictures.get(name) : undefined
  if (picture !== undefined) return route.fulfill({ contentType: 'image/png', body: picture })
  const video = pathname.startsWith('/videos/') ? videos.get(name) : undefined
  if (video !== undefined) return answerPart(route, video)
  if (pathname === '/clip.mp4' && clip.bytes !== null) {
    return answerPart(route, clip.bytes)
  }
  return route.fulfill({ status: 404, body: '' })
}

/** A player that is to seek asks for parts of a file. */
function answerPart(route: Route, bytes: Buffer): Promise<void> {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(route.request().headers()['range'] ?? '') ?? []
  const start = Number(from)
  const end = to === '' ? bytes.length - 1 : Number(to)
  return route.fulfill({
    status: 206,
    contentType: 'video/mp4',
    headers: { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes ${start}-${end}/${bytes.length}` },
    body: bytes.subarray(start, end + 1),
  })
}
