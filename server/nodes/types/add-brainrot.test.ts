import { describe, expect, it } from 'vitest'
import { contextOf, VIDEO } from '../../../test/support/node-context.ts'
import { factsOf } from '../../../test/support/node-values.ts'
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import { addBrainrot, categoryToPick } from './add-brainrot.ts'
import { inSentences } from '../../../test/support/sentences.ts'

type Wanted = Parameters<typeof categoryToPick>[0]
type Given = Parameters<typeof contextOf>[0]
const videoUrl = 'https://x/video.mp4'
const compile = (wanted: Wanted = {}, given?: Given) =>
  inSentences(addBrainrot.compile({ brainrot_config: wanted }, contextOf(given)))
const secondOf = (...given: Parameters<typeof compile>) =>
  compile(...given).layers?.find((layer) => layer.kind === 'video')

describe('the category from which a video is picked', () => {
  it.each([
    [{}, null],
    [{ category: ' Parkour ' }, 'parkour'],
    [{ category: ' ' }, null],
    [{ randomVideoUrl: true }, ''],
    [{ randomVideoUrl: false }, null],
    [{ category: 'Parkour', randomVideoUrl: true }, 'parkour'],
    [{ category: 'Parkour', videoUrl: 'https://x/a.mp4' }, null],
    [{ category: 'Parkour', videoUrl: ' ' }, 'parkour'],
    [{ randomVideoUrl: 'https://x/a.mp4' }, null],
    [{ randomVideoUrl: ' ' }, null],
    [{ category: 'Parkour', randomVideoUrl: ' ' }, 'parkour'],
  ] as [Wanted, string | null][])('%j: %s', (wanted, expected) =>
    expect(categoryToPick(wanted)).toBe(expected),
  )
})

describe('its file', () => {
  const picked = [
    { category: 'parkour', url: 'https://x/parkour.mp4', name: 'Parkour' },
    { category: '', url: 'https://x/any.mp4', name: 'Any' },
  ]
  it.each([
    [
      'is the one that is named',
      { videoUrl: ' https://x/a.mp4 ', randomVideoUrl: 'https://x/b.mp4' },
      'https://x/a.mp4',
    ],
    ['is the one that was drawn', { randomVideoUrl: ' https://x/b.mp4 ' }, 'https://x/b.mp4'],
    ['is the one of the category', { category: 'Parkour' }, 'https://x/parkour.mp4'],
    ['is any', { randomVideoUrl: true }, 'https://x/any.mp4'],
  ] as [string, Wanted, string][])('%s', (_, brainrot_config, url) =>
    expect(addBrainrot.assets?.({ brainrot_config }, { secondVideos: picked })).toEqual([
      { url, kind: 'video' },
    ]),
  )

  it('is none where none is named or picked', () => {
    expect(addBrainrot.assets?.({}, { secondVideos: picked })).toEqual([])
    expect(
      addBrainrot.assets?.({ brainrot_config: { category: 'chess' } }, { secondVideos: picked }),
    ).toEqual([])
    expect(addBrainrot.assets?.({ brainrot_config: { category: 'chess' } }, {})).toEqual([])
  })

  it('is shown where it was picked', () =>
    expect(
      secondOf(
        { category: 'parkour' },
        { document: { secondVideos: [{ category: 'parkour', url: videoUrl, name: 'P' }] } },
      )?.asset,
    ).toEqual(VIDEO))
})

