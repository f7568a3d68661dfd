/** What the appliance says, kept in a file that people can find; three older ones are kept beside it. */
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MAX_BYTES = 5 * 1024 ** 2
const OLDER = 3

/** Answers what writes a line. A disk that is full or gone must not end the shell: the line is then lost. */
export function createLogFile(folder: string, mostBytes = MAX_BYTES): (line: string) => void {
  const file = join(folder, 'appliance.log')
  const older = (index: number): string => join(folder, `appliance.${index}.log`)
  return (line) => {
    // The first start says an API key, once; it is not for a file.
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
      process.stderr.write(`${line}\n(not kept: ${error instanceof Error ? error.message : 'unknown'})\n`)
    }
  }
}
