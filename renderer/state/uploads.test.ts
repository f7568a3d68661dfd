import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { RequestRefused } from './request-refused.ts'
import { createUploads } from './uploads.svelte.ts'

// What the compiler of the pages makes of it follows the value; here it is the value.
beforeAll(() => vi.stubGlobal('$state', { raw: (value: unknown) => value }))
afterAll(() => vi.unstubAllGlobals())

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const files = (...names: string[]) => names.map((name) => ({ name, file: { name } as File, captions: null }))
const W1 = { workflowId: 'w1' }

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
    begin: (run) => Promise.resolve({ triggerId: `r${runs.push(run)}` }),
  })
  const reported: string[] = []
  const watch = () =>
    uploads.watch({
      begun: (runId) => reported.push(`begun ${runId}`),
      refused: (why: string) => reported.push(why),
    })
  return { uploads, sent, runs, reported, watch }
}

it('sends one after the other, subtitles before their video, and each becomes a run', async () => {
  const { uploads, sent, runs, reported, watch } = world()
  watch()
  const [first, second] = files('a.mp4', 'b.mp4')
  if (first === undefined || second === undefined) throw new Error('two files')
  const settings = { workflowId: 'w2', language: 'de' }
  const all = uploads.send([first, { ...second, captions: { name: 'b.srt' } as File }], settings)
  await settled()
  sent[0]?.progress(0.5)
  expect(uploads.current).toEqual({ name: 'a.mp4', fraction: 0.5, left: 1 })
  sent[0]?.end.resolve('u1')
  await settled()
  expect(uploads.current).toEqual({ name: 'b.srt', fraction: 0, left: 0 })
  sent[1]?.end.resolve('u2')
  await settled()
  sent[2]?.end.resolve('u3')
  await all
  expect(uploads.current).toBeNull()
  expect(runs).toEqual([
    { uploadId: 'u1', ...settings },
    { uploadId: 'u3', captionsUploadId: 'u2', ...settings },
  ])
  expect([reported, uploads.begun]).toEqual([['begun r1', 'begun r2'], null])
})

it('starts a run of an address and of an upload that is there without sending anything', async () => {
  const { uploads, sent, runs } = world()
  const address = { name: 'https://a.b/c', url: 'https://a.b/c', captions: null }
  await uploads.send([address, { name: 'd.mp4', uploadId: 'u9', captions: null }], W1)
  expect([sent, runs]).toEqual([
    [],
    [
      { url: 'https://a.b/c', ...W1 },
      { uploadId: 'u9', ...W1 },
    ],
  ])
})

it('goes on where nobody watches: what is going on is seen again, and how it ended is reported', async () => {
  const { uploads, sent, reported, watch } = world()
  const leave = watch()
  const all = uploads.send(files('a.mp4', 'b.mp4'), W1)
  await settled()
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

it('stores why one was refused for the next watcher, shows it once, and sends no more', async () => {
  const { uploads, sent, reported, watch } = world()
  const all = uploads.send(files('a.mp4', 'b.mp4', 'c.mp4'), W1)
  await settled()
  sent[0]?.end.reject(new RequestRefused(507, 'The disk is full.'))
  await all
  const why = '“a.mp4” was not uploaded. The disk is full. The 2 files after it were not uploaded either.'
  expect([uploads.refused, uploads.current, sent.length]).toEqual([why, null, 1])
  watch()()
  watch()
  expect([reported, uploads.refused]).toEqual([[why], null])
})

it('is put away, and cancelled; a batch that comes meanwhile waits for its turn', async () => {
  const { uploads, sent, reported, watch } = world()
  const all = uploads.send(files('a.mp4', 'b.mp4'), W1)
  await settled()
  const second = uploads.send(files('c.mp4'), W1)
  uploads.cancel()
  await all
  expect(uploads.refused).toBe(
    '“a.mp4” was not uploaded. The upload was cancelled. The file after it was not uploaded either.',
  )
  uploads.putAway()
  expect(uploads.refused).toBeNull()
  watch()
  await settled()
  expect([uploads.current?.name, sent.length]).toEqual(['c.mp4', 2])
  uploads.cancel()
  await second
  expect(reported.at(-1)).toBe('“c.mp4” was not uploaded. The upload was cancelled.')
})
