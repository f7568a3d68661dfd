import { describe, expect, it } from 'vitest'
import type { ClipDocument, ClipSegment } from '../../contract/clip.ts'
import { AppError } from '../../contract/errors.ts'
import { sampleDocument } from '../../../test/support/sample-document.ts'
import { withKeptTimes } from '../../contract/time-map/clip-times.ts'
import { editClip } from './clip-edits.ts'
import { boundaryAt, widenedRange, widenedWords } from './clip-segments.ts'
import { readClipUpdates } from './read-clip-updates.ts'

/** A clip of 30 s, 10 to 40 in a source of 60. */
const clip = (changes: Partial<ClipDocument> = {}): ClipDocument => sampleDocument(changes)

const edit = (
  body: Record<string, unknown>,
  document = clip(),
  merge = true,
  segmentsIn: 'played' | 'cut' = 'played',
) => editClip({ document, updates: readClipUpdates(body), merge, sourceDuration: 60, segmentsIn })

/** An edit of the clip editor, whose segments count from the start of the cut; and what is played then. */
function editCut(body: Record<string, unknown>, document = clip()) {
  const edited = edit(body, document, true, 'cut')
  return { ...edited, document: withKeptTimes(edited.document) }
}

function refusal(act: () => unknown): { code: string; details: Record<string, unknown> | undefined } {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, details: error.details }
    throw error
  }
  throw new Error('it was not refused')
}

describe('which fields', () => {
  it('fields may be sent in updates or at top level; updates wins', () => {
    expect(
      readClipUpdates({
        companyId: 'a',
        clipId: 'b',
        merge: true,
        title: 'one',
        bio: 'x',
        updates: { title: 'two' },
      }),
    ).toEqual({ title: 'two', bio: 'x' })
  })

  it('end_card_option is another name of endCardOption; null counts as not sent', () => {
    expect(readClipUpdates({ end_card_option: { url: 'https://x.example/a' } })).toEqual({
      endCardOption: { url: 'https://x.example/a' },
    })
    expect(
      readClipUpdates({
        end_card_option: { url: 'https://x.example/a' },
        endCardOption: { url: 'https://x.example/b' },
      }),
    ).toEqual({
      endCardOption: { url: 'https://x.example/b' },
    })
    expect(
      readClipUpdates({
        endCardOption: { url: 'https://x.example/b' },
        updates: { end_card_option: { url: 'https://x.example/a' }, title: null },
      }),
    ).toEqual({ endCardOption: { url: 'https://x.example/a' } })
  })

  it('fields outside the table are UNSUPPORTED_CLIP_FIELDS, all of them named', () => {
    const body = JSON.parse(
      '{"title":"x","viralityScore":5,"updates":{"id":"y","renderedUrl":null,"__proto__":{},"companyId":"z"}}',
    ) as Record<string, unknown>
    expect(refusal(() => readClipUpdates(body))).toEqual({
      code: 'UNSUPPORTED_CLIP_FIELDS',
      details: { fields: ['viralityScore', 'id', 'renderedUrl', '__proto__', 'companyId'] },
    })
  })

  it.each([{}, { updates: {} }, { title: null }, { updates: { title: null } }])(
    'no editable field, %j: INVALID_CLIP_UPDATE',
    (body) => {
      expect(refusal(() => readClipUpdates(body)).code).toBe('INVALID_CLIP_UPDATE')
    },
  )

  it.each<[Record<string, unknown>, string]>([
    [{ title: 5 }, 'title'],
    [{ keywords: 'one' }, 'keywords'],
    [{ people: [1] }, 'people.0'],
    [{ segments: {} }, 'segments'],
    [{ segments: ['a'] }, 'segments.0'],
    [{ segments: [{ startSeconds: '0', endSeconds: 1 }] }, 'segments.0.startSeconds'],
    [{ segments: [{ startSeconds: -1, endSeconds: 1 }] }, 'segments.0.startSeconds'],
    [{ segments: [{ startSeconds: 0, endSeconds: 1, playbackRate: 5 }] }, 'segments.0.playbackRate'],
    [{ segments: [{ startSeconds: 0, endSeconds: 1, label: 'x' }] }, 'segments.0.label'],
    [{ duration: 0 }, 'duration'],
    [{ startTimestamp: JSON.parse('1e999') as number }, 'startTimestamp'],
    [{ timestampBoundary: { start: 1 } }, 'timestampBoundary.end'],
    [{ subtitleConfig: { fontColour: 'red' } }, 'subtitleConfig.fontColour'],
    [{ subtitleConfig: { backgroundOpacity: 2 } }, 'subtitleConfig.backgroundOpacity'],
    [
      { subtitleConfig: { speakerStyles: { 0: { fontSize: {} } } } },
      'subtitleConfig.speakerStyles.0.fontSize',
    ],
    [{ titleConfig: { yPosition: 4 } }, 'titleConfig.yPosition'],
    [{ watermarkConfig: { opacity: -1 } }, 'watermarkConfig.opacity'],
    [{ backgroundMusicOption: { volume: 2 } }, 'backgroundMusicOption.volume'],
    [{ endCardOption: { isVideo: 'yes' } }, 'endCardOption.isVideo'],
  ])('%j: INVALID_CLIP_UPDATE at %s', (body, path) => {
    expect(refusal(() => readClipUpdates(body))).toMatchObject({
      code: 'INVALID_CLIP_UPDATE',
      details: { path },
    })
  })
})

