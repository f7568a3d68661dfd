/** `npm run sbom`: writes out/sbom/cutroom-VERSION.cdx.json; fails where a licence may not be shipped. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal } from './licences.ts'
import { makeSbom } from './sbom.ts'
import { shippedPackages } from './shipped.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

const refused = shippedPackages(ROOT).flatMap((one) => refusal(one) ?? [])
const sbom = makeSbom(ROOT)
const folder = join(ROOT, 'out', 'sbom')
const file = join(folder, `cutroom-${sbom.metadata.component.version ?? ''}.cdx.json`)
mkdirSync(folder, { recursive: true })
writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
process.stdout.write(`${file}: ${sbom.components.length} components\n`)
for (const why of refused) process.stderr.write(`${why}: see resources/package/supply/licences.ts\n`)
process.exitCode = refused.length === 0 ? 0 : 1
