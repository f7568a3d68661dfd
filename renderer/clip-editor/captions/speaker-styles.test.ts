import { describe, expect, it } from 'vitest'
import { resolveCueStyle, speakerConfig } from '../../../server/nodes/compose/caption-style.ts'
import { CAPTION_PRESETS } from '../../../server/nodes/presets/captions.ts'
import { effectiveCaption } from './effective.ts'
import {
  readLooks,
  setFor,
  speakersOf,
  withoutOwn,
  withSet,
  writeLooks,
  type Style,
  type Who,
} from './speaker-styles.ts'

const OUTPUT = { width: 1080, height: 1920 }
const SPEAKERS = [0, 1, 2]
const effective = (style: Style) => effectiveCaption(style, OUTPUT, 30)

/** What the composition would draw a speaker's words with. */
const drawn = (config: Style, speaker: number) =>
  resolveCueStyle(speakerConfig(config, speaker), OUTPUT, 30, () => undefined).style

/** One edit as the panel makes it. */
function edit(config: Style, who: Who, fields: Style): Style {
  const looks = readLooks(config, SPEAKERS, effective)
  const changed = withSet(looks, who, { ...setFor(looks, who), ...fields })
  return writeLooks(changed, SPEAKERS, effective)
}

describe('styles of speakers', () => {
  it('change nothing by being read and written', () => {
    const configs: Style[] = [
      {},
      { styleId: 'box', fontColor: '#ff0000' },
      { fontSize: 70, speakerStyles: [{ fontColor: '#ffff00' }] },
      { speakerStyles: [{ fontColor: '#ffff00' }, { fontColor: '#00ffff' }, null] },
      { speakerStyles: { '0': { styleId: 'neon' }, '1': { styleId: 'box' }, '2': { styleId: 'pop' } } },
      {
        speakerStyles: {
          '0': { fontColor: '#ffff00' },
          '1': { fontColor: '#00ffff' },
          '2': { fontColor: '#ff00ff' },
        },
      },
      { speakerStyles: { '5': { isItalic: true } } },
    ]
    for (const config of configs) {
      const written = writeLooks(readLooks(config, SPEAKERS, effective), SPEAKERS, effective)
      for (const speaker of [0, 1, 2, 5])
        expect(drawn(written, speaker), JSON.stringify(config)).toEqual(drawn(config, speaker))
    }
  })

  it('give the first speaker a style that the others do not inherit', () => {
    const config = edit({ styleId: 'pop' }, 0, { fontColor: '#ffff00' })
    expect(drawn(config, 0).face.colour).toBe('#ffff00')
    expect(drawn(config, 1).face.colour).toBe('#ffffff')
    expect(drawn(config, 2).face.colour).toBe('#ffffff')
    expect(setFor(readLooks(config, SPEAKERS, effective), 1)).toEqual({})
  })

  it.each(CAPTION_PRESETS.map(({ id }) => id))('leave the others of "%s" as they are', (styleId) => {
    const values: Style = {
      fontColor: '#123456',
      fontFamily: 'Lora',
      fontSize: 33,
      fontWeight: 500,
      isItalic: true,
      lineHeight: 2,
      letterSpacing: 9,
      textCase: 'lowercase',
      textAlign: 'right',
      backgroundColor: '#abcdef',
      backgroundOpacity: 0.3,
      backgroundFillStyle: 'line',
      backgroundBorderRadius: 3,
      outlineColor: '#fedcba',
      outlineWidth: 3,
      shadowColor: '#222222',
      shadowBlur: 2,
      shadowEnabled: false,
      maxLines: 3,
      wrapWidthPct: 40,
      subtitleX: 20,
      subtitleY: 20,
      animationStyle: 'slide',
      amplifySpokenWords: false,
      amplifiedOpacity: 0.5,
      emojis: true,
      amplifyOpacityTransitionDuration: 1,
      styleId: 'quote',
    }
    for (const [name, value] of Object.entries(values)) {
      const config = edit({ styleId }, 0, { [name]: value })
      expect(drawn(config, 1), name).toEqual(drawn({ styleId }, 1))
      expect(readLooks(config, SPEAKERS, effective).own.get(1), name).toBeUndefined()
    }
  })

  it('let the others follow everyone after the first speaker has one of their own', () => {
    const own = edit({}, 0, { fontColor: '#ffff00' })
    const config = edit(own, 'everyone', { fontColor: '#00ff00' })
    expect([0, 1, 2].map((speaker) => drawn(config, speaker).face.colour)).toEqual([
      '#ffff00',
      '#00ff00',
      '#00ff00',
    ])
  })

  it('keep another preset of one speaker while the first has colours of their own', () => {
    const boxed = edit({}, 1, { styleId: 'box' })
    const config = edit(boxed, 0, { fontFamily: 'Lora' })
    expect(drawn(config, 1)).toEqual(drawn(boxed, 1))
    expect(drawn(config, 2)).toEqual(drawn({}, 2))
    expect(drawn(config, 0).face.fontFamily).toBe('Lora')
  })

  it('let a change for everyone be seen where entry 0 has held the field', () => {
    const config = edit({ speakerStyles: [{ fontColor: '#ffff00' }] }, 'everyone', { fontColor: '#0000ff' })
    expect([0, 1, 2].map((speaker) => drawn(config, speaker).face.colour)).toEqual(Array(3).fill('#0000ff'))
  })

  it('are gone when the last field is taken back', () => {
    const config = edit({ fontSize: 60 }, 2, { isItalic: true })
    const looks = readLooks(config, SPEAKERS, effective)
    expect(writeLooks(withSet(looks, 2, {}), SPEAKERS, effective)).toEqual({ fontSize: 60 })
    expect(writeLooks(withoutOwn(looks, ['isItalic']), SPEAKERS, effective)).toEqual({ fontSize: 60 })
  })

  it('are for the speakers that are heard', () => {
    expect(speakersOf([{ speaker: 2 }, {}, { speaker: 2 }, { speaker: 1 }])).toEqual([0, 1, 2])
  })
})
