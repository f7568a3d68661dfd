/** The studio's routes for share links and what reviewers said. */
import type {
  ClipFeedback,
  ShareChange,
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
export const changeShare = (id: string, change: ShareChange) =>
  call<ShareLinks>(at(id), json('PATCH', change))
export const revokeShare = (id: string) => call<ShareLinks>(at(id), { method: 'DELETE' })
export const loadFeedback = (clipId: string) =>
  call<ClipFeedback>(`${PATH}/clips/${encodeURIComponent(clipId)}`)
/** Ends every address of a clip's files that was given out. */
export const revokeAddresses = (clipId: string) =>
  call<unknown>(`/studio/clips/${encodeURIComponent(clipId)}/addresses/revoke`, json('POST', {}))
export const answerComment = (id: string, text: string) =>
  call<{ comment: ShareComment }>(`${comment(id)}/answers`, json('POST', { text }))
export const resolveComment = (id: string, resolved: boolean) =>
  call<{ comment: ShareComment }>(`${comment(id)}/resolved`, json('PUT', { resolved }))
