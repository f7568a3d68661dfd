/** The studio's routes for share links and what reviewers said. */
import type {
  ClipFeedback,
  ShareComment,
  ShareLinks,
  ShareMade,
  ShareRequest,
} from '../../server/contract/sharing.ts'
import { call, json } from '../state/api.ts'

const PATH = '/studio/shares'
const at = (id: string): string => `${PATH}/${encodeURIComponent(id)}`
const comment = (id: string): string => `${PATH}/comments/${encodeURIComponent(id)}`

export const loadShares = () => call<ShareLinks>(PATH)
export const createShare = (request: ShareRequest) => call<ShareMade>(PATH, json('POST', request))
export const extendShare = (id: string, days: number) => call<ShareLinks>(at(id), json('PATCH', { days }))
export const revokeShare = (id: string) => call<ShareLinks>(at(id), { method: 'DELETE' })
export const loadFeedback = (clipId: string) =>
  call<ClipFeedback>(`${PATH}/clips/${encodeURIComponent(clipId)}`)
export const answerComment = (id: string, text: string) =>
  call<{ comment: ShareComment }>(`${comment(id)}/answers`, json('POST', { text }))
export const resolveComment = (id: string, resolved: boolean) =>
  call<{ comment: ShareComment }>(`${comment(id)}/resolved`, json('PUT', { resolved }))
