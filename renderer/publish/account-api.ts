/** The studio's routes for accounts of platforms. */
import type {
  AppRequest,
  ApprovalRule,
  ConnectByPassword,
  Connected,
  ConnectState,
  StudioAccounts,
} from '../../server/contract/social-accounts.ts'
import type { Platform } from '../../server/contract/post.ts'
import { call, json } from '../state/api.ts'
import type { Visit } from '../ui/visit-outside.ts'

const PATH = '/studio/social'
const flowPath = (flow: string): string => `${PATH}/connect/${encodeURIComponent(flow)}`

export const loadStudioAccounts = () => call<StudioAccounts>(`${PATH}/accounts`)
export const disconnect = (id: string) =>
  call<StudioAccounts>(`${PATH}/accounts/${encodeURIComponent(id)}`, { method: 'DELETE' })
export const saveApp = (platform: Platform, app: AppRequest) =>
  call<StudioAccounts>(`${PATH}/apps/${platform}`, json('PUT', app))
export const removeApp = (platform: Platform) =>
  call<StudioAccounts>(`${PATH}/apps/${platform}`, { method: 'DELETE' })
export const connectByPassword = (given: ConnectByPassword) =>
  call<Connected>(`${PATH}/password`, json('POST', given))
export const beginConnect = (platform: Platform, desktop: boolean) =>
  call<Visit>(`${PATH}/connect`, json('POST', { platform, desktop }))
export const connectState = (flow: string) => call<ConnectState>(flowPath(flow))
/** `accountId`: the one that was chosen of several. */
export const finishConnect = (flow: string, accountId: string | null) =>
  call<Connected>(`${flowPath(flow)}/finish`, json('POST', accountId === null ? {} : { accountId }))
export const loadApprovalRule = () => call<ApprovalRule>(`${PATH}/approval`)
export const saveApprovalRule = (separateApproval: boolean) =>
  call<ApprovalRule>(`${PATH}/approval`, json('PUT', { separateApproval }))
