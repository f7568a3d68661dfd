/** The server and the studio go before: whoever asks something waits for no render. */
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

/** This process, the threads that it starts from now on, and the tools that they start. */
export function lowerPriority(): void {
  try {
    setPriority(PRIORITY)
  } catch (error) {
    // Without the right to do so it works as it is.
    process.stderr.write(`the engine keeps the priority that it has: ${String(error)}\n`)
  }
}

/**
 * A tool that leads a session of its own. Linux may share the processor out between sessions first and look at priorities
 * within each only after that (https://man7.org/linux/man-pages/man7/sched.7.html, "The autogroup feature"): the session
 * has to step back as well.
 */
export function lowerToolPriority(pid: number): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY))
  } catch (error) {
    // The kernel has no such feature, was asked too often in a moment, or the tool is gone: its own priority is low already.
    const { code } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'EAGAIN', 'ESRCH', 'EACCES', 'EPERM', 'EIO', 'EROFS'].includes(code ?? '')) throw error
  }
}
