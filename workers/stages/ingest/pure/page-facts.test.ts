import { expect, it } from 'vitest'
import { downloadForm, isQuotaExceeded } from '../web.ts'
import { pageName, progressLine, readPage } from './page-facts.ts'

const captions = (fields: Record<string, unknown>) => {
  const facts = readPage({ id: '1', ...fields })
  return facts.kind === 'video' ? (facts.video.captions?.language ?? null) : facts.kind
}
const file = [{ ext: 'vtt', url: 'https://x/a.vtt' }]

it('takes captions in the spoken language, or the only ones, and none of a script', () => {
  expect(captions({ language: 'en', subtitles: { de: file, 'en-GB': file, en: file } })).toBe('en')
  expect(captions({ language: 'en-US', subtitles: { de: file, 'en-GB': file } })).toBe('en-GB')
  expect(captions({ language: 'fr', subtitles: { de: file } })).toBeNull()
  expect(captions({ subtitles: { de: file, live_chat: file } })).toBe('de')
  expect(captions({ subtitles: { de: file, en: file } })).toBeNull()
  expect(captions({ language: 'en', automatic_captions: { en: file } })).toBeNull()
  expect(captions({ subtitles: { en: [{ ext: 'vtt', url: 'file:///etc/passwd' }] } })).toBeNull()
})

it('takes a version only where all that makes one is declared, in plain characters', () => {
  const version = (fields: Record<string, unknown>) => {
    const facts = readPage({ id: '1', extractor_key: 'Vimeo', format_id: 'h-1', filesize: 9, ...fields })
    return facts.kind === 'video' ? facts.video.version : facts.kind
  }
  expect(version({})).toBe('"yt-dlp:Vimeo:1:h-1:9"')
  expect(version({ id: 'a\r\nx: y' })).toBeNull()
  expect(version({ filesize: null })).toBeNull()
  expect(version({ requested_formats: [{ filesize: 4 }, { filesize_approx: 6.2 }] })).toBe(
    '"yt-dlp:Vimeo:1:h-1:10"',
  )
})

it.each([null, 'text', [], {}, { _type: 'url', id: '1' }])('%j describes no video', (fields) => {
  expect(readPage(fields)).toEqual({ kind: 'unknown' })
})

it('reads its own progress lines and no others', () => {
  expect(progressLine('cutroom 10 100 NA')).toEqual({ done: 10, total: 100 })
  expect(progressLine('cutroom 10 NA 99.5')).toEqual({ done: 10, total: 99.5 })
  expect(progressLine('cutroom 10 NA NA')).toEqual({ done: 10, total: null })
  expect(progressLine('cutroom NA NA NA')).toBeNull()
  expect(progressLine('[download] 10%')).toBeNull()
})

it('makes one name of a title, whatever is in it', () => {
  expect(pageName('AC/DC\n live. 1')).toBe('AC-DC live. 1.mp4')
})

it('finds the form that a page asks by, in any order of attributes, and no form that posts', () => {
  const page = (attributes: string) =>
    `<p>x</p><form ${attributes}><input value='a&amp;b' name="id"><input type="submit"></form>`
  expect(downloadForm(page('action="/get" id="download-form"'))).toEqual({
    action: '/get',
    fields: [['id', 'a&b']],
  })
  expect(downloadForm(page('id="download-form" action="/get" method="post"'))).toBeNull()
  expect(downloadForm(page('id="login" action="/get"'))).toBeNull()
  expect(isQuotaExceeded('<title>Google Drive - Quota exceeded</title>')).toBe(true)
})