describe('without a video', () => {
  it.each([
    [
      'none is named',
      {},
      [
        'brainrot_config names no video, so there is none: set videoUrl, or a category or randomVideoUrl: true to have one of the library picked.',
      ],
    ],
    [
      'none is in the category',
      { category: 'Chess "x" $`\\' },
      [
        'brainrot_config: when this clip was made the library had no video of the category "chess "x" $`\\", so there is none. Add one, and run the video again: cutroom library add FILE --folder "chess x "',
      ],
    ],
    [
      'none is there to be picked',
      { randomVideoUrl: true },
      [
        'brainrot_config: when this clip was made the library had no video in a folder named "brainrot" or "gameplay", so there is none. Add one, and run the video again: cutroom library add FILE --folder "brainrot"',
      ],
    ],
    [
      'it is not there',
      { videoUrl: 'https://x/gone.png' },
      ['brainrot_config.videoUrl (https://x/gone.png) is left out: There is no file at this address.'],
    ],
    [
      'it is a picture',
      { videoUrl: 'https://x/picture.png' },
      [
        'brainrot_config.videoUrl (https://x/picture.png) is left out: It is a still picture, and a video is needed here.',
      ],
    ],
  ] as [string, Wanted, unknown][])('nothing is shown where %s', (_, wanted, expected) => {
    const { warnings, ...edits } = compile(wanted)
    expect(edits).toEqual({})
    expect(warnings).toEqual(expected)
  })
})

describe('the second video', () => {
  it('fills the lower half, and the clip’s own picture the upper one', () =>
    expect(compile({ videoUrl })).toEqual({
      layout: [
        {
          kind: 'panes',
          startFrame: 0,
          endFrame: 100,
          background: 'black',
          panes: [
            {
              crop: { x: 352.5, y: 0, width: 1215, height: 1080 },
              rect: { x: 0, y: 0, width: 1080, height: 960 },
            },
          ],
        },
      ],
      layers: [
        {
          kind: 'video',
          id: 'second-video',
          asset: VIDEO,
          sourceStart: 0,
          loop: true,
          rect: { x: 0, y: 960, width: 1080, height: 960 },
          fit: 'cover',
          focusX: 50,
          focusY: 50,
          background: null,
          opacity: 1,
          startFrame: 0,
          endFrame: 100,
          intro: { kind: 'none', frames: 0 },
          outro: { kind: 'none', frames: 0 },
        },
      ],
      extendIntoEndCard: ['second-video'],
      warnings: [],
    }))

  it.each([
    [75, '0+960 960+960'],
    [50, '0+384 384+1536'],
    [49, '1536+384 0+1536'],
    [60, '0+384 384+1536'],
    [25, '960+960 0+960'],
    [95, '0+1536 1536+384'],
    [5, '384+1536 0+384'],
    [120, '0+1536 1536+384'],
    [-20, '384+1536 0+384'],
  ])('has its centre at %d %% of the height', (verticalY, expected) => {
    const { layers, layout } = compile({ videoUrl, verticalY })
    const [own] = layout ?? []
    const [second] = layers ?? []
    const rows = [
      own?.kind === 'panes' ? own.panes[0]?.rect : undefined,
      second?.kind === 'video' ? second.rect : undefined,
    ].map((rect) => rect && `${rect.y}+${rect.height}`)
    expect(rows.join(' ')).toBe(expected)
  })

  it.each([
    [undefined, [50, 50]],
    ['left', [0, 50]],
    ['Top-Right', [100, 0]],
    ['bottom', [50, 100]],
    ['upper', [50, 0]],
    ['lower left', [0, 100]],
    ['center', [50, 50]],
    ['middle centre', [50, 50]],
    ['', [50, 50]],
    ['left right', [0, 50]],
  ])('shows its part %s', (cropPosition, expected) => {
    const { layers, warnings } = compile(
      cropPosition === undefined ? { videoUrl } : { videoUrl, cropPosition },
    )
    const [layer] = layers ?? []
    expect(layer?.kind === 'video' && [layer.focusX, layer.focusY]).toEqual(expected)
    expect(warnings).toEqual([])
  })

  it('shows the middle where a part is not known', () => {
    const long = `left-${'x'.repeat(70)}`
    const { layers, warnings } = compile({ videoUrl, cropPosition: long })
    expect(layers).toMatchObject([{ focusX: 0, focusY: 50 }])
    expect(warnings).toEqual([
      `brainrot_config.cropPosition "${long.slice(0, 60)}" is not known: left, right, top, bottom, center are.`,
    ])
  })

  it('needs no picture of its own', () => {
    const edits = compile({ videoUrl }, { facts: factsOf({ video: null }) })
    expect(edits.layout).toBeUndefined()
    expect(edits.layers).toHaveLength(1)
  })

  it('shows the middle of an upright source as wide as it is', () => {
    const { layout } = compile({ videoUrl }, { facts: factsOf({ width: 1080, height: 1920 }) })
    expect(layout).toEqual([
      {
        kind: 'panes',
        startFrame: 0,
        endFrame: 100,
        background: 'black',
        panes: [
          {
            crop: { x: 0, y: 480, width: 1080, height: 960 },
            rect: { x: 0, y: 0, width: 1080, height: 960 },
          },
        ],
      },
    ])
  })
})

