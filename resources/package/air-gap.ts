/** The bundle for machines without internet: packages, models, an installer, checksums of all of it, and a signature. */
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { MODELS_FOLDER, SIGNATURE_FILE, CHECKSUMS_FILE, formatChecksums } from '../../models/bundle.ts'
import { readManifest, type ManifestModel } from '../../models/manifest.ts'
import { folderEntries, tarStream, sha256Of, writeWhole } from './archive.ts'

export interface BundleOrder {
  /** Package files that go in. */
  readonly parts: readonly string[]
  /** A models folder. */
  readonly models: string
  /** PEM file of an Ed25519 private key; null: not signed. */
  readonly key: string | null
  readonly seconds: number
  /** An existing folder for what is made on the way. */
  readonly work: string
  /** For tests; default: the models that Cutroom knows. */
  readonly manifest?: readonly ManifestModel[]
}

/** Makes the bundle (a plain tar: what is in it is compressed or does not compress). Names the models that it holds. */
export async function makeBundle(order: BundleOrder, file: string): Promise<readonly string[]> {
  const key = order.key === null ? null : readPrivateKey(order.key)
  const name = basename(file, '.tar')
  const folder = join(order.work, name)
  mkdirSync(folder, { mode: 0o755 })
  const models = copyModels(order.manifest ?? readManifest(), order.models, join(folder, MODELS_FOLDER))
  if (models.length === 0)
    throw new Error(`No model that Cutroom knows lies whole in ${order.models}; see: cutroom models list`)
  for (const part of order.parts) cpSync(part, join(folder, basename(part)))
  for (const part of ['install.sh', 'air-gap.txt']) {
    const target = join(folder, part === 'air-gap.txt' ? 'README.txt' : part)
    copyFileSync(join(import.meta.dirname, part), target)
    chmodSync(target, part === 'install.sh' ? 0o755 : 0o644)
  }
  const sums = new Map<string, string>()
  for (const entry of await folderEntries(folder, '')) {
    if (entry.file !== null) sums.set(entry.name.slice(1), await sha256Of(entry.file))
  }
  const list = Buffer.from(formatChecksums(sums))
  writeFileSync(join(folder, CHECKSUMS_FILE), list, { mode: 0o644 })
  if (key !== null) writeFileSync(join(folder, SIGNATURE_FILE), sign(null, list, key), { mode: 0o644 })
  await writeWhole(tarStream(await folderEntries(folder, name), order.seconds), file)
  return models
}

function readPrivateKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new Error(
    `${file} is not an Ed25519 private key: openssl genpkey -algorithm ed25519 -out KEY.pem makes one.`,
  )
}

/** Copies every model whose files are all there; returns their names. */
function copyModels(manifest: readonly ManifestModel[], from: string, to: string): string[] {
  return manifest
    .filter((model) => {
      const folder = join(from, ...model.folder.split('/'))
      const files = model.files.map((item) => join(folder, ...item.path.split('/')))
      if (!files.every(isPlainFile)) return false
      for (const item of model.files) {
        const target = join(to, ...model.folder.split('/'), ...item.path.split('/'))
        mkdirSync(join(target, '..'), { recursive: true, mode: 0o755 })
        copyFileSync(join(folder, ...item.path.split('/')), target)
        chmodSync(target, 0o644)
      }
      return true
    })
    .map((model) => model.name)
}

function isPlainFile(path: string): boolean {
  try {
    return readdirSync(join(path, '..'), { withFileTypes: true }).some(
      (entry) => entry.name === basename(path) && entry.isFile(),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
