import { describe, expect, it } from 'vitest'
import {
  BROLL,
  cropped,
  fullClip,
  IMAGE,
  MUSIC,
  NTSC,
  plainClip,
  rate,
  withParts,
  write,
} from '../../test/support/export-clip.ts'
import { CAPTION_STYLE, TITLE } from '../../test/support/sample-composition.ts'
import type { Composition } from '../contract/composition.ts'
import type { ClipForExport } from './index.ts'

const textOf = (clip: ClipForExport): string => write('fcpxml', clip).text
/** What a pattern finds in the document: its first group, in the document's order. */
const found = (clip: ClipForExport, pattern: RegExp) =>
  [...textOf(clip).matchAll(pattern)].map(([, first]) => first)
const captions = (...frames: (readonly [number, number])[]): Composition['layers'][number] => ({
  kind: 'captions',
  id: 'captions',
  language: 'en',
  styles: [CAPTION_STYLE],
  cues: frames.map(([startFrame, endFrame]) => ({
    startFrame,
    endFrame,
    style: 0,
    words: ['Hi', 'there'].map((text) => ({ text, startFrame, endFrame })),
  })),
})

const WHOLE = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="1.10">
  <resources>
    <format id="r-sequence" frameDuration="1/25s" width="1080" height="1920" colorSpace="1-1-1 (Rec. 709)"/>
    <format id="r-source-format" frameDuration="1/25s" width="1920" height="1080" colorSpace="1-1-1 (Rec. 709)"/>
    <format id="r-asset1-format" name="FFVideoFormatRateUndefined" width="400" height="200"/>
    <effect id="r-title" name="Basic Title" uid=".../Titles.localized/Bumper:Opener.localized/Basic Title.localized/Basic Title.moti"/>
    <asset id="r-source" name="talk.mp4" start="0s" duration="3600s" hasVideo="1" videoSources="1" format="r-source-format" hasAudio="1" audioSources="1" audioChannels="2" audioRate="48000">
      <media-rep kind="original-media" src="file:///data/sources/ab%20c"/>
    </asset>
    <asset id="r-asset1" name="logo.png" start="0s" duration="0s" hasVideo="1" videoSources="1" format="r-asset1-format">
      <media-rep kind="original-media" src="file:///data/logo.png"/>
    </asset>
    <asset id="r-asset2" name="song.mp3" start="0s" duration="3s" hasAudio="1" audioSources="1" audioChannels="2" audioRate="48000">
      <media-rep kind="original-media" src="file:///data/song.mp3"/>
    </asset>
  </resources>
  <library>
    <event name="Cutroom">
      <project name="Ten &amp; ten">
        <sequence format="r-sequence" duration="7/5s" tcStart="0s" tcFormat="NDF" audioLayout="stereo" audioRate="48k">
          <note>The framing moves and changes with the shots; that movement is dropped. Beeps and silenced words are heard again; markers show where they are. Music is not lowered under speech. Captions lose their look, animation and the emphasis of the spoken word. Titles keep their text and font, not their box, place and fades. Pictures and videos over the clip keep their time, not their place and size. The last picture is held for 5 frames; what is written there is a gap. Each clip has the framing of its first frame.</note>
          <spine>
            <asset-clip ref="r-source" offset="0s" name="Ten &amp; ten" start="2s" duration="4/5s" tcFormat="NDF" audioRole="dialogue">
              <adjust-conform type="fill"/>
              <adjust-transform position="5.2083 0" scale="1 1"/>
              <video ref="r-asset1" lane="1" offset="11/5s" name="logo.png" start="0s" duration="2/5s"/>
              <title ref="r-title" lane="2" offset="52/25s" name="One two" start="0s" duration="8/25s">
                <text>
                  <text-style ref="ts-title-2-2">One&#10;two</text-style>
                </text>
                <text-style-def id="ts-title-2-2">
                  <text-style font="Montserrat" fontSize="60" bold="1" italic="0" fontColor="0.0667 0.1255 1 1" alignment="center"/>
                </text-style-def>
              </title>
              <caption lane="3" offset="66/25s" name="Hi there" start="0s" duration="8/25s" role="iTT?captionFormat=ITT.en">
                <text placement="bottom">
                  <text-style ref="ts-caption-16">Hi there</text-style>
                </text>
                <text-style-def id="ts-caption-16">
                  <text-style font=".AppleSystemUIFont" fontSize="13" fontColor="1 1 1 1"/>
                </text-style-def>
              </caption>
              <asset-clip ref="r-asset2" lane="-1" offset="2s" name="song.mp3" start="1s" duration="4/5s" tcFormat="NDF" audioRole="music">
                <adjust-volume amount="-12dB"/>
              </asset-clip>
              <marker start="56/25s" duration="1/25s" value="Word silenced"/>
            </asset-clip>
            <asset-clip ref="r-source" offset="4/5s" name="Ten &amp; ten" start="8s" duration="2/5s" tcFormat="NDF" audioRole="dialogue">
              <timeMap>
                <timept time="8s" value="8s" interp="linear"/>
                <timept time="42/5s" value="44/5s" interp="linear"/>
              </timeMap>
              <adjust-conform type="fit"/>
              <marker start="8s" duration="1/25s" value="Whole picture"/>
            </asset-clip>
            <gap name="Gap" offset="6/5s" start="0s" duration="1/5s">
              <title ref="r-title" lane="2" offset="2/25s" name="End" start="0s" duration="3/25s">
                <text>
                  <text-style ref="ts-title-2-32">End</text-style>
                </text>
                <text-style-def id="ts-title-2-32">
                  <text-style font="Montserrat" fontSize="60" bold="1" italic="0" fontColor="0.0667 0.0667 0.0784 1" alignment="center"/>
                </text-style-def>
              </title>
            </gap>
          </spine>
        </sequence>
      </project>
    </event>
  </library>
