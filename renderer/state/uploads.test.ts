import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { RequestRefused } from './api.ts'
import { createUploads } from './uploads.svelte.ts'

// What the compiler of the pages makes of it follows the value; here it is the value.
beforeAll(() => vi.stubGlobal('$state', { raw: (value: unknown) => value }))
afterAll(() => vi.unstubAllGlobals())

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const files = (...names: string[]) => names.map((name) => ({ name }) as File)

function world() {
  const sent: { name: string; progress: (fraction: number) => void; end: PromiseWithResolvers<string> }[] = []
  const runs: unknown[] = []
  const uploads = createUploads({
    upload: ({ name }, progress) => {
      const end = Promise.withResolvers<string>()
      sent.push({ name, progress, end })
      const cancel = () => end.reject(new RequestRefused(0, 'The upload was cancelled.'))
      return { done: end.promise, cancel }
    },
    begin: (run) => Promise.resolve(runs.push(run)),
  })
  const reported: string[] = []
  const watch = () =>
    uploads.watch({ begun: () => reported.push('begun'), refused: (why: string) => reported.push(why) })
  return { uploads, sent, runs, reported, watch }
}

it('sends one after the other, and each becomes a run of the workflow that is chosen when it is there', async () => {
  const { uploads, sent, runs, reported, watch } = world()
  watch()
  const all = uploads.send(files('a.mp4', 'b.mp4'), 'w1')
  sent[0]?.progress(0.5)
  expect(uploads.current).toEqual({ name: 'a.mp4', fraction: 0.5, workflowId: 'w1' })
  uploads.choose('w2')
  sent[0]?.end.resolve('u1')
  await settled()
  expect(uploads.current).toEqual({ name: 'b.mp4', fraction: 0, workflowId: 'w2' })
  sent[1]?.end.resolve('u2')
  await all
  expect(uploads.current).toBeNull()
  expect(runs).toEqual([
    { uploadId: 'u1', workflowId: 'w2' },
    { uploadId: 'u2', workflowId: 'w2' },
  ])
  expect([reported, uploads.begun]).toEqual([['begun', 'begun'], null])
})

it('goes on where nobody watches: what is going on is seen again, and how it ended is told', async () => {
  const { uploads, sent, reported, watch } = world()
  const leave = watch()
  const all = uploads.send(files('a.mp4', 'b.mp4'), 'w1')
  leave()
  sent[0]?.end.resolve('u1')
  await settled()
  expect(uploads.begun).toBe('“a.mp4” is uploaded, and its run has started.')
  expect(uploads.current?.name).toBe('b.mp4')
  sent[1]?.end.resolve('u2')
  await all
  expect(uploads.begun).toBe('2 files are uploaded, and their runs have started.')
  watch()
  // The runs are to be seen there.
  expect([uploads.begun, reported]).toEqual([null, []])
})

it('keeps why one was refused for whoever comes back, says it once, and sends no more', async () => {
  const { uploads, sent, reported, watch } = world()
  const all = uploads.send(files('a.mp4', 'b.mp4', 'c.mp4'), 'w1')
  sent[0]?.end.reject(new RequestRefused(507, 'The disk is full.'))
  await all
  const why = '“a.mp4” was not uploaded. The disk is full. The 2 files after it were not uploaded either.'
  expect([uploads.refused, uploads.current, sent.length]).toEqual([why, null, 1])
  watch()()
  watch()
  expect([reported, uploads.refused]).toEqual([[why], null])
})

it('is put away, and cancelled; a file that is dropped meanwhile is not lost sight of', async () => {
  const { uploads, reported, watch } = world()
  const all = uploads.send(files('a.mp4'), 'w1')
  uploads.cancel()
  await all
  expect(uploads.refused).toBe('“a.mp4” was not uploaded. The upload was cancelled.')
  uploads.putAway()
  expect(uploads.refused).toBeNull()
  watch()
  const second = uploads.send(files('b.mp4'), 'w1')
  await uploads.send(files('c.mp4'), 'w1')
  expect(reported).toEqual([expect.stringContaining('A file is being uploaded.')])
  uploads.cancel()
  await second
  expect(reported.at(-1)).toBe('“b.mp4” was not uploaded. The upload was cancelled.')
})
