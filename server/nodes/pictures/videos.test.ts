import { describe, expect, it } from 'vitest'
import { documentOf, factsOf, node, spoken } from '../../../test/support/node-values.ts'
import type { Assets, AssetState } from '../../contract/asset.ts'
import type { SoundAsset, VideoAsset } from '../../contract/composition.ts'
import type { ResolvedNode } from '../../contract/run.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { compileComposition, requiredAssetsOfRun } from '../index.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const video: VideoAsset = {
  digest: 'e'.repeat(64),
  width: 640,
  height: 360,
  frameRate: { numerator: 25, denominator: 1 },
  duration: secondsToTicks(4),
  hasAudio: true,
  videoStream: 0,
  hdr: false,
  interlaced: false,
  opaque: true,
}
const sound: SoundAsset = {
  digest: video.digest,
  audioStream: 1,
  duration: video.duration,
  integratedLufs: -20,
}
const ready: AssetState = { state: 'ready', kind: 'video', video, sound }
const picture: AssetState = {
  state: 'ready',
  kind: 'image',
  picture: { digest: 'f'.repeat(64), width: 400, height: 200, opaque: true },
}
const facts = factsOf()

function compile(nodes: ResolvedNode[], state: AssetState = ready) {
  const document = documentOf(nodes)
  const assets: Assets = new Map([['u', state]])
  const { composition, warnings } = inSentences(
    compileComposition({ document, words: spoken('So', 11), facts, assets }),
  )
  const videos = composition.layers.flatMap((layer) => (layer.kind === 'video' ? [layer] : []))
  return { composition, warnings, videos }
}
const card = (more: Record<string, unknown> = {}) =>
  node('add_outro', { end_card_option: { url: 'u', ...more } })

describe('a video as end card', () => {
  it.each([
    ['to its end, after the clip', {}, 900, 1020],
    ['to its end, over the clip’s', { secondsBeforeEnd: 2 }, 840, 960],
    ['for as long as it is told', { secondsBeforeEnd: 2, duration: 2 }, 840, 900],
    ['no longer than its part', { videoDuration: 1.5 }, 900, 945],
  ])('plays %s', (_name, more, startFrame, endFrame) => {
    const { composition, videos, warnings } = compile([card({ isVideo: true, ...more })])
    expect(videos).toMatchObject([{ id: 'end-card', startFrame, endFrame, loop: false, fit: 'contain' }])
    expect(composition.tailFrames ?? 0).toBe(endFrame - 900)
    expect(composition.audio.tracks).toMatchObject([
      { id: 'end-card', asset: sound, startFrame, endFrame, levelDb: 0 },
    ])
    expect(warnings).toEqual([])
  })

  it('is as loud as asked, and silent at 0 or without a sound of its own', () => {
    const half = compile([card({ volume: 0.5 })]).composition.audio.tracks
    expect(half).toMatchObject([{ levelDb: -6.02 }])
    expect(compile([card({ volume: 0 })]).composition.audio.tracks).toBeUndefined()
    expect(compile([card()], { ...ready, sound: null }).composition.audio.tracks).toBeUndefined()
  })

  it('is told by its bytes where nothing says what it is, and refused where something else was said', () => {
    expect(requiredAssetsOfRun([card()])).toEqual([{ url: 'u', kind: 'media' }])
    expect(requiredAssetsOfRun([card({ isVideo: true })])).toEqual([{ url: 'u', kind: 'video' }])
    expect(compile([card()]).videos).toHaveLength(1)
    expect(compile([card()], picture).composition.layers).toMatchObject([{ kind: 'image', id: 'end-card' }])
    expect(compile([card({ isVideo: true })], picture).warnings).toEqual([
      expect.stringMatching(/endCardOption\.url \(u\).*still picture.*a video is needed/),
    ])
  })
})

describe('media_overlay', () => {
  it('shows a video like a picture, again and again, without its sound', () => {
    const overlay = node('media_overlay', {
      media_overlay_config: {
        mediaUrl: 'u',
        scale: 0.5,
        startOffset: 1,
        endOffset: 2,
        introTransitionId: 'fade',
      },
    })
    expect(requiredAssetsOfRun([overlay])).toEqual([{ url: 'u', kind: 'media' }])
    const { composition, videos, warnings } = compile([overlay])
    expect(videos).toMatchObject([
      {
        id: 'media-overlay',
        loop: true,
        sourceStart: 0,
        startFrame: 30,
        endFrame: 840,
        rect: { width: 320, height: 180 },
        intro: { kind: 'fade', frames: 15 },
      },
    ])
    expect(composition.audio.tracks).toBeUndefined()
    expect(warnings).toEqual([])
  })

  it('asks for one file once, as whatever it is, where nodes want it as different things', () => {
    const nodes = [card({ isVideo: true }), node('add_watermark', { watermark_config: { url: 'u' } })]
    expect(requiredAssetsOfRun(nodes)).toEqual([{ url: 'u', kind: 'media' }])
  })
})

