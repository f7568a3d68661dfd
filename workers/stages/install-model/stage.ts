/** Downloads a model as a step of a run, if the configuration allows downloads. */
import { installModel } from '../../../models/install.ts'
import type { StageHandler } from '../context.ts'

export const runInstallModel: StageHandler<'install-model'> = async (context, params) => {
  const installed = await installModel(params.model, {
    targetFolder: params.targetFolder,
    signal: context.signal,
    onProgress: (fraction, note) => context.progress(fraction, `Installing ${note}`),
  })
  return { model: installed.model, bytes: installed.bytes }
}
