/**
 * `npm run package`: makes what Cutroom is installed from, in out/packages. Without words: the Debian package, the archive
 * and the single file. `bundle` adds models to them, for machines without internet.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBundle } from './air-gap.ts'
import { addToRepository } from './apt.ts'
import { folderEntries, tarStream, writeWhole, zstd } from './archive.ts'
import { debianArchitecture, makeDebianPackage } from './debian.ts'
import { makeDesktop } from './desktop.ts'
import { imageName, makeImage } from './image/layout.ts'
import { makeSingleFile } from './single-file.ts'
import { ROOT, stageApplication, thisTarget, type Staged } from './stage.ts'

const KINDS = ['deb', 'tar', 'single', 'bundle', 'image', 'apt', 'desktop'] as const
type Kind = (typeof KINDS)[number]

const HELP = `npm run package [-- KIND...] [--out DIR] [--models DIR] [--sign KEY.pem] [--key KEY.gpg] [--version V] [--contact WHO] [--quick]

KIND  deb     a Debian package: service, own user, everything inside
      tar     a folder to unpack anywhere, as .tar.zst
      single  one file that runs
      bundle  deb, single, models from --models, checksums, signature, installer: for machines without internet
      image   a container image (an OCI layout in one .tar) and compose.yaml; no registry and no daemon is asked
      apt     deb, put into an apt repository in DIR/apt that --key signs; what lies in its pool stays
      desktop the window: AppImage and deb on Linux, dmg on macOS, nsis on Windows (fetches Electron)
      none    deb, tar and single

--out DIR       where to (out/packages)
--models DIR    bundle: a models folder, such as HOME/models
--sign KEY.pem  bundle: an Ed25519 private key (openssl genpkey -algorithm ed25519 -out KEY.pem)
--key KEY.gpg   apt: a private OpenPGP key without a passphrase (gpg --export-secret-keys ID > KEY.gpg)
--version V     instead of package.json's
--contact WHO   whom to ask for the source of ffmpeg: an address that works for three years
--electron DIR  desktop: a folder with Electron's program, instead of fetching it
--unpacked      desktop: a folder, no installer
--quick         compress less: larger, sooner

SOURCE_DATE_EPOCH sets the time of everything inside; else it is that of the last commit.
`

/** Seconds since 1970 of everything that is packed. */
function packageTime(): number {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given !== undefined && /^\d{1,11}$/.test(given)) return Number(given)
  const committed = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' })
  return Number(committed.trim())
}

interface Order {
  readonly kinds: ReadonlySet<Kind>
  readonly out: string
  readonly models: string | null
  readonly key: string | null
  readonly repositoryKey: string | null
  readonly version: string | null
  readonly contact: string | null
  readonly quick: boolean
  readonly electron: string | null
  readonly unpacked: boolean
}

function readOrder(words: readonly string[]): Order | null {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      models: { type: 'string' },
      sign: { type: 'string' },
      key: { type: 'string' },
      version: { type: 'string' },
      contact: { type: 'string' },
      quick: { type: 'boolean', default: false },
      electron: { type: 'string' },
      unpacked: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const unknown = positionals.find((word) => !KINDS.some((kind) => kind === word))
  if (unknown !== undefined)
    throw new Error(`There is no package of kind ${unknown}; there are ${KINDS.join(', ')}.`)
  if (values.version !== undefined && !/^\d[A-Za-z0-9.+~]*$/.test(values.version))
    throw new Error(`${values.version} is no version: digits first, then letters, digits, dots, + and ~.`)
  const kinds = new Set((positionals.length === 0 ? ['deb', 'tar', 'single'] : positionals) as Kind[])
  if (kinds.has('bundle') && values.models === undefined)
    throw new Error('A bundle holds models: say where they are with --models DIR.')
  if (kinds.has('apt') && values.key === undefined)
    throw new Error('A repository is signed: say by which private OpenPGP key with --key KEY.gpg.')
  return {
    kinds,
    out: resolve(values.out ?? join(ROOT, 'out', 'packages')),
    models: values.models === undefined ? null : resolve(values.models),
    key: values.sign === undefined ? null : resolve(values.sign),
    repositoryKey: kinds.has('apt') && values.key !== undefined ? resolve(values.key) : null,
    version: values.version ?? null,
    contact: values.contact ?? null,
    quick: values.quick,
    electron: values.electron === undefined ? null : resolve(values.electron),
    unpacked: values.unpacked,
  }
}

