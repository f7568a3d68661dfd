/** kill -9 at random moments of a stage that keeps checkpoints: its result is that of an undisturbed attempt. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PIECE_POSITIONS } from '../../workers/stages/faces/watch-range.ts'
import { rounds, seeded } from './support/long.ts'

const shared = join(import.meta.dirname, '..', '..', '..', 'shared')
const models = join(shared, 'models')
const source = join(shared, 'media', 'moving_face_10s.mp4')
const present = existsSync(join(models, 'face')) && existsSync(source)
if (!present)
  console.log('interruptions: skipped, because the development media and models are not beside the project')

const SECONDS = 10
const MAX_KILLS = 5

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-interruptions-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** One life of the stage, killed that long after it began. Whether it ended by itself, and its checkpoints. */
async function live(folder: string, killAfterMs: number) {
  const program = join(import.meta.dirname, '..', 'support', 'faces-process.ts')
  const child = spawn(process.execPath, [program, folder, source, models, String(SECONDS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  let timer: NodeJS.Timeout | undefined
  let began: number | undefined
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    began ??= performance.now()
    if (killAfterMs < Infinity) timer ??= setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  if (code !== null) expect(code).toBe(0)
  const milliseconds = performance.now() - (began ?? 0)
  return { isEnded: code === 0, milliseconds, positions: said.trim().split('\n').slice(1).map(Number) }
}

const resultOf = (folder: string) =>
  Promise.all(['faces.json', 'boxes.json'].map((name) => readFile(join(folder, 'artefact', name), 'utf8')))

it.skipIf(!present).each(Array.from({ length: rounds(20) }, (_, round) => round + 1))(
  'faces, killed at random moments, comes to the same result, seed %i',
  async (seed) => {
    const chance = seeded(3000 + seed)
    const calm = join(root, `calm-${seed}`)
    const { milliseconds, isEnded, positions } = await live(calm, Infinity)
    expect(isEnded).toBe(true)
    expect(positions.filter((position) => position % PIECE_POSITIONS === 0)).toEqual(
      [1, 2, 3].map((piece) => piece * PIECE_POSITIONS),
    )

    const killed = join(root, `killed-${seed}`)
    const lives: number[][] = []
    for (let kills = 0; ; kills += 1) {
      const killAfterMs = kills < MAX_KILLS ? 0.8 * chance() * milliseconds : Infinity
      const { isEnded, positions } = await live(killed, killAfterMs)
      lives.push(positions)
      if (isEnded) break
    }
    console.log(`seed ${seed}: checkpoints of each life ${JSON.stringify(lives)}`)
    expect(lives.length).toBeGreaterThan(1)
    const all = lives.flat()
    expect(all, 'no checkpoint is made twice').toEqual([...new Set(all)])
    expect(await resultOf(killed)).toEqual(await resultOf(calm))
  },
  300_000,
)
