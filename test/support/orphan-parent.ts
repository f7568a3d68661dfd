/**
 * A stand-in for the engine: a reaper, and a thread that runs a tool for ever. Tells when it runs; then is killed.
 */
import { isMainThread, Worker } from 'node:worker_threads'
import { runTool } from '../../workers/media/run-tool.ts'
import { startReaper } from '../../workers/media/reaper.ts'

if (isMainThread) {
  const reaper = startReaper(new URL('../../workers/media/reaper-process.ts', import.meta.url).pathname)
  process.stdout.write(`reaper ${reaper.pid ?? 0}\n`)
  new Worker(new URL(import.meta.url))
} else {
  const mark = `orphan of ${process.pid}`
  const endless = `process.stdout.write("${mark}"); process.on("SIGTERM", () => 0); setInterval(() => 0, 1000)`
  await runTool({
    executable: process.execPath,
    args: ['-e', endless],
    onStdout: () => void process.stdout.write('tool runs\n'),
  })
}
