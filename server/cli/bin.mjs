#!/usr/bin/env node
/**
 * The `cutroom` program. Plain JavaScript that even an old Node reads: finds a Node that can run the appliance, sees to
 * the build, then hands over to the bundled command line.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { setInterval, setTimeout } from 'node:timers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { collectSteadily, continueWithSteadyMemory, NODE_FLAGS, withSteadyMemory } from '../steady-memory.mjs'

/** The database's native code crashes on anything older. */
const OLDEST_MAJOR = 22
const here = dirname(fileURLToPath(import.meta.url))
/** They go on until they are stopped. */
const LASTING = ['serve', 'start', 'worker', 'mcp']
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/** The Node that package-lock.json pins for this platform; null where there is none. */
function pinnedNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(program) ? program : null
  } catch {
    return null // not a platform that it is pinned for
  }
}

/** Runs this file again under `program`; ends as it ends. Signals pass through, and neither outlives the other. */
function runUnder(program) {
  const words = [...NODE_FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(program, words, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...withSteadyMemory(process.env), CUTROOM_DIES_WITH_PARENT: '1' },
  })
  // A terminal sends Ctrl-C to both; the child treats a second signal of the same kind within a moment as one.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`cutroom: ${program} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    for (const name of SIGNALS) process.removeAllListeners(name)
    process.kill(process.pid, signal)
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 200)
  })
}

/**
 * npm and npx run programs under a shell that does not pass signals on: whoever stops `npm run serve` would leave the
 * appliance running with nobody to stop it. Losing the parent then means SIGTERM.
 */
function stopWithNpm() {
  const parent = process.ppid
  if (process.env.npm_command === undefined || parent === 1 || process.platform === 'win32') return
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}

async function runHere() {
  if (LASTING.includes(process.argv[2])) {
    continueWithSteadyMemory(fileURLToPath(import.meta.url))
    collectSteadily()
  }
  if (process.env.CUTROOM_DIES_WITH_PARENT === '1') {
    delete process.env.CUTROOM_DIES_WITH_PARENT
    // Whoever kills the outer process means this one: without this it would go on unseen.
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
    process.channel?.unref()
  }
  stopWithNpm()
  const { ensureBuild } = await import('./ensure-build.mjs')
  ensureBuild()
  await import(pathToFileURL(join(here, '..', '..', 'out', 'main', 'cli.js')).href)
}

if (Number(process.versions.node.split('.')[0]) >= OLDEST_MAJOR) {
  runHere().catch((error) => {
    process.stderr.write(`cutroom: ${error.message}\n`)
    process.exitCode = 1
  })
} else {
  const program = pinnedNode()
  if (program === null || process.env.CUTROOM_DIES_WITH_PARENT === '1') {
    process.stderr.write(
      `cutroom: this is Node ${process.versions.node}; Node ${OLDEST_MAJOR} or newer is needed on this platform.\n`,
    )
    process.exitCode = 1
  } else runUnder(program)
}
