/**
 * What a render holds in memory by the length of its source: `npm run bench -- render-memory`. The last stretch of sources of ten
 * minutes and of hours, with everything that a clip can have, and the most that ffmpeg held at once. Three minutes.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frameToTicks } from '../../server/contract/time.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import type { ToolPaths } from '../../workers/protocol.ts'
import { descendantsOf } from '../support/appliance.ts'
import { listInstalledFfmpegs } from '../support/installed-ffmpegs.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { makeMaterial, renderComposition } from './render.ts'
import { FROM_SECONDS, RATE, stackComposition, type StackMaterial } from './render-stacks.ts'
import { speedBench } from './report.ts'

const TITLE = 'Memory of a render, by the length of its source'
const MINUTES = [10, 60, 240] as const
const PIECE_SECONDS = 60
const CLIP_SECONDS = 15
/** How often the processes are looked at. */
const LOOK_MS = 50
/** What a render of the longest may hold over that of the shortest, beside what opening the file takes: its index is as long as it is. */
const MOST = 1.05

/** MB. */
interface Figure {
  readonly render: number
  /** Of the same ffmpeg reading a second of the same stretch and doing nothing else. */
  readonly opened: number
}

export async function runRenderMemoryBench({ say }: { say: (line: string) => void }) {
  if (process.platform !== 'linux')
    return speedBench('render-memory', { title: TITLE, tables: [], unmeasured: ['it reads /proc'] }, {})
  const root = await mkdtemp(join(tmpdir(), 'cutroom-bench-memory-'))
  try {
    const piece = join(root, 'piece.mp4')
    await makePiece(piece)
    const material = await makeMaterial(root, 1080, CLIP_SECONDS)
    const newest = listInstalledFfmpegs().at(-1)
    const builds: { name: string; tools: ToolPaths }[] = [
      { name: 'bundled', tools: bundledTools() },
      ...(newest === undefined
        ? []
        : [{ name: 'newest', tools: { ...bundledTools(), ffmpeg: newest.path } }]),
    ]
    const figures: { name: string; figures: Figure[] }[] = builds.map(({ name }) => ({ name, figures: [] }))
    for (const minutes of MINUTES) {
      const source = join(root, 'source.mp4')
      await repeat(piece, minutes, source)
      for (const [index, { name, tools }] of builds.entries()) {
        const megabytes = await peakOf(() => render({ source, minutes, material, root, tools }))
        const opened = await peakOf(() => read(source, minutes, tools))
        say(`${name}, ${minutes} minutes: ${megabytes.toFixed(0)} MB, opened ${opened.toFixed(0)} MB`)
        figures[index]?.figures.push({ render: megabytes, opened })
      }
    }
    return report(figures)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function makePiece(file: string): Promise<void> {
  const picture = `testsrc2=s=1920x1080:r=30:d=${PIECE_SECONDS}`
  const sound = `sine=f=220:d=${PIECE_SECONDS}:beep_factor=4,volume=0.4`
  const encoder = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '38', '-g', '60']
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
  const args = [['-v', 'error', '-y'], inputs, encoder, ['-c:a', 'aac', file]].flat()
  await runTool({ executable: bundledTools().ffmpeg, args })
}

/** A file of so many minutes, without encoding them. */
async function repeat(piece: string, minutes: number, file: string): Promise<void> {
  const times = String((minutes * 60) / PIECE_SECONDS - 1)
  const args = ['-v', 'error', '-y', '-stream_loop', times, '-i', piece, '-c', 'copy', file]
  await runTool({ executable: bundledTools().ffmpeg, args })
}

async function read(source: string, minutes: number, { ffmpeg }: ToolPaths): Promise<void> {
  // At the pace of the film, so that it is looked at often enough.
  const input = ['-ss', String(minutes * 60 - CLIP_SECONDS), '-re', '-t', '1', '-i', source]
  const args = [['-v', 'error'], input, ['-f', 'null', '-']].flat()
  await runTool({ executable: ffmpeg, args, timeoutSeconds: 60 })
}

interface Rendered {
  readonly source: string
  readonly minutes: number
  readonly material: StackMaterial
  readonly root: string
  readonly tools: ToolPaths
}

async function render({ source, minutes, material, root, tools }: Rendered): Promise<void> {
  const full = stackComposition('full', material)
  const later = frameToTicks((minutes * 60 - CLIP_SECONDS - 2 * FROM_SECONDS) * RATE.numerator, RATE)
  const timeMap = full.timeMap.map((span) => ({
    ...span,
    sourceStart: span.sourceStart + later,
    sourceEnd: span.sourceEnd + later,
  }))
  const duration = frameToTicks(minutes * 60 * RATE.numerator, RATE)
  const composition = { ...full, timeMap, source: { ...full.source, duration } }
  await renderComposition(composition, { source, folder: root, tools })
}

/** The most that what `work` starts held at once, MB. */
async function peakOf(work: () => Promise<void>): Promise<number> {
  let most = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, heldByTools())
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await watching
  }
  return most
}

/** Resident memory of what this process has started, MB. */
function heldByTools(): number {
  return descendantsOf(process.pid).reduce((sum, id) => sum + residentMegabytes(id), 0)
}

function residentMegabytes(id: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has ended since the list was made.
    return 0
  }
}

function report(builds: readonly { readonly name: string; readonly figures: readonly Figure[] }[]) {
  const growth = builds.map(({ figures }) => {
    const first = figures[0]
    const last = figures.at(-1)
    if (first === undefined || last === undefined) return NaN
    return (last.render - (last.opened - first.opened)) / first.render
  })
  const table = {
    title: 'The most that ffmpeg held at once, MB',
    columns: ['source', ...builds.flatMap(({ name }) => [name, `${name}, the file opened alone`])],
    rows: MINUTES.map((minutes, index) => [
      `${minutes} min`,
      ...builds.flatMap(({ figures }) =>
        [figures[index]?.render, figures[index]?.opened].map((value) => (value ?? NaN).toFixed(0)),
      ),
    ]),
    notes: [
      `The last ${CLIP_SECONDS} s of 1080p with everything that a clip can have, as in the section on renders; resident memory of ffmpeg, looked at every ${LOOK_MS} ms. The index of a file is as long as the file, whoever opens it. Without what that adds, the longest takes ${growth.map((value) => value.toFixed(2)).join(' and ')} of the shortest; at most ${MOST}.`,
    ],
  }
  const isMet = growth.every((value) => value <= MOST)
  return speedBench(
    'render-memory',
    {
      title: TITLE,
      tables: [table],
      unmeasured: builds.length === 1 ? ['no newer ffmpeg is installed'] : [],
    },
    { builds, growth, limit: MOST, isMet },
  )
}
