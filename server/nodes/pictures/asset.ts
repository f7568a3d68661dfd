/** Files that nodes need: how a node asks for one, and what it says when it could not be had. */
import type { AssetNeed, Assets } from '../../contract/asset.ts'
import type { PictureAsset } from '../../contract/composition.ts'
import type { Warn } from '../compose/read-config.ts'

/** The need for one picture; none for an empty address. */
export function pictureNeed(url: string | undefined): AssetNeed[] {
  const address = url?.trim() ?? ''
  return address === '' ? [] : [{ url: address, kind: 'image' }]
}

/** The picture at this address, or null with a warning that names the setting (`label`). */
export function pictureAt(
  assets: Assets,
  url: string | undefined,
  label: string,
  warn: Warn,
): PictureAsset | null {
  const address = url?.trim() ?? ''
  if (address === '') {
    warn(`${label} is empty, so there is no picture to show.`)
    return null
  }
  const state = assets.get(address)
  if (state?.state === 'ready') {
    const { digest, width, height, opaque } = state
    return { digest, width, height, opaque }
  }
  const why = state === undefined ? 'It was not fetched yet.' : state.message
  warn(`${label} (${shortAddress(address)}) is left out: ${why}`)
  return null
}

/** For people: without credentials and query, which may hold secrets. */
function shortAddress(address: string): string {
  if (address.startsWith('data:')) return 'data:'
  return address
    .replace(/[?#].*$/su, '')
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/iu, '$1')
    .slice(0, 120)
}
