/** Checks of the models: only speech is missed by anybody today, and only for videos without captions. */
import type { Config } from '../../config/config.ts'
import { findBrokenModels, listModels } from '../../domain/models/models.ts'
import { ok, warning, type Check } from './check.ts'

export async function checkModels(config: Config): Promise<Check[]> {
  const models = await listModels(config)
  const tasks = [...new Set(models.map(({ task }) => task))]
  const broken = (await findBrokenModels(config)).map((name) =>
    warning(
      `model ${name}`,
      'was installed, and is not whole any more: it is not used',
      `${models.find((model) => model.name === name)?.install ?? ''}; or, if it is not wanted: cutroom models remove ${name}`,
    ),
  )
  const found = tasks.flatMap((task) => {
    const of = models.filter((model) => model.task === task && !model.development)
    const used = of.find(({ inUse }) => inUse)
    const name = `model for ${task}`
    if (used !== undefined) return [ok(name, `${used.name} in ${used.folder ?? ''}`)]
    const usual = of.find(({ recommended }) => recommended)
    if (usual === undefined) return []
    const found =
      task === 'speech'
        ? 'none is installed: only videos that come with captions can be used'
        : 'none is installed: the work is done without it'
    return [warning(name, found, usual.install)]
  })
  return [...found, ...broken]
}
