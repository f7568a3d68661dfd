import { describe, expect, it } from 'vitest'
import { CAPTION_PRESETS, captionPreset } from './captions.ts'
import { TITLE_PRESETS } from './titles.ts'

/** Contrast of two `#rrggbb` colours as WCAG counts it: 1 to 21. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const value = parseInt(colour.slice(at, at + 2), 16) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

describe('caption presets', () => {
  it.each([
    ['karaoke sweep', 'karaoke'],
    ['Filled pill', 'pill'],
    ['pop', 'pop'],
    ['bounce', 'bounce'],
    ['one-word spotlight', 'spotlight'],
    ['progressive reveal', 'reveal'],
    ['neon glow', 'neon'],
    ['full box', 'box'],
    ['outline impact caps', 'impact'],
    ['documentary lower-third', 'documentary'],
    ['lower third', 'documentary'],
    ['serif quote', 'quote'],
    ['minimal', 'minimal'],
  ])('"%s" is %s', (name, id) => {
    expect(captionPreset(name)?.id).toBe(id)
  })

  it('are at least twelve, no two of them alike', () => {
    const looks = CAPTION_PRESETS.map(({ face, backdrop, spoken, animation }) =>
      JSON.stringify([face, backdrop, spoken, animation]),
    )
    expect(new Set(looks).size).toBe(looks.length)
    expect(looks.length).toBeGreaterThanOrEqual(12)
    expect(new Set(CAPTION_PRESETS.map(({ id }) => id)).size).toBe(looks.length)
  })

  it('can be read: letters stand out from their own edge or box, spoken ones too', () => {
    for (const { id, face, backdrop, spoken } of CAPTION_PRESETS) {
      const behind = backdrop.fill === 'none' ? face.outline?.colour : backdrop.colour
      const wordOn = spoken.mode === 'pill' ? spoken.pillColour : behind
      if (behind !== undefined) expect([id, contrast(face.colour, behind) > 4.5]).toEqual([id, true])
      if (wordOn !== undefined) expect([id, contrast(spoken.colour, wordOn) > 4]).toEqual([id, true])
      // Without edge and box a dark shadow has to do.
      else
        expect([id, face.shadow?.colour.slice(0, 7), face.shadow?.colour.slice(7)]).toEqual([
          id,
          '#000000',
          'e6',
        ])
    }
  })
})

describe('title presets', () => {
  it('are at least eight with a palette to choose from each', () => {
    expect(TITLE_PRESETS.length).toBeGreaterThanOrEqual(8)
    for (const { palettes } of TITLE_PRESETS) expect(palettes.length).toBeGreaterThanOrEqual(2)
  })

  it.each(TITLE_PRESETS.flatMap((preset) => preset.palettes.map((palette) => [preset.id, palette] as const)))(
    '%s in %o can be read',
    (_id, { text, background }) => {
      expect(contrast(text, background)).toBeGreaterThan(4.5)
    },
  )
})
