/**
 * Models that were tried and do not work, stored in the home's models folder, so that nothing uses them. What was found
 * holds for the files that were tried: files that were installed again are as good as new.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const FILE = '.do-not-work.json'
const Entries = Type.Array(Type.Object({ name: Type.String(), files: Type.String(), problem: Type.String() }))
type Entries = Static<typeof Entries>

interface TriedModel {
  readonly name: string
  readonly folder: string
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly modified: number }[]
}

/** What tells one copy of the files from another without reading them whole. */
const describeFiles = ({ folder, files }: TriedModel): string =>
  [folder, ...files.map(({ path, bytes, modified }) => `${path} ${bytes} ${modified}`)].join('\n')

async function readEntries(root: string): Promise<Entries> {
  const text = await readFile(join(root, FILE), 'utf8').catch(() => null)
  if (text === null) return []
  try {
    const parsed: unknown = JSON.parse(text)
    // A damaged list is treated as empty: the models are tried again.
    return Value.Check(Entries, parsed) ? parsed : []
  } catch {
    return []
  }
}

/** Returns the function that gives what is wrong with a model, or null. Reads the list of each models folder once. */
export async function readVerdicts(
  modelFolders: readonly string[],
): Promise<(model: TriedModel) => string | null> {
  const entries = (await Promise.all(modelFolders.map(readEntries))).flat()
  return (model) =>
    entries.find(({ name, files }) => name === model.name && files === describeFiles(model))?.problem ?? null
}

/** Stores in `root` what was found when the model was tried; null: it works. */
export async function recordVerdict(root: string, model: TriedModel, problem: string | null): Promise<void> {
  const before = await readEntries(root)
  const others = before.filter(({ name }) => name !== model.name)
  if (problem === null && others.length === before.length) return
  const found = problem === null ? [] : [{ name: model.name, files: describeFiles(model), problem }]
  await mkdir(root, { recursive: true })
  const temporary = join(root, `${FILE}.${process.pid}`)
  await writeFile(temporary, JSON.stringify([...others, ...found], null, 2))
  await rename(temporary, join(root, FILE))
}
