/**
 * What a worker node may have: the inputs of the tasks that it holds now, and a place for their results. Anything else is
 * refused in the same words, whether it is there or not.
 */
import type { WorkerTake } from '../../contract/tenant-api/worker.ts'
import { AppError } from '../../contract/errors.ts'
import type { HeldTask } from '../../jobs/jobs.ts'
import type { ServiceIdentity } from '../access/service-tokens.ts'
import type { Services } from '../services.ts'

type Deps = Pick<Services, 'jobs'>

/** One node, as its token says; nodes of an outside provider are told apart by their subjects. */
const holderOf = ({ issuer, subject, node }: ServiceIdentity): string =>
  JSON.stringify([issuer, subject, node?.id ?? null])

const notHeld = (): AppError =>
  new AppError('INVALID_STATE', { message: 'No task that you hold now has anything to do with this.' })

/** INVALID_STATE when the task is not out (yet, after a restart), or the queue does not know that lock. */
export async function takeTask(
  { jobs }: Deps,
  service: ServiceIdentity,
  asked: WorkerTake,
): Promise<{ held: true }> {
  if ((await jobs.nodes?.take(holderOf(service), asked)) === true) return { held: true }
  throw new AppError('INVALID_STATE', {
    message: 'This task is not out now, or you do not hold it in the queue.',
  })
}

async function requireHeld(
  { jobs }: Deps,
  service: ServiceIdentity,
  fits: (task: HeldTask) => boolean,
): Promise<void> {
  const held = (await jobs.nodes?.heldBy(holderOf(service))) ?? []
  if (!held.some(fits)) throw notHeld()
}

/** Throws INVALID_STATE unless the stored file is an input of a task that this node holds. */
export const requireSource = (services: Deps, service: ServiceIdentity, digest: string): Promise<void> =>
  requireHeld(services, service, ({ sources }) => sources.has(digest))

/** INVALID_STATE unless a task that this node holds works on that result, or makes it. */
export const requireResult = (
  services: Deps,
  service: ServiceIdentity,
  { stage, key }: { readonly stage: string; readonly key: string },
): Promise<void> => requireHeld(services, service, ({ results }) => results.has(`${stage}/${key}`))

/** Throws INVALID_STATE unless this node holds the task with this result. */
export const requireTask = (
  services: Deps,
  service: ServiceIdentity,
  { stage, key }: { readonly stage: string; readonly key: string },
): Promise<void> => requireHeld(services, service, (task) => task.stage === stage && task.key === key)

/** INVALID_STATE unless this node holds any task: files come before the result that names them. */
export const requireAnyTask = (services: Deps, service: ServiceIdentity): Promise<void> =>
  requireHeld(services, service, () => true)
