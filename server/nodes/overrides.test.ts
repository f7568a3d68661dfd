import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../contract/errors.ts'
import type { JsonObject } from './declare.ts'
import { FLAT_FIELDS } from './overrides.ts'
import { deepMerge, isPlainObject } from './merge.ts'
import { overridesFromBody, resolveNodes, type NodeType } from './index.ts'

const graph = (...nodes: [NodeType, JsonObject][]) => ({
  nodes: nodes.map(([type, config], index) => ({ id: `${type}-${index}`, type, config })),
  edges: [],
})
const merged = (type: NodeType, template: JsonObject, body: JsonObject) => {
  const { nodes, warnings } = resolveNodes(graph([type, template]), overridesFromBody(body))
  return { ...nodes[0], warnings }
}
const refusal = (act: () => unknown): AppError => {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was not refused.')
}

describe('flat fields', () => {
  const pinned = [{ start: 1, end: 9 }]
  const table: [string, unknown, NodeType, JsonObject | boolean][] = [
    ['minLengthTarget', 15, 'find_clips', { min_length: 15 }],
    ['maxLengthTarget', 45, 'find_clips', { max_length: 45 }],
    ['promptAdjustment', 'funny', 'find_clips', { promptAdjustment: 'funny' }],
    ['pinnedTimestamps', pinned, 'find_clips', { pinnedTimestamps: pinned }],
    ['pinnedTimestampsOnly', true, 'find_clips', { pinnedTimestampsOnly: true }],
    ['pinnedTimestampMode', 'search_within', 'find_clips', { pinnedTimestampMode: 'search_within' }],
    ['musicUrl', 'https://m', 'add_music', { background_music_option: { url: 'https://m' } }],
    ['broll', true, 'add_broll', true],
    ['broll', false, 'add_broll', false],
    ['broll', { broll_frequency: 'high' }, 'add_broll', { broll_frequency: 'high' }],
    ['removeFillerWords', true, 'filler_words', { filler_words_config: { enabled: true } }],
    ['removeStutteredWords', true, 'filler_words', { filler_words_config: { stutteredWordsEnabled: true } }],
    ['removeSilences', false, 'filler_words', { filler_words_config: { silencesEnabled: false } }],
    [
      'subtitleConfig',
      { fontColor: 'red' },
      'add_subtitles',
      { subtitle_config: { fontColor: 'red', speakerStyles: { '0': { fontColor: 'red' } } } },
    ],
    [
      'subtitleConfig',
      { enabled: true, fontSize: 9 },
      'add_subtitles',
      { subtitle_config: { enabled: true, fontSize: 9, speakerStyles: { '0': { fontSize: 9 } } } },
    ],
    ['watermarkUrl', 'https://w', 'add_watermark', { watermark_config: { url: 'https://w' } }],
    ['titleConfig', { text: 'Hi' }, 'add_title_overlay', { title_config: { text: 'Hi' } }],
    ['outroImageUrl', 'https://o', 'add_outro', { end_card_option: { url: 'https://o' } }],
    ['outroMusicUrl', 'https://om', 'add_music', { outro_music_option: { url: 'https://om' } }],
    ['subtitles', false, 'add_subtitles', false],
    ['subtitles', true, 'add_subtitles', true],
    ['titleOverlay', false, 'add_title_overlay', false],
    ['orientation', 'horizontal', 'convert_to_vertical', false],
    ['orientation', 'vertical', 'convert_to_vertical', true],
  ]

  it.each(table)('%s %j becomes %s %j', (field, value, type, expected) => {
    const template = expected === true ? { enabled: false } : {}
    const node = merged(type, template, { [field]: value })
    if (typeof expected === 'boolean') expect(node).toMatchObject({ enabled: expected, config: {} })
    else expect(node).toMatchObject({ enabled: true, config: expected })
    expect(node.warnings).toEqual([])
  })

  it('are all in the table above', () => {
    expect(new Set(table.map(([field]) => field))).toEqual(new Set(Object.keys(FLAT_FIELDS)))
  })

  it.each(Object.keys(FLAT_FIELDS))(
    '%s is ignored with a warning where the node is absent, refused when wrongly typed',
    (field) => {
      const value = table.find(([name]) => name === field)?.[1]
      const { nodes, warnings } = resolveNodes(graph(), overridesFromBody({ [field]: value }))
      expect(nodes).toEqual([])
      expect(warnings).toEqual([expect.stringContaining(`"${field}" was ignored`)])
      const wrong = refusal(() => overridesFromBody({ [field]: Symbol.iterator }))
      expect(wrong).toMatchObject({ code: 'INVALID_REQUEST', details: { field } })
      expect(overridesFromBody({ [field]: null })).toEqual([])
    },
  )

  it('refuses an orientation that is neither', () => {
    expect(refusal(() => overridesFromBody({ orientation: 'square' })).code).toBe('INVALID_REQUEST')
  })

  it('keeps speaker styles that the flat subtitle config brings, in both forms', () => {
    const map = merged(
      'add_subtitles',
      {},
      {
        subtitleConfig: {
          fontColor: 'red',
          speakerStyles: { '0': { fontSize: '80' }, '1': { fontColor: 'blue' } },
        },
      },
    )
    const list = merged(
      'add_subtitles',
      {},
      {
        subtitleConfig: { fontColor: 'red', speakerStyles: [{ fontSize: '80' }, { fontColor: 'blue' }] },
      },
    )
    expect(map.config).toEqual({
      subtitle_config: {
        fontColor: 'red',
        speakerStyles: { '0': { fontColor: 'red', fontSize: '80' }, '1': { fontColor: 'blue' } },
      },
    })
    expect(list.config).toEqual(map.config)
  })
})

