/** The shell's own settings, kept beside the window's data. Those of the appliance are on the studio's Settings page. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

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
    return DEFAULT_SETTINGS // never written, or by hand and wrong: nothing in it is worth not starting for
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
