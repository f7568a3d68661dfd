/** Whether this machine makes the same results as its appliance. */
import type { WorkerWelcome } from '../contract/tenant-api/worker.ts'
import { AppError } from '../contract/errors.ts'

const refuse = (message: string): AppError => new AppError('INVALID_CONFIGURATION', { message })

/** The same key must mean the same result, wherever it is made. Throws INVALID_CONFIGURATION that says what differs. */
export function refuseIfOther(
  appliance: Pick<WorkerWelcome, 'stages' | 'toolsFingerprint'>,
  here: Pick<WorkerWelcome, 'stages' | 'toolsFingerprint'>,
): void {
  const names = new Set([...Object.keys(appliance.stages), ...Object.keys(here.stages)])
  const other = [...names].find((stage) => appliance.stages[stage] !== here.stages[stage])
  if (other !== undefined)
    throw refuse(
      `This machine has another version of Cutroom than the appliance (they differ in "${other}"): install the same one.`,
    )
  if (appliance.toolsFingerprint !== here.toolsFingerprint)
    throw refuse(
      'This machine has another build of ffmpeg than the appliance, which would make other results: point CUTROOM_FFMPEG and CUTROOM_FFPROBE at the same build on both.',
    )
}
