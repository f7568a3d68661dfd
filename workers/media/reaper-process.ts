/**
 * The reaper's program: reads `start PID` and `end PID` lines and, when its stdin closes, kills the process groups that
 * have not ended; `reap` does so at once. It is a process of its own (see reaper.ts) and imports nothing else of Cutroom.
 */
const alive = new Set<number>()
let rest = ''

function handleLine(line: string): void {
  if (line === 'reap') return reap()
  const match = /^(start|end) (\d+)$/.exec(line)
  const pid = Number(match?.[2])
  // Group 0 is our own, and group 1 belongs to the system.
  if (match === null || !Number.isSafeInteger(pid) || pid <= 1) return
  if (match[1] === 'start') alive.add(pid)
  else alive.delete(pid)
}

function reap(): void {
  for (const pid of alive) {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The group has ended in the meantime.
      alive.delete(pid)
    }
  }
  process.exit(0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The reaper must outlive its engine, so signals to the group are ignored.
  process.on(signal, () => undefined)
}
process.stdin.on('data', (chunk: Buffer) => {
  const lines = (rest + chunk.toString('latin1')).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) handleLine(line)
})
process.stdin.on('end', reap)
process.stdin.on('error', reap)
