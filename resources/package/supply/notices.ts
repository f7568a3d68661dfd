/**
 * What a package says of what is in it: a bill of materials, the text of every licence, and where the source of ffmpeg and
 * ffprobe is. Of this machine's install, which is what packages are made of.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isLicenceFile, LEFT_OUT, packageName } from '../contents.ts'
import { makeSbom } from './write-sbom.ts'
import { shippedPaths } from './shipped.ts'

const TEXTS = join(import.meta.dirname, 'licences')

/** Texts of ours for packages that bring none, by the licence that package-lock.json names. */
const OWN_TEXTS: Readonly<Record<string, readonly string[]>> = {
  MIT: ['MIT'],
  'Apache-2.0': ['Apache-2.0'],
  'LGPL-2.1': ['LGPL-2.1'],
  // The lesser licence is the other one with more permissions.
  'LGPL-3.0-or-later': ['LGPL-3.0', 'GPL-3.0'],
  GPLv3: ['GPL-3.0'],
  'GPL-3.0': ['GPL-3.0'],
}

interface Entry {
  readonly version?: string
  readonly license?: string
}

export interface NoticeOptions {
  readonly version: string
  /** Whom to ask for sources: an address that works for three years. Null: whoever gave the package away. */
  readonly contact: string | null
}

/** Install paths of what is in the appliance's packages: what runs there, and what is built into the studio. */
function packedPaths(root: string): string[] {
  const electron = 'node_modules/electron'
  return [...shippedPaths(root)]
    .filter((path) => path !== electron && !LEFT_OUT.has(packageName(path)) && existsSync(join(root, path)))
    .sort()
}

/** The texts of one package; throws where there is none to give. */
function textsOf(root: string, path: string, licence: string): string[] {
  const files = readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicenceFile(entry.name))
    .map(({ name }) => join(root, path, name))
  const own = files.length > 0 ? files : (OWN_TEXTS[licence] ?? []).map((name) => join(TEXTS, `${name}.txt`))
  if (own.length === 0) throw new Error(`${path} is under ${licence}, and there is no text of that`)
  return own.map((file) => readFileSync(file, 'utf8').trim())
}

/** Each text once, below the packages that are under it. */
function licenceTexts(root: string, lock: Readonly<Record<string, Entry>>, paths: readonly string[]): string {
  const packagesOf = new Map<string, string[]>()
  for (const path of paths) {
    const { version = '', license = '' } = lock[path] ?? {}
    const name = `${packageName(path)} ${version} (${license})`
    for (const text of textsOf(root, path, license))
      packagesOf.set(text, [...(packagesOf.get(text) ?? []), name])
  }
  const line = '='.repeat(100)
  const parts = [...packagesOf].map(([text, names]) => `${line}\n${names.join('\n')}\n\n${text}\n`)
  const head =
    'What others wrote and is in this package, with the licences that it is under. Fonts have theirs in resources/fonts/licences.\n'
  return [head, ...parts].join('\n')
}

/** What a program says of itself: version and configuration. */
function buildOf(program: string): string {
  // ffprobe's package makes it executable in an install script, and none is run here.
  const { mode } = statSync(program)
  if ((mode & 0o100) === 0) chmodSync(program, mode | 0o111)
  const lines = execFileSync(program, ['-version'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => /^(?:ff\w+ version|built with|configuration)/.test(line)).join('\n')
}

function sourceOffer(builds: readonly string[], contact: string | null): string {
  const who = contact ?? 'whoever gave you this package, where you got it'
  return `The source of ffmpeg and ffprobe

This package has the programs ffmpeg and ffprobe, which are under the GNU General Public License, version 3 (the text is in
THIRD-PARTY-LICENCES.txt). They are builds of others, unchanged, and run as programs of their own.

Whoever has this package may have their complete corresponding source, with the libraries inside and the scripts of the
build, on a usual medium, for no more than what the copy costs; this offer holds for three years from the day on which you got
the package, and for as long as spare parts or support are offered for it. Ask: ${who}.

The source is also here: https://git.ffmpeg.org/ffmpeg.git (the commit stands behind "g" in the version) and, with the libraries and
how they were built, https://johnvansickle.com/ffmpeg/. Any other ffmpeg can be put in their place: CUTROOM_FFMPEG, CUTROOM_FFPROBE.

The builds:

${builds.join('\n\n')}
`
}

/** Files to lay into a package, by name. `root`: the checkout. */
export function makeNotices(root: string, { version, contact }: NoticeOptions): Map<string, string> {
  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Entry>>
  }
  const paths = packedPaths(root)
  const keys = new Set(paths.map((path) => `${packageName(path)}@${lock[path]?.version ?? ''}`))
  const sbom = makeSbom(root, { version, has: (key) => keys.has(key) })
  const programs = paths.flatMap((path) => {
    const [, kind] = /@(ff(?:mpeg|probe))-installer\/\w+-\w+$/.exec(path) ?? []
    return kind === undefined ? [] : [join(root, path, kind)]
  })
  return new Map([
    ['cutroom.cdx.json', `${JSON.stringify(sbom, null, 2)}\n`],
    ['THIRD-PARTY-LICENCES.txt', licenceTexts(root, lock, paths)],
    ['SOURCE-OFFER.txt', sourceOffer(programs.map(buildOf), contact)],
  ])
}
