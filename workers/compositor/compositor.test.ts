/** The compositor's decisions on a canvas that only measures: every letter is half its font size wide. */
import { describe, expect, it } from 'vitest'
import type { Composition, TitleLayer } from '../../server/contract/composition.ts'
import { FONTS } from '../../test/support/recording-canvas.ts'
import {
  CAPTION_STYLE,
  captionLayer,
  sampleComposition,
  TITLE,
} from '../../test/support/sample-composition.ts'
import { damageBetween, paintedAt, prepare, stateAt, type Band } from './compositor.ts'

const ruler = {
  font: '',
  measureText(text: string) {
    const size = Number(/([\d.]+)px/.exec(ruler.font)?.[1] ?? 0)
    return {
      width: text.length * size * 0.5,
      actualBoundingBoxAscent: size * 0.7,
      actualBoundingBoxDescent: size * 0.2,
    }
  },
}

const prepared = (composition: Composition) => prepare(composition, ruler, FONTS)
const clip = (layers: Composition['layers']): Composition =>
  sampleComposition({ durationFrames: 300, layers })
const firstBand = (layers: Composition['layers']): Band => {
  const [band] = prepared(clip(layers)).bands
  if (band === undefined) throw new Error('no band')
  return band
}

describe('bands', () => {
  it('are even, inside the picture and no larger than the text needs', () => {
    const { box } = firstBand([captionLayer('Nobody reads the manual twice', 10, 5)])
    for (const side of Object.values(box)) expect(side % 2).toBe(0)
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(1080)
    expect(box.height).toBeLessThan(320)
    expect(Math.abs(box.y + box.height / 2 - 1920 * 0.72)).toBeLessThan(20)
  })

  it('stay apart when layers are far apart, and are one when that is smaller', () => {
    const captions = captionLayer('Nobody reads the manual twice', 10, 5)
    expect(prepared(clip([captions, TITLE])).bands).toHaveLength(2)
    const twin = { ...captions, id: 'twin' }
    expect(prepared(clip([captions, twin])).bands).toHaveLength(1)
  })

  it('keep text that is placed outside the picture inside it', () => {
    const style = { ...CAPTION_STYLE, yPercent: 104, xPercent: -10 }
    const { box } = firstBand([captionLayer('Far too low', 10, 3, style)])
    expect(box.y + box.height).toBeLessThanOrEqual(1920)
    expect(box.height).toBeGreaterThan(80)
  })

  it('are none for nothing to show', () => {
    expect(prepared(clip([])).bands).toEqual([])
    expect(prepared(clip([{ ...TITLE, text: '  ' }])).bands).toEqual([])
    expect(prepared(clip([{ ...TITLE, endFrame: 0 }])).bands).toEqual([])
  })
})

describe('blocks of text', () => {
  const blockAt = (layers: Composition['layers'], frame: number) =>
    prepared(clip(layers)).layers[0]?.blockAt?.(frame)

  it('are the lines with what is behind them, at rest, inside of all that is painted', () => {
    const backdrop = { ...CAPTION_STYLE.backdrop, fill: 'block', paddingX: 30, paddingY: 20 } as const
    const style = { ...CAPTION_STYLE, backdrop, xPercent: 50, yPercent: 30, animation: 'slide' } as const
    const layer = captionLayer('Read it', 10, 2, style)
    const block = blockAt([layer], 12)
    const painted = firstBand([layer]).box
    expect([block?.centreX, block?.centreY]).toEqual([540, 576])
    const { x = 0, y = 0, width = 0, height = 0 } = block?.box ?? {}
    expect([x + width / 2, y + height / 2].map(Math.round)).toEqual([540, 576])
    expect(x >= painted.x && y >= painted.y).toBe(true)
    expect(x + width <= painted.x + painted.width && y + height <= painted.y + painted.height).toBe(true)
    const bare = blockAt([captionLayer('Read it', 10, 4, { ...style, backdrop: CAPTION_STYLE.backdrop })], 12)
    expect(width - (bare?.box.width ?? 0)).toBeCloseTo(60)
  })

  it('are of the cue that is shown, or of the nearest', () => {
    const layer = captionLayer('one two three four', 10, 2)
    const starts = layer.kind === 'captions' ? layer.cues.map(({ startFrame }) => startFrame) : []
    expect(blockAt([layer], 0)?.startFrame).toBe(starts[0])
    expect(blockAt([layer], starts[1] ?? 0)?.startFrame).toBe(starts[1])
    expect(blockAt([layer], 299)?.startFrame).toBe(starts.at(-1))
  })

  it('are the headline before, while and after it is shown, and none without one', () => {
    for (const frame of [0, 299])
      expect(blockAt([TITLE], frame)?.endFrame).toBe(Math.min(300, TITLE.endFrame))
    expect(blockAt([{ ...TITLE, text: ' ' }], 0)).toBeNull()
  })
})

