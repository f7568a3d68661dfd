/** What this appliance is, from its package.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applicationRoot } from '../config/config.ts'

export function version(): string {
  const manifest = JSON.parse(readFileSync(join(applicationRoot(), 'package.json'), 'utf8')) as {
    version: string
  }
  return manifest.version
}