describe('add_brainrot', () => {
  const second = (config: Record<string, unknown>) => node('add_brainrot', { brainrot_config: config })
  const upright = node('convert_to_vertical')

  it('plays in the lower half, muted and looped, under captions; the clip’s picture is in the upper one', () => {
    const nodes = [node('add_subtitles'), upright, second({ videoUrl: 'u', cropPosition: 'top left' })]
    const { composition, videos, warnings } = compile(nodes)
    expect(composition.layers.map(({ kind }) => kind)).toEqual(['video', 'captions'])
    expect(videos[0]).toMatchObject({
      rect: { x: 0, y: 960, width: 1080, height: 960 },
      fit: 'cover',
      loop: true,
      focusX: 0,
      focusY: 0,
      startFrame: 0,
      endFrame: 900,
    })
    // 1080 by 960 is 9 to 8: of 1920x1080 the middle 1215 columns.
    expect(composition.layout).toEqual([
      {
        kind: 'panes',
        startFrame: 0,
        endFrame: 900,
        background: 'black',
        panes: [
          {
            crop: { x: 352.5, y: 0, width: 1215, height: 1080 },
            rect: { x: 0, y: 0, width: 1080, height: 960 },
          },
        ],
      },
    ])
    expect(composition.audio.tracks).toBeUndefined()
    expect(warnings).toEqual([])
  })

  it.each([
    [75, 960, 960],
    [85, 1344, 576],
    [60, 384, 1536],
    [99, 1536, 384],
    [25, 0, 960],
    [10, 0, 384],
  ])('centred at %i percent it is from %i, %i high, and nothing is left between', (verticalY, y, height) => {
    const { composition, videos } = compile([upright, second({ videoUrl: 'u', verticalY })])
    const [pane] = composition.layout[0]?.kind === 'panes' ? composition.layout[0].panes : []
    expect([videos[0]?.rect.y, videos[0]?.rect.height].map((value) => Math.round(value ?? -1))).toEqual([
      y,
      height,
    ])
    expect(Math.round((pane?.rect.height ?? 0) + height)).toBe(1920)
    expect(Math.round(pane?.rect.y ?? -1)).toBe(y === 0 ? height : 0)
    expect((pane?.crop.width ?? 0) / (pane?.crop.height ?? 1)).toBeCloseTo(1080 / (1920 - height))
  })

  it('goes on under an end card that comes after the clip, as the picture beside it does', () => {
    const { composition, videos } = compile([upright, second({ videoUrl: 'u' }), card({ duration: 2 })])
    expect(composition.durationFrames).toBe(960)
    expect(videos.map(({ id, endFrame }) => [id, endFrame])).toEqual([
      ['second-video', 960],
      ['end-card', 960],
    ])
  })

  it('takes the address that was drawn, and says so when there is none', () => {
    expect(compile([second({ randomVideoUrl: 'u' })]).videos).toHaveLength(1)
    for (const [config, says] of [
      [{ category: ' Parkour' }, /category "parkour".* cutroom library add FILE --folder "parkour"$/],
      [{ randomVideoUrl: true }, /"brainrot" or "gameplay".* cutroom library add FILE --folder "brainrot"$/],
      [{ category: '"; rm $HOME' }, /--folder "; rm home"$/],
      [{ randomVideoUrl: false }, /set videoUrl/],
      [{}, /set videoUrl/],
    ] as const) {
      const { composition, videos, warnings } = compile([upright, second(config)])
      expect(videos).toEqual([])
      expect(composition.layout[0]?.kind).toBe('crop')
      expect(warnings).toEqual([expect.stringMatching(says)])
    }
    expect(compile([second({ videoUrl: 'u', cropPosition: 'sideways' })]).warnings).toEqual([
      expect.stringContaining('"sideways" is not known'),
    ])
  })
})
