/** The folder that finished clips are copied to: tried before the work of minutes is begun, not after it. */
import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../contract/errors.ts'

/** Its whole path; it is there then. Throws INVALID_REQUEST where nothing can be written. */
export async function outFolder(given: string): Promise<string> {
  const folder = resolve(given)
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
    return folder
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('INVALID_REQUEST', {
      message: `Clips cannot be copied to ${folder}: ${why}. Name another folder with --out.`,
      cause,
    })
  }
}
