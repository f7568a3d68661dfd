/** The known-text model as users install a Whisper: in the folders and files of the manifest, one model for each precision. */
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readManifest, type ManifestModel } from '../../models/manifest.ts'
import { media } from '../bench/media.ts'

const WEIGHTS = join(import.meta.dirname, 'weights')
const TOKENIZER = media(join('..', 'models', 'asr', 'random-whisper'))

/** Why the model cannot be put together here; null: it can. */
export function whyNoKnownText(): string | null {
  return existsSync(TOKENIZER)
    ? null
    : 'the tokenizer and the recordings are not beside the project (../shared)'
}

/** The first model for speech of each precision that the manifest offers. */
export function offeredPrecisions(): readonly ManifestModel[] {
  const models = readManifest().filter((model) => model.task === 'speech' && model.development !== true)
  const precision = (model: ManifestModel): string => JSON.stringify(model.dtype)
  return models.filter(
    (model, at) => models.findIndex((other) => precision(other) === precision(model)) === at,
  )
}

/** Writes the files that the manifest names for this model. Throws when there are no weights for one of them. */
export async function installKnownText(root: string, model: ManifestModel): Promise<void> {
  for (const { path } of model.files) {
    const target = join(root, ...model.folder.split('/'), path)
    const own = join(WEIGHTS, path)
    await mkdir(dirname(target), { recursive: true })
    await copyFile(existsSync(own) ? own : join(TOKENIZER, path), target)
  }
}
