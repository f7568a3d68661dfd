import { describe, expect, it } from 'vitest'
import { node, documentOf, factsOf, spoken } from '../../test/support/node-values.ts'
import { compileComposition } from '../nodes/index.ts'
import { LOSSES, remark, sentencesOf, warnTo, type RenderRemark } from './render-remarks.ts'
import { RenderWarning, renderWarnings } from './render-warnings.ts'

const vertical = [node('add_subtitles'), node('add_title_overlay')]
type Nodes = Parameters<typeof documentOf>[0]
type Over = Parameters<typeof documentOf>[1]

/** Codes and settings of what a clip of these nodes loses. */
function lostBy(nodes: Nodes, over: Over = {}, words = spoken('So this is it', 11), facts = factsOf()) {
  const { warnings } = compileComposition({ document: documentOf(nodes, over), words, facts })
  return renderWarnings('c1', warnings).map(({ code, field }) => `${code} ${field ?? 'null'}`)
}

describe('what a clip loses', () => {
  it.each<[string, Nodes, Over]>([
    ['VALUE_IGNORED subtitleConfig.fontColor', vertical, { subtitleConfig: { fontColor: 'no' } }],
    ['VALUE_IGNORED titleConfig.fontSize', vertical, { titleConfig: { fontSize: 'big' } }],
    ['NAME_UNKNOWN subtitleConfig.styleId', vertical, { subtitleConfig: { styleId: 'x' } }],
    ['NAME_UNKNOWN subtitleConfig.animationStyle', vertical, { subtitleConfig: { animationStyle: 'x' } }],
    ['NAME_UNKNOWN subtitleConfig.captionPosition', vertical, { subtitleConfig: { captionPosition: 'x' } }],
    ['NAME_UNKNOWN titleConfig.titlePresetId', vertical, { titleConfig: { titlePresetId: 'x' } }],
    ['NAME_UNKNOWN titleConfig.titlePaletteId', vertical, { titleConfig: { titlePaletteId: 'x' } }],
    ['PROMPT_NOT_FOLLOWED titleConfig.prompt', vertical, { titleConfig: { prompt: 'Be brief' } }],
    ['NOT_MEASURED subtitleConfig.avoidFaces', vertical, { subtitleConfig: { avoidFaces: true } }],
    ['FILE_LEFT_OUT titleConfig.fontUrl', vertical, { titleConfig: { fontUrl: 'https://a.b/c.ttf' } }],
    [
      'LANGUAGE_NOT_SUPPORTED subtitleConfig.emojis',
      vertical,
      { subtitleConfig: { emojis: true }, language: 'de' },
    ],
    ['FILE_NOT_NAMED watermarkConfig.url', [node('add_watermark', { watermark_config: { url: ' ' } })], {}],
    ['NOT_MEASURED add_broll', [node('add_broll')], {}],
    ['FILE_NOT_NAMED brainrot_config', [node('add_brainrot')], {}],
    ['NAME_UNKNOWN add_audiogram.template', [node('add_audiogram', { template: 'x' })], {}],
    ['NOTHING_FOUND remove_watermark', [node('remove_watermark')], {}],
    ['NOT_MEASURED convert_to_vertical', [node('convert_to_vertical', { style: 'style_two' })], {}],
    ['NAME_UNKNOWN add_nothing', [node('add_nothing')], {}],
  ])('%s', (told, nodes, over) => expect(lostBy(nodes, over)).toContain(told))

  it('each setting by itself, where one cause takes from several', () =>
    expect(lostBy(vertical, { titleConfig: { avoidFaces: true, positionDynamically: true } })).toEqual([
      'NOT_MEASURED titleConfig.positionDynamically',
      'NOT_MEASURED titleConfig.avoidFaces',
    ]))

  it('a file of b-roll and of an overlay, by the setting that has them', () => {
    const url = 'https://a.b/c.png'
    const insert = {
      id: 'broll-1',
      name: 'a dog',
      url,
      kind: 'image' as const,
      start: 12,
      end: 16,
      sourceStart: 0,
    }
    expect(lostBy([node('add_broll')], { broll: { inserts: [insert] } as never })).toEqual([
      'FILE_LEFT_OUT add_broll',
    ])
  })

  it('nothing where nothing deserves a closer look', () =>
    expect(lostBy([node('smart_zoom')], {}, [])).toEqual([]))
})

describe('renderWarnings', () => {
  const gone = remark('FILE_LEFT_OUT', 'endCardOption.url', 'It is gone.')

  it('are told once each, with their clip', () =>
    expect(renderWarnings('c1', [gone, gone, { ...gone, field: 'watermarkConfig.url' }])).toEqual([
      { ...gone, clipId: 'c1' },
      { ...gone, field: 'watermarkConfig.url', clipId: 'c1' },
    ]))

  it('leave out by what nothing is lost', () =>
    expect(renderWarnings('c1', [remark(null, null, 'The clip is silent.')])).toEqual([]))

  it('of an earlier version are OTHER', () =>
    expect(renderWarnings('c1', ['Something that an earlier version said.'])).toEqual([
      { code: 'OTHER', field: null, message: 'Something that an earlier version said.', clipId: 'c1' },
    ]))

  it('are documented code by code', () => {
    const { enum: codes, description = '' } = RenderWarning.properties.code as unknown as {
      enum: string[]
      description?: string
    }
    expect(codes).toEqual([...Object.keys(LOSSES), 'OTHER'])
    for (const code of codes) expect(description).toContain(`\`${code}\`: `)
  })
})

it('lists a remark once, and a sentence once', () => {
  const list: RenderRemark[] = []
  const warn = warnTo(list)
  warn('SHORTENED', 'a', 'Cut.')
  warn('SHORTENED', 'a', 'Cut.')
  warn('SHORTENED', 'b', 'Cut.')
  expect(list.map(({ field }) => field)).toEqual(['a', 'b'])
  expect(sentencesOf(list)).toEqual(['Cut.'])
})
