import { DOMParser } from '@xmldom/xmldom'
import { expect, it } from 'vitest'
import { rate } from '../../test/support/export-clip.ts'
import { writeEbuTtD, writeTtml } from './ttml.ts'
import type { EditedTranscript } from './words.ts'

const TALK: EditedTranscript = {
  title: 'R&D <first>',
  language: 'de-CH',
  rate: rate(25),
  durationFrames: 250,
  speakers: [],
  words: [
    { text: 'Größer', startFrame: 25, endFrame: 40, speaker: 0, joinsNext: false },
    { text: '< 3 & fertig.', startFrame: 40, endFrame: 75, speaker: 0, joinsNext: false },
  ],
}

function parsed(text: string) {
  const complain = (level: string, message: string): never => {
    throw new Error(`${level}: ${message}`)
  }
  return new DOMParser({ onError: complain }).parseFromString(text, 'text/xml')
}

it.each([
  ['TTML', writeTtml],
  ['EBU-TT-D', writeEbuTtD],
])('%s has times of the media, the language and every letter', (_, write) => {
  const document = parsed(write(TALK))
  const cue = document.getElementsByTagName('p')[0]
  expect([cue?.getAttribute('begin'), cue?.getAttribute('end')]).toEqual(['00:00:01.000', '00:00:03.000'])
  expect(cue?.textContent).toBe('Größer < 3 & fertig.')
  const root = document.documentElement
  expect([root?.getAttribute('xml:lang'), root?.getAttribute('ttp:timeBase')]).toEqual(['de-CH', 'media'])
  // Every style and region that is referred to is there.
  const ids = new Set([...document.getElementsByTagName('*')].map((one) => one.getAttribute('xml:id')))
  const named = [...document.getElementsByTagName('*')].flatMap((one) => [
    one.getAttribute('style'),
    one.getAttribute('region'),
  ])
  expect(named.filter((name) => name !== null && name !== '' && !ids.has(name))).toEqual([])
})

it('says which standard EBU-TT-D follows', () => {
  const said = parsed(writeEbuTtD(TALK)).getElementsByTagName('ebuttm:conformsToStandard')[0]
  expect(said?.textContent).toBe('urn:ebu:tt:distribution:2018-04')
})
