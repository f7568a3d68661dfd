/**
 * `npm run lock:engines`, after each change of package-lock.json: takes `engines` out of the locks' entries. npm compares them
 * with the Node that npm runs on (20.19 or newer will do), and warned of those that never run on it: everything
 * runs on the Node that is pinned as a package. Our own `engines` stays, and is compared with npm's Node as before.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** package-lock.json files whose entries run on our pinned Node. */
export const LOCKS = ['package-lock.json', 'test/pds/package-lock.json']

interface Lock {
  readonly packages: Record<string, { engines?: unknown }>
}

/** Names of the entries that still have `engines`; the root's own is left alone. */
export const withEngines = ({ packages }: Lock): string[] =>
  Object.keys(packages).filter((path) => path !== '' && packages[path]?.engines !== undefined)

export const readLock = (file: string): Lock => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Lock

if (process.argv[1] === import.meta.filename) {
  for (const file of LOCKS) {
    const lock = readLock(file)
    const found = withEngines(lock)
    for (const path of found) delete lock.packages[path]?.engines
    writeFileSync(join(ROOT, file), `${JSON.stringify(lock, null, 2)}\n`)
    console.log(`${file}: engines of ${found.length} packages taken out`)
  }
}