describe('two flat fields of one node', () => {
  it('are one layer: bounds of one range are not held against the template one by one', () => {
    const saved = { min_length: 20, max_length: 60 }
    const { config, warnings } = merged('find_clips', saved, { minLengthTarget: 90, maxLengthTarget: 120 })
    expect(config).toMatchObject({ min_length: 90, max_length: 120 })
    expect(warnings).toEqual([])
    const contradiction = { minLengthTarget: 90, maxLengthTarget: 30 }
    expect(refusal(() => merged('find_clips', saved, contradiction)).code).toBe('INVALID_NODE_CONFIG')
  })
})

describe('another file', () => {
  const video = {
    end_card_option: { url: 'https://x.example/v.mp4', isVideo: true, videoDuration: 4, duration: 3 },
  }
  it('takes along what described the one before', () => {
    expect(merged('add_outro', video, { outroImageUrl: 'https://x.example/p.png' }).config).toEqual({
      end_card_option: { url: 'https://x.example/p.png', duration: 3 },
    })
    const again = {
      nodeConfigs: { add_outro: { end_card_option: { url: 'https://x.example/v.mp4', opacity: 0.5 } } },
    }
    expect(merged('add_outro', video, again).config).toEqual({
      end_card_option: { ...video.end_card_option, opacity: 0.5 },
    })
    const track = {
      background_music_option: {
        id: '1',
        name: 'A',
        url: 'https://x.example/a.mp3',
        duration: 9,
        volume: 0.1,
      },
    }
    expect(merged('add_music', track, { musicUrl: 'https://x.example/b.mp3' }).config).toEqual({
      background_music_option: { url: 'https://x.example/b.mp3', volume: 0.1 },
    })
  })

  it('several tracks of a request are not hidden by one of the template', () => {
    const single = { background_music_option: { url: 'https://x.example/t.mp3' } }
    const several = { background_music_options: [{ url: 'https://x.example/mine.mp3' }] }
    expect(merged('add_music', single, { nodeConfigs: { add_music: several } }).config).toEqual(several)
    const both = {
      nodeConfigs: {
        add_music: { ...several, background_music_option: { url: 'https://x.example/one.mp3' } },
      },
    }
    expect(merged('add_music', single, both).config).toMatchObject({
      background_music_option: { url: 'https://x.example/one.mp3' },
    })
  })
})

