/** Installs models from their published addresses, or from a folder or archive for computers without internet. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import type { KeyObject } from 'node:crypto'
import { AppError } from '../server/contract/errors.ts'
import { findBundleFolder, verifyBundle, MODELS_FOLDER } from './bundle.ts'
import { checkModelFile } from './check-file.ts'
import { download } from './download.ts'
import { readRecord, recordFile, type InstallRecord } from './installed.ts'
import { manifestModel, readManifest, type ManifestModel, type ModelFile } from './manifest.ts'
import { isArchive, unpackArchive } from './unpack.ts'

export interface InstallOptions {
  /** The models folder to install into, usually the one in the home; each model gets a folder below it. */
  readonly targetFolder: string
  readonly signal?: AbortSignal
  /** Fraction from 0 to 1, and a note about the current step. */
  readonly onProgress?: (fraction: number, note: string) => void
  readonly dispatcher?: Dispatcher
  /** When set, only a bundle signed with this key is installed. */
  readonly publicKey?: KeyObject
  /** For tests; default: the list in manifest.json. */
  readonly manifest?: readonly ManifestModel[]
}

export interface Installed {
  readonly model: string
  readonly folder: string
  readonly bytes: number
  /** Number of files that were already present and intact. */
  readonly kept: number
}

/** Downloads the missing and damaged files of a model. Throws MODEL_NOT_INSTALLED, DISK_FULL or CANCELLED. */
export async function installModel(name: string, options: InstallOptions): Promise<Installed> {
  const model = wanted(name, options)
  const folder = join(options.targetFolder, ...model.folder.split('/'))
  const record = await readRecord(folder, model.name)
  const installed: InstallRecord['files'] = []
  let alreadyPresent = 0
  for (const [index, file] of model.files.entries()) {
    const recorded = record?.files.find((item) => item.path === file.path)?.sha256 ?? null
    const there = await checkModelFile(join(folder, file.path), file, recorded)
    if (there.ok) {
      alreadyPresent += 1
      installed.push({ path: file.path, bytes: there.bytes, sha256: there.sha256 })
      continue
    }
    installed.push(await fetchFile(model, file, folder, options, index))
  }
  await writeRecord(folder, { name: model.name, files: installed })
  options.onProgress?.(1, `${model.title} is installed`)
  return {
    model: name,
    folder,
    bytes: installed.reduce((sum, file) => sum + file.bytes, 0),
    kept: alreadyPresent,
  }
}

function wanted(name: string, options: InstallOptions): ManifestModel {
  const list = options.manifest ?? readManifest()
  const model = list.find((item) => item.name === name)
  if (model !== undefined) return model
  const names = list.filter((item) => item.development !== true).map((item) => item.name)
  throw new AppError('MODEL_NOT_INSTALLED', {
    message: `There is no model "${name}". Known models: ${names.join(', ')}.`,
  })
}

/** `12.9 MB`. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

async function fetchFile(
  model: ManifestModel,
  file: ModelFile,
  folder: string,
  options: InstallOptions,
  index: number,
): Promise<InstallRecord['files'][number]> {
  if (file.url === null) {
    throw new AppError('MODEL_NOT_INSTALLED', {
      message: `${model.title} has no public address; install it with: cutroom models install ${model.name} --from FOLDER`,
    })
  }
  const partial = join(options.targetFolder, '.partial', model.name, `${file.path}.part`)
  const { url } = file
  await download({
    url,
    partial,
    signal: options.signal ?? new AbortController().signal,
    onBytes: (done, total) => {
      const all = file.bytes ?? total
      const share = (index + (all > 0 ? Math.min(1, done / all) : 0.5)) / model.files.length
      const of = all > 0 ? ` of ${megabytes(all)}` : ''
      options.onProgress?.(share, `${file.path}, ${megabytes(done)}${of}`)
    },
    failure: (why, cause) =>
      new AppError('MODEL_NOT_INSTALLED', {
        message: `${why} Try again, or fetch the files elsewhere and use: cutroom models install --from FOLDER`,
        details: { url },
        cause,
      }),
    ...(options.dispatcher === undefined ? {} : { dispatcher: options.dispatcher }),
  })
  const fetched = await checked(partial, file, `the copy from ${new URL(url).host}`)
  await moveInto(partial, join(folder, file.path))
  return fetched
}

/** Checks a copy in our own folder and removes it if it is bad. Throws MODEL_NOT_INSTALLED. */
async function checked(copy: string, file: ModelFile, from: string): Promise<InstallRecord['files'][number]> {
  const found = await checkModelFile(copy, file)
  if (found.ok) return { path: file.path, bytes: found.bytes, sha256: found.sha256 }
  await rm(copy, { force: true })
  throw new AppError('MODEL_NOT_INSTALLED', {
    message: `${file.path} was not installed: ${from} is no good, ${found.why}.`,
    details: { file: file.path },
  })
}

