import { describe, expect, it } from 'vitest'
import { documentOf, factsOf, node, spoken } from '../../../test/support/node-values.ts'
import type { Assets, AssetState } from '../../contract/asset.ts'
import type { ResolvedNode } from '../../contract/run.ts'
import { compileComposition, requiredAssets, requiredAssetsOfRun } from '../index.ts'
import { readMoves, overlayRect, watermarkRect } from './place.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const VERTICAL = { width: 1080, height: 1920, frameRate: { numerator: 30, denominator: 1 } }
const WIDE = { ...VERTICAL, width: 1280, height: 720 }
const LOGO = { width: 400, height: 200 }
const silent = (): void => undefined

describe('watermarkRect', () => {
  // 10 % of 1080 is 108 wide and so 54 high; 5 % is 54 from the edges.
  it.each([
    [1, 54, 54],
    [2, 486, 54],
    [3, 918, 54],
    [4, 54, 933],
    [5, 486, 933],
    [6, 918, 933],
    [7, 54, 1812],
    [8, 486, 1812],
    [9, 918, 1812],
  ])('position %i', (position, x, y) => {
    const rect = watermarkRect({ position, size: 10, padding: 5 }, LOGO, VERTICAL, silent)
    expect(rect).toEqual({ x, y, width: 108, height: 54 })
  })

  it.each([
    ['x alone', { position: 9, x: 50 }, { x: 486, y: 1812 }],
    ['y alone', { position: 9, y: 50 }, { x: 918, y: 933 }],
    ['both, past the edge', { x: 0, y: 100 }, { x: -54, y: 1893 }],
    ['neither: top right', {}, { x: 918, y: 54 }],
    ['a size as a share', { size: 0.1, position: 1 }, { x: 54, width: 108 }],
  ])('%s', (_name, place, expected) => {
    expect(watermarkRect({ size: 10, padding: 5, ...place }, LOGO, VERTICAL, silent)).toMatchObject(expected)
  })

  it('counts in reference units whatever the output size, and keeps tall pictures inside', () => {
    expect(watermarkRect({ size: 10, padding: 0, position: 1 }, LOGO, WIDE, silent).width).toBeCloseTo(192)
    const tall = watermarkRect({ size: 50, padding: 5 }, { width: 10, height: 400 }, WIDE, silent)
    expect([tall.y, tall.y + tall.height].map(Math.round)).toEqual([96, 984])
  })

  it('says when a position is not on the grid', () => {
    const warnings: string[] = []
    const place = watermarkRect(
      { position: 0 },
      LOGO,
      VERTICAL,
      (_code, _field, message) => void warnings.push(message),
    )
    expect(place).toEqual(watermarkRect({ position: 3 }, LOGO, VERTICAL, silent))
    expect(warnings).toEqual([expect.stringContaining('position 0')])
  })
})

describe('overlayRect', () => {
  it.each([
    ['its own size, centred', {}, LOGO, { x: 340, y: 860, width: 400, height: 200 }],
    ['scaled', { scale: 0.5 }, LOGO, { x: 440, y: 910, width: 200, height: 100 }],
    ['in percent', { xPosition: 25, yPosition: 10 }, LOGO, { x: 70, y: 92 }],
    ['as a share', { xPosition: 0.25, yPosition: 0.1 }, LOGO, { x: 70, y: 92 }],
    [
      'no larger than the output',
      {},
      { width: 4000, height: 2000 },
      { x: 0, y: 690, width: 1080, height: 540 },
    ],
  ])('%s', (_name, place, picture, expected) => {
    expect(overlayRect(place, picture, VERTICAL)).toMatchObject(expected)
  })
})

describe('readMoves', () => {
  const read = (config: Parameters<typeof readMoves>[0], frames = 300) => {
    const warnings: string[] = []
    const shown = { frames, framesPerSecond: 30, label: 'w' }
    const { intro, outro } = readMoves(config, shown, (_code, _field, message) => void warnings.push(message))
    return { kinds: [intro.kind, outro.kind], frames: [intro.frames, outro.frames], warnings }
  }

  it.each([
    ['fade', 'fade', 'fade'],
    ['slideInLeft', 'left', 'left'],
    ['slideInUp', 'bottom', 'top'],
    ['slide-out-down', 'top', 'bottom'],
    ['zoomIn', 'small', 'large'],
    ['zoomOut', 'large', 'small'],
    ['none', 'none', 'none'],
  ])('%s comes by %s and goes by %s', (id, coming, going) => {
    const { kinds, warnings } = read({ introTransitionId: id, outroTransitionId: id })
    expect(kinds).toEqual([coming, going])
    expect(warnings).toEqual([])
  })

  it('is still without a name and a duration, fades with a duration alone or an unknown name', () => {
    expect(read({})).toMatchObject({ kinds: ['none', 'none'], frames: [0, 0] })
    expect(read({ animationDuration: 1 })).toMatchObject({ kinds: ['fade', 'fade'], frames: [30, 30] })
    const odd = read({ introTransitionId: 'starWipe' })
    expect(odd).toMatchObject({ kinds: ['fade', 'none'], frames: [15, 0] })
    expect(odd.warnings).toEqual([expect.stringContaining('starWipe')])
  })

  it('takes half of a short showing at most', () => {
    expect(read({ animationDuration: 5 }, 21).frames).toEqual([10, 10])
  })
})

