import { expect, it } from 'vitest'
import { addFiles, type NewSources } from './new-sources.ts'

const NONE: NewSources = { sources: [], alone: [] }
const add = (before: NewSources, ...names: string[]): NewSources =>
  addFiles(
    before,
    names.map((name) => new File(['x'], name)),
  )
const shown = ({ sources, alone }: NewSources) => ({
  sources: sources.map(({ name, captions }) => [name, captions?.name ?? null]),
  alone: alone.map(({ name }) => name),
})

it.each(['talk.srt', 'talk.vtt', 'talk.ass', 'talk.de.srt', 'talk.mp4.srt', 'TALK.PT-br.VTT'])(
  'puts %s with its video',
  (name) => {
    expect(shown(add(NONE, name, 'talk.mp4'))).toEqual({ sources: [['talk.mp4', name]], alone: [] })
  },
)

it('leaves subtitles alone that belong to no video, until it comes', () => {
  const first = add(NONE, 'talk.srt', 'other.mp4')
  expect(shown(first)).toEqual({ sources: [['other.mp4', null]], alone: ['talk.srt'] })
  expect(shown(add(first, 'talk.mov'))).toEqual({
    sources: [
      ['other.mp4', null],
      ['talk.mov', 'talk.srt'],
    ],
    alone: [],
  })
})

it('takes one subtitle file for each video, and a dot in a title for no language', () => {
  expect(shown(add(NONE, 'talk.mp4', 'talk.en.srt', 'talk.de.srt'))).toEqual({
    sources: [['talk.mp4', 'talk.en.srt']],
    alone: ['talk.de.srt'],
  })
  expect(shown(add(NONE, 'ep.12.mp4', 'ep.12.fr.srt')).sources).toEqual([['ep.12.mp4', 'ep.12.fr.srt']])
})
