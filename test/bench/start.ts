/** How soon an appliance answers, and how much memory it holds when it has nothing to do. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cutroom, serve } from '../support/appliance-process.ts'
import { median } from './measure/spread.ts'

const LISTENING_LIMIT_MS = 1500
const IDLE_LIMIT_MB = 150
const SETTLE_MS = 5000

/** First start of an empty home, then `rounds` starts of the same home; medians. */
export async function runStartBench(options: { rounds?: number; say?: (line: string) => void } = {}) {
  const { rounds = 5, say = () => undefined } = options
  const home = await mkdtemp(join(tmpdir(), 'cutroom-bench-start-'))
  try {
    // The build is not part of a start.
    await cutroom(['--version'])
    const first = await serve(home)
    await pause(SETTLE_MS)
    const idleMb = await residentMb(first.pid)
    const stop = await first.stop()
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const appliance = await serve(home)
      times.push(appliance.startedInMs)
      say(`round ${round + 1}: ${appliance.startedInMs.toFixed(0)} ms`)
      await appliance.stop()
    }
    const floorMs = await bareNodeMs()
    const again = median(times)
    const json = {
      name: 'start',
      milliseconds: {
        first: Math.round(first.startedInMs),
        again: Math.round(again),
        stop: Math.round(stop.milliseconds),
      },
      idleMb: Math.round(idleMb),
      ratios: { againOverBareNode: Number((again / floorMs).toFixed(2)) },
      limits: { listeningMs: LISTENING_LIMIT_MS, idleMb: IDLE_LIMIT_MB },
    }
    return {
      json,
      table: [
        `first start of an empty home   ${first.startedInMs.toFixed(0)} ms   (limit ${LISTENING_LIMIT_MS})`,
        `start of a home that is there  ${again.toFixed(0)} ms   ${json.ratios.againOverBareNode} x a bare node that listens (${floorMs.toFixed(0)} ms)`,
        `idle, resident                 ${idleMb.toFixed(0)} MB   (limit ${IDLE_LIMIT_MB})`,
        `stop by SIGTERM                ${stop.milliseconds.toFixed(0)} ms`,
      ].join('\n'),
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** The floor: a Node process that opens a socket and does nothing else. */
async function bareNodeMs(): Promise<number> {
  const { execFileSync } = await import('node:child_process')
  const program = `const s=require('node:http').createServer().listen(0,'127.0.0.1',()=>s.close())`
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now()
    execFileSync(process.execPath, ['-e', program])
    return performance.now() - started
  })
  return median(times)
}
