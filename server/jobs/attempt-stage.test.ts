import { describe, expect, it } from 'vitest'
import { attemptStage, type StageVerdict } from './attempt-stage.ts'

const died: StageVerdict = { kind: 'engine-died' }
const killed: StageVerdict = {
  kind: 'failed',
  failure: { code: 'STAGE_FAILED', message: 'killed' },
  retryable: true,
}
const refused: StageVerdict = {
  kind: 'failed',
  failure: { code: 'NO_SPEECH', message: 'none' },
  retryable: false,
}
const finished: StageVerdict = { kind: 'finished', output: 1, warnings: [], reused: false, milliseconds: 1 }

async function attempt(verdicts: StageVerdict[], before = 0) {
  let attempts = before
  const verdict = await attemptStage({
    begin: () => ++attempts,
    work: (begin) => Promise.resolve(begin() ?? verdicts.shift() ?? finished),
    signal: new AbortController().signal,
    pauseMs: 1,
  })
  return { verdict, attempts }
}

describe('attemptStage', () => {
  it.each<[string, StageVerdict[], number, unknown, number]>([
    ['works at once', [finished], 0, { kind: 'finished' }, 1],
    ['works after the engine died', [died, finished], 0, { kind: 'finished' }, 2],
    ['works after a tool was killed twice', [killed, killed, finished], 0, { kind: 'finished' }, 3],
    ['believes what a stage says on purpose', [refused], 0, { failure: { code: 'NO_SPEECH' } }, 1],
    [
      'gives up when the engine always dies',
      [died, died, died, finished],
      0,
      { failure: { code: 'INTERRUPTED' } },
      3,
    ],
    [
      'keeps the failure when tools always die',
      [killed, killed, killed],
      0,
      { failure: { code: 'STAGE_FAILED' } },
      3,
    ],
    ['does not hold earlier lives against it', [died, died, finished], 4, { kind: 'finished' }, 7],
    ['gives up what ended too many lives', [finished], 12, { failure: { code: 'INTERRUPTED' } }, 13],
  ])('%s', async (_name, verdicts, before, expected, attempts) => {
    const result = await attempt(verdicts, before)
    expect(result.verdict).toMatchObject(expected as object)
    expect(result.attempts).toBe(attempts)
  })

  it.each<[string, number[], number]>([
    ['does not count attempts that came further', [1, 2, 3, 4, 5, 6, 7, 8, 9], 10],
    ['counts those that came to the same place again', [4, 4, 4, 4, 4, 4], 3],
    ['counts those that fell behind', [4, 3, 2, 1], 3],
    ['counts those without any checkpoint', [0, 0, 0, 0], 3],
  ])('%s', async (_name, reached, begun) => {
    let attempts = 0
    await attemptStage({
      begin: () => ++attempts,
      work: (begin, onCheckpoint) => {
        const instead = begin()
        const position = reached[attempts - 1]
        if (position === undefined) return Promise.resolve(finished)
        onCheckpoint(position)
        return Promise.resolve(instead ?? died)
      },
      signal: new AbortController().signal,
      pauseMs: 1,
    })
    expect(attempts).toBe(begun)
  })

  it('believes the rows of earlier lives about what is further', async () => {
    let attempts = 0
    const verdict = await attemptStage({
      begin: () => ++attempts,
      work: (begin, onCheckpoint) => {
        const instead = begin()
        onCheckpoint(attempts)
        return Promise.resolve(instead ?? died)
      },
      onCheckpoint: (position) => position > 100,
      signal: new AbortController().signal,
      pauseMs: 1,
    })
    expect([verdict, attempts]).toMatchObject([{ failure: { code: 'INTERRUPTED' } }, 3])
  })

  it('does nothing for what is finished already', async () => {
    const signal = new AbortController().signal
    const work = (begin: () => StageVerdict | null) => Promise.resolve(begin() ?? finished)
    expect(await attemptStage({ begin: () => null, work, signal })).toEqual({ kind: 'done' })
  })

  it('stops waiting for the next attempt when aborted', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 10)
    const work = (begin: () => StageVerdict | null) => Promise.resolve(begin() ?? died)
    const verdict = await attemptStage({ begin: () => 1, work, signal: controller.signal, pauseMs: 60_000 })
    expect(verdict).toEqual({ kind: 'stopped' })
  })
})
