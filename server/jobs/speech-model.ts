/** Which speech model a run would use, for planning and for content keys: by what lies in the model folders. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { applicationRoot, type Config } from '../config.ts'
import type { PlanEnvironment } from '../domain/plan-run.ts'
import type { Home } from '../home.ts'
import { digestOf } from '../../workers/artefacts.ts'

interface ManifestModel {
  readonly name: string
  readonly task: string
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[]
}

type Folders = Pick<Config, 'modelFolders'>

function manifestModels(): readonly ManifestModel[] {
  const file = join(applicationRoot(), 'models', 'manifest.json')
  if (!existsSync(file)) return []
  return (JSON.parse(readFileSync(file, 'utf8')) as { models: ManifestModel[] }).models
}

/** Whole by its files' sizes; checksums are checked when a model is installed. */
function isInstalled(model: ManifestModel, folders: readonly string[]): boolean {
  return folders.some((folder) =>
    model.files.every((file) => {
      const path = join(folder, model.name, file.path)
      return existsSync(path) && statSync(path).size === file.bytes
    }),
  )
}

/** Changes with the installed models for this task; 'none' when there is none. */
export function modelFingerprint(config: Folders, task: string): Promise<string> {
  const installed = manifestModels().filter(
    (model) => model.task === task && isInstalled(model, config.modelFolders),
  )
  return Promise.resolve(
    installed.length === 0 ? 'none' : digestOf(installed.map(({ name, files }) => ({ name, files }))),
  )
}

/** Whether speech can be transcribed, and if not, what mends it. */
export function speechModelState(
  config: Folders & Pick<Config, 'allowModelDownloads'>,
  home: Pick<Home, 'models'>,
): Promise<PlanEnvironment['speech']> {
  const models = manifestModels().filter((model) => model.task === 'speech')
  if (models.some((model) => isInstalled(model, config.modelFolders)))
    return Promise.resolve({ state: 'installed' })
  const [first] = models
  if (config.allowModelDownloads && first !== undefined)
    return Promise.resolve({ state: 'downloadable', model: first.name, targetFolder: home.models })
  return Promise.resolve({ state: 'missing', message: MISSING })
}

const MISSING =
  'The video has no captions, and no speech model is installed to write them. Run "npx cutroom models install" once, ' +
  'or put an .srt or .vtt file beside the video.'
