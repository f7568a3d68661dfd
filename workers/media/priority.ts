/** Lowers the priority of work in the background, so that requests to the server and the studio do not wait for renders. */
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

/** Lowers the priority of this process, of threads started from now on, and of the tools that they start. */
export function lowerPriority(): void {
  try {
    setPriority(PRIORITY)
  } catch (error) {
    // If the system does not permit it, work continues with the normal priority.
    process.stderr.write(`the priority of the engine could not be lowered: ${String(error)}\n`)
  }
}

/**
 * Lowers the priority of a tool that leads a session of its own. Linux may divide processor time between sessions first and
 * consider priorities only within each (https://man7.org/linux/man-pages/man7/sched.7.html, "The autogroup feature"), so
 * the priority of the session has to be lowered as well.
 */
export function lowerToolPriority(pid: number): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY))
  } catch (error) {
    // The kernel lacks the feature, limits the rate of such calls, or the tool is gone: its own priority is low already.
    const { code } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'EAGAIN', 'ESRCH', 'EACCES', 'EPERM', 'EIO', 'EROFS'].includes(code ?? '')) throw error
  }
}
