import { mkdtemp, rm, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, basename, dirname, extname, resolve } from 'node:path'
import { defaultHome, loadConfig, type Config, applicationRoot } from '../../config/config.ts'
import { defineCommand, EXIT, type Terminal, flag, optional } from '../command.ts'
import { runByPublicApi, type DemoClip } from '../demo-client.ts'
import { createCommandLog } from '../command-log.ts'
import { prepareOutFolder, parseSource } from '../arguments.ts'
import { stopSignal } from '../stop-signal.ts'
import { AppError } from '../../contract/errors.ts'
import { serveFiles } from '../serve-files.ts'

/** The whole product once, on the bundled sample, through nothing but the public API. */
export const demo = defineCommand({
  summary: 'Show everything once: an appliance in a temporary home, a video in, finished clips out',
  positionals: ['[FILE_OR_URL]'],
  options: {
    keep: flag('leave the appliance running until Ctrl-C'),
    out: optional('DIR', 'where the clips are copied (cutroom-demo)'),
  },
  examples: {
    'cutroom demo': 'The bundled talk becomes vertical clips in ./cutroom-demo.',
    'cutroom demo interview.mp4': 'Your own video; interview.srt or .vtt beside it gives the captions.',
    'cutroom demo --keep': 'The same, then look around in the studio; Ctrl-C ends it.',
  },
  run: async ({ options, positionals, terminal }) => {
    const stopped = stopSignal()
    const out = await prepareOutFolder(options.out ?? 'cutroom-demo')
    const source = await publishDemoSource(positionals[0])
    const home = await mkdtemp(join(tmpdir(), 'cutroom-demo-'))
    try {
      const { startAppliance } = await import('../../index.ts')
      const config = demoConfig(home)
      const log = createCommandLog(config.log, options.json, terminal)
      const appliance = await startAppliance(config, log)
      try {
        terminal.note(`An appliance is running at ${appliance.url} in a temporary home.`)
        terminal.note(`Video: ${source.name}`)
        const work = runByPublicApi({
          url: appliance.url,
          key: appliance.firstKey ?? '',
          sourceUrl: source.url,
          out,
          terminal,
        })
        const outcome = await Promise.race([work, stopped])
        if (typeof outcome === 'string') return interrupted(terminal, work)
        const kept = options.keep
        if (options.json)
          terminal.out(JSON.stringify({ ...outcome, url: appliance.url, studioUrl: appliance.studioUrl }))
        else printClips(outcome.clips, terminal)
        if (!options.json) printStudio(appliance.studioUrl, kept, terminal)
        if (kept) await stopped
        return EXIT.done
      } finally {
        await appliance.stop()
      }
    } finally {
      await source.close()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    }
  },
})

/** The environment counts, but nothing of it may make the demo touch a real home or refuse its own address. */
function demoConfig(home: string): Config {
  const environment = { ...process.env, CUTROOM_SOURCES: 'any', CUTROOM_PUBLIC_URL: '' }
  const config = loadConfig({ home, port: '0', host: '127.0.0.1' }, environment)
  const installed = join(process.env['CUTROOM_HOME'] ?? defaultHome(process.env), 'models')
  return Object.freeze({
    ...config,
    log: process.env['CUTROOM_LOG'] === undefined ? 'warn' : config.log,
    // Your own video may need a speech model that you have installed already.
    modelFolders: [...config.modelFolders, installed],
  })
}

function interrupted(terminal: Terminal, work: Promise<unknown>): number {
  // The appliance is stopping, so its last request fails, and nothing waits for that.
  work.catch(() => undefined)
  terminal.status('')
  terminal.note('Stopped.')
  return EXIT.failed
}

function printClips(clips: readonly DemoClip[], terminal: Terminal): void {
  terminal.out('')
  terminal.out(`${clips.length} finished ${clips.length === 1 ? 'clip' : 'clips'}:`)
  clips.forEach((clip, place) => {
    terminal.out('')
    terminal.out(`${String(place + 1).padStart(2)}. ${clip.title}`)
    terminal.out(`    score ${Math.round(clip.score)}, ${clip.duration.toFixed(1)} s, ${clip.resolution}`)
    terminal.out(`    ${clip.path}`)
  })
  terminal.out('')
}

function printStudio(studioUrl: string, kept: boolean, terminal: Terminal): void {
  terminal.out(`Studio: ${studioUrl}`)
  terminal.out(
    kept
      ? 'The appliance stays until Ctrl-C. The link signs you in, once.'
      : 'It ends with the demo: with --keep it stays. Your own is started by `start` or `serve` in place of `demo`.',
  )
}

interface DemoSource {
  readonly url: string
  /** For people. */
  readonly name: string
  close(): Promise<void>
}

const CAPTIONS = /\.(srt|vtt)$/i

/** An address as it is; a file (the bundled sample when nothing is given) from a server on loopback, with its captions. */
async function publishDemoSource(given: string | undefined): Promise<DemoSource> {
  const source = parseSource(given ?? join(applicationRoot(), 'resources', 'sample', 'sample.mp4'))
  if (source.kind === 'url') {
    if (!URL.canParse(source.url)) throw new AppError('INVALID_URL', `${source.url} is not a valid address.`)
    return { url: source.url, name: source.url, close: () => Promise.resolve() }
  }
  const files = await withSidecars(source.path)
  const server = await serveFiles(files)
  const name = basename(source.path)
  return {
    url: `${server.url}/${encodeURIComponent(name)}`,
    name: given === undefined ? 'the bundled sample' : name,
    close: () => server.close(),
  }
}

/** The video and the caption files of the same name in its folder: `talk.mp4`, `talk.srt`, `talk.en.vtt`. */
async function withSidecars(video: string): Promise<Map<string, string>> {
  const path = resolve(video)
  const folder = dirname(path)
  const stem = basename(path, extname(path))
  const beside = (await readdir(folder)).filter((name) => name.startsWith(`${stem}.`) && CAPTIONS.test(name))
  return new Map([basename(path), ...beside].map((name) => [name, join(folder, name)]))
}