async function moveInto(copy: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await rename(copy, target)
}

async function writeRecord(folder: string, record: InstallRecord): Promise<void> {
  await mkdir(folder, { recursive: true })
  const temporary = `${recordFile(folder, record.name)}.${process.pid}`
  await writeFile(temporary, JSON.stringify(record, null, 2))
  await rename(temporary, recordFile(folder, record.name))
}

/**
 * Installs from a folder or a .tar, .tar.gz, .tgz or .zip: the named models or, without names, every model that is complete
 * in it. Files may lie as in a models folder (`asr/whisper-base/...`), in a folder named after the model or its repository,
 * or directly. An air-gap bundle is verified completely before anything is installed. Throws MODEL_NOT_INSTALLED when no
 * model is found, when a named one is missing or damaged, or when a bundle does not match its checksums.
 */
export async function installFrom(
  path: string,
  names: readonly string[],
  options: InstallOptions,
): Promise<Installed[]> {
  const facts = await stat(path).catch(() => null)
  if (facts === null) throw new AppError('MODEL_NOT_INSTALLED', { message: `${path} does not exist.` })
  if (facts.isDirectory()) return installFromFolder(await checkedRoot(path, options), names, options)
  if (!isArchive(path)) {
    throw new AppError('MODEL_NOT_INSTALLED', {
      message: `${basename(path)} is not a folder, a .tar, a .tar.gz or a .zip; unpack it and give the folder.`,
    })
  }
  const scratch = join(options.targetFolder, '.partial')
  await mkdir(scratch, { recursive: true })
  await sweepUnpacked(scratch)
  const unpacked = await mkdtemp(join(scratch, 'archive-'))
  try {
    options.onProgress?.(0, `Unpacking ${basename(path)}`)
    await unpackArchive(path, unpacked, options.signal)
    return await installFromFolder(await checkedRoot(unpacked, options), names, options)
  } finally {
    // When an archive turns out to be damaged, some files may still be being written: retry until they are closed.
    await rm(unpacked, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

const DAY_MS = 86_400_000

/** Removes unpacked archives that a killed installation left behind; those of a running one are younger than a day. */
async function sweepUnpacked(scratch: string): Promise<void> {
  for (const name of (await readdir(scratch)).filter((entry) => entry.startsWith('archive-'))) {
    const facts = await stat(join(scratch, name)).catch(() => null)
    if (facts !== null && Date.now() - facts.mtimeMs > DAY_MS)
      await rm(join(scratch, name), { recursive: true, force: true })
  }
}

/** The folder in which the models lie; if it is a bundle it has been verified. */
async function checkedRoot(folder: string, options: InstallOptions): Promise<string> {
  const bundle = await findBundleFolder(folder)
  if (bundle === null) {
    if (options.publicKey === undefined) return folder
    throw new AppError('MODEL_NOT_INSTALLED', {
      message:
        'Nothing was installed: a public key was given, but this is not a signed bundle. Leave the key out, or use an air-gap bundle.',
    })
  }
  options.onProgress?.(0, 'Checking the bundle')
  await verifyBundle(bundle, options.publicKey ?? null, options.signal)
  return join(bundle, MODELS_FOLDER)
}

async function installFromFolder(
  root: string,
  names: readonly string[],
  options: InstallOptions,
): Promise<Installed[]> {
  const list =
    names.length > 0 ? names.map((name) => wanted(name, options)) : (options.manifest ?? readManifest())
  const done: Installed[] = []
  for (const [index, model] of list.entries()) {
    options.onProgress?.(index / list.length, model.name)
    const { folder, missing } = await bestFolder(root, model, names.length > 0 || list.length === 1)
    if (missing.length > 0) {
      if (names.length === 0) continue
      throw new AppError('MODEL_NOT_INSTALLED', { message: describeMissing(folder, missing, model) })
    }
    done.push(await copyModel(folder, model, options))
  }
  if (done.length > 0) return done
  throw new AppError('MODEL_NOT_INSTALLED', {
    message: `No complete model that Cutroom knows was found in ${root}.`,
  })
}

function describeMissing(folder: string, missing: readonly string[], { name, files }: ManifestModel): string {
  const left = missing.length === files.length ? 'has no file' : 'does not have all files'
  return `${folder} ${left} of ${name}. Missing: ${missing.join(', ')}.`
}

/**
 * The likely folder that has most of the model's files by name, the first of several, and what it lacks; the content is
 * checked while copying.
 */
async function bestFolder(
  root: string,
  model: ManifestModel,
  direct: boolean,
): Promise<{ folder: string; missing: string[] }> {
  const repository = basename(model.source)
  const likely = [join(root, ...model.folder.split('/')), join(root, model.name), join(root, repository)]
  const inner = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  // Archives often wrap everything in a single folder.
  const only = inner.length === 1 ? inner[0]?.name : undefined
  if (only !== undefined)
    likely.push(join(root, only, ...model.folder.split('/')), join(root, only, model.name), join(root, only))
  if (direct || model.files.every((file) => file.sha256 !== null)) likely.push(root)
  const found = await Promise.all(
    likely.map(async (folder) => {
      const present = await Promise.all(model.files.map((file) => isFile(join(folder, file.path))))
      const missing = model.files.filter((_, index) => present[index] !== true).map(({ path }) => path)
      return { folder, missing }
    }),
  )
  const least = Math.min(...found.map(({ missing }) => missing.length))
  const best = least < model.files.length ? found.find(({ missing }) => missing.length === least) : undefined
  return best ?? { folder: root, missing: model.files.map(({ path }) => path) }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  )

/** Copies all files or none: parts of two versions are not a model, and the installed version stays usable. */
async function copyModel(from: string, model: ManifestModel, options: InstallOptions): Promise<Installed> {
  const folder = join(options.targetFolder, ...model.folder.split('/'))
  const scratch = join(options.targetFolder, '.partial', model.name)
  const copyOf = (file: ModelFile): string => join(scratch, `${file.path}.copy`)
  const files: InstallRecord['files'] = []
  try {
    for (const file of model.files) {
      await copyTo(join(from, file.path), copyOf(file), options.signal)
      files.push(await checked(copyOf(file), file, 'the copy given'))
    }
    for (const file of model.files) await moveInto(copyOf(file), join(folder, file.path))
  } catch (error) {
    for (const file of model.files) await rm(copyOf(file), { force: true })
    throw error
  }
  await writeRecord(folder, { name: model.name, files })
  return { model: model.name, folder, bytes: files.reduce((sum, file) => sum + file.bytes, 0), kept: 0 }
}

/** Throws CANCELLED, DISK_FULL, or the error of the file system. */
async function copyTo(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  try {
    await pipeline(createReadStream(from), createWriteStream(to), signal === undefined ? {} : { signal })
  } catch (cause) {
    if (signal?.aborted === true) throw new AppError('CANCELLED', { cause })
    if ((cause as NodeJS.ErrnoException).code === 'ENOSPC') throw new AppError('DISK_FULL', { cause })
    throw cause
  }
}

/** The command line that installs a missing model. */
export function formatInstallCommand(name: string): string {
  return manifestModel(name)?.files.some((file) => file.url === null) === true
    ? `cutroom models install ${name} --from FOLDER`
    : `cutroom models install ${name}`
}
