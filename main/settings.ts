/** The shell's own settings, kept beside the window's data. Those of the appliance are on the studio's Settings page. */
import {
  readFileSync,
  renameSync,
  writeFileSync,
  appendFileSync,
  existsSync,
  mkdirSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

export interface ShellSettings {
  /** Show a notification when a run or a render ends while the window is not in front. */
  readonly notifications: boolean
  /**
   * Where `latest.json` lies that says which version is newest; null, the default: no requests are made. Set in the file by whoever
   * administers the machine.
   */
  readonly updateAddress: string | null
}

export const DEFAULT_SETTINGS: ShellSettings = { notifications: true, updateAddress: null }

/** The settings in `file`; what is missing or not understood is as by default. */
export function readSettings(file: string): ShellSettings {
  let read: Partial<Record<keyof ShellSettings, unknown>>
  try {
    read = (JSON.parse(readFileSync(file, 'utf8')) ?? {}) as typeof read
  } catch {
    return DEFAULT_SETTINGS // Missing or not JSON: the shell starts with the defaults.
  }
  const { notifications, updateAddress } = read
  const isAddress =
    typeof updateAddress === 'string' && URL.canParse(updateAddress) && /^https?:/.test(updateAddress)
  return {
    notifications: typeof notifications === 'boolean' ? notifications : DEFAULT_SETTINGS.notifications,
    updateAddress: isAddress ? updateAddress.replace(/\/+$/, '') : null,
  }
}

export function writeSettings(file: string, settings: ShellSettings): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

const MAX_BYTES = 5 * 1024 ** 2
const OLDER = 3

/** Returns the function that writes a line. A full or missing disk loses the line instead of ending the shell. */
export function createLogFile(folder: string, mostBytes = MAX_BYTES): (line: string) => void {
  const file = join(folder, 'appliance.log')
  const older = (index: number): string => join(folder, `appliance.${index}.log`)
  return (line) => {
    // The first start prints an API key once; it must not be stored in a file.
    if (line.includes('"first-start"')) return
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (existsSync(file) && statSync(file).size + line.length > mostBytes) {
        for (let index = OLDER - 1; index >= 1; index -= 1)
          if (existsSync(older(index))) renameSync(older(index), older(index + 1))
        renameSync(file, older(1))
      }
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
    } catch (error) {
      process.stderr.write(`${line}\n(not stored: ${error instanceof Error ? error.message : 'unknown'})\n`)
    }
  }
}
