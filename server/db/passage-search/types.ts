/** Requests to the thread of passages, and its answers. */

export interface PassageSearch {
  readonly companyId: string
  /** An FTS5 expression of domain/search/search-terms.ts, its scope included; null: words are not searched. */
  readonly match: string | null
  /** Of length 1, with the model whose vectors it is compared with; null: meaning is not searched. */
  readonly near: { readonly vector: Float32Array; readonly model: string } | null
  /** The model by whose vectors the state of the index is counted; `none` where none is installed. */
  readonly model: string
  /** Of the stage that splits transcripts. */
  readonly version: number
  /** Passages of each kind, at most. */
  readonly limit: number
}

export interface FoundPassage {
  readonly runId: string
  /** Of the run's source. */
  readonly sourceDigest: string | null
  readonly chunk: number | null
  /** Seconds of the source, or of its part. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** With the query, by meaning; null for one that was found by words. */
  readonly cosine: number | null
  /** The published clip that most of the passage is in. */
  readonly clipId: string | null
  /** The source as media, where a clip of the run has it. */
  readonly sourceMedia: string | null
}

export interface PassageFindings {
  /** Best first. */
  readonly words: readonly FoundPassage[]
  readonly meaning: readonly FoundPassage[]
  /** Runs of the company that have a transcript, and how many of them are indexed by the model. */
  readonly runs: number
  readonly indexed: number
}
