import { describe, expect, it } from 'vitest'
import { contextOf } from '../../../test/support/node-context.ts'
import { factsOf } from '../../../test/support/node-values.ts'
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import { convertToVertical } from './convert-to-vertical.ts'
import { inSentences } from '../../../test/support/sentences.ts'

type Wanted = Parameters<typeof convertToVertical.compile>[0]
/** Two people who are seen all the time, and speak in turn. */
const faces: ClipFaces = {
  start: 5,
  end: 25,
  shotStarts: [],
  tracks: [
    {
      id: 0,
      points: [
        [5, 0.1, 0.2, 0.1, 0.2],
        [25, 0.1, 0.2, 0.1, 0.2],
      ],
      speaking: [{ start: 5, end: 15 }],
    },
    {
      id: 1,
      points: [
        [5, 0.8, 0.2, 0.1, 0.2],
        [25, 0.8, 0.2, 0.1, 0.2],
      ],
      speaking: [{ start: 15, end: 25 }],
    },
  ],
  screens: [],
}
const screen: ClipFaces = { ...faces, screens: [{ start: 5, end: 25, inset: [0.75, 0.1, 0.2, 0.4] }] }
const compile = (wanted: Wanted, measured?: ClipFaces, facts = factsOf()) =>
  inSentences(
    convertToVertical.compile(
      wanted,
      contextOf({ facts, document: measured === undefined ? {} : { faces: measured } }),
    ),
  )
/** `0-100 crop`, `0-100 panes 2`: each span and how many panes it has. */
const spans = (...given: Parameters<typeof compile>) =>
  (compile(...given).layout ?? [])
    .map(
      (span) =>
        `${span.startFrame}-${span.endFrame} ${span.kind}${span.kind === 'panes' ? ` ${span.panes.length}` : ''}`,
    )
    .join(', ')

it.each([
  [{}, null],
  [{ aspect_ratio: '9:16' }, null],
  [{ aspect_ratio: '4:1' }, null],
  [{ aspect_ratio: '1x4' }, null],
  [{ aspect_ratio: '41/10' }, { path: 'aspect_ratio', expected: 'a ratio from 1:4 to 4:1' }],
  [{ aspect_ratio: '10:41' }, { path: 'aspect_ratio', expected: 'a ratio from 1:4 to 4:1' }],
  [{ aspect_ratio: '10:1' }, { path: 'aspect_ratio', expected: 'a ratio from 1:4 to 4:1' }],
])('%j is a ratio', (config, expected) => expect(convertToVertical.check?.(config)).toEqual(expected))

it.each([
  [{}, ['faces']],
  [{ style: 'style_one' }, ['faces']],
  [{ style: 'style_none' }, []],
  [{ style: 'style_none', force_split_view: true }, ['faces']],
  [{ centerVertical: true }, []],
  [{ centerVertical: true, force_split_view: true }, []],
] as [Wanted, string[]][])('%j looks at faces: %j', (config, expected) =>
  expect(convertToVertical.measures?.(config)).toEqual(expected),
)

describe('the whole picture', () => {
  it.each([
    ['is centred over black', {}],
    ['is no smaller than it fits', { zoom: 0.5 }],
  ])('%s', (_, wanted) =>
    expect(compile({ centerVertical: true, ...wanted }, faces)).toEqual({
      layout: [
        {
          kind: 'fit',
          startFrame: 0,
          endFrame: 100,
          crop: { x: 0, y: 0, width: 1920, height: 1080 },
          zoom: 1,
          background: 'black',
        },
      ],
      warnings: [],
    }),
  )
  it('is larger, over its blur, further down, as is set', () =>
    expect(compile({ centerVertical: true, zoom: 1.5, gaussian_blur: true, y_offset: 10 })).toEqual({
      layout: [
        {
          kind: 'fit',
          startFrame: 0,
          endFrame: 100,
          crop: { x: 0, y: 0, width: 1920, height: 1080 },
          zoom: 1.5,
          background: 'blur',
          yOffsetPercent: 10,
        },
      ],
      warnings: [],
    }))
})

describe('the middle', () => {
  it.each([
    ['without faces', {}, undefined],
    ['where nobody is followed', { style: 'style_none' }, faces],
  ] as [string, Wanted, ClipFaces | undefined][])('is shown %s', (_, wanted, measured) =>
    expect(compile(wanted, measured)).toEqual({
      layout: [
        { kind: 'crop', startFrame: 0, endFrame: 100, crop: { x: 656.25, y: 0, width: 607.5, height: 1080 } },
      ],
      warnings: [],
    }),
  )
  it('is shown without a picture', () => {
    const { layout, warnings } = compile({ style: 'style_two' }, faces, factsOf({ video: null }))
    expect([layout?.length, warnings]).toEqual([1, []])
  })

  const UNMEASURED =
    'convert_to_vertical: faces of this clip were not measured, so nobody can be followed or shown beside others; the middle is shown. A new run measures them where the face model is installed.'
  it.each([
    [{ style: 'style_one' }, [UNMEASURED]],
    [{ split_view: true }, [UNMEASURED]],
    [{ split_view: false }, []],
  ] as [Wanted, string[]][])('is a warning where %j wants faces', (wanted, warnings) =>
    expect(compile(wanted).warnings).toEqual(warnings),
  )
})

it('shows two halves where nobody was looked for', () =>
  expect(compile({ force_split_view: true })).toEqual({
    layout: [
      {
        kind: 'panes',
        startFrame: 0,
        endFrame: 100,
        background: 'black',
        panes: [
          {
            crop: { x: 0, y: 113.33333333333331, width: 960, height: 853.3333333333334 },
            rect: { x: 0, y: 0, width: 1080, height: 960 },
          },
          {
            crop: { x: 960, y: 113.33333333333331, width: 960, height: 853.3333333333334 },
            rect: { x: 0, y: 960, width: 1080, height: 960 },
          },
        ],
      },
    ],
    warnings: [
      'convert_to_vertical: faces of this clip were not measured; the two halves of the picture are shown instead of two people. A new run measures them where the face model is installed.',
    ],
  }))

describe('people who were seen', () => {
  it.each([
    [{}, '0-100 panes 2'],
    [{ style: 'style_one' }, '0-50 crop, 50-100 crop'],
    [{ style: 'style_one', split_view: true }, '0-100 panes 2'],
    [{ style: 'style_two' }, '0-100 panes 2'],
    [{ style: 'style_two', split_view: false }, '0-50 crop, 50-100 crop'],
    [{ style: 'style_two', split_view: false, force_split_view: true }, '0-100 panes 2'],
    [{ style: 'style_three' }, '0-100 panes 2'],
    [{ style: 'style_four' }, '0-100 panes 2'],
    [{ style: 'style_none', force_split_view: true }, '0-100 panes 2'],
  ] as [Wanted, string][])('are framed by %j', (wanted, expected) =>
    expect(spans(wanted, faces)).toBe(expected),
  )

  it.each([
    [{}, '0-100 panes 2'],
    [{ ignore_content_tiles: true }, '0-100 panes 2'],
    [{ style: 'style_two' }, '0-100 panes 2'],
    [{ style: 'style_one' }, '0-50 crop, 50-100 crop'],
  ] as [Wanted, string][])('are framed beside a screen by %j', (wanted, expected) =>
    expect(spans(wanted, screen)).toBe(expected),
  )
})
