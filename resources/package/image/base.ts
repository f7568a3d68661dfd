/**
 * What a container needs beside the appliance, laid out in a folder: libraries and a few programs of the machine that
 * packages are made on, certificates, a user, and what all of these are under. There is no shell and no package manager.
 */
import {
  copyFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { folderEntries } from '../archive.ts'
import { packagesOf, systemLibraries, type DebianPackage } from './libraries.ts'

/** Whose the appliance is in a container: nobody of any machine. */
export const USER = 10001
/** Where its home is. */
export const HOME = '/data'
/** Where the appliance lies, as in the Debian package. */
export const APPLICATION = '/usr/lib/cutroom'

/** What confines ffmpeg (workers/media/confine.ts); each is tried by the last one. */
const PROGRAMS = ['/usr/bin/bwrap', '/usr/bin/prlimit', '/usr/bin/unshare', '/bin/true']
/** Those of the Debian package: what this machine's owner trusts besides is not the image's to trust. */
const CERTIFICATES = '/usr/share/ca-certificates/mozilla'
const COMMON_LICENCES = '/usr/share/common-licenses'
/** Folders that are there for what is mounted on them. */
const MOUNTED = ['data', 'dev', 'proc', 'run', 'sys', 'tmp']

const TEXTS: Readonly<Record<string, string>> = {
  'etc/passwd': `root:x:0:0:root:/:/usr/sbin/nologin
cutroom:x:${USER}:${USER}:Cutroom:${HOME}:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/:/usr/sbin/nologin
`,
  'etc/group': `root:x:0:\ncutroom:x:${USER}:\nnogroup:x:65534:\n`,
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
}

/** The command line in a container, which has no shell for the usual one. */
const COMMAND = `#!${APPLICATION}/bin/node
import '${APPLICATION}/server/cli/bin.mjs'
`

export interface Base {
  /** Libraries that the appliance names and this machine has not: they come with a card's driver, or nothing uses them. */
  readonly missing: readonly string[]
  readonly packages: readonly DebianPackage[]
}

/** Fills the empty `folder` with all of an image but the appliance, which is staged at `application`. */
export async function layOutBase(folder: string, application: string): Promise<Base> {
  const put = (path: string): string => {
    const to = join(folder, path)
    mkdirSync(dirname(to), { recursive: true, mode: 0o755 })
    return to
  }
  const copy = (from: string, path: string, mode = 0o644): void => {
    copyFileSync(from, put(path))
    chmodSync(join(folder, path), mode)
  }
  const absent = [...PROGRAMS, CERTIFICATES, COMMON_LICENCES].find((path) => !existsSync(path))
  if (absent !== undefined)
    throw new Error(
      `An image needs ${absent} of this machine: apt install bubblewrap ca-certificates coreutils util-linux`,
    )
  const files = (await folderEntries(application, '')).flatMap(({ file }) => file ?? [])
  const libraries = systemLibraries([...files, ...PROGRAMS], application)
  for (const path of libraries.found) copy(path, placeOf(path), 0o755)
  for (const path of PROGRAMS) copy(path, path, 0o755)
  const certificates = readdirSync(CERTIFICATES).sort()
  const trusted = certificates.map((name) => readFileSync(join(CERTIFICATES, name), 'utf8').trim())
  writeFileSync(put('etc/ssl/certs/ca-certificates.crt'), `${trusted.join('\n')}\n`)
  copy('/etc/os-release', 'etc/os-release')
  for (const [path, text] of Object.entries(TEXTS)) writeFileSync(put(path), text)
  writeFileSync(put('usr/bin/cutroom'), COMMAND, { mode: 0o755 })
  for (const name of MOUNTED) mkdirSync(join(folder, name), { mode: 0o755 })

  const certificate = join(CERTIFICATES, certificates[0] ?? '')
  const packages = packagesOf([...libraries.found, ...PROGRAMS, certificate])
  for (const { name, status } of packages) {
    // Where scanners of images look for what has no package manager.
    writeFileSync(put(`var/lib/dpkg/status.d/${name}`), status)
    copy(`/usr/share/doc/${name}/copyright`, `usr/share/doc/${name}/copyright`)
  }
  for (const name of readdirSync(COMMON_LICENCES))
    copy(join(COMMON_LICENCES, name), join(COMMON_LICENCES, name))
  writeFileSync(put('usr/share/doc/cutroom/DEBIAN-SOURCES.txt'), sourcesOf(packages))
  return { missing: libraries.missing, packages }
}

/** The loader where programs name it; libraries where the loader looks, links or not. */
function placeOf(path: string): string {
  if (basename(path).startsWith('ld-linux')) return path
  return path.startsWith('/usr/') ? path : `/usr${path}`
}

function sourcesOf(packages: readonly DebianPackage[]): string {
  const lines = packages.map(({ name, source, sourceVersion }) => `  ${name}: ${source} ${sourceVersion}`)
  return `Beside Cutroom (${APPLICATION}) this image has files of these Debian packages, unchanged; each with its source package:

${lines.join('\n')}

Their licences are in /usr/share/doc/NAME/copyright and /usr/share/common-licenses. The offer in
${APPLICATION}/SOURCE-OFFER.txt, with its terms and its address, holds for the source of these as well.
`
}
