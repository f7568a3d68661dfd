import { describe, expect, it } from 'vitest'
import { layoutContext, recordingCanvas } from '../../../test/support/recording-canvas.ts'
import { CAPTION_STYLE, TITLE } from '../../../test/support/sample-composition.ts'
import type { CaptionLayer, CaptionStyle, TitleLayer } from '../../../server/contract/composition.ts'
import { prepareCaptions } from './captions.ts'
import type { PreparedLayer } from './layer.ts'
import { prepareTitle } from './title.ts'

/** Letters are 30 wide, capitals 42 high, a space is 30 and a line 60. */
const FACE = { ...TITLE.face, fontSize: 60, lineHeight: 1, colour: '#ffffff' }
const BARE = { ...TITLE.backdrop, fill: 'none' as const }
const SEEN =
  /^(save|restore|translate|scale|fill|stroke|shadow|lineWidth|global|rect|clip|moveTo|arcTo|closePath)/
const drawn = (layer: PreparedLayer, frame: number, seen = SEEN) => {
  const { canvas, calls } = recordingCanvas()
  layer.draw(canvas, frame)
  return calls.filter((call) => seen.test(call))
}

describe('a title', () => {
  const title: TitleLayer = {
    ...TITLE,
    text: 'AB CD',
    face: FACE,
    backdrop: { ...BARE, colour: '#000000', paddingX: 20, paddingY: 10, radius: 5 },
    xPercent: 50,
    yPercent: 50,
    startFrame: 10,
    endFrame: 30,
    fadeFrames: 3,
  }
  const prepared = (more: Partial<TitleLayer> = {}, context = layoutContext()) =>
    prepareTitle({ ...title, ...more }, context)

  it('stands word by word around its place', () => {
    // 60 + 30 + 60 wide, around 540; the capitals around 960, the baseline on a whole pixel.
    expect(drawn(prepared(), 20)).toEqual([
      'save()',
      'fillStyle = "rgba(255, 255, 255, 1)"',
      'fillText("AB", 465, 981)',
      'restore()',
      'save()',
      'fillText("CD", 555, 981)',
      'restore()',
    ])
  })

  it('fades in and out in steps of one more than its frames', () => {
    const states = [9, 10, 11, 12, 13, 26, 27, 28, 29, 30].map((frame) => prepared().stateAt(frame))
    expect(states).toEqual(['', '0.250', '0.500', '0.750', '1.000', '1.000', '0.750', '0.500', '0.250', ''])
    expect(drawn(prepared(), 10)).toContain('fillStyle = "rgba(255, 255, 255, 0.25)"')
    expect([drawn(prepared(), 9), drawn(prepared(), 30)]).toEqual([[], []])
    expect([10, 29].map((frame) => prepared({ fadeFrames: 0 }).stateAt(frame))).toEqual(['1.000', '1.000'])
  })

  it('is shown for its frames, and may change only where it is', () => {
    const layer = prepared()
    // Beyond letters: 0.08 of the size and 2 to the sides; 0.98 of it and 2 above the baseline, 0.34 and 2 below.
    const box = { x: 458.2, y: 920.2, width: 163.6, height: 83.2 }
    expect(layer.box?.x).toBeCloseTo(box.x, 9)
    expect(layer.box?.y).toBeCloseTo(box.y, 9)
    expect(layer.box?.width).toBeCloseTo(box.width, 9)
    expect(layer.box?.height).toBeCloseTo(box.height, 9)
    expect([layer.id, layer.shown]).toEqual(['title', [{ startFrame: 10, endFrame: 30 }]])
    expect([9, 10, 29, 30].map((frame) => layer.paintedAt(frame) !== null)).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect([layer.damage(9, 10), layer.damage(14, 20), layer.damage(11, 28)]).toEqual([layer.box, null, null])
    expect(prepared({ startFrame: -5, endFrame: 500 }).shown).toEqual([{ startFrame: 0, endFrame: 100 }])
  })

  it('has a block around its lines and what is behind them', () => {
    expect(prepared().blockAt?.(0)).toEqual({
      startFrame: 10,
      endFrame: 30,
      box: { x: 465, y: 930, width: 150, height: 60 },
      centreX: 540,
      centreY: 960,
    })
    const behind = prepared({ backdrop: { ...title.backdrop, fill: 'block' } }).blockAt?.(0)
    expect(behind?.box).toEqual({ x: 445, y: 920, width: 190, height: 80 })
  })

  it('stands on a box with round corners', () => {
    const calls = drawn(prepared({ backdrop: { ...title.backdrop, fill: 'block', opacity: 0.5 } }), 20)
    expect(calls.slice(0, 9)).toEqual([
      'save()',
      'fillStyle = "rgba(0, 0, 0, 0.5)"',
      'moveTo(540, 920)',
      'arcTo(635, 920, 635, 1000, 5)',
      'arcTo(635, 1000, 445, 1000, 5)',
      'arcTo(445, 1000, 445, 920, 5)',
      'arcTo(445, 920, 635, 920, 5)',
      'closePath()',
      'fill()',
    ])
  })

  it('keeps a margin to the edge, as wide as what is behind it', () => {
    const left = (more: Partial<TitleLayer>) => prepared(more).blockAt?.(0)?.centreX
    expect([left({ xPercent: 0 }), left({ xPercent: 100 })]).toEqual([75, 1005])
    const backdrop = { ...title.backdrop, fill: 'line' as const }
    expect([left({ xPercent: 0, backdrop }), left({ xPercent: 100, backdrop })]).toEqual([95, 985])
    const top = (more: Partial<TitleLayer>) => prepared(more).blockAt?.(0)?.centreY
    // Ink reaches two pixels beyond the line.
    expect([top({ yPercent: 0 }), top({ yPercent: 100 })]).toEqual([32, 1888])
    expect(top({ yPercent: 0, backdrop })).toBe(40)
  })

  it('breaks into lines of the wanted width, aligned to either side', () => {
    // 150 pixels hold five letters or two words of two.
    const lines = (align: TitleLayer['align']) =>
      drawn(prepared({ text: 'AB CD EFG', align, maxWidthPercent: 15 }), 20, /^fillText/)
    expect(lines('left')).toEqual([
      'fillText("AB", 465, 951)',
      'fillText("CD", 555, 951)',
      'fillText("EFG", 465, 1011)',
    ])
    expect(lines('right')).toEqual([
      'fillText("AB", 465, 951)',
      'fillText("CD", 555, 951)',
      'fillText("EFG", 525, 1011)',
    ])
    expect(lines('center')[2]).toBe('fillText("EFG", 495, 1011)')
  })

  it('parts words at zero-width spaces, without a gap', () => {
    expect(drawn(prepared({ text: ' AB\u200bCD\n EF ' }), 20, /^fillText/)).toEqual([
      'fillText("AB", 435, 981)',
      'fillText("CD", 495, 981)',
      'fillText("EF", 585, 981)',
    ])
  })

  it('shrinks until it has the wanted height', () => {
    const two = (targetHeightPercent: number) =>
      prepared({ text: 'AB CD EFG', maxWidthPercent: 15, targetHeightPercent }).blockAt?.(0)?.box.height
    expect(two(0)).toBe(120)
    // 96 pixels: 60 x 0.94 four times is 46.8, and two lines of it are 93.7.
    expect(two(5)).toBeCloseTo(2 * 60 * 0.94 ** 4, 9)
  })

  it('without words or time is nothing', () => {
    for (const more of [{ text: ' \n ' }, { endFrame: 10 }, { startFrame: 100, endFrame: 200 }]) {
      const layer = prepared(more)
      expect([layer.box, layer.shown, layer.stateAt(10), layer.blockAt?.(10)]).toEqual([null, [], '', null])
    }
  })

  it('is white where its colour is none, and says so', () => {
    const context = layoutContext()
    const layer = prepared({ face: { ...FACE, colour: 'reddish' } }, context)
    expect(drawn(layer, 20)).toContain('fillStyle = "rgba(255, 255, 255, 1)"')
    expect(context.warnings).toEqual([
      {
        code: 'VALUE_IGNORED',
        field: 'titleConfig',
        message: '"reddish" is not a colour; white is used in its place.',
      },
    ])
  })

  it('has outline and shadow under all letters', () => {
    const face = {
      ...FACE,
      outline: { colour: '#000000', width: 4 },
      shadow: { colour: '#ff0000', blur: 6, offsetX: 1, offsetY: 2 },
    }
    // A gap is not less than both outlines and 0.04 of the size: a space of 30 is wider.
    expect(drawn(prepared({ face }), 20)).toEqual([
      'save()',
      'shadowColor = "rgba(255, 0, 0, 1)"',
      'shadowBlur = 6',
      'shadowOffsetX = 1',
      'shadowOffsetY = 2',
      'strokeStyle = "rgba(0, 0, 0, 1)"',
      'lineWidth = 8',
      'strokeText("AB", 465, 981)',
      'restore()',
      'save()',
      'strokeText("CD", 555, 981)',
      'restore()',
      'save()',
      'fillStyle = "rgba(255, 255, 255, 1)"',
      'fillText("AB", 465, 981)',
      'restore()',
      'save()',
      'fillText("CD", 555, 981)',
      'restore()',
    ])
    const faded = drawn(prepared({ face }), 11)
    expect(faded.slice(13, 18)).toEqual([
      'globalCompositeOperation = "destination-out"',
      'fillStyle = "#000000"',
      'fillText("AB", 465, 981)',
      'globalCompositeOperation = "source-over"',
      'fillStyle = "rgba(255, 255, 255, 0.5)"',
    ])
    expect(drawn(prepared(), 11).join()).not.toContain('destination-out')
    const shadowed = drawn(prepared({ face: { ...face, outline: null } }), 20)
    expect(shadowed.slice(5, 7)).toEqual(['fillStyle = "rgba(255, 255, 255, 1)"', 'fillText("AB", 465, 981)'])
  })
})

