import { Value } from '@sinclair/typebox/value'
import { describe, expect, it } from 'vitest'
import { documentOf, node } from '../../test/support/node-values.ts'
import { ClipDocument } from '../contract/clip.ts'

describe('newClipDocument', () => {
  it('is a valid document with the configs of the nodes that are on', () => {
    const document = documentOf([
      node('convert_to_vertical'),
      node('add_subtitles', { subtitle_config: { styleId: 'box' } }),
      node('add_title_overlay', { title_config: { generateTitle: true, text: 'dropped', fontSize: 40 } }),
      node('add_watermark', { watermark_config: { url: 'w' } }, false),
      node('add_music', { background_music_options: [{ url: 'a' }, { url: 'b' }, { url: 'c' }] }),
      node('add_outro', { end_card_option: { url: 'end' } }),
    ])
    expect([...Value.Errors(ClipDocument, document)]).toEqual([])
    expect(document).toMatchObject({
      duration: 30,
      aspectRatio: '9:16',
      videoResolution: '1080x1920',
      videoHeight: 1920,
      fps: 30,
      subtitleConfig: { styleId: 'box' },
      subtitleId: 'box',
      titleConfig: { fontSize: 40 },
      endCardOption: { url: 'end' },
      media: {},
      segments: [],
    })
    expect(document.titleConfig).not.toHaveProperty('text')
    expect(document).not.toHaveProperty('watermarkConfig')
    expect(['a', 'b', 'c']).toContain(document.backgroundMusicOption?.['url'])
    expect(documentOf([]).subtitleConfig).toBeUndefined()
  })

  it('spreads music over clips, always the same for one', () => {
    const nodes = [
      node('add_music', { background_music_options: [{ url: 'a' }, { url: 'b' }, { url: 'c' }] }),
    ]
    const pick = (clipHash: string) => documentOf(nodes, { clipHash }).backgroundMusicOption?.['url']
    const hashes = Array.from({ length: 30 }, (_, index) => `hash-${index}`)
    expect(new Set(hashes.map(pick))).toEqual(new Set(['a', 'b', 'c']))
    expect(hashes.map(pick)).toEqual(hashes.map(pick))
  })

  it('takes the brand below the nodes that say more, and not below a chosen preset', () => {
    const brand = node('apply_branding', {
      title_config: { fontColor: 'green', fontSize: 50 },
      watermark_config: { url: 'logo' },
      outro_card_url: 'card',
    })
    const own = documentOf([brand, node('add_title_overlay', { title_config: { fontSize: 70 } })])
    expect(own).toMatchObject({
      titleConfig: { fontColor: 'green', fontSize: 70 },
      watermarkConfig: { url: 'logo' },
      endCardOption: { url: 'card' },
    })
    const preset = documentOf([brand, node('add_title_overlay', { title_config: { titlePresetId: 'card' } })])
    expect(preset.titleConfig).toEqual({ titlePresetId: 'card' })
  })

  it('shows the headline that was written to the prompt, where no text is fixed', () => {
    const shown = (title_config: object) =>
      documentOf([node('add_title_overlay', { title_config })], {}, undefined, 'Written').titleConfig
    expect(shown({ prompt: 'Ask.' })).toEqual({ prompt: 'Ask.', text: 'Written' })
    expect(shown({ prompt: 'Ask.', generateTitle: true, text: 'Old' })).toMatchObject({ text: 'Written' })
    expect(shown({ prompt: 'Ask.', text: 'Fixed' })).toMatchObject({ text: 'Fixed' })
    expect(shown({ fontSize: 40 })).toEqual({ fontSize: 40 })
  })

  it('draws no headline of the brand where the title node is off', () => {
    const brand = node('apply_branding', { title_config: { text: 'Ours' } })
    expect(documentOf([brand]).titleConfig).toEqual({ text: 'Ours' })
    const off = { ...node('add_title_overlay', {}), enabled: false }
    expect(documentOf([brand, off])).not.toHaveProperty('titleConfig')
  })
})
