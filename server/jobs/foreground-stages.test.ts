import { expect, it, vi } from 'vitest'
import { sourceInput, type StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { StageRequest, StageRunner, StageVerdict } from './attempt-stage.ts'
import { createForegroundStages } from './foreground-stages.ts'

const invocation: StageInvocation = {
  slot: 'strip',
  stage: 'filmstrip',
  params: {},
  inputs: { source: sourceInput('d') },
}
const wanted = { invocation, companyId: 'acme' }

/** A runner whose stages end when the test says so. */
function fakeRunner() {
  const requests: StageRequest[] = []
  const ends: ((verdict: StageVerdict) => void)[] = []
  const stages: StageRunner = {
    keyOf: () => Promise.resolve('k1'),
    run: (request) => {
      requests.push(request)
      request.begin()
      return new Promise((resolve) => {
        ends.push(resolve)
        request.signal.addEventListener('abort', () => resolve({ kind: 'stopped' }))
      })
    },
  }
  return { stages, requests, ends }
}
const finished = (output: unknown): StageVerdict => ({
  kind: 'finished',
  output,
  warnings: [],
  reused: false,
  milliseconds: 1,
})

it('runs a stage once for all who ask, says how far it is, and what came of it', async () => {
  const { stages, requests, ends } = fakeRunner()
  const made = createForegroundStages(stages)
  expect(await made.request(wanted, 0)).toEqual({ kind: 'making', progress: 0 })
  requests[0]?.onProgress(0.4, '')
  expect(await made.request(wanted, 0)).toEqual({ kind: 'making', progress: 0.4 })
  const both = Promise.all([made.request(wanted, 60_000), made.request(wanted, 60_000)])
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  ends[0]?.(finished({ file: 'strip.jpg' }))
  const state = { kind: 'made', key: 'k1', output: { file: 'strip.jpg' } }
  expect(await both).toEqual([state, state])
  expect(requests).toHaveLength(1)
  await made.stop()
})

it('gives up what nobody asks for any more, and begins again for the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { stages, requests } = fakeRunner()
    const made = createForegroundStages(stages, 1000)
    const ask = async () => {
      const answer = made.request(wanted, 1)
      await vi.advanceTimersByTimeAsync(1)
      return answer
    }
    await ask()
    await vi.advanceTimersByTimeAsync(900)
    await ask()
    await vi.advanceTimersByTimeAsync(900)
    expect(requests[0]?.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(await ask()).toEqual({ kind: 'making', progress: 0 })
    expect(requests).toHaveLength(2)
    await made.stop()
    expect(requests[1]?.signal.aborted).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

it('tells a failure to whoever asks soon, without trying again', async () => {
  const { stages, requests, ends } = fakeRunner()
  const made = createForegroundStages(stages)
  const asked = made.request(wanted, 60_000)
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  const failure = { code: 'STAGE_FAILED' as const, message: 'No picture.' }
  ends[0]?.({ kind: 'failed', failure, retryable: false })
  expect(await asked).toEqual({ kind: 'failed', failure })
  expect(await made.request(wanted, 60_000)).toEqual({ kind: 'failed', failure })
  expect(requests).toHaveLength(1)
  await made.stop()
})
