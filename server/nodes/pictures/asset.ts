/** Files that nodes need: how a node requests one, and its warning when the file is unavailable. */
import type { AssetKind, AssetNeed, Assets, ReadyAsset } from '../../contract/asset.ts'
import type { PictureAsset, SoundAsset } from '../../contract/composition.ts'
import type { Warn } from '../../contract/render-remarks.ts'

/** The need for one picture; none for an empty address. */
export function pictureNeed(url: string | undefined): AssetNeed[] {
  return assetNeed(url, 'image')
}

/** The need for one file of a kind; none for an empty address. */
export function assetNeed(url: string | undefined, kind: AssetKind): AssetNeed[] {
  const address = url?.trim() ?? ''
  return address === '' ? [] : [{ url: address, kind }]
}

/** The picture at this address, or null with a warning that names the setting (`label`, in its sentence, and `field`). */
export function pictureAt(
  assets: Assets,
  url: string | undefined,
  label: string,
  warn: Warn,
  field = label,
): PictureAsset | null {
  const ready = readyAt(assets, url, { label, field, wanted: ['image'], noun: 'picture to show' }, warn)
  return ready?.kind === 'image' ? ready.picture : null
}

/** The sound at this address, a video's included, or null with a warning that names the setting (`label`). */
export function soundAt(
  assets: Assets,
  url: string | undefined,
  label: string,
  warn: Warn,
): SoundAsset | null {
  const wanted = { label, wanted: ['audio', 'video'], noun: 'sound to play' } as const
  const ready = readyAt(assets, url, wanted, warn)
  if (ready === null || ready.kind === 'image' || ready.kind === 'font') return null
  if (ready.sound === null)
    warn('FILE_LEFT_OUT', label, `${label} (${shortAddress(url ?? '')}) is left out: the video has no sound.`)
  return ready.sound
}

/** SHA-256 of the font file at this address; undefined, with a warning unless it is empty: a bundled font is used. */
export function fontAt(
  assets: Assets,
  url: string | undefined,
  label: string,
  warn: Warn,
): string | undefined {
  if ((url?.trim() ?? '') === '') return undefined
  const ready = readyAt(assets, url, { label, wanted: ['font'], noun: 'font to use' }, warn)
  return ready?.kind === 'font' ? ready.digest : undefined
}

const NAMES = { image: 'a still picture', video: 'a video', audio: 'a sound', font: 'a font' } as const

interface FileWanted {
  /** The setting, as the warning's sentence names it. */
  readonly label: string
  /** The setting, where the sentence names it otherwise. */
  readonly field?: string
  readonly wanted: readonly ReadyAsset['kind'][]
  readonly noun: string
}

/** A file of one of the wanted kinds, or null with a warning that names the setting. */
export function readyAt(
  assets: Assets,
  url: string | undefined,
  need: FileWanted,
  warn: Warn,
): ReadyAsset | null {
  const { label, field = label, wanted, noun } = need
  const address = url?.trim() ?? ''
  if (address === '') {
    warn('FILE_NOT_NAMED', field, `${label} is empty, so there is no ${noun}.`)
    return null
  }
  const state = assets.get(address)
  if (state?.state === 'ready' && wanted.includes(state.kind)) return state
  const why =
    state === undefined
      ? 'It was not fetched yet.'
      : state.state === 'failed'
        ? state.message
        : `It is ${NAMES[state.kind]}, and ${wanted.map((kind) => NAMES[kind]).join(' or ')} is needed here.`
  warn('FILE_LEFT_OUT', field, `${label} (${shortAddress(address)}) is left out: ${why}`)
  return null
}

/** For people: without credentials and query, which may hold secrets. */
export function shortAddress(address: string): string {
  if (/^\s*data:/iu.test(address)) return 'data:'
  if (address.startsWith('cutroom-source:')) return 'a file of the library'
  return address
    .replace(/[?#].*$/su, '')
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/iu, '$1')
    .slice(0, 120)
}
