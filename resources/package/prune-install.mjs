/**
 * Runs after each install (`postinstall`). Two packages bring what this machine can never load, and npm has no way to leave
 * it out: onnxruntime-node the natives of every system (245 of 288 MB), node-* the C++ headers of Node (67 of 189 MB).
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '..', '..', 'node_modules')
const remove = (path) => rmSync(path, { recursive: true, force: true })

const natives = join(packages, 'onnxruntime-node', 'bin', 'napi-v6')
for (const system of existsSync(natives) ? readdirSync(natives) : []) {
  for (const cpu of readdirSync(join(natives, system)))
    if (system !== process.platform || cpu !== process.arch) remove(join(natives, system, cpu))
}
for (const name of existsSync(packages) ? readdirSync(packages) : [])
  if (/^node-(linux|win|darwin)-/.test(name)) remove(join(packages, name, 'include'))
