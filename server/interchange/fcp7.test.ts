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
import type { ClipForExport } from './index.ts'

const textOf = (clip: ClipForExport): string => write('fcp7', clip).text
/** What a pattern finds in the document: its first group, in the document's order. */
const found = (clip: ClipForExport, pattern: RegExp) =>
  [...textOf(clip).matchAll(pattern)].map(([, first]) => first)
/** Every element of a name, on one line each and without the space between elements. */
const elements = (clip: ClipForExport, name: string) =>
  found(clip, new RegExp(`(<${name}[ >][^]*?</${name}>)`, 'g')).map((text) =>
    text?.replaceAll(/>\s+</g, '><'),
  )
const sound = (clip: ClipForExport) =>
  withParts(clip, { source: { ...clip.composition.source, hasVideo: false } })
const fit = (startFrame: number, endFrame: number) => ({
  kind: 'fit' as const,
  startFrame,
  endFrame,
  crop: { x: 0, y: 0, width: 1920, height: 1080 },
  zoom: 1,
  background: 'black' as const,
})

const PICTURED = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE xmeml>
<xmeml version="5">
  <sequence id="sequence-1">
    <name>Ten &amp; ten</name>
    <duration>25</duration>
    <rate>
      <timebase>25</timebase>
      <ntsc>FALSE</ntsc>
    </rate>
    <timecode>
      <rate>
        <timebase>25</timebase>
        <ntsc>FALSE</ntsc>
      </rate>
      <string>00:00:00:00</string>
      <frame>0</frame>
      <displayformat>NDF</displayformat>
    </timecode>
    <media>
      <video>
        <format>
          <samplecharacteristics>
            <rate>
              <timebase>25</timebase>
              <ntsc>FALSE</ntsc>
            </rate>
            <width>1080</width>
            <height>1920</height>
            <anamorphic>FALSE</anamorphic>
            <pixelaspectratio>square</pixelaspectratio>
            <fielddominance>none</fielddominance>
          </samplecharacteristics>
        </format>
        <track>
          <clipitem id="cut-video-1">
            <name>Ten &amp; ten</name>
            <enabled>TRUE</enabled>
            <duration>90000</duration>
            <rate>
              <timebase>25</timebase>
              <ntsc>FALSE</ntsc>
            </rate>
            <start>0</start>
            <end>20</end>
            <in>50</in>
            <out>70</out>
            <file id="file-source">
              <name>talk.mp4</name>
              <pathurl>file://localhost/data/sources/ab%20c</pathurl>
              <rate>
                <timebase>25</timebase>
                <ntsc>FALSE</ntsc>
              </rate>
              <duration>90000</duration>
              <media>
                <video>
                  <samplecharacteristics>
                    <rate>
                      <timebase>25</timebase>
                      <ntsc>FALSE</ntsc>
                    </rate>
                    <width>1920</width>
                    <height>1080</height>
                    <anamorphic>FALSE</anamorphic>
                    <pixelaspectratio>square</pixelaspectratio>
                    <fielddominance>none</fielddominance>
                  </samplecharacteristics>
                </video>
                <audio>
                  <samplecharacteristics>
                    <depth>16</depth>
                    <samplerate>48000</samplerate>
                  </samplecharacteristics>
                  <channelcount>1</channelcount>
                </audio>
              </media>
            </file>
            <filter>
              <effect>
                <name>Basic Motion</name>
                <effectid>basic</effectid>
                <effectcategory>motion</effectcategory>
                <effecttype>motion</effecttype>
                <mediatype>video</mediatype>
                <parameter>
                  <parameterid>scale</parameterid>
                  <name>Scale</name>
                  <value>177.78</value>
                </parameter>
              </effect>
            </filter>
            <link>
              <linkclipref>cut-video-1</linkclipref>
            </link>
            <link>
              <linkclipref>cut-audio-1-1</linkclipref>
            </link>
          </clipitem>
        </track>
        <track>
          <clipitem id="overlay-1-1">
            <name>logo.png</name>
            <enabled>TRUE</enabled>
            <duration>10</duration>
            <rate>
              <timebase>25</timebase>
              <ntsc>FALSE</ntsc>
            </rate>
            <start>5</start>
            <end>15</end>
            <in>0</in>
            <out>10</out>
            <file id="file-asset1">
              <name>logo.png</name>
              <pathurl>file://localhost/data/logo.png</pathurl>
              <rate>
                <timebase>25</timebase>
                <ntsc>FALSE</ntsc>
              </rate>
              <media>
                <video>
                  <samplecharacteristics>
                    <rate>
                      <timebase>25</timebase>
                      <ntsc>FALSE</ntsc>
                    </rate>
                    <width>400</width>
                    <height>200</height>
                    <anamorphic>FALSE</anamorphic>
                    <pixelaspectratio>square</pixelaspectratio>
                    <fielddominance>none</fielddominance>
                  </samplecharacteristics>
                </video>
              </media>
            </file>
          </clipitem>
        </track>
        <track>
          <generatoritem id="text-1-1">
            <name>One two</name>
            <enabled>TRUE</enabled>
            <duration>8</duration>
            <rate>
              <timebase>25</timebase>
              <ntsc>FALSE</ntsc>
            </rate>
            <start>2</start>
            <end>10</end>
            <in>0</in>
            <out>8</out>
            <effect>
              <name>Text</name>
              <effectid>Text</effectid>
              <effectcategory>Text</effectcategory>
              <effecttype>generator</effecttype>
              <mediatype>video</mediatype>
              <parameter>
                <parameterid>str</parameterid>
                <name>Text</name>
                <value>One&#10;two</value>
              </parameter>
              <parameter>
                <parameterid>fontname</parameterid>
                <name>Font</name>
                <value>Montserrat</value>
              </parameter>
              <parameter>
                <parameterid>fontsize</parameterid>
                <name>Size</name>
                <value>60</value>
              </parameter>
              <parameter>
                <parameterid>fontcolor</parameterid>
                <name>Font Color</name>
                <value>
                  <alpha>255</alpha>
                  <red>17</red>
                  <green>32</green>
                  <blue>255</blue>
                </value>
              </parameter>
            </effect>
          </generatoritem>
        </track>
      </video>
      <audio>
        <numOutputChannels>2</numOutputChannels>
        <format>
          <samplecharacteristics>
            <depth>16</depth>
            <samplerate>48000</samplerate>
          </samplecharacteristics>
        </format>
        <track>
          <clipitem id="cut-audio-1-1">
            <name>Ten &amp; ten</name>
            <enabled>TRUE</enabled>
            <duration>90000</duration>
            <rate>
              <timebase>25</timebase>
              <ntsc>FALSE</ntsc>
            </rate>
            <start>0</start>
            <end>20</end>
            <in>50</in>
            <out>70</out>
            <file id="file-source"/>
            <sourcetrack>
              <mediatype>audio</mediatype>
              <trackindex>1</trackindex>
            </sourcetrack>
            <link>
              <linkclipref>cut-video-1</linkclipref>
            </link>
            <link>
              <linkclipref>cut-audio-1-1</linkclipref>
            </link>
          </clipitem>
        </track>
      </audio>
    </media>
    <comments>
      <mastercomment1>Beeps and silenced words are heard again; markers show where they are.</mastercomment1>
      <mastercomment2>Titles keep their text and font, not their box, place and fades.</mastercomment2>
      <mastercomment3>Pictures and videos over the clip keep their time, not their place and size.</mastercomment3>
      <mastercomment4>The last picture is held for 5 frames; what is written there is a gap. Each clip is scaled to fill the frame, and stands in its middle.</mastercomment4>
    </comments>
    <marker>
      <name>Word silenced</name>
      <comment></comment>
      <in>6</in>
      <out>8</out>
    </marker>
  </sequence>
