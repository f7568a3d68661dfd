/** What the library of media says. */
import type { LibraryKind } from '../../server/contract/library.ts'
import { inLanguage, plural, quoted } from './common.ts'

const KINDS: Readonly<Record<LibraryKind, string>> = {
  image: 'Pictures',
  video: 'Videos',
  audio: 'Sounds',
  font: 'Fonts',
}
const ONE: Readonly<Record<LibraryKind, string>> = {
  image: 'Picture',
  video: 'Video',
  audio: 'Sound',
  font: 'Font',
}

const en = {
  media: {
    heading: 'Library',
    about: 'Logos, pictures, videos, music and fonts, to use in every clip.',
    upload: 'Upload',
    brandKits: 'Brand kits',
    search: 'Search the library',
    kind: 'Type',
    all: 'All',
    kinds: KINDS,
    loading: 'The library is being loaded.',
    empty: 'No files yet. Upload a logo, music or a font here once, and choose it in clips and workflows.',
    emptyForViewers: 'No files yet. An editor uploads them.',
    firstStep: 'Upload files',
    orDrop: 'or drop them anywhere on this page',
    noMatch: 'Nothing in the library matches.',
    clear: 'Show everything',
    dropHere: 'Drop to add to the library',
    count: (n: number) => plural(n, { one: `${n} file`, other: `${n} files` }),
    sending: (name: string) => `Uploading ${name}`,
    cancel: (name: string) => `Cancel ${name}`,
    waits: 'Waits',
    checking: 'Checking',
    refused: (name: string, why: string) => `${quoted(name)} was not added. ${why}`,
    known: (name: string) => `${quoted(name)} is in the library already.`,
    facts: (kind: LibraryKind, length: string | null) =>
      length === null ? ONE[kind] : `${ONE[kind]} · ${length}`,
    open: (kind: LibraryKind, name: string) => `${ONE[kind]}: ${name}`,
    deleted: (name: string) => `Deleted ${quoted(name)}.`,
    kept: (name: string, why: string) => `${quoted(name)} is kept. ${why}`,
  },
  item: {
    name: 'Name',
    rename: 'Rename',
    size: 'Size',
    picture: (width: number, height: number) => `${width} × ${height} px`,
    added: 'Added',
    usedIn: 'Used in',
    looking: 'Looking…',
    unused: 'Nothing uses it yet.',
    more: (n: number) => plural(n, { one: `and ${n} more clip`, other: `and ${n} more clips` }),
    workflow: 'Workflow',
    brandKit: 'Brand kit',
    clip: 'Clip',
    inUse: 'It can be deleted when nothing uses it.',
    listen: (name: string) => `Listen to ${name}`,
    notHere: 'The file is missing on this machine.',
    letters: 'The quick brown fox jumps over the lazy dog. 0123456789',
  },
}

export const { media, item } = inLanguage({ en })
