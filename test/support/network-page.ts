/** Writes docs/network.md from the registry of what may leave: `node test/support/network-page.ts`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { networkPage } from '../../server/domain/network/outbound.ts'

writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'network.md'), networkPage())
