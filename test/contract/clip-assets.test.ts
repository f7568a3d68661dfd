/**
 * Files that a clip names: progress is shown while they are fetched, and fetching can be stopped and requested again.
 */
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { StudioAssets } from '../../server/contract/studio-footage.ts'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { findOpenOperation } from '../../server/db/operations.ts'
import { executeThumbnail } from '../../server/jobs/retake-thumbnail.ts'
import type { Machine } from '../../server/jobs/run-executor.ts'
import type { StageRunner } from '../../server/jobs/attempt-stage.ts'
import {
  addClip,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

const FIRST = 'https://files.example/logo.png'
const SECOND = 'https://files.example/tune.mp3'
let server: TestServer
let clipId: string
let twice: string
beforeAll(async () => {
  server = await startTestServer()
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  clipId = addClip(server, {
    workflowId,
    runId,
    document: { watermarkConfig: { url: FIRST }, backgroundMusicOption: { url: SECOND } },
  })
  const one = `${FIRST}?size=1`
  const other = `${FIRST}?size=2`
  twice = addClip(server, {
    workflowId,
    runId,
    document: { watermarkConfig: { url: one }, backgroundMusicOption: { url: other } },
  })
})
afterAll(() => server.close())

async function ask(deed: 'stop' | 'fetch' | null = null): Promise<StudioAssets> {
  const path = `/studio/clips/${clipId}/assets${deed === null ? '' : `/${deed}`}?companyId=acme`
  const answer = await server.call(path, deed === null ? {} : { method: 'POST' })
  expect(answer.status).toBe(200)
  expect(Value.Check(StudioAssets, answer.json())).toBe(true)
  return answer.json<StudioAssets>()
}
const open = () => findOpenOperation(server.services.db, 'thumbnail', clipId)

it('are fetched only on request; progress of all of them is reported, and fetching can be stopped', async () => {
  expect((await ask()).fetching).toBeNull()
  const wakes = server.jobs.wakes
  expect((await ask('fetch')).fetching).toEqual({ progress: 0, stopping: false })
  expect(server.jobs.wakes).toBe(wakes + 1)
  const operation = open()
  if (operation === null) throw new Error('nothing was queued')

  const halt = new AbortController()
  const begun = Promise.withResolvers<void>()
  let going = 0
  const stages: Pick<StageRunner, 'keyOf' | 'run'> = {
    keyOf: ({ slot }) => Promise.resolve(slot),
    run: async ({ onProgress, begin, signal }) => {
      begin()
      // One of both is half there.
      if (going === 0) onProgress(0.5, '')
      if (++going === 2) begun.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return { kind: 'stopped' }
    },
  }
  const machine = { services: server.services, stages } as unknown as Machine
  const verdict = executeThumbnail(machine, operation, halt.signal)
  await begun.promise
  const seen = await ask()
  expect(seen.assets.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  expect(seen.fetching).toEqual({ progress: 0.25, stopping: false })

  const cancel = vi.spyOn(server.jobs, 'cancel')
  await ask('stop')
  expect(cancel).toHaveBeenCalledWith(operation.id)
  halt.abort('cancel')
  expect(await verdict).toEqual({ kind: 'stopped' })
})

it('lists a file once where two addresses look the same to people', async () => {
  const answer = await server.call(`/studio/clips/${twice}/editor?companyId=acme`)
  expect(answer.status).toBe(200)
  expect(
    answer.json<StudioEditor>().preview.warnings.filter((text) => text.includes('being fetched')),
  ).toEqual([`${FIRST} is being fetched, and shown when it is here.`])
})
