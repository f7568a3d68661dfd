/** The apt repository, as apt itself takes it: from a root of its own, so that nothing of this machine changes. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { KEYRING, withGpg } from '../../resources/package/apt.ts'
import type { Output } from './machine.ts'
import { must, type Steps } from './steps.ts'

const TOOLS = [
  '/usr/bin/apt-get',
  '/usr/bin/apt-cache',
  '/usr/bin/gpg',
  '/usr/bin/gpgconf',
  '/usr/bin/dpkg-deb',
]

function execute(program: string, words: readonly string[], cwd = '/'): Promise<Output> {
  return new Promise((resolve) => {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }
    const child = execFile(program, [...words], { cwd, env, maxBuffer: 2 ** 26 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** Writes a new private key without a passphrase to `file`. */
async function makeKey(file: string): Promise<void> {
  await withGpg((gpg) => {
    gpg(['--passphrase', '', '--quick-generate-key', 'Try <try@localhost>', 'ed25519', 'sign'])
    writeFileSync(file, gpg(['--armor', '--export-secret-keys']), { mode: 0o600 })
  })
}

interface Apt {
  get(...words: readonly string[]): Promise<Output>
  cache(...words: readonly string[]): Promise<Output>
  /** Where `download` puts packages. */
  readonly folder: string
}

/** An apt that knows the one repository, and trusts the key in `keyring` for it. */
function aptFor(repository: string, keyring: string, folder: string): Apt {
  const root = mkdtempSync(join(folder, 'apt-root-'))
  const parts = ['etc/apt', 'state/lists/partial', 'cache/archives/partial', 'fetched']
  for (const part of parts) mkdirSync(join(root, part), { recursive: true })
  writeFileSync(join(root, 'status'), '')
  writeFileSync(
    join(root, 'etc/apt/sources.list'),
    `deb [signed-by=${keyring}] file:${repository} stable main\n`,
  )
  const settings = {
    'Dir::Etc': join(root, 'etc/apt'),
    'Dir::Etc::sourcelist': join(root, 'etc/apt/sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::parts': '/dev/null',
    'Dir::Etc::trusted': '/dev/null',
    'Dir::Etc::trustedparts': '/dev/null',
    'Dir::State': join(root, 'state'),
    'Dir::State::status': join(root, 'status'),
    'Dir::Cache': join(root, 'cache'),
    'Dir::Log': root,
    // Its folders are only root's to pass through here.
    'APT::Sandbox::User': 'root',
    // Both are warnings otherwise.
    'APT::Update::Error-Mode': 'any',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const download = join(root, 'fetched')
  return {
    get: (...words) => execute('apt-get', [...options, ...words], download),
    cache: (...words) => execute('apt-cache', [...options, ...words]),
    folder: download,
  }
}

/** Adds a package of `version` to the repository in `out`. */
export type AddPackage = (version: string, key: string, out: string) => Promise<void>

const said = ({ stdout, stderr }: Output): string => `${stdout}${stderr}`

/** `add` is `npm run package -- apt`; `work`: an existing folder. */
export async function checkApt(
  steps: Steps,
  {
    add,
    work,
    version,
    nextVersion,
  }: {
    readonly add: AddPackage
    readonly work: string
    readonly version: string
    readonly nextVersion: string
  },
): Promise<void> {
  const missing = TOOLS.find((tool) => !existsSync(tool))
  if (missing !== undefined) return steps.skip('the apt repository', `there is no ${missing}`)
  const out = join(work, 'published')
  const repository = join(out, 'apt')
  const key = join(work, 'key.asc')
  const other = join(work, 'other.asc')
  const keyring = join(repository, KEYRING)
  mkdirSync(out)
  const made = await steps.step('a repository is made and signed, and takes a newer version', async () => {
    await makeKey(key)
    await add(version, key, out)
    await add(nextVersion, key, out)
    const left = readdirSync(repository).sort().join()
    must(left === `${KEYRING},dists,pool`, left)
    must(!readFileSync(keyring).toString('latin1').includes('PRIVATE'), 'the private key is in it')
  })
  if (!made) return
  await steps.step('apt takes it: both versions, the newer one first, and fetches it whole', async () => {
    const apt = aptFor(repository, keyring, work)
    const updated = await apt.get('update')
    must(updated.code === 0, said(updated))
    const policy = said(await apt.cache('policy', 'cutroom'))
    must(policy.includes(`Candidate: ${nextVersion}`) && policy.includes(` ${version} `), policy)
    const shown = said(await apt.cache('show', `cutroom=${version}`))
    must(shown.includes('Depends: libc6'), shown)
    const fetched = await apt.get('download', 'cutroom')
    must(fetched.code === 0, said(fetched))
    const [name = ''] = readdirSync(apt.folder)
    const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
    const pooled = join(repository, 'pool/main/c/cutroom', basename(name).replaceAll('%2b', '+'))
    must(digest(join(apt.folder, name)) === digest(pooled), `${name} came out differently`)
  })
  await steps.step('what was changed, or signed by somebody else, is refused', async () => {
    const changed = (path: string, change: (file: string) => void): Apt => {
      const copy = join(mkdtempSync(join(work, 'changed-')), 'apt')
      cpSync(repository, copy, { recursive: true })
      change(join(copy, path))
      return aptFor(copy, join(copy, KEYRING), work)
    }
    const refused = async (apt: Apt, why: RegExp): Promise<void> => {
      const output = await apt.get('update')
      must(output.code !== 0 && why.test(said(output)), `expected ${String(why)}:\n${said(output)}`)
      const policy = said(await apt.cache('policy', 'cutroom'))
      must(!policy.includes('Candidate:'), `it is taken all the same: ${policy}`)
    }
    const lists = `dists/stable/main/binary-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`
    const addLine = (file: string): void => appendFileSync(file, '\n')
    // Of the two forms of the list apt takes the one that is smaller to fetch; both are what was signed or are refused.
    await refused(
      changed(lists, (folder) => {
        for (const name of readdirSync(folder)) addLine(join(folder, name))
      }),
      /Hash Sum mismatch|unexpected size/i,
    )
    await refused(
      changed('dists/stable/InRelease', (file) => {
        writeFileSync(file, readFileSync(file, 'utf8').replace('Origin: Cutroom', 'Origin: Cutr00m'))
      }),
      /BADSIG|invalid|NODATA|not signed/i,
    )
    await makeKey(other)
    const theirs = join(work, 'theirs')
    mkdirSync(theirs)
    cpSync(out, theirs, { recursive: true })
    await add(nextVersion, other, theirs)
    await refused(aptFor(join(theirs, 'apt'), keyring, work), /NO_PUBKEY|not signed/i)

    const deb = changed('pool/main/c/cutroom', (folder) => {
      for (const name of readdirSync(folder)) addLine(join(folder, name))
    })
    must((await deb.get('update')).code === 0, 'its lists are as they were')
    const fetched = await deb.get('download', 'cutroom')
    must(
      fetched.code !== 0 && /Hash Sum mismatch|unexpected size/i.test(said(fetched)),
      `a changed package is fetched: ${said(fetched)}`,
    )
  })
}
