import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { call, loadSession, uploadFile } from './api.ts'
import { RequestRefused } from './request-refused.ts'
import { followSignedOut, onceSignedIn } from './signed-out.ts'

const DELEGATION = 'Send the delegation in the header X-Service-Delegation.'
let answer: () => Promise<Response>
const says = (status: number, body: unknown) => {
  answer = () => Promise.resolve(Response.json(body, { status }))
}

let states: boolean[]
let stop: () => void
beforeEach(async () => {
  vi.stubGlobal('fetch', () => answer())
  says(200, {})
  await loadSession()
  states = []
  stop = followSignedOut((now) => states.push(now))
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

it('is said by any call, in words for people, and taken back when the session answers again', async () => {
  says(401, { error: { message: DELEGATION } })
  const refused = await call('/social/posts').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(RequestRefused)
  expect(refused).toMatchObject({ status: 401, message: 'You are signed out.' })
  await call('/clips').catch(() => undefined)
  expect(states).toEqual([false, true])
  says(200, {})
  await loadSession()
  expect(states).toEqual([false, true, false])
})

it('is not taken back by what is answered to everybody, nor by what was asked before the session ended', async () => {
  says(401, {})
  await call('/clips').catch(() => undefined)
  says(200, {})
  await call('/licences.json')
  await call('/clips')
  expect(states).toEqual([false, true])
})

it('is not what a refusal of something else is, nor an appliance that is away', async () => {
  says(403, { error: 'This is for owners.' })
  await expect(call('/studio/people')).rejects.toThrow('This is for owners.')
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(call('/studio/people')).rejects.toMatchObject({ status: 0 })
  expect(states).toEqual([false])
})

it('is said by an upload too', async () => {
  class Refused {
    status = 401
    response = { error: DELEGATION }
    upload = {}
    onload: () => void = () => undefined
    open(): void {}
    send(): void {
      queueMicrotask(() => this.onload())
    }
  }
  vi.stubGlobal('XMLHttpRequest', Refused)
  await expect(uploadFile({ name: 'a.mp4' } as File, () => undefined).done).rejects.toThrow(
    'You are signed out.',
  )
  expect(states).toEqual([false, true])
})

it('tells nobody who has gone', async () => {
  stop()
  says(401, {})
  await call('/clips').catch(() => undefined)
  expect(states).toEqual([false])
})

it('has done once, when somebody is signed in again, what was refused meanwhile', async () => {
  says(401, {})
  await call('/clips').catch(() => undefined)
  const again = vi.fn()
  onceSignedIn(again)
  onceSignedIn(again)
  expect(again).not.toHaveBeenCalled()
  for (const status of [200, 401, 200]) {
    says(status, {})
    await loadSession().catch(() => undefined)
  }
  expect(again).toHaveBeenCalledOnce()
})
