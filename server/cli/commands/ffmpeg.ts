import { resolve } from 'node:path'
import { installFfmpeg } from '../../adapters/ffmpeg-install.ts'
import { listFfmpegs, takeFfmpeg, type FoundFfmpeg } from '../../adapters/ffmpegs.ts'
import { GAINFUL_FILTERS, titleOfOrigin } from '../../../workers/media/arguments/choose-ffmpeg.ts'
import { AppError } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { openHome } from '../../home.ts'
import { defineCommand, optional } from '../command.ts'
import { reason } from '../doctor/check.ts'
import { commandConfig } from '../open-home.ts'
import { progressReporter, table } from '../terminal.ts'

/** What each build can do here, measured anew. */
export const ffmpegList = defineCommand({
  summary: 'List the builds of ffmpeg here: what each can do, which one is used, and why',
  examples: {
    'cutroom ffmpeg list': 'Each one is tried and measured, which takes seconds.',
    'cutroom ffmpeg list --json': '{ "taken", "reason", "problem", "builds": [{ "from", "ffmpeg", ... }] }',
  },
  run: async ({ options, terminal }) => {
    const config = commandConfig(options)
    const progress = progressReporter(terminal)
    progress.update(0, 'Trying what is here')
    const found = await listFfmpegs(config).finally(() => progress.end())
    const builds = found.map(({ origin, ffmpeg, problem, abilities, tools }) => ({
      from: origin,
      ffmpeg,
      ffprobe: tools?.paths.ffprobe ?? null,
      version: tools?.version ?? null,
      problem,
      abilities,
    }))
    try {
      const { taken, reason: why } = takeFfmpeg(config, found)
      return {
        json: { taken: taken.ffmpeg, reason: why, problem: null, builds },
        text: [...describe(found), '', `Used: ${taken.ffmpeg}, ${titleOfOrigin(taken.origin)}: ${why}.`],
      }
    } catch (error) {
      const problem = reason(error)
      return {
        json: { taken: null, reason: null, problem, builds },
        text: [...describe(found), '', problem],
        failed: true,
      }
    }
  },
})

function describe(found: readonly FoundFfmpeg[]): string[] {
  const rows = found.map(({ origin, ffmpeg, abilities, problem, tools }) => {
    const speed = (codec: 'av1' | 'h264'): string => abilities?.framesPerSecond[codec]?.toFixed(0) ?? '-'
    const version = /^ffmpeg version ([^\s;]+)/.exec(tools?.version ?? '')?.[1] ?? '-'
    return [
      origin,
      version,
      speed('av1'),
      speed('h264'),
      abilities?.hardware.join(', ') || '-',
      problem ?? ffmpeg,
    ]
  })
  const heading = ['FROM', 'VERSION', 'AV1/S', 'H.264/S', 'HARDWARE', 'FFMPEG']
  const more = found.flatMap(({ origin, abilities }) => {
    if (abilities === null) return []
    const lacks = GAINFUL_FILTERS.filter((name) => !abilities.filters.includes(name))
    const filters = lacks.length === 0 ? [] : [`without the filters ${lacks.join(', ')}`]
    return [`${origin}: ${[...abilities.encoders, ...filters].join('; ') || 'nothing is lacking'}`]
  })
  return [...table([heading, ...rows]), '', ...more]
}

/** Takes an ffmpeg into the home. */
export const ffmpegInstall = defineCommand({
  summary:
    'Take an ffmpeg into the home; it is tried first, and used from the next start if it is the best one',
  options: {
    from: optional('FILE', 'an ffmpeg, or the folder that it is in; an ffprobe beside it is taken along'),
    sha256: optional('HEX', 'take it only if its SHA-256 is this'),
  },
  examples: {
    'cutroom ffmpeg install --from /media/usb/ffmpeg':
      'Needs no internet. See what came of it: cutroom ffmpeg list',
  },
  run: async ({ options, terminal }) => {
    const config = commandConfig(options)
    const { from, sha256 } = options
    if (from === undefined)
      throw new AppError('INVALID_USAGE', {
        message:
          'Say which with --from FILE: an ffmpeg, or the folder that it is in. None is fetched from the internet, because no build is pinned by its checksum. What your system installs on the PATH is found without this command; `cutroom ffmpeg list` says which are here and which is used.',
      })
    openHome(config.home)
    const progress = progressReporter(terminal)
    progress.update(0, 'Trying it')
    const request = { from: resolve(from), ...omitUndefined({ sha256 }) }
    const installed = await installFfmpeg(config, request).finally(() => progress.end())
    const beside = installed.ffprobe === null ? 'with the bundled ffprobe' : 'with its ffprobe'
    return {
      json: installed,
      text: [
        `${installed.version.split(';')[0] ?? ''} is in ${installed.folder}, ${beside}.`,
        `SHA-256 ${installed.ffmpeg.sha256}`,
      ],
      notes: [
        'A running appliance goes on with what it has; see what the next start takes: cutroom ffmpeg list',
      ],
    }
  },
})
