/** Finished files with music: their loudness and peaks, whatever is mixed; which sound plays when. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AssetState } from '../../server/contract/asset.ts'
import type { Composition, SoundAsset, SoundTrack } from '../../server/contract/composition.ts'
import { compileComposition } from '../../server/nodes/index.ts'
import { sourcePath } from '../../workers/paths.ts'
import { documentOf, factsOf, node } from '../support/node-values.ts'
import { keepPicture, plainPng } from '../support/pictures.ts'
import { keepSound, leftOf, toneLevel, trackOf } from '../support/sounds.ts'
import { LOSSLESS, loudnessOf, make, plain, renderForTest } from './render-support.ts'

const SAMPLE = join(import.meta.dirname, '..', '..', 'resources', 'sample', 'sample.mp4')
const SMALL = { width: 160, height: 90 }

let root = ''
const sources: Record<string, string> = {}
let music: SoundAsset
let hum: SoundAsset
let bell: SoundAsset

/** A sound with ebur128's measurement of it, as fetch-asset stores it. */
async function measured(expression: string, seconds: number): Promise<SoundAsset> {
  const asset = await keepSound(root, { expression, seconds, lufs: null })
  const { integrated } = await loudnessOf(sourcePath(join(root, 'sources'), asset.digest))
  return { ...asset, integratedLufs: integrated }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-mix-'))
  const picture = ['-f', 'lavfi', '-i', 'color=c=gray:s=160x90:r=30:d=11']
  const source = async (name: string, sound: readonly string[]): Promise<void> => {
    sources[name] = join(root, `${name}.mkv`)
    await make([...picture, ...sound, '-t', '11', ...LOSSLESS, sources[name] ?? ''])
  }
  const talk = ['-ss', '20', '-i', SAMPLE, '-map', '0:v', '-map', '1:a']
  await source('talk', talk)
  await source('pausing', [...talk, '-af', "volume=0:enable='between(t\\,6\\,10)'"])
  await source('whisper', [...talk, '-af', 'volume=-22dB'])
  await source('clipping', [...talk, '-af', 'volume=14dB,alimiter=limit=0.9:level=disabled'])
  await source('mute', [])
  await source('silent', ['-f', 'lavfi', '-i', 'anullsrc', '-map', '0:v', '-map', '1:a'])
  // Chords with a beat: peaks far over the mean, a length that does not fit the clip.
  const chord = '0.08*(sin(2*PI*220*t)+sin(2*PI*277.2*t)+sin(2*PI*329.6*t))'
  music = await measured(`${chord}+0.5*exp(-40*mod(t\\,0.5))*(random(0)-0.5)`, 6.3)
  hum = await measured('0.1*sin(2*PI*1000*t)', 5)
  bell = await measured('0.3*sin(2*PI*2000*t)', 8)
}, 60_000)
afterAll(() => rm(root, { recursive: true, force: true }))

function withTracks(name: string, tracks: SoundTrack[], frames = 300): Composition {
  const composition = plain({
    ...SMALL,
    durationFrames: frames,
    source: { ...SMALL, hasAudio: name !== 'mute' },
  })
  composition.audio = { integratedLufs: -14, truePeakDb: -1.5, crossfadeMs: 10, edgeFadeMs: 15, tracks }
  return composition
}

