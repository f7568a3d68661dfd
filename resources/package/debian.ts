/** The Debian package: its texts (pure), and the folder that dpkg-deb makes a .deb of. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  lutimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { ShippedPackage, Staged } from './stage.ts'

const PARTS = join(import.meta.dirname, 'debian')
const MAINTAINER_SCRIPTS = ['preinst', 'postinst', 'prerm', 'postrm']
/** Installed path to the file under debian/ and its mode. */
const INSTALLED: Readonly<Record<string, readonly [part: string, mode: number]>> = {
  'lib/systemd/system/cutroom.service': ['cutroom.service', 0o644],
  'usr/lib/cutroom/systemd/gpu.conf': ['gpu.conf', 0o644],
  'usr/sbin/cutroom-service': ['service-command.sh', 0o755],
  'etc/cutroom/cutroom.env': ['cutroom.env', 0o600],
}

export const debianArchitecture = (cpu: 'x64' | 'arm64'): string => (cpu === 'x64' ? 'amd64' : 'arm64')

/** The control file. `installedKilobytes`: what it takes on disk. */
export function controlFile(version: string, cpu: 'x64' | 'arm64', installedKilobytes: number): string {
  return [
    'Package: cutroom',
    `Version: ${version}`,
    `Architecture: ${debianArchitecture(cpu)}`,
    'Maintainer: Cutroom <cutroom@localhost>',
    `Installed-Size: ${installedKilobytes}`,
    // Node and ONNX Runtime are built against these; everything else is inside.
    'Depends: libc6 (>= 2.28), libstdc++6 (>= 9), adduser, util-linux, debconf (>= 0.5) | debconf-2.0',
    // Newer than the build inside, which is used where this one does no more (docs/decisions/0092).
    'Recommends: bubblewrap, ca-certificates, ffmpeg (>= 7:4.4), systemd',
    'Section: video',
    'Priority: optional',
    'Description: turns long videos into finished short clips, on your own machine',
    ' One appliance with an HTTP API and a studio in the browser. Node, ffmpeg and fonts',
    ' come with it; nothing else has to be installed and nothing is sent anywhere.',
    ' It runs as a service of its own user on port 4810 of this machine.',
    '',
  ].join('\n')
}

/** /usr/share/doc/cutroom/copyright: ours, and what is inside and under which licence. */
export function copyrightFile(packages: readonly ShippedPackage[]): string {
  const list = packages.map(({ name, version, license }) => ` ${name} ${version}: ${license}`)
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Cutroom',
    '',
    'Files: *',
    'Copyright: the authors of Cutroom',
    'License: MIT',
    ' The whole text is in /usr/lib/cutroom/LICENSE.',
    '',
    'Comment:',
    ' These npm packages are in /usr/lib/cutroom/node_modules, each with its licence text:',
    ...list,
    ' .',
    ' ffmpeg and ffprobe there are GPL builds that run as separate programs; where their source',
    ' is says /usr/lib/cutroom/SOURCE-OFFER.txt. The texts of all licences are in',
    ' /usr/lib/cutroom/THIRD-PARTY-LICENCES.txt, a bill of materials (CycloneDX) in',
    ' /usr/lib/cutroom/cutroom.cdx.json. Node is in',
    ' /usr/lib/cutroom/bin (MIT and others, https://github.com/nodejs/node/blob/main/LICENSE).',
    ' Fonts are under the SIL Open Font License 1.1; see /usr/lib/cutroom/resources/fonts/licences.',
    '',
  ].join('\n')
}

/** Makes the .deb at `file`. `seconds`: the time of everything in it. */
export function makeDebianPackage(
  staged: Staged,
  work: string,
  file: string,
  { seconds, compression }: { readonly seconds: number; readonly compression: string },
): void {
  const root = join(work, 'deb')
  const place = (path: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 })
    return join(root, path)
  }
  cpSync(staged.folder, place('usr/lib/cutroom'), { recursive: true })
  for (const [path, [part, mode]] of Object.entries(INSTALLED)) {
    copyFileSync(join(PARTS, part), place(path))
    chmodSync(join(root, path), mode)
  }
  symlinkSync('../lib/cutroom/bin/cutroom', place('usr/bin/cutroom'))
  writeFileSync(place('usr/share/doc/cutroom/copyright'), copyrightFile(staged.packages))
  const sums = checksums(root)
  const kilobytes = Math.ceil(diskBytes(root) / 1024)
  writeFileSync(place('DEBIAN/control'), controlFile(staged.version, staged.target.cpu, kilobytes))
  writeFileSync(place('DEBIAN/conffiles'), '/etc/cutroom/cutroom.env\n')
  writeFileSync(place('DEBIAN/md5sums'), sums)
  copyFileSync(join(PARTS, 'templates'), place('DEBIAN/templates'))
  for (const script of MAINTAINER_SCRIPTS) {
    copyFileSync(join(PARTS, script), place(`DEBIAN/${script}`))
    chmodSync(join(root, 'DEBIAN', script), 0o755)
  }
  setTimes(root, seconds)
  const partial = `${file}.part`
  // One thread: with several, the bytes depend on how many there are.
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', '--threads-max=1', ...compression.split(' '), '-b', root, partial],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: '/usr/bin:/bin', SOURCE_DATE_EPOCH: String(seconds) },
    },
  )
  renameSync(partial, file)
}

function* filesOf(folder: string): Generator<string> {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    const facts = statSync(path)
    if (facts.isDirectory()) yield* filesOf(path)
    else if (facts.isFile()) yield path
  }
}

/** What `dpkg --verify` and debsums compare with: conffiles are not in it. */
function checksums(root: string): string {
  return [...filesOf(root)]
    .map((path) => [path.slice(root.length + 1), path] as const)
    .filter(([name]) => !name.startsWith('etc/') && name !== 'usr/bin/cutroom')
    .map(([name, path]) => `${createHash('md5').update(readFileSync(path)).digest('hex')}  ${name}\n`)
    .join('')
}

function diskBytes(root: string): number {
  let bytes = 0
  for (const path of filesOf(root)) bytes += Math.ceil(statSync(path).size / 4096) * 4096
  return bytes
}

function setTimes(folder: string, seconds: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) setTimes(path, seconds)
    else lutimesSync(path, seconds, seconds)
  }
  utimesSync(folder, seconds, seconds)
}