describe('segments', () => {
  it.each<[string, unknown[], ClipSegment[]]>([
    ['[] clears the trim', [], []],
    [
      '0 <= startSeconds < endSeconds <= the length of the cut',
      [{ startSeconds: 0, endSeconds: 30 }],
      [{ startSeconds: 0, endSeconds: 30 }],
    ],
    ['start and end are accepted as aliases', [{ start: 1, end: 2 }], [{ startSeconds: 1, endSeconds: 2 }]],
    [
      'any order is stored sorted',
      [
        { start: 5, end: 6 },
        { start: 1, end: 2 },
      ],
      [
        { startSeconds: 1, endSeconds: 2 },
        { startSeconds: 5, endSeconds: 6 },
      ],
    ],
    [
      'touching ranges are fine',
      [
        { start: 1, end: 2 },
        { start: 2, end: 3 },
      ],
      [
        { startSeconds: 1, endSeconds: 2 },
        { startSeconds: 2, endSeconds: 3 },
      ],
    ],
    [
      'playbackRate from 0.25 to 4',
      [{ start: 1, end: 2, playbackRate: 0.25 }],
      [{ startSeconds: 1, endSeconds: 2, playbackRate: 0.25 }],
    ],
    [
      'a duration that was rounded up is the end',
      [{ start: 1, end: 30.0004 }],
      [{ startSeconds: 1, endSeconds: 30 }],
    ],
  ])('%s', (_rule, segments, saved) => {
    expect(editCut({ segments }).document.segments).toEqual(saved)
  })

  it.each<[string, unknown[]]>([
    ['start is not before end', [{ start: 2, end: 2 }]],
    ['end is before start', [{ start: 3, end: 2 }]],
    ['end is beyond the clip', [{ start: 3, end: 30.1 }]],
    ['start missing', [{ end: 2 }]],
    ['end missing', [{ start: 2 }]],
    ['both names, and they differ', [{ start: 2, startSeconds: 1, end: 3 }]],
    [
      'overlapping',
      [
        { start: 5, end: 8 },
        { start: 1, end: 5.5 },
      ],
    ],
    [
      'one inside another',
      [
        { start: 1, end: 9 },
        { start: 3, end: 4 },
      ],
    ],
    [
      'the same twice',
      [
        { start: 1, end: 2 },
        { start: 1, end: 2 },
      ],
    ],
  ])('%s: INVALID_CLIP_UPDATE', (_rule, segments) => {
    expect(refusal(() => editCut({ segments }))).toMatchObject({
      code: 'INVALID_CLIP_UPDATE',
      details: { field: 'segments' },
    })
  })

  it('of the clip editor are held against the whole cut, not against what an earlier trim left of it', () => {
    const trimmed = clip({ segments: [{ startSeconds: 0, endSeconds: 5 }], duration: 5 })
    expect(editCut({ segments: [{ start: 0, end: 20 }] }, trimmed).document.duration).toBe(20)
  })

  it('duration is kept in sync automatically, at the speeds of the segments', () => {
    const segments = [
      { start: 0, end: 10, playbackRate: 2 },
      { start: 20, end: 30, playbackRate: 0.5 },
    ]
    const { document, changesRender } = editCut({ segments })
    expect(document.duration).toBe(25)
    expect(changesRender).toBe(true)
    expect(editCut({ segments: [] }, document).document.duration).toBe(30)
  })
})

