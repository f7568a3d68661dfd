/** The desktop package's layout, by real packing with a stand-in for Electron's program. */
import { execFile, execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { must, type Steps } from './steps.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Electron marks the place of its fuses (switches that packing sets) with this text, a version and their number. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSES = 9

/** Just enough of Electron's folder to pack: programs that are none, and the fuses. */
function standIn(folder: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  mkdirSync(join(folder, 'locales'))
  const fuses = Buffer.concat([
    Buffer.from(SENTINEL),
    Buffer.from([1, FUSES]),
    Buffer.from('0'.repeat(FUSES)),
  ])
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('not Electron\n'), fuses]), {
    mode: 0o755,
  })
  for (const name of ['chrome-sandbox', 'chrome_crashpad_handler'])
    writeFileSync(join(folder, name), 'not Electron\n', { mode: 0o755 })
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak'])
    writeFileSync(join(folder, name), '')
}

interface AsarEntry {
  readonly files?: Readonly<Record<string, AsarEntry>>
  readonly size?: number
  readonly unpacked?: boolean
}

/** Paths of everything in an asar archive, from its header: four lengths, then JSON. */
function asarPaths(file: string): string[] {
  const bytes = readFileSync(file)
  const length = bytes.readUInt32LE(12)
  const walk = (entry: AsarEntry, path: string): string[] =>
    Object.entries(entry.files ?? {}).flatMap(([name, child]) =>
      child.files === undefined ? [`${path}${name}`] : walk(child, `${path}${name}/`),
    )
  return walk(JSON.parse(bytes.toString('utf8', 16, 16 + length)) as AsarEntry, '')
}

export async function checkDesktop(steps: Steps, work: string): Promise<void> {
  if (process.platform !== 'linux') return steps.skip('the desktop package', 'it is packed for Linux here')
  const out = mkdtempSync(join(work, 'desktop-'))
  const electron = join(out, 'electron')
  standIn(electron)
  const packed = join(out, 'desktop', process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked')
  await steps.step(
    'the desktop package: the shell in the archive, natives and programs beside it',
    async () => {
      const program = join(ROOT, 'resources', 'package', 'index.ts')
      const words = ['desktop', '--unpacked', '--electron', electron, '--out', out]
      await promisify(execFile)(process.execPath, [program, ...words], { maxBuffer: 2 ** 26 })
      const inArchive = asarPaths(join(packed, 'resources', 'app.asar'))
      for (const wanted of ['package.json', 'out/main/index.js', 'out/preload/preload.cjs'])
        must(inArchive.includes(wanted), `${wanted} is not in app.asar: ${inArchive.join(' ')}`)
      const native = inArchive.find((path) => /\.node$|\.so|ffmpeg|node_modules/.test(path))
      must(native === undefined, `${native ?? ''} is in app.asar, where it cannot be run`)
      const appliance = join(packed, 'resources', 'appliance')
      const files = readdirSync(appliance, { recursive: true, encoding: 'utf8' })
      for (const wanted of [
        /better-sqlite3\/prebuilds\/linux-.*\.node$/,
        /onnxruntime-node\/bin\/.*\/onnxruntime_binding\.node$/,
        /canvas-linux-.*\/skia\..*\.node$/,
        /^server\/cli\/bin\.mjs$/,
        /^out\/renderer\/index\.html$/,
        /^resources\/fonts\/fonts\.json$/,
      ])
        must(
          files.some((path) => wanted.test(path)),
          `nothing beside the archive is ${String(wanted)}`,
        )
      for (const wanted of [/^bin\/node$/, /\/ffmpeg$/, /\/ffprobe$/]) {
        const found = files.find((path) => wanted.test(path) && statSync(join(appliance, path)).isFile())
        must(found !== undefined, `nothing beside the archive is ${String(wanted)}`)
        must((statSync(join(appliance, found)).mode & 0o111) === 0o111, `${found} cannot be run`)
      }
      const fuses = readFileSync(join(packed, 'cutroom-desktop')).toString('latin1').split(SENTINEL)[1] ?? ''
      // RunAsNode, EnableCookieEncryption, EnableNodeOptions, EnableNodeCliInspect, (integrity), OnlyLoadAppFromAsar
      must(/^0100.1/.test(fuses.slice(2)), `the fuses are ${JSON.stringify(fuses)}`)
    },
  )
  await steps.step('its appliance runs with its own Node', () => {
    const bin = join(packed, 'resources', 'appliance', 'bin')
    must(existsSync(join(bin, 'cutroom')), 'no launcher')
    const reported = execFileSync(join(bin, 'cutroom'), ['doctor', '--home', join(out, 'home')], {
      env: { PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    })
    must(/^ok +onnx /m.test(reported) && /^ok +ffmpeg /m.test(reported), reported)
    return Promise.resolve()
  })
  rmSync(out, { recursive: true, force: true })
}
