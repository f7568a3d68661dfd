/** Whether a run without captions can be transcribed here, and if not, what mends it. */
import { mendCommand } from '../../models/install.ts'
import { readManifest } from '../../models/manifest.ts'
import type { Config } from '../config.ts'
import { hasModel } from '../domain/models.ts'
import type { PlanEnvironment } from '../domain/plan-run.ts'
import type { Home } from '../home.ts'

/** Looks at the models folders each time: a model may be installed while the appliance runs. */
export async function speechModelState(
  config: Pick<Config, 'modelFolders' | 'allowModelDownloads'>,
  home: Pick<Home, 'models'>,
): Promise<PlanEnvironment['speech']> {
  if (await hasModel(config, 'speech')) return { state: 'installed' }
  // The manifest lists the best choice of each task first.
  const model = readManifest().find(
    (candidate) => candidate.task === 'speech' && candidate.development !== true,
  )?.name
  if (model === undefined)
    return { state: 'missing', message: 'There are no captions, and no speech model is known.' }
  if (config.allowModelDownloads) return { state: 'downloadable', model, targetFolder: home.models }
  const message =
    'The video has no captions, and no speech model is installed to write them. ' +
    `Install one with: ${mendCommand(model)}`
  return { state: 'missing', message }
}
