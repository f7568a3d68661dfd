/** `npm run bench -- wire`: what a browser fetches, with an empty cache, for the first page and for the clip editor. */
import { findChromium, NO_CHROMIUM } from '../e2e/preview/browser.ts'
import { openStudio } from '../e2e/studio/studio-browser.ts'
import { makeClip } from '../e2e/studio/studio-clip.ts'
import {
  EDITOR_BYTES,
  fetchEditor,
  fetchFirstPage,
  FIRST_PAGE_BYTES,
  sumBytes,
  WIRE_CLIP,
  type Fetched,
} from '../e2e/studio/wire.ts'
import { speedBench } from './report.ts'

const TITLE = 'The studio on the wire'

export async function runWireBench({ say = () => undefined }: { say?: (line: string) => void } = {}) {
  const chromium = findChromium()
  if (chromium === null)
    return speedBench('wire', { title: TITLE, tables: [], unmeasured: [NO_CHROMIUM] }, {})
  const studio = await openStudio(chromium)
  try {
    say('a clip is made')
    const clipId = await makeClip(studio, await studio.newPage(), WIRE_CLIP)
    const pages = [
      { name: 'first page', limit: FIRST_PAGE_BYTES, fetched: await fetchFirstPage(studio) },
      { name: 'clip editor', limit: EDITOR_BYTES, fetched: await fetchEditor(studio, clipId) },
    ]
    const measured = pages.map(({ name, limit, fetched }) => ({ name, limit, ...summarize(fetched) }))
    const columns = ['page', 'requests', 'scripts, bytes', 'all, bytes', 'limit', 'largest']
    const rows = measured.map(({ name, requests, scripts, bytes, limit, largest }) =>
      [name, requests, scripts, bytes, limit, largest].map(String),
    )
    const notes = ['Head and body of each answer as sent, compressed; video and frames of the clip left out.']
    const table = { title: 'Fetched with an empty cache', columns, rows, notes }
    return speedBench('wire', { title: TITLE, tables: [table], unmeasured: [] }, { pages: measured })
  } finally {
    await studio.close()
  }
}

function summarize(fetched: readonly Fetched[]) {
  const largest = fetched.toSorted((a, b) => b.bytes - a.bytes)[0]
  return {
    requests: fetched.length,
    scripts: sumBytes(fetched.filter(({ path }) => path.endsWith('.js'))),
    bytes: sumBytes(fetched),
    largest: largest === undefined ? '' : `${largest.path} ${largest.bytes}`,
  }
}
