/** Review's side of the routes under /studio/runs/. */
import type {
  FindRequest,
  Pick,
  RangeRequest,
  RenderKept,
  ReviewDecisions,
  ReviewedClip,
  ReviewTranscript,
  StudioReview,
} from '../../server/contract/review.ts'
import { call, json } from '../state/api.ts'

/** The path of a run's routes; strips take it too. */
export const runPath = (runId: string): string => `/studio/runs/${encodeURIComponent(runId)}`

/** Words in one request. */
const WORDS_PAGE = 5000

export const loadReview = (runId: string) => call<StudioReview>(`${runPath(runId)}/review`)

export const loadWords = (runId: string, from: number) =>
  call<ReviewTranscript>(`${runPath(runId)}/transcript?from=${from}&limit=${WORDS_PAGE}`)

export const sendDecisions = (runId: string, body: ReviewDecisions) =>
  call<{ clips: ReviewedClip[] }>(`${runPath(runId)}/decisions`, json('POST', body))

export const pickAgain = (runId: string, body: FindRequest) =>
  call<Pick>(`${runPath(runId)}/picks`, json('POST', body))

export const pickRange = (runId: string, body: RangeRequest) =>
  call<Pick>(`${runPath(runId)}/ranges`, json('POST', body))

export const mergeClips = (runId: string, clipIds: readonly string[]) =>
  call<Pick>(`${runPath(runId)}/merges`, json('POST', { clipIds }))

export const renderKept = (runId: string) =>
  call<RenderKept>(`${runPath(runId)}/render-kept`, json('POST', {}))
