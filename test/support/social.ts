/** Posts in tests: a clip that is rendered already, and the way from a draft to the outbox. */
import { expect } from 'vitest'
import { socialRunner } from '../../server/domain/publishing/runner.ts'
import type { DomainClient } from './domain.ts'
import { addClip, addMedia, addWorkflow, type TestServer } from './server.ts'

export interface PostAnswer {
  readonly id: string
  readonly status: string
  readonly destination: string
  readonly scheduledAt: string | null
  readonly approved: boolean
  readonly postUrl: string | null
  readonly nativeId: string | null
  readonly note: string | null
  readonly error: { code: string; message: string } | null
  readonly operationId: string | null
  readonly [name: string]: unknown
}

/** A published clip whose rendered file holds `content`. */
export async function renderedClip(
  server: TestServer,
  content: Buffer | string = 'a video',
): Promise<{ clipId: string; file: string }> {
  const workflowId = addWorkflow(server)
  const video = await addMedia(server, 'clip.mp4', content)
  const thumbnail = await addMedia(server, 'thumbnail.jpg', 'a picture', 'image/jpeg')
  const row = { renderedMedia: video.id, renderedThumbnailMedia: thumbnail.id, renderKey: 'k' }
  return { clipId: addClip(server, { workflowId, row }), file: video.file }
}

let keys = 0
/** An Idempotency-Key that nothing else uses. */
export const once = (): string => `key-${++keys}`

export async function draft(client: DomainClient, json: Record<string, unknown>): Promise<PostAnswer> {
  const made = await client.call<PostAnswer>('POST', '/social/posts', { json, once: once() })
  expect([made.status, made.text]).toEqual([201, expect.any(String)])
  return made.data
}

/** Prepares, approves and consumes; answers the operation's id. */
export async function approved(
  client: DomainClient,
  postId: string,
  verb: 'publish' | 'cancel' = 'publish',
): Promise<string> {
  const prepared = await client.call<{ id: string }>('POST', `/social/posts/${postId}:prepare-${verb}`, {
    once: once(),
  })
  expect([prepared.status, prepared.text]).toEqual([201, expect.any(String)])
  const confirmationId = prepared.data.id
  await client.call('POST', `/confirmations/${confirmationId}:decide`, {
    json: { decision: 'approve' },
    once: once(),
  })
  const done = await client.call<{ id: string }>('POST', `/social/posts/${postId}:${verb}`, {
    json: { confirmationId },
    once: once(),
  })
  expect([done.status, done.text]).toEqual([202, expect.any(String)])
  return done.data.id
}

/** Carries out what is due, and waits for it. */
export async function carryOut(server: TestServer): Promise<void> {
  const runner = socialRunner(server.services)
  runner.tick()
  await runner.idle()
}

export const post = async (client: DomainClient, id: string): Promise<PostAnswer> =>
  (await client.call<PostAnswer>('GET', `/social/posts/${id}`)).data
