/** What a share link opens on the appliance. Its token is in the address behind `#`, and is sent in a body only. */
import type {
  NewShareComment,
  NewShareDecision,
  ShareComment,
  SharedView,
} from '../../server/contract/sharing.ts'

/** A refusal with the appliance's code and sentence. */
export class Refused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

async function call<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
  const answer = await fetch(`/shared/links/${path}`, init)
  const said = (await answer.json()) as { code?: string; error?: string }
  if (!answer.ok) throw new Refused(said.code ?? '', said.error ?? '')
  return said as T
}

export interface Address {
  readonly id: string
  readonly token: string
}

/** `#ID.TOKEN`; null: the address was cut. */
export function addressIn(hash: string): Address | null {
  const [, id, token] = /^#([\w-]+)\.([\w-]+)$/.exec(hash) ?? []
  return id === undefined || token === undefined ? null : { id, token }
}

export const openLink = ({ id, token }: Address, password: string | null) =>
  call<unknown>(`${id}/open`, { token, ...(password === null ? {} : { password }) })
export const loadView = (id: string) => call<SharedView>(id)
export const sendComment = async (id: string, comment: NewShareComment) =>
  (await call<{ comment: ShareComment }>(`${id}/comments`, comment)).comment
export const sendDecision = (id: string, decision: NewShareDecision) =>
  call<SharedView>(`${id}/decisions`, decision)
