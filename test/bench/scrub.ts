/**
 * How soon a picture is there after a jump in the editor: seeks all over a minute of 1080p, in the extended cut that copies
 * the source's streams (the floor: what there would be without it) and in the cut that is made for scrubbing.
 */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { secondsToTicks } from '../../server/contract/time.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { runCut } from '../../workers/stages/cut/stage.ts'
import { runProbe } from '../../workers/stages/probe/stage.ts'
import { findChromium, NO_CHROMIUM } from '../e2e/preview/browser.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'

const SEEKS = 60
const LIMIT_MS = 100

interface CutFile {
  readonly name: 'copied' | 'scrub'
  readonly path: string
  readonly bytes: number
  readonly madeInSeconds: number
}

/** A key frame every 250 pictures, as encoders leave them by themselves. */
async function makeSource(path: string, seconds: number): Promise<void> {
  const args = [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=1920x1080:rate=30,noise=alls=8:allf=t',
    '-f',
    'lavfi',
    '-i',
    'sine=330',
    '-t',
    String(seconds),
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '26',
    '-g',
    '250',
    '-sc_threshold',
    '0',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    path,
  ]
  await runTool({ executable: bundledTools().ffmpeg, args })
}

async function makeCuts(root: string, source: string, seconds: number): Promise<CutFile[]> {
  const inputs = { source }
  const probe = await runStageForTest(runProbe, {}, { root: join(root, 'probe'), inputs })
  const cut = async (name: CutFile['name']): Promise<CutFile> => {
    const started = performance.now()
    const scrub = name === 'scrub' ? { scrub: true as const } : {}
    const { output, folder } = await runStageForTest(
      runCut,
      { start: 0, end: secondsToTicks(seconds), ...scrub },
      {
        root: join(root, name),
        inputs: { source, probe: probe.folder },
        results: { probe: probe.output },
      },
    )
    const path = join(folder, output.file)
    const madeInSeconds = (performance.now() - started) / 1000
    return { name, path, bytes: (await stat(path)).size, madeInSeconds }
  }
  return [await cut('copied'), await cut('scrub')]
}

/** Files in ranges, as the appliance serves them; anything else is an empty page. */
function serveFiles(files: readonly CutFile[]): Promise<Server> {
  const server = createServer((request, response) => {
    const file = files.find(({ name }) => request.url === `/${name}`)
    if (file === undefined) {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Seeks</title>')
      return
    }
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? []
    const start = Number(from)
    const end = to === '' ? file.bytes - 1 : Number(to)
    response.writeHead(206, {
      'Content-Type': 'video/mp4',
      'Accept-Ranges': 'bytes',
      'Content-Length': end - start + 1,
      'Content-Range': `bytes ${start}-${end}/${file.bytes}`,
    })
    createReadStream(file.path, { start, end }).pipe(response)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** Milliseconds from requesting a picture to its being drawn; sorted. The same places for each file. */
function seekTimes(page: Page, url: string, length: number): Promise<number[]> {
  return page.evaluate(
    async (given) => {
      const video = document.createElement('video')
      video.muted = true
      video.preload = 'auto'
      video.src = given.url
      await new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true }))
      const canvas = document.createElement('canvas').getContext('2d')
      const taken: number[] = []
      for (let seek = 1; seek <= given.seeks; seek++) {
        const started = performance.now()
        const arrived = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
        video.currentTime = ((seek * 0.6180339887) % 1) * (given.length - 1)
        await arrived
        canvas?.drawImage(video, 0, 0, 320, 180)
        taken.push(performance.now() - started)
      }
      return taken.toSorted((a, b) => a - b)
    },
    { url, length, seeks: SEEKS },
  )
}

/** `seconds`: length of what is scrubbed. */
export async function runScrubBench(given: {
  readonly say: (line: string) => void
  readonly seconds?: number
}): Promise<{ table: string; json: object }> {
  const { say, seconds = 60 } = given
  const executablePath = findChromium()
  if (executablePath === null) throw new Error(NO_CHROMIUM)
  const root = await mkdtemp(join(tmpdir(), 'cutroom-scrub-'))
  try {
    say(`scrub: a source of ${seconds} s, and two cuts of it`)
    const source = join(root, 'source.mp4')
    await makeSource(source, seconds)
    const files = await makeCuts(root, source, seconds)
    const server = await serveFiles(files)
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    try {
      const page = await browser.newPage()
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await page.goto(base)
      const rows: Record<string, object> = {}
      const lines: string[] = []
      for (const { name, bytes, madeInSeconds } of files) {
        const times = await seekTimes(page, `${base}/${name}`, seconds)
        const at = (share: number): number => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0)
        const megabytes = Math.round(bytes / 1e5) / 10
        const figures = { p50: at(0.5), p95: at(0.95), worst: at(1), megabytes }
        rows[name] = { ...figures, madeInSeconds: Math.round(madeInSeconds * 10) / 10 }
        lines.push(
          `${name.padEnd(8)} p50 ${figures.p50} ms, p95 ${figures.p95} ms, worst ${figures.worst} ms; ` +
            `${megabytes} MB, made in ${madeInSeconds.toFixed(1)} s`,
        )
      }
      return { table: lines.join('\n'), json: { name: 'scrub', seconds, limitMs: LIMIT_MS, files: rows } }
    } finally {
      await browser.close()
      server.close()
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