describe('start, end and duration', () => {
  it('move the cut, also beyond the old one, and the duration follows', () => {
    const { document, applied } = editCut({ startTimestamp: 2.5, endTimestamp: 50 })
    expect(document).toMatchObject({ startTimestamp: 2.5, endTimestamp: 50, duration: 47.5 })
    expect(applied).toEqual({ startTimestamp: 2.5, endTimestamp: 50 })
  })

  it.each<[Record<string, unknown>, string]>([
    [{ startTimestamp: 40 }, 'startTimestamp'],
    [{ endTimestamp: 10 }, 'endTimestamp'],
    [{ startTimestamp: 20, endTimestamp: 15 }, 'endTimestamp'],
    [{ endTimestamp: 60.2 }, 'endTimestamp'],
    [{ startTimestamp: 20, endTimestamp: 20.01 }, 'endTimestamp'],
    [{ timestampBoundary: { start: 5, end: 5 } }, 'timestampBoundary'],
    [{ timestampBoundary: { start: 5, end: 99 } }, 'timestampBoundary'],
  ])('%j is INVALID_CLIP_UPDATE at %s', (body, field) => {
    expect(refusal(() => edit(body))).toMatchObject({ code: 'INVALID_CLIP_UPDATE', details: { field } })
  })

  it('an end beyond the source by a rounding is its end', () => {
    expect(edit({ endTimestamp: 60.04 }).document.endTimestamp).toBe(60)
  })

  it('segments stay on the same stretches of the source; what reached an edge reaches the new one', () => {
    const trimmed = clip({
      segments: [
        { startSeconds: 5, endSeconds: 10 },
        { startSeconds: 20, endSeconds: 30 },
      ],
      duration: 15,
    })
    const { document } = editCut({ startTimestamp: 12, endTimestamp: 45 }, trimmed)
    expect(document.segments).toEqual([
      { startSeconds: 3, endSeconds: 8 },
      { startSeconds: 18, endSeconds: 33 },
    ])
    expect(document.duration).toBe(20)
    expect(refusal(() => edit({ startTimestamp: 21, endTimestamp: 29 }, trimmed)).details).toMatchObject({
      field: 'segments',
    })
  })
})

describe('what a caller of the API trimmed', () => {
  const trim = [
    { start: 10, end: 15 },
    { start: 20, end: 22, playbackRate: 2 },
  ]
  const trimmed = clip({ trim })

  it('stays on its stretches of the source when the cut moves, and reaches a new edge from an old one', () => {
    expect(edit({ startTimestamp: 8 }, trimmed).document.trim).toEqual([{ start: 8, end: 15 }, trim[1]])
    expect(edit({ startTimestamp: 14, endTimestamp: 21 }, trimmed).document.trim).toEqual([
      { start: 14, end: 15 },
      { start: 20, end: 21, playbackRate: 2 },
    ])
    const nothing = { startTimestamp: 16, endTimestamp: 19 }
    expect(refusal(() => edit(nothing, trimmed)).details).toMatchObject({ field: 'segments' })
  })

  it('goes when segments are cleared, given for another range, or set in the clip editor', () => {
    const left = (document: ClipDocument) => [document.segments, document.trim]
    expect(left(edit({ segments: [] }, trimmed).document)).toEqual([[], undefined])
    const other = { segments: [{ start: 0, end: 2 }], endTimestamp: 42 }
    expect(left(edit(other, trimmed).document)).toEqual([[], undefined])
    const segments = [{ startSeconds: 1, endSeconds: 3 }]
    expect(left(editCut({ segments }, trimmed).document)).toEqual([segments, undefined])
    expect(edit({ segments: [] }, trimmed).changesRender).toBe(true)
  })
})

