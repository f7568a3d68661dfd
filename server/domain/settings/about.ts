/** What the appliance is made of, under which licences (npm packages: licences.json of the build), and what the machine can do. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readManifest } from '../../../models/manifest.ts'
import { mediaTools } from '../../adapters/media-tools.ts'
import type { About, Environment, Hardware } from '../../contract/settings.ts'
import { describeEnvironment } from '../../config/describe.ts'
import type { Services } from '../services.ts'
import { runDoctor } from '../../adapters/doctor-process.ts'
import { oncePerConnection } from '../../db/prepared.ts'

interface FontList {
  readonly fonts: readonly { readonly family: string; readonly licence: string }[]
}

/** Versions and licences of what runs, of fonts and of models. An ffmpeg that does not answer has no version. */
export async function describeAbout(
  { config, log }: Pick<Services, 'config' | 'log'>,
  version: string,
): Promise<About> {
  const [tools, fonts] = await Promise.all([
    mediaTools(config).catch((error: unknown) => {
      log.warn('ffmpeg could not be asked for its version', { error })
      return null
    }),
    readFile(join(config.resources, 'fonts', 'fonts.json'), 'utf8').then(
      (text) => JSON.parse(text) as FontList,
    ),
  ])
  const families = new Map(fonts.fonts.map(({ family, licence }) => [family, licence]))
  return {
    version,
    node: process.versions.node,
    ffmpeg: { version: tools?.version ?? null, licence: 'GPL-3.0-or-later, as a program of its own' },
    fonts: [...families].map(([family, licence]) => ({ family, licence })),
    models: readManifest()
      .filter(({ development }) => development !== true)
      .map(({ title, licence, source }) => ({ title, licence, source })),
  }
}

/** What whoever runs the appliance has set, without secrets. */
export const describeSettings = ({ config }: Pick<Services, 'config'>): Environment => ({
  settings: describeEnvironment(config),
})

const lookOf = oncePerConnection((): { looked: Promise<Hardware> | null } => ({ looked: null }))

/** `again`: whatever was found before. Takes seconds the first time. */
export function describeHardware(
  services: Pick<Services, 'config' | 'db' | 'now'>,
  again: boolean,
): Promise<Hardware> {
  const cache = lookOf(services.db)
  if (cache.looked !== null && !again) return cache.looked
  const looked = runDoctor(services.config.home).then((checks) => ({
    checks: [...checks],
    lookedAt: new Date(services.now()).toISOString(),
  }))
  cache.looked = looked
  looked.catch(() => {
    if (cache.looked === looked) cache.looked = null
  })
  return looked
}
