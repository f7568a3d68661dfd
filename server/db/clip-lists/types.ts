/** Searches of clips and what they find, as they are passed to the threads that carry them out. */
import type { ClipFacets, ClipSort, ClipStatus } from '../../contract/tenant-api/clip.ts'

/** Which clips; all that is given must hold. Times are epoch milliseconds, durations seconds, bounds inclusive. */
export interface ClipFilter {
  readonly query?: string
  /** What is no ClipStatus fits no clip. */
  readonly status?: string
  readonly statuses?: readonly string[]
  readonly aspectRatio?: string
  readonly tags?: readonly string[]
  readonly people?: readonly string[]
  readonly personMode?: 'any' | 'all'
  readonly keywords?: readonly string[]
  readonly workflowId?: string
  readonly runId?: string
  readonly episodeId?: string
  readonly durationMin?: number
  readonly durationMax?: number
  readonly modifiedAfter?: number
  readonly modifiedBefore?: number
}

/** Of a clip in the order of a list: what it is sorted by, then its id. */
export type ClipPosition = readonly [value: string | number, id: string]

export interface ClipSearch {
  readonly companyId: string
  readonly filter: ClipFilter
  /** Null: no page is wanted. */
  readonly page: {
    readonly sortBy: ClipSort
    readonly order: 'asc' | 'desc'
    readonly after: ClipPosition | null
    readonly limit: number
  } | null
  readonly count: boolean
  readonly facets: boolean
}

/** A clip as lists show it. */
export interface ListedClip {
  readonly id: string
  readonly title: string
  readonly statuses: readonly ClipStatus[]
  readonly duration: number
  readonly viralityScore: number
  readonly aspectRatio: string
  readonly tags: readonly string[]
  readonly people: readonly string[]
  readonly keywords: readonly string[]
  readonly workflowId: string
  readonly runId: string | null
  readonly episodeId: string
  readonly thumbnail: { readonly token: string; readonly name: string } | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ClipFindings {
  readonly clips: readonly ListedClip[]
  /** Where the next page begins after; null: there is none. */
  readonly next: ClipPosition | null
  readonly total: number | null
  readonly facets: ClipFacets | null
}
