import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultHome, loadConfig, type Config } from '../../config/config.ts'
import { createLogger } from '../../log.ts'
import { defineCommand, EXIT, type Terminal } from '../command.ts'
import { publishDemoSource } from '../demo-source.ts'
import { runByPublicApi, type DemoClip } from '../demo-client.ts'
import { humanLog } from '../human-log.ts'
import { outFolder } from '../out-folder.ts'
import { stopSignal } from '../stop-signal.ts'

/** The whole product once, on the bundled sample, through nothing but the public API. */
export const demo = defineCommand({
  summary: 'Show everything once: an appliance in a temporary home, a video in, finished clips out',
  positionals: ['[FILE_OR_URL]'],
  options: {
    keep: { type: 'boolean', description: 'leave the appliance running until Ctrl-C' },
    out: { type: 'string', value: 'DIR', description: 'where the clips are copied (cutroom-demo)' },
  },
  examples: [
    { line: 'cutroom demo', does: 'The bundled talk becomes vertical clips in ./cutroom-demo.' },
    {
      line: 'cutroom demo interview.mp4',
      does: 'Your own video; interview.srt or .vtt beside it gives the captions.',
    },
    { line: 'cutroom demo --keep', does: 'The same, then look around in the studio; Ctrl-C ends it.' },
  ],
  run: async ({ options, positionals, terminal }) => {
    const stopped = stopSignal()
    const out = await outFolder(options.out ?? 'cutroom-demo')
    const source = await publishDemoSource(positionals[0])
    const home = await mkdtemp(join(tmpdir(), 'cutroom-demo-'))
    try {
      const { startAppliance } = await import('../../index.ts')
      const config = demoConfig(home)
      const log = createLogger(
        config.log,
        options.json ? (line) => terminal.note(line.trimEnd()) : humanLog(terminal),
      )
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