describe('the clip’s own picture', () => {
  /** One face that moves from left to right, and speaks. */
  const faces = (points: ClipFaces['tracks'][number]['points'], shotStarts: number[] = []): ClipFaces => ({
    start: 5,
    end: 25,
    shotStarts,
    tracks: [{ id: 0, points, speaking: [{ start: 5, end: 25 }] }],
    screens: [],
  })
  const still = faces([
    [10, 0.1, 0.3, 0.1, 0.2],
    [20, 0.1, 0.3, 0.1, 0.2],
  ])

  it('is around who speaks', () =>
    expect(compile({ videoUrl }, { document: { faces: still } }).layout).toEqual([
      {
        kind: 'panes',
        startFrame: 0,
        endFrame: 100,
        background: 'black',
        panes: [
          { crop: { x: 0, y: 0, width: 1215, height: 1080 }, rect: { x: 0, y: 0, width: 1080, height: 960 } },
        ],
      },
    ]))

  it('changes its view halfway where who speaks moves', () => {
    const moving = faces([
      [10, 0.05, 0.3, 0.1, 0.2],
      [14, 0.05, 0.3, 0.1, 0.2],
      [16, 0.8, 0.3, 0.1, 0.2],
      [20, 0.8, 0.3, 0.1, 0.2],
    ])
    expect(compile({ videoUrl }, { document: { faces: moving } }).layout).toEqual([
      {
        kind: 'panes',
        startFrame: 0,
        endFrame: 38,
        background: 'black',
        panes: [
          {
            crop: { x: 10, y: 0, width: 1215, height: 1080 },
            rect: { x: 0, y: 0, width: 1080, height: 960 },
          },
        ],
      },
      {
        kind: 'panes',
        startFrame: 38,
        endFrame: 50,
        background: 'black',
        panes: [
          {
            crop: { x: 10, y: 0, width: 1215, height: 1080 },
            rect: { x: 0, y: 0, width: 1080, height: 960 },
          },
        ],
      },
      {
        kind: 'panes',
        startFrame: 50,
        endFrame: 62,
        background: 'black',
        panes: [
          {
            crop: { x: 694, y: 0, width: 1215, height: 1080 },
            rect: { x: 0, y: 0, width: 1080, height: 960 },
          },
        ],
      },
      {
        kind: 'panes',
        startFrame: 62,
        endFrame: 100,
        background: 'black',
        panes: [
          {
            crop: { x: 694, y: 0, width: 1215, height: 1080 },
            rect: { x: 0, y: 0, width: 1080, height: 960 },
          },
        ],
      },
    ])
  })

  it('is the middle where nobody is seen', () =>
    expect(compile({ videoUrl }, { document: { faces: { ...still, tracks: [] } } }).layout).toEqual([
      {
        kind: 'panes',
        startFrame: 0,
        endFrame: 100,
        background: 'black',
        panes: [
          {
            crop: { x: 352.5, y: 0, width: 1215, height: 1080 },
            rect: { x: 0, y: 0, width: 1080, height: 960 },
          },
        ],
      },
    ]))
})