</fcpxml>
`

it('writes a whole document: files, pieces with what is connected to them, a gap for the tail', () => {
  const frame = 705_600_000 / 25
  const pieces = [
    [50, 20],
    [200, 10, 2],
  ] as const
  const plain = plainClip(pieces, { name: 'talk.mp4' }, 5)
  const title = { ...TITLE, startFrame: 2, endFrame: 10, face: { ...TITLE.face, colour: '#1120ff' } }
  const clip = withParts(plain, {
    layers: [
      IMAGE,
      { ...title, text: 'One\ntwo' },
      captions([16, 24]),
      { ...TITLE, id: 'end', text: 'End', startFrame: 32, endFrame: 35 },
    ],
    layout: [
      { kind: 'crop', startFrame: 0, endFrame: 20, crop: { x: 600, y: 0, width: 607.5, height: 1080 } },
      { ...plain.composition.layout[0]!, startFrame: 20, endFrame: 35 },
    ],
    audio: { masks: [{ start: 6 * frame, end: 8 * frame, kind: 'silence' }], tracks: [MUSIC] },
  })
  expect(textOf({ ...clip, title: 'Ten & ten' })).toBe(WHOLE)
})

describe('files', () => {
  it('stand once each, with the rate that the source has and the one of the clip for others', () => {
    const layers = [BROLL, { ...BROLL, id: 'again', startFrame: 130, endFrame: 140 }]
    const clip = withParts(plainClip([[0, 200]], { frameRate: rate(50), name: 'a.mp4' }), { layers })
    expect(found(clip, /<format (id="[^"]*" frameDuration="[^"]*" width="\d+")/g)).toEqual([
      'id="r-sequence" frameDuration="1/25s" width="1080"',
      'id="r-source-format" frameDuration="1/50s" width="1920"',
      'id="r-asset1-format" frameDuration="1/25s" width="1280"',
    ])
    expect(found(clip, /<asset (id="[^"]*" name="[^"]*" start="0s" duration="[^"]*")/g)).toEqual([
      'id="r-source" name="a.mp4" start="0s" duration="3600s"',
      'id="r-asset1" name="city.mp4" start="0s" duration="2s"',
    ])
    expect(textOf(clip)).not.toContain('<effect')
  })

  it('without a picture have no format, and those without sound no channels', () => {
    const clip = plainClip([[0, 25]])
    const facts = (source: Partial<Composition['source']>) =>
      found(withParts(clip, { source: { ...clip.composition.source, ...source } }), /<asset (.*?)>/g)
    const name = 'id="r-source" name="My long talk.mp4" start="0s" duration="3600s"'
    const video = 'hasVideo="1" videoSources="1" format="r-source-format"'
    expect(facts({ hasVideo: false })).toEqual([
      `${name} hasAudio="1" audioSources="1" audioChannels="2" audioRate="48000"`,
    ])
    expect(facts({ hasAudio: false })).toEqual([`${name} ${video}`])
    const silent = withParts(clip, { source: { ...clip.composition.source, hasAudio: false } })
    expect(textOf(silent)).not.toContain('audioRole')
  })

  it('are found at their address, or beside the document', () => {
    const clip = withParts(plainClip([[0, 25]], { url: 'file:///a/b%20c.mp4' }), { layers: [BROLL] })
    expect(found(clip, /src="(.*?)"/g)).toEqual(['file:///a/b%20c.mp4', './city%20night.mp4'])
  })
})

describe('what is connected', () => {
  it('belongs to the piece in which it begins: its first frame, not the one after its last', () => {
    const pieces = [
      [100, 10],
      [300, 10],
    ] as const
    const at = (startFrame: number) => {
      const clip = withParts(plainClip(pieces), { layers: [{ ...IMAGE, startFrame, endFrame: 20 }] })
      return found(clip, /(<asset-clip |<video [^>]* offset="[^"]*")/g).map((text) =>
        text?.replace(/<video .* offset=/, ''),
      )
    }
    const piece = '<asset-clip '
    expect(at(0)).toEqual([piece, '"4s"', piece])
    expect(at(9)).toEqual([piece, '"109/25s"', piece])
    expect(at(10)).toEqual([piece, piece, '"12s"'])
  })

  it('lies in lanes: pictures, titles, captions upwards, music downwards', () => {
    const clip = withParts(plainClip([[0, 200]]), {
      layers: [
        { ...BROLL, asset: { ...BROLL.asset, hasAudio: true } },
        { ...BROLL, id: 'over', startFrame: 40, endFrame: 50 },
        TITLE,
        { ...TITLE, id: 'second' },
        captions([0, 10], [10, 20]),
      ],
      audio: { tracks: [MUSIC, { ...MUSIC, id: 'more' }] },
    })
    expect(
      found(clip, /<((?:asset-clip|video|title|caption) [^>]*lane="[^"]*")/g).map((text) =>
        text?.replace(/ref="[^"]*" /, ''),
      ),
    ).toEqual([
      'asset-clip lane="1"',
      'asset-clip lane="1"',
      'asset-clip lane="2"',
      'title lane="3"',
      'title lane="4"',
      'caption lane="5"',
      'caption lane="5"',
      'asset-clip lane="-1"',
      'asset-clip lane="-2"',
    ])
    expect(found(clip, /audioRole="(.*?)"/g)).toEqual([
      'dialogue',
      'effects',
      'effects',
      'effects',
      'music',
      'music',
    ])
  })

  it('to the tail counts from the beginning of the gap', () => {
    const layout: Composition['layout'] = [
      cropped(12),
      { ...plainClip([[0, 1]]).composition.layout[0]!, startFrame: 12, endFrame: 15 },
    ]
    const clip = withParts(plainClip([[50, 10]], {}, 5), { layout })
    expect(textOf(clip)).toContain(
      '<gap name="Gap" offset="2/5s" start="0s" duration="1/5s">\n              <marker start="2/25s" duration="1/25s" value="Whole picture"/>',
    )
    expect(textOf(plainClip([[50, 10]], {}))).not.toContain('<gap')
  })
})

describe('the framing', () => {
  const transform = (crop: { x: number; y: number; width: number; height: number }) =>
    found(
      withParts(plainClip([[0, 25]]), { layout: [{ kind: 'crop', startFrame: 0, endFrame: 25, crop }] }),
      /<adjust-transform (.*?)\/>/g,
    )

  it('moves the crop into the middle, in percent of the height and upwards positive, and grows it', () => {
    expect(transform({ x: 656.25, y: 0, width: 607.5, height: 1080 })).toEqual(['position="0 0" scale="1 1"'])
    // The lower left quarter: 3.5556 pixels a pixel, so (960 - 151.875) and 270 pixels are 2873.33 and 960 of 1920.
    expect(transform({ x: 0, y: 540, width: 303.75, height: 540 })).toEqual([
      'position="149.6528 50" scale="2 2"',
    ])
    expect(transform({ x: 1312.5, y: 0, width: 607.5, height: 1080 })).toEqual([
      'position="-60.7639 0" scale="1 1"',
    ])
  })

  it('of a source that is narrower than the clip fills its width', () => {
    const clip = plainClip([[0, 25]])
    const { source, output } = clip.composition
    const wide = withParts(clip, {
      source: { ...source, width: 1080, height: 1920 },
      output: { ...output, width: 1920, height: 1080 },
      layout: [
        { kind: 'crop', startFrame: 0, endFrame: 25, crop: { x: 0, y: 100, width: 1080, height: 607.5 } },
      ],
    })
    // 1.7778 pixels a pixel; the crop's middle is 556.25 source pixels above the picture's.
    expect(found(wide, /<adjust-transform (.*?)\/>/g)).toEqual(['position="0 -91.5638" scale="1 1"'])
  })

  it('is not that of sound without a picture', () => {
    const clip = plainClip([[0, 25]])
    const source = { ...clip.composition.source, hasVideo: false }
    expect(textOf(withParts(clip, { source, layout: [cropped(25)] }))).not.toContain('adjust-')
    expect(textOf(clip)).toContain('<adjust-conform type="fit"/>')
  })
})

describe('text', () => {
  const style = (face: Partial<typeof TITLE.face>) =>
    found(
      withParts(plainClip([[0, 25]]), { layers: [{ ...TITLE, face: { ...TITLE.face, ...face } }] }),
      /<text-style (font=.*?)\/>/g,
    )[0]

  it('has its font, a size in whole points, bold from 600 on', () => {
    expect(style({ fontSize: 59.5, fontWeight: 600, italic: true, colour: '#000000' })).toBe(
      'font="Montserrat" fontSize="60" bold="1" italic="1" fontColor="0 0 0 1" alignment="center"',
    )
    expect(style({ fontWeight: 599, colour: 'rgb(0, 0, 0)' })).toBe(
      'font="Montserrat" fontSize="60" bold="0" italic="0" fontColor="1 1 1 1" alignment="center"',
    )
  })

  it('has a name of at most 60 characters, on one line', () => {
    const clip = withParts(plainClip([[0, 25]]), { layers: [{ ...TITLE, text: 'ab\n'.repeat(30) }] })
    expect(found(clip, /<title [^>]* name="(.*?)"/g)).toEqual(['ab '.repeat(20)])
  })
})

it('has notes for the framing and the rate, and none where nothing is lost', () => {
  const framing = 'Each clip has the framing of its first frame.'
  expect(write('fcpxml', fullClip(rate(25))).notes.at(-1)).toBe(framing)
  expect(write('fcpxml', plainClip([[0, 25]])).notes).toEqual([])
  expect(textOf(plainClip([[0, 25]]))).not.toContain('<note>')
})

it('counts drop-frame timecode at 29.97 frames a second', () => {
  const formats = found(fullClip(NTSC), /tcFormat="(.*?)"/g)
  expect(new Set(formats)).toEqual(new Set(['DF']))
  expect(textOf(fullClip(NTSC))).toContain('frameDuration="1001/30000s"')
})