describe('a node that a request switches on', () => {
  it.each([
    ['subtitles', 'add_subtitles', 'subtitle_config', { fontColor: 'red' }],
    ['titleOverlay', 'add_title_overlay', 'title_config', { fontSize: 70 }],
  ] as const)('%s: shows also what its config had hidden', (flag, type, key, looks) => {
    const hidden = { enabled: false, [key]: { ...looks, enabled: false } }
    expect(merged(type, hidden, { [flag]: true })).toMatchObject({ enabled: true })
    expect(merged(type, hidden, { [flag]: true }).config).toEqual({ [key]: looks })
    const off = { [flag]: true, nodeConfigs: { [type]: { [key]: { enabled: false } } } }
    expect(merged(type, hidden, off).config).toEqual({ [key]: { ...looks, enabled: false } })
  })
})

describe('a list of node configs', () => {
  it('is judged as the map is: by the node, where there is one', () => {
    const broken = (nodeType: string) => ({ nodeConfigs: [{ nodeType, config: 'x' }] })
    expect(refusal(() => merged('find_clips', {}, broken('find_clips'))).code).toBe('INVALID_NODE_CONFIG')
    expect(merged('find_clips', {}, broken('add_outro')).warnings).toEqual([
      '"nodeConfigs" was ignored: the workflow has no add_outro node.',
    ])
    expect(merged('find_clips', {}, { nodeConfigs: [{ nodeType: 'find_clips' }] }).warnings).toEqual([])
  })
})

describe('a pinned range', () => {
  it('may begin before the video: it is clamped where the video is known', () => {
    const pinnedTimestamps = [{ start: -1, end: 20 }]
    expect(merged('find_clips', {}, { pinnedTimestamps }).config).toEqual({ pinnedTimestamps })
    const backwards = { pinnedTimestamps: [{ start: 20, end: -1 }] }
    expect(refusal(() => merged('find_clips', {}, backwards)).code).toBe('INVALID_NODE_CONFIG')
  })
})