describe('nested configs', () => {
  const styled = clip({
    subtitleConfig: {
      fontSize: '60',
      fontColor: '#fff',
      speakerStyles: { 0: { fontColor: '#eee' }, 1: { fontColor: '#ddd' } },
    },
    titleConfig: { text: 'Old', fontSize: 90 },
  })

  it('merge true: shallow-merged into the existing config', () => {
    const { document, applied } = edit(
      { titleConfig: { text: 'New' }, watermarkConfig: { url: 'https://x.example/u' } },
      styled,
    )
    expect(document.titleConfig).toEqual({ text: 'New', fontSize: 90 })
    expect(document.watermarkConfig).toEqual({ url: 'https://x.example/u' })
    expect(applied.titleConfig).toEqual(document.titleConfig)
  })

  it('shallow: speakerStyles as a whole is one of the values', () => {
    expect(
      edit({ subtitleConfig: { speakerStyles: [null, { fontSize: 5 }] } }, styled).document.subtitleConfig,
    ).toEqual({
      fontSize: '60',
      fontColor: '#fff',
      speakerStyles: { 1: { fontSize: 5 } },
    })
  })

  it('a field of the config itself is seen although entry 0 of speakerStyles held it', () => {
    expect(edit({ subtitleConfig: { fontColor: '#f00' } }, styled).document.subtitleConfig).toEqual({
      fontSize: '60',
      fontColor: '#f00',
      speakerStyles: { 0: { fontColor: '#f00' }, 1: { fontColor: '#ddd' } },
    })
  })

  it('another file does not keep what described the one before', () => {
    const before = clip({
      endCardOption: { url: 'https://x.example/v.mp4', isVideo: true, videoDuration: 4, opacity: 0.5 },
      backgroundMusicOption: { id: '1', name: 'A', url: 'https://x.example/a.mp3', volume: 0.1 },
    })
    const after = edit(
      {
        endCardOption: { url: 'https://x.example/p.png' },
        backgroundMusicOption: { url: 'https://x.example/b.mp3', name: 'B' },
      },
      before,
    ).document
    expect(after.endCardOption).toEqual({ url: 'https://x.example/p.png', opacity: 0.5 })
    expect(after.backgroundMusicOption).toEqual({ url: 'https://x.example/b.mp3', name: 'B', volume: 0.1 })
    const louder = { endCardOption: { url: 'https://x.example/v.mp4', volume: 1 } }
    expect(edit(louder, before).document.endCardOption).toEqual({ ...before.endCardOption, volume: 1 })
  })

  it('merge false: replaced', () => {
    expect(
      edit({ subtitleConfig: { fontColor: '#f00' }, titleConfig: {} }, styled, false).document,
    ).toMatchObject({
      subtitleConfig: { fontColor: '#f00' },
      titleConfig: {},
    })
  })

  it('subtitleId follows the preset that the config names', () => {
    const chosen = edit({ subtitleConfig: { styleId: 'pop' } }, styled).document
    expect(chosen.subtitleId).toBe('pop')
    expect(edit({ subtitleConfig: { fontSize: 5 } }, chosen, false).document).not.toHaveProperty('subtitleId')
    expect(
      edit({ subtitleConfig: { fontSize: 5 } }, clip({ subtitleId: 'own' }), false).document.subtitleId,
    ).toBe('own')
  })
})