async function timed(file: string, make: () => Promise<void> | void): Promise<void> {
  const started = performance.now()
  process.stderr.write(`Making ${basename(file)}...\n`)
  await make()
  const megabytes = statSync(file).size / 1e6
  const seconds = (performance.now() - started) / 1000
  process.stderr.write(`  ${megabytes.toFixed(1)} MB in ${seconds.toFixed(0)} s\n`)
  process.stdout.write(`${file}\n`)
}

/** Makes what `order` asks for in a work folder of its own, which is gone afterwards. */
async function make(order: Order, staged: Staged, work: string): Promise<void> {
  const seconds = packageTime()
  const level = order.quick ? 3 : 12
  const { version, target } = staged
  if (order.kinds.has('desktop')) {
    const out = join(order.out, 'desktop')
    makeDesktop(staged, work, { out, electronDist: order.electron, unpacked: order.unpacked })
    process.stdout.write(`${out}\n`)
  }
  if (target.os !== 'linux') return
  const name = `cutroom-${version}-linux-${target.cpu}`
  const bundled = order.kinds.has('bundle')
  const { repositoryKey } = order
  const files = {
    deb: join(order.out, `cutroom_${version}_${debianArchitecture(target.cpu)}.deb`),
    tar: join(order.out, `${name}.tar.zst`),
    single: join(order.out, `cutroom-linux-${target.cpu}`),
    bundle: join(order.out, `${name}-air-gap.tar`),
    image: join(order.out, `${name}-image.tar`),
  }
  if (order.kinds.has('tar')) {
    await timed(files.tar, async () => {
      const entries = await folderEntries(staged.folder, name)
      await writeWhole(tarStream(entries, seconds), files.tar, [zstd(level)])
    })
  }
  if (order.kinds.has('image')) {
    await timed(files.image, async () => {
      const { missing } = await makeImage(staged, work, files.image, { seconds, level: order.quick ? 1 : 9 })
      if (missing.length > 0)
        process.stderr.write(`  without ${missing.join(', ')}, which this machine has not\n`)
    })
    const compose = readFileSync(join(import.meta.dirname, 'compose.yaml'), 'utf8')
    writeFileSync(join(order.out, 'compose.yaml'), compose.replaceAll('@IMAGE@', imageName(version)))
  }
  if (order.kinds.has('single') || bundled)
    await timed(files.single, () => makeSingleFile(staged, work, files.single, { seconds, level }))
  if (order.kinds.has('deb') || bundled || repositoryKey !== null) {
    const compression = `-Zzstd -z${level}`
    await timed(files.deb, () => makeDebianPackage(staged, work, files.deb, { seconds, compression }))
  }
  if (repositoryKey !== null) {
    const folder = join(order.out, 'apt')
    // When it is published, which apt compares, and not when it was written.
    const published = process.env['SOURCE_DATE_EPOCH'] === undefined ? Math.floor(Date.now() / 1000) : seconds
    await addToRepository(files.deb, folder, { key: repositoryKey, seconds: published })
    process.stdout.write(`${folder}\n`)
  }
  if (bundled) {
    const parts = [files.deb, files.single]
    const { models, key } = order
    await timed(files.bundle, async () => {
      const held = await makeBundle({ parts, models: models ?? '', key, seconds, work }, files.bundle)
      process.stderr.write(`  with ${held.join(', ')}\n`)
    })
    if (key === null)
      process.stderr.write('  It is NOT signed: nobody can tell who made it. Use --sign KEY.pem.\n')
  }
}

async function main(): Promise<void> {
  const order = readOrder(process.argv.slice(2))
  if (order === null) return void process.stdout.write(HELP)
  const target = thisTarget()
  const other = [...order.kinds].find((kind) => kind !== 'desktop')
  if (target.os !== 'linux' && other !== undefined) throw new Error(`${other} packages are made on Linux.`)
  process.umask(0o022)
  mkdirSync(order.out, { recursive: true })
  // Beside the result: a package is too large for the memory that /tmp may be.
  const work = mkdtempSync(join(order.out, '.work-'))
  try {
    const app = join(work, 'app')
    mkdirSync(app, { mode: 0o755 })
    await make(order, stageApplication(app, order, target), work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`package: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