</xmeml>
`

it('writes a whole document: the cut, a picture over it, a title, the sound, notes and a marker', () => {
  const frame = 705_600_000 / 25
  const plain = plainClip([[50, 20]], { name: 'talk.mp4', audioChannels: 1 }, 5)
  const title = {
    ...TITLE,
    text: 'One\ntwo',
    startFrame: 2,
    endFrame: 10,
    face: { ...TITLE.face, colour: '#1120FF' },
  }
  const clip = withParts(plain, {
    layers: [IMAGE, title],
    layout: [cropped(25)],
    audio: { masks: [{ start: 6 * frame, end: 8 * frame, kind: 'silence' }] },
  })
  expect(textOf({ ...clip, title: 'Ten & ten' })).toBe(PICTURED)
})

describe('tracks', () => {
  it('link the picture of each piece to its two channels, and channels to each other', () => {
    const clip = plainClip([
      [50, 20],
      [200, 10],
    ])
    const ids = (piece: number) => [`cut-video-${piece}`, `cut-audio-1-${piece}`, `cut-audio-2-${piece}`]
    const inOrder = [
      'cut-video-1',
      'cut-video-2',
      'cut-audio-1-1',
      'cut-audio-1-2',
      'cut-audio-2-1',
      'cut-audio-2-2',
    ]
    expect(found(clip, /<clipitem id="(.*?)"/g)).toEqual(inOrder)
    expect(found(clip, /<linkclipref>(.*?)</g)).toEqual([1, 2, 1, 2, 1, 2].flatMap((piece) => ids(piece)))
    expect(found(clip, /<trackindex>(.*?)</g)).toEqual(['1', '1', '2', '2'])
    expect(found(clip, /<channelcount>(.*?)</g)).toEqual(['2'])
  })

  it('of the source are two at most, and none where it is silent', () => {
    const channels = (audioChannels: number, hasAudio = true) => {
      const clip = plainClip([[0, 25]], { audioChannels })
      const composition = { source: { ...clip.composition.source, hasAudio } }
      return found(withParts(clip, composition), /<clipitem id="(.*?)"/g)
    }
    expect(channels(6)).toEqual(['cut-video-1', 'cut-audio-1-1', 'cut-audio-2-1'])
    expect(channels(1)).toEqual(['cut-video-1', 'cut-audio-1-1'])
    expect(channels(2, false)).toEqual(['cut-video-1'])
    expect(textOf(plainClip([[0, 25]], { audioChannels: 6 }))).toContain('<channelcount>6</channelcount>')
  })

  it('have no picture where the source has none', () => {
    const clip = sound(plainClip([[0, 25]]))
    expect(found(clip, /<clipitem id="(.*?)"/g)).toEqual(['cut-audio-1-1', 'cut-audio-2-1'])
    expect(found(clip, /<linkclipref>(.*?)</g)).toEqual([
      'cut-audio-1-1',
      'cut-audio-2-1',
      'cut-audio-1-1',
      'cut-audio-2-1',
    ])
    expect(elements(clip, 'file')[0]).not.toContain('<video>')
  })

  it('of pictures lie above the cut, then titles, then captions; music lies under the speech in two channels', () => {
    const again = { ...IMAGE, id: 'again', startFrame: 15, endFrame: 25 }
    const over = { ...BROLL, startFrame: 4, endFrame: 10 }
    const words = [{ text: 'Hi', startFrame: 0, endFrame: 5 }]
    const clip = withParts(plainClip([[0, 25]], { audioChannels: 1 }), {
      layers: [
        IMAGE,
        again,
        over,
        TITLE,
        { ...TITLE, id: 'second', text: 'Second' },
        {
          kind: 'captions',
          id: 'captions',
          language: 'en',
          styles: [CAPTION_STYLE],
          cues: [
            { startFrame: 0, endFrame: 5, style: 0, words },
            { startFrame: 5, endFrame: 9, style: 0, words },
          ],
        },
      ],
      audio: { tracks: [MUSIC, { ...MUSIC, id: 'more' }] },
    })
    expect(found(clip, /<(?:clip|generator)item id="(.*?)"/g)).toEqual([
      'cut-video-1',
      'overlay-1-1',
      'overlay-1-2',
      'overlay-2-1',
      'text-1-1',
      'text-2-1',
      'text-3-1',
      'text-3-2',
      'cut-audio-1-1',
      'music-1-1-1',
      'music-1-2-1',
      'music-2-1-1',
      'music-2-2-1',
    ])
    expect(found(clip, /<file id="(.*?)">/g)).toEqual([
      'file-source',
      'file-asset1',
      'file-asset2',
      'file-asset3',
    ])
    expect(found(clip, /<trackindex>(.*?)</g)).toEqual(['1', '1', '2', '1', '2'])
    expect(textOf(clip).match(/<track>/g)).toHaveLength(11)
  })

  it('refer to files by their address, and by an escaped name where they are elsewhere', () => {
    const clip = withParts(plainClip([[0, 25]], { url: 'https://x.test/a b.mp4' }), { layers: [BROLL] })
    expect(found(clip, /<pathurl>(.*?)</g)).toEqual(['https://x.test/a b.mp4', 'city%20night.mp4'])
  })
})

describe('a piece', () => {
  const effectOf = (mediaType: string, speed: string) =>
    '<filter><effect><name>Time Remap</name><effectid>timeremap</effectid><effectcategory>motion</effectcategory>' +
    `<effecttype>motion</effecttype><mediatype>${mediaType}</mediatype>` +
    '<parameter><parameterid>variablespeed</parameterid><name>variablespeed</name><value>0</value></parameter>' +
    `<parameter><parameterid>speed</parameterid><name>speed</name><value>${speed}</value></parameter>` +
    '<parameter><parameterid>reverse</parameterid><name>reverse</name><value>FALSE</value></parameter>' +
    '<parameter><parameterid>frameblending</parameterid><name>frameblending</name><value>FALSE</value></parameter>' +
    '</effect></filter>'

  it('at another speed says so for picture and sound, and counts in played frames', () => {
    const clip = plainClip([[1500, 10, 2]], { audioChannels: 1 })
    expect(elements(clip, 'filter')).toEqual([effectOf('video', '200'), effectOf('audio', '200')])
    expect(found(clip, /<(?:in|out)>(.*?)</g)).toEqual(['750', '760', '750', '760'])
    // 90,000 frames of the file are played in 45,000.
    expect(found(clip, /<clipitem [^]*?<duration>(.*?)</g)).toEqual(['45000', '45000'])
    expect(elements(plainClip([[1500, 10, 0.5]]), 'filter')[0]).toBe(effectOf('video', '50'))
    expect(elements(plainClip([[1500, 10]]), 'filter')).toEqual([])
  })

  it('is as long as its file, as what it plays of one that is said to be shorter, or as itself', () => {
    const lengths = (source: Partial<ClipForExport['source']>) =>
      found(plainClip([[50, 20]], { audioChannels: 1, ...source }), /<clipitem [^]*?<duration>(.*?)</g)[0]
    expect(lengths({ duration: 100 * 28_224_000 })).toBe('100')
    expect(lengths({ duration: 60 * 28_224_000 })).toBe('70')
    expect(lengths({ duration: 0 })).toBe('70')
    expect(textOf(plainClip([[50, 20]], { duration: 0 }))).not.toContain('<duration>0</duration>')
  })

  it('has the scale of the crop at its first frame', () => {
    const clip = withParts(
      plainClip([
        [0, 10],
        [50, 5],
        [100, 10],
      ]),
      { layout: [fit(0, 10), cropped(15, 10), fit(15, 25)] },
    )
    const [before, inside, after] = elements(clip, 'clipitem')
    expect(inside).toContain('<name>Scale</name><value>177.78</value>')
    for (const piece of [before, after]) expect(piece).not.toContain('Basic Motion')
  })
})

it('gives music its level as a share of full sound', () => {
  // -12 dB is 10 to the power of -0.6.
  const clip = withParts(plainClip([[0, 25]]), { audio: { tracks: [MUSIC] } })
  const filter =
    '<filter><effect><name>Audio Levels</name><effectid>audiolevels</effectid>' +
    '<effectcategory>audiolevels</effectcategory><effecttype>audiolevels</effecttype><mediatype>audio</mediatype>' +
    '<parameter><parameterid>level</parameterid><name>Level</name><value>0.2512</value></parameter></effect></filter>'
  expect(elements(clip, 'filter')).toEqual([filter, filter])
  const full = withParts(plainClip([[0, 25]]), { audio: { tracks: [{ ...MUSIC, levelDb: 0 }] } })
  expect(elements(full, 'filter')[0]).toContain('<value>1</value>')
})

describe('text', () => {
  const colourOf = (colour: string) => {
    const clip = withParts(plainClip([[0, 25]]), {
      layers: [{ ...TITLE, face: { ...TITLE.face, colour, fontSize: 59.5 } }],
    })
    return found(clip, /<(?:red|green|blue)>(.*?)</g)
  }

  it.each([
    ['#102030', ['16', '32', '48']],
    ['#aBcDeF80', ['171', '205', '239']],
    ['rgba(1, 2, 3, 1)', ['255', '255', '255']],
    ['x#102030', ['255', '255', '255']],
    ['#1020', ['255', '255', '255']],
    ['#10203g', ['255', '255', '255']],
  ])('in %s has this colour', (colour, expected) => {
    expect(colourOf(colour)).toEqual(expected)
  })

  it('has a size in whole points, and a name of at most 60 characters', () => {
    const clip = withParts(plainClip([[0, 25]]), {
      layers: [{ ...TITLE, text: 'ab\n'.repeat(30), face: { ...TITLE.face, fontSize: 59.5 } }],
    })
    expect(elements(clip, 'generatoritem')[0]).toContain('<name>Size</name><value>60</value>')
    expect(found(clip, /<generatoritem [^]*?<name>(.*?)</g)).toEqual(['ab '.repeat(20)])
  })
})

describe('notes', () => {
  const own = [
    'Each clip is scaled to fill the frame, and stands in its middle.',
    'Captions are text generators on a track of their own.',
  ]

  it('name the scale where a crop fills the frame, and captions where there are some', () => {
    const notes = write('fcp7', fullClip(rate(25))).notes
    expect(notes.slice(-2)).toEqual(own)
    const partly = withParts(plainClip([[0, 25]]), { layout: [fit(0, 10), cropped(25, 10)] })
    expect(write('fcp7', partly).notes).toContain(own[0])
    for (const note of own) expect(write('fcp7', plainClip([[0, 25]])).notes).not.toContain(note)
  })

  it('are not written where there are none, and up to four stand in a comment each', () => {
    expect(textOf(plainClip([[0, 25]]))).not.toContain('comments')
    const some = withParts(plainClip([[0, 25]], {}, 3), { layers: [TITLE, IMAGE] })
    const notes = write('fcp7', some).notes
    expect(notes).toHaveLength(3)
    expect(found(some, /<mastercomment\d>(.*?)</g)).toEqual(notes)
    expect(found(some, /<(mastercomment\d)>/g)).toEqual([
      'mastercomment1',
      'mastercomment2',
      'mastercomment3',
    ])
  })
})

it('counts drop-frame timecode at 29.97 frames a second', () => {
  const text = textOf(fullClip(NTSC))
  expect(text).toContain('<string>00:00:00;00</string>')
  expect(text).toContain('<displayformat>DF</displayformat>')
})