describe('states', () => {
  const band = firstBand([captionLayer('one two three four', 10, 2)])

  it('change when the picture does and at no other time', () => {
    const states = Array.from({ length: 60 }, (_, frame) => stateAt(band, frame))
    expect(states.slice(40).every((state) => state === '')).toBe(true)
    expect(new Set(states.slice(13, 20)).size).toBe(1)
    expect(states[20]).not.toBe(states[19])
    expect(states[10]).not.toBe(states[9])
    for (let frame = 1; frame < 60; frame++) {
      const changed = states[frame] !== states[frame - 1]
      expect(damageBetween(band, frame - 1, frame) !== null).toBe(changed)
    }
  })

  it('spoil only the words that change once a cue stands', () => {
    const part = damageBetween(band, 9, 10)
    const whole = paintedAt(band, 10)
    expect(part).not.toBeNull()
    expect((part?.width ?? 0) * (part?.height ?? 0)).toBeLessThanOrEqual(
      (whole?.width ?? 0) * (whole?.height ?? 0),
    )
    // In a later frame of the second word only the first word's fading is left.
    const narrow = damageBetween(firstBand([captionLayer('one two three four five', 10, 5)]), 29, 30)
    expect(narrow?.width).toBeLessThan(band.box.width)
  })

  it('hold the last word through a short pause, and let go in a long one', () => {
    const layer = captionLayer('one two', 10, 2)
    if (layer.kind !== 'captions') throw new Error('captionLayer makes captions')
    const withPause = (frames: number): Band =>
      firstBand([
        {
          ...layer,
          styles: [
            { ...CAPTION_STYLE, animation: 'none', spoken: { ...CAPTION_STYLE.spoken, transitionFrames: 0 } },
          ],
          cues: [
            {
              startFrame: 0,
              endFrame: 100,
              style: 0,
              words: [
                { text: 'one', startFrame: 0, endFrame: 10 },
                { text: 'two', startFrame: 10 + frames, endFrame: 30 + frames },
              ],
            },
          ],
        },
      ])
    expect(stateAt(withPause(6), 12)).toBe(stateAt(withPause(6), 5))
    expect(stateAt(withPause(30), 12)).not.toBe(stateAt(withPause(30), 5))
  })
})

describe('fitting', () => {
  const heightOf = (layer: Composition['layers'][number]): number => firstBand([layer]).box.height

  it('shrinks captions that would need more lines than they may have', () => {
    const long = 'extraordinarily uncomfortable conversations everywhere nevertheless'
    const two = heightOf(captionLayer(long, 10, 5, { ...CAPTION_STYLE, maxLines: 2, wrapWidthPercent: 80 }))
    const five = heightOf(captionLayer(long, 10, 5, { ...CAPTION_STYLE, maxLines: 5, wrapWidthPercent: 80 }))
    expect(two).toBeLessThan(five)
  })

  it('makes one endless word fit', () => {
    const { box } = firstBand([captionLayer('W'.repeat(80), 10, 1)])
    expect(box.width).toBeLessThanOrEqual(1080)
  })

  it('shrinks a title to its height', () => {
    const text = 'A headline with very many words that goes on and on for much longer than it should'
    const title = (targetHeightPercent: number): TitleLayer => ({ ...TITLE, text, targetHeightPercent })
    expect(heightOf(title(8))).toBeLessThan(heightOf(title(0)))
    expect(heightOf(title(8))).toBeLessThan(1920 * 0.08 + 40)
  })

  it('leaves out what a real canvas throws at', () => {
    const strict = {
      ...ruler,
      measureText(text: string) {
        if (text.includes('\u0000')) throw new Error('Convert String to CString failed')
        return ruler.measureText(text)
      },
    }
    const layers = [captionLayer('Nobody re\u0000ads \u0000', 10, 5), { ...TITLE, text: 'A\u0000 B' }]
    expect(prepare(clip(layers), strict, FONTS).bands).toHaveLength(2)
  })

  it('scales with the output', () => {
    const layers = [captionLayer('Nobody reads', 10, 2)]
    const small = prepared(sampleComposition({ width: 540, height: 960, layers })).bands[0]?.box
    const large = prepared(sampleComposition({ layers })).bands[0]?.box
    expect((large?.width ?? 0) / (small?.width ?? 1)).toBeCloseTo(2, 1)
  })
})

describe('warnings', () => {
  it('name a missing font and a bad colour, once each', () => {
    const style = {
      ...CAPTION_STYLE,
      face: { ...CAPTION_STYLE.face, fontFamily: 'Papyrus', colour: 'reddish' },
    }
    const { warnings } = prepared(clip([captionLayer('one two three four', 10, 2, style)]))
    expect(warnings).toEqual([
      {
        code: 'FONT_NOT_FOUND',
        field: 'subtitleConfig.fontFamily',
        message: 'The font "Papyrus" of the captions is not here; "Montserrat" is used in its place.',
      },
      {
        code: 'VALUE_IGNORED',
        field: 'subtitleConfig',
        message: '"reddish" is not a colour; white is used in its place.',
      },
    ])
  })

  it('name the setting that asked for a missing font', () => {
    const face = { ...CAPTION_STYLE.face, fontFamily: 'Papyrus' }
    const fields = ['title', 'brand-name:1', 'overlay:a', 'thumbnail:t', 'review-watermark:0'].map((id) => {
      const { warnings } = prepared(clip([{ ...TITLE, id, face }]))
      return warnings.map(({ code, field }) => [id, code, field])
    })
    expect(fields.flat()).toEqual([
      ['title', 'FONT_NOT_FOUND', 'titleConfig.fontFamily'],
      ['brand-name:1', 'FONT_NOT_FOUND', 'apply_branding.lower_third.fontFamily'],
      ['overlay:a', 'FONT_NOT_FOUND', 'overlays'],
      ['thumbnail:t', 'FONT_NOT_FOUND', 'thumbnail'],
      ['review-watermark:0', 'FONT_NOT_FOUND', null],
    ])
  })
})
