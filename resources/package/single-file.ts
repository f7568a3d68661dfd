/**
 * One file that runs: a shell text, then Node (gzip, which every Linux can read), then the rest as a tar in zstd, which
 * that Node unpacks. Why not Node's own single executables: docs/decisions/0031.
 */
import { createReadStream, createWriteStream, readFileSync, renameSync, statSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { folderEntries, tarStream, sha256Of, writeWhole, zstd } from './archive.ts'
import type { Staged } from './stage.ts'

export interface LauncherFacts {
  readonly version: string
  readonly cpu: 'x64' | 'arm64'
  readonly nodeBytes: number
  readonly nodeSha256: string
  readonly payloadSha256: string
}

/** The text that the file begins with; it knows where, after itself, the two parts lie. */
function launcherText(template: string, unpack: string, facts: LauncherFacts): string {
  const fill = (length: number): string => {
    const values: Readonly<Record<string, string>> = {
      VERSION: facts.version,
      CPU: facts.cpu,
      MACHINE: facts.cpu === 'x64' ? 'x86_64' : 'aarch64',
      // For `tail -c +N`, which counts from one.
      NODE_AT: String(length + 1),
      NODE_BYTES: String(facts.nodeBytes),
      NODE_SHA: facts.nodeSha256,
      PAYLOAD_AT: String(length + facts.nodeBytes),
      PAYLOAD_SHA: facts.payloadSha256,
      PAYLOAD_SHA16: facts.payloadSha256.slice(0, 16),
      UNPACK: unpack.trimEnd(),
    }
    return template.replace(/@([A-Z_0-9]+)@/g, (whole, name: string) => values[name] ?? whole)
  }
  // The text's length depends on how many digits its own length has.
  let text = fill(0)
  for (let length = 0; length !== Buffer.byteLength(text); text = fill(length))
    length = Buffer.byteLength(text)
  return text
}

/** Makes the file. `work`: an empty folder for its parts. */
export async function makeSingleFile(
  staged: Staged,
  work: string,
  file: string,
  { seconds, level }: { readonly seconds: number; readonly level: number },
): Promise<void> {
  const node = join(work, 'node.gz')
  const payload = join(work, 'payload.tar.zst')
  const program = join(staged.folder, 'bin', 'node')
  await writeWhole(createReadStream(program), node, [createGzip({ level: level > 9 ? 9 : 6 })])
  const all = await folderEntries(staged.folder, 'app')
  const rest = all
    .filter(({ name }) => name !== 'app/' && name !== 'app/bin/node')
    .map((entry) => ({ ...entry, name: entry.name.slice('app/'.length) }))
  const { sha256 } = await writeWhole(tarStream(rest, seconds), payload, [zstd(level)])
  const text = launcherText(readPart('launcher.sh'), readPart('unpack.mjs'), {
    version: staged.version,
    cpu: staged.target.cpu,
    nodeBytes: statSync(node).size,
    nodeSha256: await sha256Of(program),
    payloadSha256: sha256,
  })
  await pipeline(inOrder(text, [node, payload]), createWriteStream(`${file}.part`))
  await chmod(`${file}.part`, 0o755)
  renameSync(`${file}.part`, file)
  await Promise.all([node, payload].map((part) => rm(part)))
}

async function* inOrder(text: string, files: readonly string[]): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
  for (const file of files) for await (const chunk of createReadStream(file)) yield chunk as Buffer
}

function readPart(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}
