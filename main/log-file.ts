/** Writes the appliance's log to a file; three older files are kept beside it. */
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

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