describe('precedence', () => {
  const layers: [string, JsonObject][] = [
    ['template', {}],
    ['promptAdjustment', { promptAdjustment: 'flat' }],
    ['nodeConfigs', { nodeConfigs: { find_clips: { promptAdjustment: 'nodeConfigs' } } }],
    [
      'nodeConfigOverrides',
      {
        nodeConfigOverrides: [
          { nodeType: 'find_clips', config: { promptAdjustment: 'nodeConfigOverrides' } },
        ],
      },
    ],
    ['actionConfigs', { actionConfigs: { find_clips: { promptAdjustment: 'actionConfigs' } } }],
  ]

  it.each(layers.map((_, index) => index))(
    'layer %i wins over those below, whatever the order of the body',
    (top) => {
      const bodies = layers.slice(0, top + 1).map(([, body]) => body)
      const expected = top === 0 ? 'saved' : top === 1 ? 'flat' : layers[top]?.[0]
      for (const order of [bodies, bodies.toReversed()]) {
        const body = Object.assign({}, ...order) as JsonObject
        expect(merged('find_clips', { promptAdjustment: 'saved' }, body).config).toEqual({
          promptAdjustment: expected,
        })
      }
    },
  )

  it('merges nested objects and replaces lists', () => {
    const saved = {
      background_music_option: { url: 'https://x.example/a', volume: 0.3 },
      background_music_options: [{ url: 'https://x.example/1' }, { url: 'https://x.example/2' }],
    }
    const one = {
      background_music_option: { url: 'https://x.example/b' },
      background_music_options: [{ url: 'https://x.example/3' }],
    }
    expect(merged('add_music', saved, { nodeConfigs: { add_music: one } }).config).toEqual({
      background_music_option: { url: 'https://x.example/b', volume: 0.3 },
      background_music_options: [{ url: 'https://x.example/3' }],
    })
  })

  it('applies to every node of the type', () => {
    const { nodes } = resolveNodes(
      graph(['add_outro', {}], ['add_outro', { end_card_option: { duration: 2 } }]),
      overridesFromBody({ outroImageUrl: 'https://x.example/x' }),
    )
    expect(nodes.map((node) => node.config)).toEqual([
      { end_card_option: { url: 'https://x.example/x' } },
      { end_card_option: { duration: 2, url: 'https://x.example/x' } },
    ])
  })

  it('lets a structured colour win over the flat one, for the first speaker too', () => {
    const node = merged(
      'add_subtitles',
      {},
      {
        subtitleConfig: { fontColor: 'red', fontSize: '70' },
        nodeConfigs: { add_subtitles: { subtitle_config: { fontColor: 'blue' } } },
      },
    )
    expect(node.config).toEqual({
      subtitle_config: {
        fontColor: 'blue',
        fontSize: '70',
        speakerStyles: { '0': { fontColor: 'blue', fontSize: '70' } },
      },
    })
  })

  it('switches by the latest layer', () => {
    const body = { broll: true, nodeConfigs: { add_broll: { enabled: false } } }
    expect(merged('add_broll', {}, body).enabled).toBe(false)
    expect(
      merged(
        'add_watermark',
        {},
        { nodeConfigs: { add_watermark: { watermark_config: { enabled: false } } } },
      ).enabled,
    ).toBe(false)
  })

  it('moves a length bound of the template out of the way of the request', () => {
    const node = merged('find_clips', { min_length: 20, max_length: 60 }, { maxLengthTarget: 12 })
    expect(node.config).toEqual({ min_length: 12, max_length: 12 })
    expect(node.warnings).toEqual([expect.stringContaining('12 s')])
    const both = refusal(() =>
      merged('find_clips', {}, { nodeConfigs: { find_clips: { min_length: 30, max_length: 10 } } }),
    )
    expect(both).toMatchObject({
      code: 'INVALID_NODE_CONFIG',
      details: { nodeType: 'find_clips', path: 'min_length' },
    })
  })
})

describe('title presets', () => {
  const saved = { title_config: { fontColor: 'green', text: 'Saved', prompt: 'Be short', fontSize: 90 } }

  it('discard what the template saved, save for the prompt', () => {
    const node = merged('add_title_overlay', saved, {
      titleConfig: { titlePresetId: 'card', titlePaletteId: 'dark' },
    })
    expect(node.config).toEqual({
      title_config: { prompt: 'Be short', titlePresetId: 'card', titlePaletteId: 'dark' },
    })
  })

  it('keep the rest of the request, whichever layer chose the preset', () => {
    const node = merged('add_title_overlay', saved, {
      titleConfig: { generateTitle: false, text: 'Fixed' },
      actionConfigs: { add_title_overlay: { titleConfig: { titlePresetId: 'card' } } },
    })
    expect(node.config).toEqual({
      title_config: { prompt: 'Be short', generateTitle: false, text: 'Fixed', titlePresetId: 'card' },
    })
  })

  it('leave the template alone when none is chosen', () => {
    expect(merged('add_title_overlay', saved, { titleConfig: { fontColor: 'red' } }).config).toEqual({
      title_config: { ...saved.title_config, fontColor: 'red' },
    })
  })
})

