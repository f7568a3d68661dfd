/**
 * `npm run test:package [-- image | apt]`: makes every package, then installs, starts, upgrades, removes and purges them
 * on throw-away machines without a network, runs the container image, and has apt read the repository; with a word that
 * alone. Minutes, so it is not in `npm test`. Prints sizes and start times.
 */
import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkAirGap } from './air-gap.ts'
import { checkApt } from './apt.ts'
import { checkContents } from './contents.ts'
import { checkDebian } from './debian.ts'
import { checkDesktop } from './desktop.ts'
import { checkImage } from './image.ts'
import { bootMachine, whyNoMachine } from './machine.ts'
import { checkPortable } from './portable.ts'
import { createSteps, must, type Made, type Steps } from './steps.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SHARED_MODELS = join(ROOT, '..', 'shared', 'models')
const run = promisify(execFile)

async function makePackages(words: readonly string[]): Promise<void> {
  await run(process.execPath, [join(ROOT, 'resources', 'package', 'index.ts'), ...words], {
    maxBuffer: 2 ** 26,
  })
}

async function addToRepository(version: string, key: string, out: string): Promise<void> {
  await makePackages(['apt', '--quick', '--version', version, '--key', key, '--out', out])
}

function writeKeys(folder: string): { readonly privateKey: string; readonly publicKey: string } {
  const pair = generateKeyPairSync('ed25519')
  const privateKey = join(folder, 'private.pem')
  const publicKey = join(folder, 'public.pem')
  writeFileSync(privateKey, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }))
  return { privateKey, publicKey }
}

/** Changes whenever something that is packed does. */
async function checkoutState(): Promise<string> {
  const git = async (...words: string[]) =>
    (await run('git', words, { cwd: ROOT, maxBuffer: 2 ** 28 })).stdout
  return [await git('rev-parse', 'HEAD'), await git('diff', 'HEAD'), await git('status', '--porcelain')].join(
    '\n',
  )
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

interface Folders {
  readonly work: string
  readonly packages: string
  /** For what is made a second time. */
  readonly again: string
}

/** Whether `file`, made again, is the same; says nothing of it when somebody worked on the checkout since `atFirst`. */
async function checkSame(
  steps: Steps,
  file: string,
  { packages, again }: Folders,
  atFirst: string,
): Promise<void> {
  const same = digestOf(file) === digestOf(file.replace(packages, again))
  const moved = (await checkoutState()) !== atFirst
  must(same || moved, `${file} came out differently`)
  if (moved) steps.skip(file, 'somebody worked on the checkout meanwhile, so nothing is said of its bytes')
}

async function makeAndCheckImage(steps: Steps, folders: Folders, version: string): Promise<void> {
  const cpu = process.arch === 'arm64' ? 'arm64' : 'x64'
  const image = join(folders.packages, `cutroom-${version}-linux-${cpu}-image.tar`)
  const atFirst = await checkoutState()
  const made = await steps.step('the image is made, and made again it is the same bytes', async () => {
    await makePackages(['image', '--quick', '--out', folders.packages])
    await makePackages(['image', '--quick', '--out', folders.again])
    await checkSame(steps, image, folders, atFirst)
  })
  if (made) await checkImage(steps, image, folders.work)
}

async function main(): Promise<void> {
  const steps = createSteps()
  const work = mkdtempSync(join('/var/tmp', 'cutroom-package-'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      rmSync(work, { recursive: true, force: true })
      process.exit(1)
    })
  }
  try {
    const folder = join(work, 'packages')
    const again = join(work, 'again')
    for (const name of [folder, again]) mkdirSync(name)
    const folders: Folders = { work, packages: folder, again }
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    const nextVersion = `${version}+next`
    const only = process.argv[2]
    if (only !== 'apt') await makeAndCheckImage(steps, folders, version)
    if (only !== 'image') await checkApt(steps, { add: addToRepository, work, version, nextVersion })
    if (only !== undefined) return
    const { privateKey, publicKey } = writeKeys(work)
    const withModels = existsSync(SHARED_MODELS)
    const kinds = withModels ? ['bundle', '--models', SHARED_MODELS, '--sign', privateKey] : []
    const [cpu, debCpu] =
      process.arch === 'arm64' ? (['arm64', 'arm64'] as const) : (['x64', 'amd64'] as const)
    const made: Made = {
      folder,
      version,
      nextVersion,
      publicKey,
      deb: join(folder, `cutroom_${version}_${debCpu}.deb`),
      nextDeb: join(folder, `cutroom_${nextVersion}_${debCpu}.deb`),
      tar: join(folder, `cutroom-${version}-linux-${cpu}.tar.zst`),
      single: join(folder, `cutroom-linux-${cpu}`),
      bundle: withModels ? join(folder, `cutroom-${version}-linux-${cpu}-air-gap.tar`) : null,
    }
    const atFirst = await checkoutState()
    const ready = await steps.step('every package is made', async () => {
      await makePackages(['deb', 'tar', 'single', ...kinds, '--quick', '--out', folder])
      await makePackages(['deb', '--quick', '--version', nextVersion, '--out', folder])
      for (const file of [made.deb, made.tar, made.single]) {
        steps.figure(
          `size of ${file.slice(folder.length + 1)} (--quick)`,
          `${(statSync(file).size / 1e6).toFixed(1)} MB`,
        )
      }
    })
    if (!ready) return
    await steps.step('made again, they are the same bytes', async () => {
      await makePackages(['deb', 'single', '--quick', '--out', again])
      for (const file of [made.deb, made.single]) await checkSame(steps, file, folders, atFirst)
    })
    await checkContents(steps, made)
    await checkDesktop(steps, work)
    const why = whyNoMachine()
    if (why !== null) return steps.skip('everything on throw-away machines', why)
    const boot = () => bootMachine(work, folder, [join(ROOT, '..')])
    await checkDebian(steps, made, boot)
    await checkPortable(steps, made, boot)
    if (made.bundle === null) steps.skip('the air-gap bundle', 'there are no models in ../shared/models')
    else await checkAirGap(steps, made, boot)
  } finally {
    rmSync(work, { recursive: true, force: true })
    if (!steps.finish()) process.exitCode = 1
  }
}

await main()
