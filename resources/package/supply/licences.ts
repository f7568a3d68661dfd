/** Which licences may be shipped, and which packages are shipped under another one, each with its reason. PURE. */
import type { ShippedPackage } from './shipped.ts'

const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
  'Python-2.0',
  'OFL-1.1',
  'CC-BY-4.0',
])

interface Exception {
  readonly packages: RegExp
  readonly licences: readonly string[]
  readonly why: string
}

/** Licences that ask for more than to be named. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    packages: /^@ff(?:mpeg|probe)-installer\//,
    licences: [
      'GPLv3',
      'GPL-3.0',
      'LGPL-2.1',
      'https://git.ffmpeg.org/gitweb/ffmpeg.git/blob_plain/HEAD:/LICENSE.md',
    ],
    why: 'ffmpeg and ffprobe are programs of their own that are started, not linked; the packages name their sources.',
  },
  {
    packages: /^@img\/sharp-/,
    licences: [
      'LGPL-3.0-or-later',
      'Apache-2.0 AND LGPL-3.0-or-later',
      'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
    ],
    why: 'libvips is a shared library that can be exchanged; it comes with a dependency and is not used by us.',
  },
]

/** Whether an SPDX expression (OR, AND, one pair of brackets) comes to allowed licences only. */
export function isAllowed(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1')
  if (bare.includes(' OR ')) return bare.split(' OR ').some((part) => isAllowed(part))
  return bare.split(' AND ').every((part) => ALLOWED.has(part))
}

/** Null when a package may be shipped, else why not. */
export function refusal({ name, licence }: Pick<ShippedPackage, 'name' | 'licence'>): string | null {
  if (licence === '') return `${name} names no licence`
  if (isAllowed(licence)) return null
  const excepted = EXCEPTIONS.some(
    ({ packages, licences }) => packages.test(name) && licences.includes(licence),
  )
  return excepted ? null : `${name} is under ${licence}`
}
