/** A share of the processor for a process and all that it starts, by Linux's control groups. For benches of several machines on one. */
import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The kernel counts in tenths of a second. */
const PERIOD_MICROSECONDS = 100_000
const OLD = '/sys/fs/cgroup/cpu'
const NEW = '/sys/fs/cgroup'

export interface CpuShare {
  /** Holds the process to the share, and what it starts from now on. */
  readonly add: (processId: number) => Promise<void>
  /** When all of its processes have ended. */
  readonly remove: () => Promise<void>
}

/** `cores`: how many cores' time, such as 0.5. Rejects where this user may not make control groups. */
export async function makeCpuShare(name: string, cores: number): Promise<CpuShare> {
  const quota = Math.round(cores * PERIOD_MICROSECONDS)
  const isNew = existsSync(join(NEW, 'cgroup.subtree_control'))
  const folder = join(isNew ? NEW : OLD, name)
  if (isNew) await writeFile(join(NEW, 'cgroup.subtree_control'), '+cpu')
  await mkdir(folder)
  if (isNew) await writeFile(join(folder, 'cpu.max'), `${quota} ${PERIOD_MICROSECONDS}`)
  else {
    await writeFile(join(folder, 'cpu.cfs_period_us'), String(PERIOD_MICROSECONDS))
    await writeFile(join(folder, 'cpu.cfs_quota_us'), String(quota))
  }
  return {
    add: (processId) => writeFile(join(folder, 'cgroup.procs'), String(processId)),
    remove: () => rmdir(folder),
  }
}

/** Why no shares can be given here; null: they can. */
export async function whyNoCpuShares(): Promise<string | null> {
  try {
    const share = await makeCpuShare(`cutroom-trial-${process.pid}`, 1)
    await share.remove()
    return null
  } catch (error) {
    return `no share of the processor could be given to a node (${error instanceof Error ? error.message : String(error)})`
  }
}
