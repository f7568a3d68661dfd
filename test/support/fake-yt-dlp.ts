/**
 * Stands in for yt-dlp in tests, run by Node under a name of its own: it accepts the options that its documentation
 * lists, refuses others, fetches through the given proxy, and writes files to `--output`. It sees no other files, so that
 * the test tells it the pages that it "knows", and hears of its calls, on the loopback: see yt-dlp.ts, which installs it.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { FakePage } from './yt-dlp.ts'

const FLAGS = new Set([
  '--ignore-config',
  '--no-cache-dir',
  '--no-playlist',
  '--flat-playlist',
  '--abort-on-error',
  '--skip-download',
  '--dump-single-json',
  '--no-part',
  '--no-mtime',
  '--quiet',
  '--progress',
  '--newline',
])
const VALUES = new Set([
  '--socket-timeout',
  '--retries',
  '--format',
  '--downloader',
  '--ffmpeg-location',
  '--progress-template',
  '--merge-output-format',
  '--max-filesize',
  '--output',
  '--load-info-json',
])

const told = await fetch(process.env['FAKE_CONTROL'] ?? '', {
  method: 'POST',
  body: JSON.stringify(process.argv.slice(2)),
})
const pages = (await told.json()) as Record<string, FakePage>
const { options, address } = readOptions(process.argv.slice(2))

const infoFile = options.get('--load-info-json')
const info =
  infoFile === undefined ? null : (JSON.parse(readFileSync(infoFile, 'utf8')) as { original_url: string })
const asked = info?.original_url ?? address ?? ''
const page = pages[asked]
if (page === undefined) fail(`Unsupported URL: ${asked}`)
else if (page.hang === true) setInterval(() => undefined, 1000)
else if (page.error !== undefined) fail(page.error)
else if (options.has('--skip-download')) {
  process.stdout.write(JSON.stringify({ ...page.info, original_url: asked }))
} else await download(page.files ?? [])

function readOptions(args: string[]): { options: Map<string, string>; address: string | undefined } {
  const options = new Map<string, string>()
  /** The one thing that a configuration file may hold here. */
  const aliases = new Map<string, string>()
  while (args.length > 0) {
    const name = args.shift() ?? ''
    if (name === '--') return { options, address: args.shift() }
    if (FLAGS.has(name)) options.set(name, '')
    else if (aliases.has(name)) options.set('--proxy', aliases.get(name) ?? '')
    else if (name === '--config-locations') {
      const file = args.shift() ?? ''
      if ((statSync(file).mode & 0o077) !== 0) fail(`others may read ${file}`)
      const [, alias, proxy] = /^--alias (\S+) "--proxy (\S+)"\n$/.exec(readFileSync(file, 'utf8')) ?? []
      aliases.set(`--${alias ?? ''}`, proxy ?? '')
    } else if (VALUES.has(name)) options.set(name, args.shift() ?? '')
    else fail(`no such option: ${name}`)
  }
  return { options, address: undefined }
}

async function download(files: readonly string[]): Promise<void> {
  const parts: Buffer[] = []
  for (const file of files) {
    const bytes = await fetchByProxy(file)
    for (const done of [bytes.length / 4, bytes.length]) {
      const template = options.get('--progress-template')?.replace(/^download:/, '') ?? ''
      const facts = { downloaded_bytes: Math.round(done), total_bytes: bytes.length }
      process.stdout.write(`${fill(template, facts)}\n`)
    }
    parts.push(bytes)
  }
  const whole = Buffer.concat(parts)
  // It prints that and exits with success.
  if (whole.length > Number(options.get('--max-filesize'))) return
  writeFileSync((options.get('--output') ?? '').replace('%(ext)s', 'mp4'), whole)
}

function fill(template: string, facts: Readonly<Record<string, number>>): string {
  return template.replaceAll(/%\(progress\.(\w+)\)s/g, (_whole, name: string) => String(facts[name] ?? 'NA'))
}

function fetchByProxy(file: string): Promise<Buffer> {
  const proxy = new URL(options.get('--proxy') ?? '')
  const pair = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const headers = { host: new URL(file).host, 'proxy-authorization': `Basic ${pair}` }
  request({ host: proxy.hostname, port: proxy.port, path: file, headers }, (response) => {
    if (response.statusCode !== 200) fail(`Unable to download: HTTP Error ${response.statusCode ?? 0}`)
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve(Buffer.concat(chunks)))
  }).end()
  return promise
}

function fail(message: string): never {
  process.stderr.write(`WARNING: something else\nERROR: ${message}\n`)
  process.exit(1)
}
