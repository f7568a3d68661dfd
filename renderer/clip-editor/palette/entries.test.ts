import { expect, it } from 'vitest'
import { COMMANDS } from '../../../server/nodes/commands/index.ts'
import { SAMPLE_EDIT, sampleContext } from '../../../test/support/sample-clip.ts'
import { doEntry, fitOf, searchEntries } from './entries.ts'

const search = (query: string, edit = SAMPLE_EDIT) => searchEntries(query, edit, sampleContext())
const labels = (query: string): string[] => search(query).map(({ label }) => label)

it('lists every command, and the keys of the editor', () => {
  const all = labels('')
  for (const { name, label } of COMMANDS) if (name !== 'help') expect(all).toContain(label)
  expect(all).toContain('Play or pause')
  expect(new Set(all).size).toBe(all.length)
})

it('finds by name, by other words, and by letters in their order, best first', () => {
  expect(labels('caption col')[0]).toBe('Caption colour')
  expect(labels('subtitles size')).toContain('Caption size')
  expect(labels('headline')).toContain('Title')
  expect(labels('aspra')[0]).toBe('Aspect ratio')
  expect(labels('qqqq')).toEqual([])
  expect(fitOf('speed', 'Speed', '')).toBeGreaterThan(fitOf('speed', 'Layout', 'speed'))
})

it('takes parameters behind a name, and sentences', () => {
  const calls = (query: string) => {
    const does = search(query)[0]?.does
    return does?.kind === 'calls' ? does.calls : null
  }
  expect(calls('Caption size 90')).toEqual([{ name: 'caption_size', arguments: { size: 90 } }])
  expect(calls('Speed 1.5x')).toEqual([{ name: 'speed', arguments: { rate: 1.5 } }])
  expect(calls('Cut words three times')).toEqual([
    { name: 'cut_words', arguments: { phrase: 'three times' } },
  ])
  expect(calls('cut the first sentence and make the captions red')).toHaveLength(2)
  expect(calls('make it nicer')).toBeNull()
})

it('says why a command cannot be done to this clip, and does nothing of a step that cannot be done whole', () => {
  const bare = { ...SAMPLE_EDIT, watermarkConfig: {} }
  expect(search('watermark', bare).find(({ id }) => id === 'watermark')?.unavailable).toBe(
    'This clip has no watermark.',
  )
  const calls = [
    { name: 'caption_size', arguments: { size: 90 } },
    { name: 'cut_words', arguments: { phrase: 'giraffes' } },
  ] as const
  expect(doEntry(SAMPLE_EDIT, sampleContext(), calls)).toEqual({
    why: '“giraffes” is not said in this clip.',
  })
  expect(doEntry(SAMPLE_EDIT, sampleContext(), calls.slice(0, 1))).toMatchObject({
    done: { edit: { subtitleConfig: { fontSize: 90 } } },
  })
})