describe('whether what was rendered is still the clip', () => {
  it.each<[string, Record<string, unknown>, Partial<ClipDocument>, boolean]>([
    ['bio', { bio: 'x' }, {}, false],
    ['people', { people: ['x'] }, {}, false],
    ['keywords', { keywords: ['x'] }, {}, false],
    [
      'keywords that captions highlight',
      { keywords: ['x'] },
      { subtitleConfig: { highlightKeywords: true } },
      true,
    ],
    [
      'keywords that a node zooms by',
      { keywords: ['x'] },
      { nodes: [{ id: 'z', type: 'smart_zoom', enabled: true, config: {} }] },
      true,
    ],
    ['title without a headline', { title: 'x' }, {}, false],
    ['title that is the headline', { title: 'x' }, { titleConfig: { fontSize: 9 } }, true],
    ['title beside a headline of its own', { title: 'x' }, { titleConfig: { text: 'Mine' } }, false],
    ['timestampBoundary', { timestampBoundary: { start: 1, end: 2 } }, {}, false],
    ['the same segments', { segments: [] }, {}, false],
    ['startTimestamp', { startTimestamp: 11 }, {}, true],
    ['endTimestamp', { endTimestamp: 39 }, {}, true],
    ['subtitleConfig', { subtitleConfig: { fontSize: 5 } }, {}, true],
    ['titleConfig', { titleConfig: { text: 'x' } }, {}, true],
    ['watermarkConfig', { watermarkConfig: { url: 'https://x.example/x' } }, {}, true],
    ['backgroundMusicOption', { backgroundMusicOption: { url: 'https://x.example/x' } }, {}, true],
    ['endCardOption', { end_card_option: { url: 'https://x.example/x' } }, {}, true],
  ])('%s', (_name, body, document, changed) => {
    expect(edit(body, clip(document)).changesRender).toBe(changed)
  })
})

describe('a cut beyond what was kept', () => {
  const word = (text: string, start: number, end = start + 0.5) => ({ word: text, start, end })

  it('keeps more, with padding, on the side where it is needed', () => {
    const at = (startTimestamp: number, endTimestamp: number) =>
      widenedRange(clip({ startTimestamp, endTimestamp }), 60)
    expect(at(5, 45)).toBeNull()
    expect(at(4, 40)).toEqual({ start: 0, end: 45 })
    expect(at(10, 46)).toEqual({ start: 5, end: 56 })
    expect(at(10, 58)).toEqual({ start: 5, end: 60 })
    const far = clip({ startTimestamp: 4000, endTimestamp: 4010 })
    expect(widenedRange(far, 9000)).toEqual({ start: 3990, end: 4020 })
  })

  it('takes the words around its own from the whole transcript, each once, and keeps its edits', () => {
    const whole = [
      word('a', 1),
      word('b', 4.8, 5.2),
      word('c', 8),
      word('d', 9.9, 10),
      word('e', 10),
      word('f', 30),
    ]
    const own = [word('b', 4.8, 5.2), word('C!', 8), { ...word('d', 9.9, 10), isDeleted: true }]
    const wide = widenedWords(own, whole, { from: { start: 5, end: 10 }, to: { start: 0, end: 20 } })
    expect(wide).toEqual([whole[0], ...own, whole[4]])
    const elsewhere = widenedWords(own, whole, { from: { start: 5, end: 10 }, to: { start: 25, end: 40 } })
    expect(elsewhere).toEqual([whole[5]])
  })

  it('says anew how its edges sit', () => {
    const words = [word('One.', 1), word('two', 2), word('three', 2.5)]
    expect(boundaryAt(words, 1.7)).toEqual({ sentenceEdge: true, pauseSeconds: 0.5 })
    expect(boundaryAt(words, 2.5)).toEqual({ sentenceEdge: false, pauseSeconds: 0 })
    expect(boundaryAt(words, 1.1)).toEqual({ sentenceEdge: false, pauseSeconds: 0 })
    expect(boundaryAt([], 1)).toEqual({ sentenceEdge: false, pauseSeconds: 0 })
  })
})
