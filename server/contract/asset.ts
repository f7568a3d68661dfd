/** Files that a clip's nodes name by address: a logo, an end card, music. They are fetched by a stage of their own. */
import type { PictureAsset, SoundAsset, VideoAsset } from './composition.ts'

/**
 * What a node can use. `media`: whatever its bytes say that it is, a picture, a video or a sound; the node tells what it
 * got by the state's `kind`.
 */
export type AssetKind = 'image' | 'video' | 'audio' | 'media' | 'font'

/**
 * One file that a node asks for. The address is http(s), a `data:` address (pictures and sounds, up to 10 MB), or
 * `cutroom-source:<sha256>`: a file that the appliance keeps already.
 */
export interface AssetNeed {
  readonly url: string
  readonly kind: AssetKind
}

/** A file that is there, told by its bytes and not by what was asked for. */
export type ReadyAsset =
  | { readonly state: 'ready'; readonly kind: 'image'; readonly picture: PictureAsset }
  /** `sound` is the same file's, null where it has none. */
  | {
      readonly state: 'ready'
      readonly kind: 'video'
      readonly video: VideoAsset
      readonly sound: SoundAsset | null
    }
  | { readonly state: 'ready'; readonly kind: 'audio'; readonly sound: SoundAsset }
  /** The SHA-256 under which the font file is kept. */
  | { readonly state: 'ready'; readonly kind: 'font'; readonly digest: string }

/** What came of fetching one. */
export type AssetState =
  | ReadyAsset
  /** The message is a sentence for a person. */
  | { readonly state: 'failed'; readonly message: string }

/** By address. What is not there was not fetched yet. */
export type Assets = ReadonlyMap<string, AssetState>

const KEPT = /^cutroom-source:([0-9a-f]{64})$/u

/** The address of a file that the home keeps under this SHA-256. */
export function storedFileAddress(digest: string): string {
  return `cutroom-source:${digest}`
}

/** The SHA-256 that such an address names; null for any other address. */
export function storedFileDigest(url: string): string | null {
  return KEPT.exec(url)?.[1] ?? null
}
