/** Files that a clip's nodes name by address: a logo, an end card, music. They are fetched by a stage of their own. */
import type { PictureAsset, SoundAsset, VideoAsset } from './composition.ts'

/** Kinds of file that a node can use. `media`: whichever the bytes are; the `kind` of the state says which it was. */
export type AssetKind = 'image' | 'video' | 'audio' | 'media' | 'font'

/** A file that a node needs, by http(s), a `data:` address (10 MB at most) or `cutroom-source:<sha256>`. */
export interface AssetNeed {
  readonly url: string
  readonly kind: AssetKind
}

/** A fetched file. Its kind is recognised from its bytes, not taken from the request. */
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
  /** SHA-256 of the stored font file. */
  | { readonly state: 'ready'; readonly kind: 'font'; readonly digest: string }

/** The result of fetching one file. */
export type AssetState =
  | ReadyAsset
  /** The message is a sentence for a person. */
  | { readonly state: 'failed'; readonly message: string }

/** By address. What is not there was not fetched yet. */
export type Assets = ReadonlyMap<string, AssetState>

const KEPT = /^cutroom-source:([0-9a-f]{64})$/u

/** The address of a file that the home stores under this SHA-256. */
export const storedFileAddress = (digest: string): string => `cutroom-source:${digest}`

/** The SHA-256 that such an address names; null for any other address. */
export const storedFileDigest = (url: string): string | null => KEPT.exec(url)?.[1] ?? null
