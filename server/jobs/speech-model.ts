/** Whether and by which model a run without captions can be transcribed here; if not, the command that installs one. */
import { formatInstallCommand } from '../../models/install.ts'
import { listInstalledModels } from '../../models/installed.ts'
import { manifestModel } from '../../models/manifest.ts'
import type { Config } from '../config/config.ts'
import { speechModelToInstall, usualSpeechModel } from '../domain/models/models.ts'
import type { PlanEnvironment } from '../domain/runs/plan/plan-input.ts'
import type { Home } from '../home.ts'

type SpeechConfig = Pick<Config, 'modelFolders' | 'allowModelDownloads' | 'inference' | 'speechModel'> &
  Partial<Pick<Config, 'network'>>

/**
 * The workflow's model (`named`) comes before the configured one, which comes before what suits the machine. Looks at the
 * models folders each time: a model may be installed while the appliance runs.
 */
export async function speechModelState(
  config: SpeechConfig,
  home: Pick<Home, 'models'>,
  named = '',
): Promise<PlanEnvironment['speech']> {
  const requested: SpeechConfig = named === '' ? config : { ...config, speechModel: named }
  const found = usualSpeechModel(await listInstalledModels(config.modelFolders), requested)
  if (found !== undefined) return { state: 'installed', model: found.name }
  const model = speechModelToInstall(requested)
  if (config.allowModelDownloads && config.network !== 'off' && canBeFetched(model))
    return { state: 'downloadable', model, targetFolder: home.models }
  const because =
    requested.speechModel === null
      ? 'no speech model is installed to write them'
      : `the speech model ${model}, which the ${named === '' ? 'configuration' : 'workflow'} names, is not installed`
  const message = `The video has no captions, and ${because}. `
  return { state: 'missing', message: `${message}Install one with: ${formatInstallCommand(model)}` }
}

function canBeFetched(name: string): boolean {
  const model = manifestModel(name)
  return model?.task === 'speech' && model.files.every(({ url }) => url !== null)
}
