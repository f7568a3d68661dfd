import { expect, it } from 'vitest'
import {
  cleanName,
  displayName,
  downloadUrl,
  isSignInPage,
  isVideoSite,
  sidecarLanguage,
  sidecarUrls,
} from './source-url.ts'

it('turns a Drive page into its download and leaves others alone', () => {
  const drive = downloadUrl('https://drive.google.com/file/d/AbC-1_2/view?usp=sharing')
  expect([drive.host, drive.pathname, drive.searchParams.get('id')]).toEqual([
    'drive.google.com',
    '/uc',
    'AbC-1_2',
  ])
  expect(drive.searchParams.get('export')).toBe('download')
  expect(downloadUrl('https://nas.local/file/d/talk.mp4').href).toBe('https://nas.local/file/d/talk.mp4')
})

it.each([
  ['https://a.b/x/My%20talk.mp4?sig=1', undefined, 'My talk.mp4'],
  ['https://a.b/x/', 'attachment; filename="../../etc/pass;wd.mp4"', 'pass;wd.mp4'],
  ['https://a.b/x', "attachment; filename=a.mp4; filename*=UTF-8''Gr%C3%BC%C3%9Fe.mp4", 'Grüße.mp4'],
  ['https://a.b/', undefined, 'a.b'],
  ['https://a.b/100%.mp4', undefined, '100%.mp4'],
])('names %s', (url, disposition, name) => {
  expect(displayName(new URL(url), disposition)).toBe(name)
})

it('cleans names of what file systems refuse', () => {
  expect(cleanName('a<b>:"c|d?*\x00\n.mp4')).toBe('abcd.mp4')
  expect(cleanName('x'.repeat(500))).toHaveLength(200)
})

it('looks for sidecars at the same address, query kept', () => {
  expect(sidecarUrls('https://a.b/t.x/talk.MP4?k=1').map(({ url }) => url)).toEqual([
    'https://a.b/t.x/talk.srt?k=1',
    'https://a.b/t.x/talk.vtt?k=1',
  ])
  expect(sidecarUrls('https://a.b/disc.vob')).toHaveLength(2)
  expect(sidecarUrls('https://a.b/watch')).toEqual([])
})

it.each([
  ['talk.srt', { language: 'und', format: 'srt' }],
  ['talk.mp4.VTT', { language: 'und', format: 'vtt' }],
  ['talk.pt-BR.srt', { language: 'pt-BR', format: 'srt' }],
  ['talk.mp4.en.srt', { language: 'en', format: 'srt' }],
  ['talk.de.ass', { language: 'de', format: 'ass' }],
  ['talk.part two.srt', null],
  ['talks.srt', null],
  ['talk.txt', null],
])('reads the language of %s', (name, expected) => {
  expect(sidecarLanguage('talk.mp4', name)).toEqual(expected)
})

it.each([
  [
    'https://drive.google.com/file/u/1/d/AbC/view?resourcekey=0-k',
    'https://drive.google.com/uc?export=download&id=AbC&confirm=t&resourcekey=0-k',
  ],
  [
    'https://www.dropbox.com/scl/fi/a1/talk.mp4?rlkey=k&dl=0',
    'https://www.dropbox.com/scl/fi/a1/talk.mp4?rlkey=k&dl=1',
  ],
  ['https://www.dropbox.com/s/a1/talk.mp4?raw=1', 'https://www.dropbox.com/s/a1/talk.mp4?dl=1'],
  [
    'https://team.sharepoint.com/:v:/s/site/Ab1?e=x',
    'https://team.sharepoint.com/:v:/s/site/Ab1?e=x&download=1',
  ],
  [
    'https://dropbox.com.example.org/s/a1/talk.mp4?dl=0',
    'https://dropbox.com.example.org/s/a1/talk.mp4?dl=0',
  ],
])('%s is fetched as %s', (given, fetched) => {
  expect(downloadUrl(given).href).toBe(fetched)
})

it('knows pages of video sites from their files, and pages to sign in from others', () => {
  const site = (address: string) => isVideoSite(new URL(address))
  expect(['https://youtu.be/a', 'https://m.youtube.com/watch?v=a', 'https://vimeo.com/1'].map(site)).toEqual([
    true,
    true,
    true,
  ])
  expect(
    ['https://player.vimeo.com/x.mp4', 'https://notyoutube.com/a', 'https://vimeo.com/f.mp4'].map(site),
  ).toEqual([false, false, false])
  expect(isSignInPage(new URL('https://accounts.google.com/ServiceLogin?x'))).toBe(true)
  expect(isSignInPage(new URL('https://drive.google.com/uc?id=1'))).toBe(false)
})