const picture = { digest: 'f'.repeat(64), width: 400, height: 200, opaque: true }
const ready: AssetState = { state: 'ready', kind: 'image', picture }
const assetsFor = (...urls: string[]): Assets => new Map(urls.map((url) => [url, ready]))
const facts = factsOf()

function compile(nodes: ResolvedNode[], assets: Assets, over: Parameters<typeof documentOf>[1] = {}) {
  const document = documentOf(nodes, over)
  const { composition, warnings } = inSentences(
    compileComposition({ document, words: spoken('So', 11), facts, assets }),
  )
  const pictures = composition.layers.flatMap((layer) => (layer.kind === 'image' ? [layer] : []))
  return { composition, warnings, pictures }
}

describe('nodes with pictures', () => {
  const watermark = (config: Record<string, unknown>) =>
    node('add_watermark', { watermark_config: { url: 'u', ...config } })

  it('shows the watermark between its offsets', () => {
    const { pictures, warnings } = compile(
      [watermark({ startOffset: 2, endOffset: 1, opacity: 0.4 })],
      assetsFor('u'),
    )
    expect(pictures).toMatchObject([{ id: 'watermark', startFrame: 60, endFrame: 870, opacity: 0.4 }])
    expect(warnings).toEqual([])
    const never = compile([watermark({ startOffset: 20, endOffset: 20 })], assetsFor('u'))
    expect(never.pictures).toEqual([])
    expect(never.warnings).toEqual([expect.stringContaining('never shown')])
  })

  it('takes the document’s own settings over the run’s, also to switch it off', () => {
    const edited = compile([watermark({ position: 1 })], assetsFor('v'), {
      watermarkConfig: { url: 'v', position: 9 },
    })
    expect(edited.pictures[0]?.rect.y).toBeGreaterThan(800)
    const off = { watermarkConfig: { url: 'u', enabled: false } }
    expect(compile([watermark({})], assetsFor('u'), off)).toMatchObject({ pictures: [], warnings: [] })
    expect(requiredAssets(documentOf([watermark({})], off))).toEqual([])
  })

  it.each([
    ['after the clip', { duration: 2 }, 900, 960, 60],
    ['after the clip, usual length', {}, 900, 990, 90],
    ['over the end', { secondsBeforeEnd: 2 }, 840, 900, 0],
    ['over the end and past it', { secondsBeforeEnd: 2, duration: 3 }, 840, 930, 30],
    ['over the end, gone before it', { secondsBeforeEnd: 4, duration: 1 }, 780, 810, 0],
  ])('puts the end card %s', (_name, card, startFrame, endFrame, tail) => {
    const { composition, pictures } = compile(
      [node('add_outro', { end_card_option: { url: 'u', ...card } })],
      assetsFor('u'),
    )
    expect(pictures).toMatchObject([{ id: 'end-card', startFrame, endFrame }])
    expect(composition.durationFrames).toBe(900 + tail)
    expect(composition.tailFrames ?? 0).toBe(tail)
  })

  it('makes a brand into its parts, each under the node that says more', () => {
    const nodes = [
      node('apply_branding', {
        watermark_config: { url: 'brand', opacity: 0.5 },
        outro_card_url: 'card',
        overlay_url: 'frame',
      }),
      watermark({ url: undefined, position: 7 }),
      node('add_outro', { end_card_option: { duration: 1 } }),
    ].map((entry) => JSON.parse(JSON.stringify(entry)) as ResolvedNode)
    expect(requiredAssetsOfRun(nodes).map(({ url }) => url)).toEqual(['frame', 'brand', 'card'])
    const { pictures, warnings, composition } = compile(nodes, assetsFor('brand', 'card', 'frame'))
    expect(pictures.map(({ id }) => id)).toEqual(['brand-overlay', 'watermark', 'end-card'])
    expect(pictures[1]).toMatchObject({ opacity: 0.5, rect: { x: expect.closeTo(76.8) as number } })
    expect(composition.tailFrames).toBe(30)
    expect(warnings).toEqual([])
  })

  it('says why a picture is left out, without what is secret in its address', () => {
    const url = 'https://me:pass@host.test/logo.png?token=1'
    const failed: Assets = new Map([[url, { state: 'failed', message: 'There is no file.' }]])
    const overlay = node('media_overlay', { media_overlay_config: { mediaUrl: url } })
    expect(compile([overlay], failed).warnings).toEqual([
      'media_overlay_config.mediaUrl (https://host.test/logo.png) is left out: There is no file.',
    ])
    for (const inline of [`data:image/png;base64,${'A'.repeat(500_000)}`, ' DATA:image/png,AAAA']) {
      expect(compile([watermark({ url: inline })], new Map()).warnings).toEqual([
        'watermarkConfig.url (data:) is left out: It was not fetched yet.',
      ])
    }
    expect(compile([watermark({ url: ' ' })], new Map()).warnings).toEqual([
      'watermarkConfig.url is empty, so there is no picture to show.',
    ])
  })
})
