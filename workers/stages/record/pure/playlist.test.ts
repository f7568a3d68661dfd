import { describe, expect, it } from 'vitest'
import { variantsByRank } from '../hls.ts'
import { parsePlaylist, type MasterPlaylist, type MediaPlaylist } from './playlist.ts'

const media = (...lines: string[]): MediaPlaylist => {
  const parsed = parsePlaylist(['#EXTM3U', '#EXT-X-TARGETDURATION:6', ...lines].join('\n'))
  if (parsed.kind !== 'media') throw new Error(JSON.stringify(parsed))
  return parsed
}

const plain = {
  range: null,
  run: 0,
  breaks: false,
  gap: false,
  key: null,
  map: null,
  time: null,
}

describe('a media playlist', () => {
  it('numbers its segments and says whether it is over', () => {
    const playlist = media(
      '#EXT-X-MEDIA-SEQUENCE:41',
      '#EXTINF:5.96,title',
      'a.ts',
      '#EXTINF:6,',
      'b.ts?x=1#y',
    )
    expect(playlist).toMatchObject({ targetSeconds: 6, ended: false })
    expect(playlist.segments).toEqual([
      { ...plain, sequence: 41, uri: 'a.ts', seconds: 5.96 },
      { ...plain, sequence: 42, uri: 'b.ts?x=1#y', seconds: 6 },
    ])
    expect(media('#EXTINF:1,', 'a', '#EXT-X-ENDLIST').ended).toBe(true)
    expect(media().segments).toEqual([])
  })

  it.each([
    ['10.5', 10.5],
    ['-1', 0],
    ['x', 0],
    ['2147484', 3600],
    ['1e999', 3600],
  ])('whose target is %s has one of %d', (target, seconds) => {
    expect(media(`#EXT-X-TARGETDURATION:${target}`).targetSeconds).toBe(seconds)
  })

  it('has a count and runs that are numbers, whatever it says', () => {
    const lines = ['#EXT-X-MEDIA-SEQUENCE:1e999', '#EXT-X-DISCONTINUITY-SEQUENCE:1e999', '#EXTINF:1,', 'a']
    expect(media(...lines).segments).toMatchObject([{ sequence: 0, run: 0 }])
  })

  it('keeps keys, maps and breaks until they change, and gaps and times for one segment', () => {
    const { segments } = media(
      '#EXT-X-DISCONTINUITY-SEQUENCE:3',
      '#EXT-X-MAP:URI="init.mp4",BYTERANGE="700@0"',
      '#EXT-X-KEY:METHOD=AES-128,URI="k1",IV=0xAB',
      '#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z',
      '#EXTINF:1,',
      '1',
      '#EXT-X-GAP',
      '#EXTINF:1,',
      '2',
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-KEY:METHOD=NONE',
      '#EXTINF:1,',
      '3',
    )
    const iv = `${'0'.repeat(30)}ab`
    expect(segments.map(({ breaks }) => breaks)).toEqual([false, false, true])
    expect(segments.map(({ run, gap, key, time }) => [run, gap, key?.iv, time])).toEqual([
      [3, false, iv, '2026-01-01T00:00:00Z'],
      [3, true, iv, null],
      [4, false, undefined, null],
    ])
    expect(segments[2]?.map).toEqual({ uri: 'init.mp4', range: { offset: 0, length: 700 } })
  })

  it('counts byte ranges on within one resource', () => {
    const { segments } = media(
      '#EXT-X-BYTERANGE:100@50',
      '#EXTINF:1,',
      'all.mp4',
      '#EXTINF:1,',
      '#EXT-X-BYTERANGE:30',
      'all.mp4',
      '#EXT-X-BYTERANGE:10',
      '#EXTINF:1,',
      'other.mp4',
    )
    expect(segments.map(({ range }) => range)).toEqual([
      { offset: 50, length: 100 },
      { offset: 150, length: 30 },
      { offset: 0, length: 10 },
    ])
  })

  it.each([
    ['', /#EXTM3U/],
    ['<html>', /#EXTM3U/],
    ['#EXTM3U\na.ts', /no length/],
    ['#EXTM3U\n#EXTINF:x,\na.ts', /no number/],
    ['#EXTM3U\n#EXTINF:1,\n{$host}/a.ts', /variables/],
    ['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1', /names no stream/],
    ['#EXTM3U\n#EXT-X-KEY:METHOD=AES-128\n#EXTINF:1,\na', /key has no address/],
  ])('%j is none', (text, why) => {
    expect(parsePlaylist(text)).toMatchObject({
      kind: 'malformed',
      message: expect.stringMatching(why) as string,
    })
  })

  it.each([
    'METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"',
    'METHOD=SAMPLE-AES-CTR,URI="x"',
    'METHOD=AES-128,URI="x",KEYFORMAT="com.widevine"',
  ])('%s is protected', (key) => {
    expect(parsePlaylist(`#EXTM3U\n#EXT-X-KEY:${key}\n#EXTINF:1,\na`)).toMatchObject({ kind: 'protected' })
  })
})

describe('which form is recorded', () => {
  const forms = (...variants: string[]): string[] => {
    const lines = variants.flatMap((variant, index) => [`#EXT-X-STREAM-INF:${variant}`, `${index}.m3u8`])
    return variantsByRank(parsePlaylist(['#EXTM3U', ...lines].join('\n')) as MasterPlaylist).map(
      ({ uri }) => uri,
    )
  }

  it.each([
    [
      [
        'BANDWIDTH=9,RESOLUTION=3840x2160',
        'BANDWIDTH=5,RESOLUTION=1920x1080',
        'BANDWIDTH=6,RESOLUTION=1280x720',
      ],
      1,
    ],
    [['BANDWIDTH=9,RESOLUTION=3840x2160', 'BANDWIDTH=7,RESOLUTION=2560x1440'], 1],
    [['BANDWIDTH=4,RESOLUTION=1280x720', 'BANDWIDTH=5,RESOLUTION=1280x720'], 1],
    [['BANDWIDTH=4', 'BANDWIDTH=9', 'BANDWIDTH=1'], 1],
    [['BANDWIDTH=9,CODECS="mp4a.40.2"', 'BANDWIDTH=1,CODECS="avc1.4d,mp4a.40.2"'], 1],
  ])('%j', (variants, best) => {
    expect(forms(...variants)[0]).toBe(`${best}.m3u8`)
    expect(forms(...variants)).toHaveLength(variants.length)
  })

  it('takes the default sound of its group, and none where the form has its own', () => {
    const text = [
      '#EXTM3U',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="fr",URI="fr.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="en, main",DEFAULT=YES,URI="en.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="muxed",NAME="en",DEFAULT=YES',
      '#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="g"',
      'a.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="muxed"',
      'b.m3u8',
    ].join('\n')
    expect(variantsByRank(parsePlaylist(text) as MasterPlaylist)).toEqual([
      { uri: 'a.m3u8', audioUri: 'en.m3u8' },
      { uri: 'b.m3u8', audioUri: null },
    ])
  })
})