describe('captions', () => {
  const style: CaptionStyle = {
    ...CAPTION_STYLE,
    face: FACE,
    backdrop: BARE,
    animation: 'none',
    yPercent: 50,
    spoken: { ...CAPTION_STYLE.spoken, transitionFrames: 0, restOpacity: 0.4, scale: 1.5 },
  }
  const words = [
    { text: 'AB', startFrame: 0, endFrame: 10 },
    { text: 'CD', startFrame: 10, endFrame: 20 },
  ]
  const layerOf = (more: Partial<CaptionStyle> = {}, cues?: CaptionLayer['cues']): CaptionLayer => ({
    kind: 'captions',
    id: 'captions',
    language: 'en',
    styles: [{ ...style, ...more }],
    cues: cues ?? [{ startFrame: 0, endFrame: 20, style: 0, words }],
  })
  const spoken = (mode: CaptionStyle['spoken']['mode'], more: Partial<CaptionStyle['spoken']> = {}) =>
    prepareCaptions(layerOf({ spoken: { ...style.spoken, mode, ...more } }), layoutContext())
  const inks = (layer: PreparedLayer, frame: number) =>
    drawn(layer, frame, /^(fill|clip|rect|translate|scale)/)

  it.each<[CaptionStyle['spoken']['mode'], string[]]>([
    [
      'none',
      ['fillStyle = "rgba(255, 255, 255, 1)"', 'fillText("AB", 465, 981)', 'fillText("CD", 555, 981)'],
    ],
    [
      'colour',
      [
        'fillStyle = "rgba(255, 214, 10, 1)"',
        'fillText("AB", 465, 981)',
        'fillStyle = "rgba(255, 255, 255, 0.4)"',
        'fillText("CD", 555, 981)',
      ],
    ],
    [
      'spotlight',
      [
        'fillStyle = "rgba(255, 214, 10, 1)"',
        'fillText("AB", 465, 981)',
        'fillStyle = "rgba(255, 255, 255, 0.4)"',
        'fillText("CD", 555, 981)',
      ],
    ],
    [
      'pill',
      [
        'fillStyle = "rgba(109, 59, 245, 1)"',
        'fill()',
        'fillStyle = "rgba(255, 214, 10, 1)"',
        'fillText("AB", 465, 981)',
        'fillStyle = "rgba(255, 255, 255, 0.4)"',
        'fillText("CD", 555, 981)',
      ],
    ],
    [
      // 0.12 of the size more between words; the enlarged word comes last, about the middle of its capitals.
      'scale',
      [
        'fillStyle = "rgba(255, 255, 255, 0.4)"',
        'fillText("CD", 558.6, 981)',
        'translate(491.4, 960)',
        'scale(1.5, 1.5)',
        'fillStyle = "rgba(255, 214, 10, 1)"',
        'fillText("AB", -30, 21)',
      ],
    ],
    [
      // Half of the word on the fifth of ten frames, and 0.1 of the size before it.
      'sweep',
      [
        'fillStyle = "rgba(255, 255, 255, 1)"',
        'fillText("AB", 465, 981)',
        'rect(459, 903, 36, 108)',
        'clip()',
        'fillStyle = "rgba(255, 214, 10, 1)"',
        'fillText("AB", 465, 981)',
        'fillStyle = "rgba(255, 255, 255, 0.4)"',
        'fillText("CD", 555, 981)',
      ],
    ],
    ['reveal', ['fillStyle = "rgba(255, 214, 10, 1)"', 'fillText("AB", 465, 981)']],
  ])('show the spoken word by %s', (mode, expected) => {
    expect(inks(spoken(mode), 4)).toEqual(expected)
  })

  it('put a pill around the capitals that grows as the emphasis does', () => {
    const path = (layer: PreparedLayer, frame: number) => drawn(layer, frame, /^(moveTo|arcTo)/).slice(0, 2)
    // 0.15 and 0.23 of the size around 60 x 42.
    expect(path(spoken('pill'), 4)).toEqual(['moveTo(495, 925.2)', 'arcTo(534, 925.2, 534, 994.8, 12)'])
    // With one frame between, 0.875 of the way on the first: 42 of 48 steps, 0.9825 of the size.
    expect(path(spoken('pill', { transitionFrames: 1 }), 0)[0]).toBe('moveTo(495, 925.809)')
  })

  it('fill a swept word to its end, the overhang of its last letter included', () => {
    expect(inks(spoken('sweep'), 9)).toContain('rect(459, 903, 72, 108)')
    const faint = spoken('sweep', { opacity: 0.5 })
    expect(inks(faint, 4)[0]).toBe('fillStyle = "rgba(255, 255, 255, 0.5)"')
  })

  it('reveal words over their transition', () => {
    const layer = spoken('reveal', { transitionFrames: 3 })
    // A quarter is there on the first frame, with 0.578125 of the emphasis: 28 of 48 steps.
    expect(layer.stateAt(0)).toBe(`0|1.000,1.000,0.000|${28 / 48},0|0.25,0`)
    expect(layer.stateAt(3)).toBe('0|1.000,1.000,0.000|1,0|1,0')
  })

  it('have a state for each picture, and none outside their cues', () => {
    const layer = spoken('colour')
    expect([0, 9, 10, 19, 20].map((frame) => layer.stateAt(frame))).toEqual([
      '0|1.000,1.000,0.000|1,0|0,0',
      '0|1.000,1.000,0.000|1,0|0,0',
      '0|1.000,1.000,0.000|0,1|0,0',
      '0|1.000,1.000,0.000|0,1|0,0',
      '',
    ])
    expect([layer.damage(0, 9), layer.paintedAt(20), drawn(layer, 20)]).toEqual([null, null, []])
    expect(layer.damage(9, 10)).toEqual(layer.box)
  })

  it('change only where words change', () => {
    const three = [...words, { text: 'EF', startFrame: 20, endFrame: 30 }]
    const cue = { startFrame: 0, endFrame: 30, style: 0, words: three }
    const layer = prepareCaptions(layerOf({}, [cue]), layoutContext())
    // The second and third word: from 510 to 660 and 6.8 beyond.
    expect(layer.damage(19, 20)?.x).toBeCloseTo(503.2, 9)
    expect(layer.damage(19, 20)?.width).toBeCloseTo(163.6, 9)
    expect(layer.box?.width).toBeCloseTo(253.6, 9)
  })

  it('come in as their style says', () => {
    const layer = prepareCaptions(layerOf({ animation: 'slide' }), layoutContext())
    expect(drawn(layer, 3, /^(translate|scale|fillStyle)/)).toEqual([
      'translate(540, 964.125)',
      'scale(1, 1)',
      'translate(-540, -960)',
      'fillStyle = "rgba(255, 214, 10, 0.875)"',
      'fillStyle = "rgba(255, 255, 255, 0.35)"',
    ])
    expect(layer.stateAt(3)).toBe('0|0.875,1.000,0.069|1,0|0,0')
    // It may be 0.55 of the size lower than at rest.
    expect(layer.box?.height).toBeCloseTo(83.2 + 33, 9)
    expect(layer.paintedAt(3)?.y).toBeCloseTo(920.2 + 4.125, 9)
    expect(layer.damage(3, 4)?.height).toBeGreaterThan(83.2)
  })

  it('of two cues show the later one, and leave out what is empty', () => {
    const cue = (startFrame: number, endFrame: number, ...texts: string[]) => ({
      startFrame,
      endFrame,
      style: 0,
      words: texts.map((text) => ({ text, startFrame, endFrame })),
    })
    const layer = prepareCaptions(
      layerOf({}, [cue(10, 30, ' EF '), cue(0, 20, 'AB', '  '), cue(40, 40, 'no'), cue(50, 60, ' ')]),
      layoutContext(),
    )
    const texts = (frame: number) => drawn(layer, frame, /^fillText/)
    expect(texts(5)).toEqual(['fillText("AB", 510, 981)'])
    expect(texts(15)).toEqual(['fillText("EF", 510, 981)'])
    expect([layer.shown, layer.blockAt?.(99)?.startFrame]).toEqual([[{ startFrame: 0, endFrame: 30 }], 10])
    expect(layer.damage(5, 15)).toEqual(layer.box)
    const none = prepareCaptions(layerOf({}, []), layoutContext())
    expect([none.box, none.shown, none.blockAt?.(0)]).toEqual([null, [], null])
  })

  it('hold a word over a pause of nine frames, not of ten', () => {
    const paused = (pause: number) => {
      const [first, second] = words
      const later = { ...second!, startFrame: 10 + pause, endFrame: 20 + pause }
      const cue = { startFrame: 0, endFrame: 50, style: 0, words: [first!, later] }
      return prepareCaptions(layerOf({}, [cue]), layoutContext()).stateAt(12)
    }
    expect(paused(9)).toBe('0|1.000,1.000,0.000|1,0|0,0')
    expect(paused(10)).toBe('0|1.000,1.000,0.000|0,0|0,0')
  })

  it('have highlighted words in their colour, join what joins, and name colours that are none', () => {
    const context = layoutContext()
    const cue = {
      startFrame: 0,
      endFrame: 20,
      style: 0,
      words: [
        { ...words[0]!, highlight: '#00ff00', joinsNext: true },
        { ...words[1]!, highlight: 'greenish' },
      ],
    }
    const plain = layerOf({ spoken: { ...style.spoken, mode: 'none' } }, [cue])
    expect(inks(prepareCaptions(plain, context), 4)).toEqual([
      'fillStyle = "rgba(0, 255, 0, 1)"',
      'fillText("AB", 480, 981)',
      'fillStyle = "rgba(255, 255, 255, 1)"',
      'fillText("CD", 540, 981)',
    ])
    expect(context.warnings).toEqual([
      {
        code: 'VALUE_IGNORED',
        field: 'titleConfig',
        message: '"greenish" is not a colour; white is used in its place.',
      },
    ])
  })

  it('stand on boxes, and keep them inside the picture', () => {
    const backdrop = { ...BARE, fill: 'line' as const, paddingX: 20, paddingY: 10, opacity: 1 }
    const layer = prepareCaptions(layerOf({ backdrop, xPercent: 0 }), layoutContext())
    expect(layer.blockAt?.(0)).toEqual({
      startFrame: 0,
      endFrame: 20,
      box: { x: 0, y: 920, width: 190, height: 80 },
      centreX: 95,
      centreY: 960,
    })
  })
})