describe('a clip with music', () => {
  const bed = (over: Partial<SoundTrack> = {}): SoundTrack =>
    trackOf(music, { loop: true, levelDb: -10, duckDb: 12, fadeInMs: 500, fadeOutMs: 1500, ...over })
  it.each([
    ['talk', 'usual music', () => [bed()]],
    ['talk', 'music as loud as the talk', () => [bed({ levelDb: 0, duckDb: 0 })]],
    ['whisper', 'music at half', () => [bed({ levelDb: -6 })]],
    ['pausing', 'music that comes up in a pause', () => [bed({ duckDb: 18 })]],
    [
      'clipping',
      'two kinds of music',
      () => [bed(), bed({ id: 'second', levelDb: -4, duckDb: 6, startFrame: 200 })],
    ],
    ['mute', 'music alone', () => [bed()]],
    ['silent', 'music alone', () => [bed({ levelDb: -20 })]],
  ] as const)('is -14 LUFS with its peaks under -1 dB: %s, %s', async (name, _what, tracks) => {
    const run = await renderForTest(withTracks(name, tracks()), sources[name] ?? '', root)
    const { integrated, peak } = await loudnessOf(run.clip)
    expect(Math.abs(integrated + 14)).toBeLessThanOrEqual(0.5)
    expect(peak).toBeLessThan(-1)
    expect(run.output.integratedLufs).toBeCloseTo(integrated, 0)
    expect(run.warnings).toEqual([])
  })

  it('has it at its level in pauses of the finished speech, and far lower during speech', async () => {
    const composition = withTracks('pausing', [trackOf(hum, { loop: true, levelDb: -14, duckDb: 8 })])
    const { clip } = await renderForTest(composition, sources['pausing'] ?? '', root)
    const samples = await leftOf(clip)
    // A sine of this level in both channels measures as many LUFS. Its level is so low here that the pause does not
    // count towards the loudness of the whole, or all of it would be turned up for the pause.
    expect(Math.abs(toneLevel(samples, 1000, 7, 9) + 14 + 14)).toBeLessThan(0.7)
    const spoken = Array.from({ length: 50 }, (_, index) =>
      toneLevel(samples, 1000, index / 10, index / 10 + 0.1),
    )
    const middle = spoken.toSorted((one, other) => one - other)[25] ?? 0
    expect(Math.abs(middle + 14 + 14 + 8)).toBeLessThan(1.5)
  })

  it('warns that the clip is silent when its music is silent too', async () => {
    const nothing = await keepSound(root, { expression: '0', seconds: 2, lufs: null })
    const run = await renderForTest(withTracks('mute', [trackOf(nothing)], 60), sources['mute'] ?? '', root)
    expect(run.warnings.join()).toContain('silent')
    expect(run.output.integratedLufs).toBeNull()
  })

  it('is refused when its music is missing from the home', async () => {
    const gone = { ...music, digest: 'f'.repeat(64) }
    await expect(
      renderForTest(withTracks('talk', [trackOf(gone)], 60), sources['talk'] ?? '', root),
    ).rejects.toMatchObject({ code: 'RENDER_FAILED' })
  })
})

describe('music under the end card', () => {
  it('plays from where the card is shown, and the other music stops', async () => {
    const picture = await keepPicture(root, await plainPng(16, 9, '#00ff00'), { width: 16, height: 9 })
    const ready = (sound: SoundAsset): AssetState => ({ state: 'ready', kind: 'audio', sound })
    const assets = new Map<string, AssetState>([
      ['card', { state: 'ready', kind: 'image', picture }],
      ['bed', ready(hum)],
      ['end', ready(bell)],
    ])
    const facts = factsOf({ ...SMALL, seconds: 11 })
    const nodes = [
      node('add_music', { background_music_option: { url: 'bed', volume: 0.5 } }),
      node('add_outro', {
        end_card_option: { url: 'card', duration: 4 },
        outro_music_option: { url: 'end' },
      }),
    ]
    const document = documentOf(nodes, { startTimestamp: 0, endTimestamp: 6 }, facts)
    const { composition, warnings } = compileComposition({ document, words: [], facts, assets })
    expect(warnings).toEqual([])
    expect(composition.durationFrames).toBe(300)
    const { clip } = await renderForTest(composition, sources['silent'] ?? '', root)
    const samples = await leftOf(clip)
    const [low, high] = [1000, 2000].map(
      (hertz) => (from: number, to: number) => toneLevel(samples, hertz, from, to),
    )
    if (low === undefined || high === undefined) throw new Error('two tones')
    const bedLevel = low(2, 5)
    const endLevel = high(7.5, 8.5)
    expect(bedLevel).toBeGreaterThan(-30)
    expect(low(5.8, 5.98)).toBeGreaterThan(bedLevel - 1)
    expect(low(7.1, 9.9)).toBeLessThan(bedLevel - 40)
    expect(high(0.5, 5.9)).toBeLessThan(endLevel - 40)
    expect(high(6.4, 6.6)).toBeGreaterThan(endLevel - 1)
    // Half of the bed's second of fading out.
    expect(low(6.45, 6.55)).toBeLessThan(bedLevel - 4)
    expect(low(6.45, 6.55)).toBeGreaterThan(bedLevel - 9)
    expect(high(9.9, 10)).toBeLessThan(endLevel - 20)
  })
})
