import { resolve } from 'node:path'
import { megabytes } from '../../../models/install.ts'
import { fetchFfmpeg, pinnedFfmpeg } from '../../adapters/ffmpeg-download.ts'
import { installFfmpeg, type InstalledRecord, type InstallRequest } from '../../adapters/ffmpeg-install.ts'
import { listFfmpegs, takeFfmpeg, type FoundFfmpeg } from '../../adapters/ffmpegs.ts'
import { GAINFUL_FILTERS, titleOfOrigin } from '../../../workers/media/arguments/choose-ffmpeg.ts'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { openHome } from '../../home.ts'
import { defineCommand, optional, type Terminal } from '../command.ts'
import { reason } from '../doctor/check.ts'
import { commandConfig } from '../open-home.ts'
import { stopSignal } from '../stop-signal.ts'
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
    'Take an ffmpeg into the home: a pinned build from its published address, or one that you have. It is tried first, and used from the next start if it is the best one',
  options: {
    from: optional(
      'FILE',
      'an ffmpeg, or the folder that it is in; an ffprobe beside it is taken along; needs no internet',
    ),
    sha256: optional('HEX', 'with --from: take it only if its SHA-256 is this'),
  },
  examples: {
    'cutroom ffmpeg install': 'Says what it fetches before it starts; its checksum is checked.',
    'cutroom ffmpeg install --from /media/usb/ffmpeg':
      'Needs no internet. See what came of it: cutroom ffmpeg list',
  },
  run: async ({ options, terminal }) => {
    const config = commandConfig(options)
    const { from, sha256 } = options
    if (from === undefined && sha256 !== undefined)
      throw new AppError('INVALID_USAGE', '--sha256 is for a file that you have: say which with --from.')
    openHome(config.home)
    const installed = await (from === undefined
      ? fetchPinned(config, terminal)
      : takeFile(config, { from: resolve(from), ...omitUndefined({ sha256 }) }, terminal))
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

async function takeFile(
  config: Config,
  request: InstallRequest,
  terminal: Terminal,
): Promise<InstalledRecord> {
  const progress = progressReporter(terminal)
  progress.update(0, 'Trying it')
  return installFfmpeg(config, request).finally(() => progress.end())
}

async function fetchPinned(config: Config, terminal: Terminal): Promise<InstalledRecord> {
  const pinned = pinnedFfmpeg()
  if (pinned === null)
    throw new AppError('INVALID_USAGE', {
      message: `No build is pinned for ${process.platform} on ${process.arch}. Bring one with --from FILE; one that the system installs on the PATH is found without this command.`,
    })
  const { version, url, bytes } = pinned
  terminal.note(`ffmpeg ${version}, ${megabytes(bytes)}, under the GPL: ${url}`)
  const stopping = new AbortController()
  void stopSignal().then(() => stopping.abort())
  const progress = progressReporter(terminal)
  return fetchFfmpeg(config, pinned, {
    signal: stopping.signal,
    onProgress: (fraction, note) => progress.update(fraction, note),
  }).finally(() => progress.end())
}