describe('hostile and malformed input', () => {
  it('refuses prototype keys on a present node and leaves the prototype alone', () => {
    const body = JSON.parse('{"nodeConfigs":{"find_clips":{"__proto__":{"polluted":1}}}}') as JsonObject
    expect(refusal(() => merged('find_clips', {}, body)).details).toMatchObject({ path: '__proto__' })
    const constructor = {
      nodeConfigs: { add_outro: { end_card_option: { constructor: { prototype: {} } } } },
    }
    expect(refusal(() => merged('add_outro', {}, constructor)).details).toMatchObject({
      path: 'end_card_option.constructor',
    })
    expect(({} as JsonObject)['polluted']).toBeUndefined()
  })

  it('skips node types named like prototype members', () => {
    const body = JSON.parse(
      '{"nodeConfigs":{"__proto__":{"a":1},"constructor":{},"toString":{}}}',
    ) as JsonObject
    const { nodes, warnings } = resolveNodes(graph(['find_clips', {}]), overridesFromBody(body))
    expect(nodes).toEqual([{ id: 'find_clips-0', type: 'find_clips', enabled: true, config: {} }])
    expect(warnings).toHaveLength(3)
  })

  it.each([
    [{ nodeConfigs: 'x' }, 'nodeConfigs'],
    [{ nodeConfigs: [3] }, 'nodeConfigs.0'],
    [{ actionConfigs: [{ config: {} }] }, 'actionConfigs.0.nodeType'],
  ])('refuses %j', (body, field) => {
    expect(refusal(() => overridesFromBody(body))).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { field },
    })
  })

  it('refuses a config that is not an object where the node is present, skips it where it is not', () => {
    const body = { nodeConfigs: { find_clips: 'x' } }
    expect(refusal(() => merged('find_clips', {}, body)).code).toBe('INVALID_NODE_CONFIG')
    expect(merged('add_music', {}, body)).toMatchObject({ config: {} })
  })
})

describe('deepMerge', () => {
  const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString')
  const { value: json } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.string(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  }))
  const object = json.filter((value): value is JsonObject => isPlainObject(value))

  /** The model: every leaf by its path; a path of `over` removes what `base` has at, under or above it. */
  const leaves = (value: unknown, path: string[] = []): [string, string][] =>
    isPlainObject(value) && Object.keys(value).length > 0
      ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]))
      : [[path.join('/'), JSON.stringify(value)]]
  const model = (base: JsonObject, over: JsonObject): Map<string, string> => {
    const result = new Map(Object.keys(base).length === 0 ? [] : leaves(base))
    for (const [path, leaf] of Object.keys(over).length === 0 ? [] : leaves(over)) {
      const under = [...result.keys()].filter((other) => other.startsWith(`${path}/`))
      // An empty object merges into an object and changes nothing there.
      if (leaf === '{}' && (under.length > 0 || result.get(path) === '{}')) continue
      for (const other of result.keys()) {
        if (other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`))
          result.delete(other)
      }
      result.set(path, leaf)
    }
    return result
  }

  it('agrees with the model, changes neither side, touches no prototype', () => {
    fc.assert(
      fc.property(object, object, (base, over) => {
        const before = JSON.stringify([base, over])
        const result = deepMerge(base, over)
        expect(JSON.stringify([base, over])).toBe(before)
        expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
        const found = Object.keys(result).length === 0 ? [] : leaves(result)
        expect(new Map(found.toSorted())).toEqual(new Map([...model(base, over)].toSorted()))
      }),
      { numRuns: 400 },
    )
  })
})

it('takes each value from the highest layer that sets it', () => {
  const fields = ['size', 'padding', 'x', 'y', 'animationDuration'] as const
  const layer = fc.dictionary(fc.constantFrom(...fields), fc.integer({ min: 0, max: 99 }), { maxKeys: 5 })
  fc.assert(
    fc.property(layer, layer, layer, layer, fc.boolean(), (template, first, second, third, asList) => {
      const wrap = (config: JsonObject) => ({ watermark_config: config })
      const inForm = (config: JsonObject) =>
        asList ? [{ nodeType: 'add_watermark', config: wrap(config) }] : { add_watermark: wrap(config) }
      const node = merged('add_watermark', wrap(template), {
        actionConfigs: inForm(third),
        nodeConfigOverrides: inForm(second),
        nodeConfigs: inForm(first),
      })
      const stack = [third, second, first, template]
      for (const field of fields) {
        const expected = stack.find((entry) => field in entry)?.[field]
        expect((node.config?.['watermark_config'] as JsonObject)[field]).toBe(expected)
      }
    }),
  )
})
