import { describe, expect, it } from 'vitest'
import { EditableClip } from '../contract/update-clip.ts'
import { valueProblem } from './judge-values.ts'
import { NODE_TYPES, nodeDefinition } from './registry.ts'

describe('valueProblem', () => {
  it.each([
    [{ subtitleConfig: { fontColor: 'notacolour' } }, 'subtitleConfig.fontColor'],
    [{ subtitleConfig: { fontSize: '1e9' } }, 'subtitleConfig.fontSize'],
    [{ subtitleConfig: { fontSize: 1e9 } }, 'subtitleConfig.fontSize'],
    [{ subtitleConfig: { subtitleX: 1e308 } }, 'subtitleConfig.subtitleX'],
    [{ subtitleConfig: { fontWeight: 'plump' } }, 'subtitleConfig.fontWeight'],
    [
      { subtitleConfig: { speakerStyles: [null, { fontColor: '#12' }] } },
      'subtitleConfig.speakerStyles.1.fontColor',
    ],
    [
      { subtitleConfig: { speakerStyles: { '0': { outlineColor: 'rgb(1)' } } } },
      'subtitleConfig.speakerStyles.0.outlineColor',
    ],
    [{ titleConfig: { fontUrl: 'font.ttf' } }, 'titleConfig.fontUrl'],
    [{ endCardOption: { url: '/etc/passwd' } }, 'endCardOption.url'],
    [{ endCardOption: { url: 'concat:/etc/passwd|b' } }, 'endCardOption.url'],
    [{ watermarkConfig: { url: 'file:///etc/passwd' } }, 'watermarkConfig.url'],
    [{ backgroundMusicOption: { url: 'http://' } }, 'backgroundMusicOption.url'],
  ])('%j is refused at %s', (updates, path) => {
    expect(valueProblem(EditableClip, updates)?.path).toBe(path)
  })

  it.each([
    [{ subtitleConfig: { fontColor: 'rebeccapurple', backgroundColor: '#FFCC00AA', outlineColor: '' } }],
    [{ subtitleConfig: { fontSize: '64', outlineWidth: '8px', fontWeight: 'extra-bold', subtitleX: -20 } }],
    [{ subtitleConfig: { fontWeight: '800', letterSpacing: -2.5, fontColor: 'hsl(120 50% 50% / 0.5)' } }],
    [{ titleConfig: { fontSize: 64, fontWeight: 800, lineHeight: '1.2', textShadow: '0 4px 12px #000' } }],
    [{ endCardOption: { url: 'https://cdn.example/card.png?x=1' } }],
    [{ endCardOption: { url: ' HTTP://cdn.example/card.mp4' } }],
    [{ watermarkConfig: { url: 'data:image/png;base64,AAAA', x: 50 } }],
    [{ watermarkConfig: { url: `cutroom-source:${'a'.repeat(64)}` } }],
    [{ backgroundMusicOption: { url: '' } }],
  ])('%j is taken', (updates) => {
    expect(valueProblem(EditableClip, updates)).toBeNull()
  })

  it('judges the settings of nodes in the same way', () => {
    const wrong = { subtitle_config: { fontColor: 'notacolour' } }
    expect(NODE_TYPES).toContain('add_subtitles')
    expect(valueProblem(nodeDefinition('add_subtitles').config, wrong)?.path).toBe(
      'subtitle_config.fontColor',
    )
    const card = { end_card_option: { url: '/etc/passwd' } }
    expect(valueProblem(nodeDefinition('add_outro').config, card)?.path).toBe('end_card_option.url')
  })
})
