/** Files that a clip's nodes name by address: a logo, an end card. They are fetched by a stage of their own. */
import type { PictureAsset } from './composition.ts'

/** One file that a node asks for. */
export interface AssetNeed {
  readonly url: string
  readonly kind: 'image'
}

/** What came of fetching one. */
export type AssetState =
  | ({ readonly state: 'ready' } & PictureAsset)
  /** The message is a sentence for a person. */
  | { readonly state: 'failed'; readonly message: string }

/** By address. What is not there was not fetched yet. */
export type Assets = ReadonlyMap<string, AssetState>
