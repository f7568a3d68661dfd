import { describe, expect, it } from 'vitest'
import type { Composition, SoundTrack } from '../../../server/contract/composition.ts'
import { secondsToTicks } from '../../../server/contract/time.ts'
import { sampleComposition } from '../../../test/support/sample-composition.ts'
import { loudnessArguments, renderArguments } from './render.ts'
import { planTracks, trackInputs } from './render-music.ts'
import { softwareEncoder } from './render-encoder.ts'

/** A clip of 3 s, and of 4 s with its tail. */
function withTracks(tracks: Partial<SoundTrack>[], source: Partial<Composition['source']> = {}): Composition {
  const composition = {
    ...sampleComposition({ durationFrames: 90, source }),
    durationFrames: 120,
    tailFrames: 30,
  }
  const asset = { digest: 'a'.repeat(64), audioStream: 2, duration: secondsToTicks(10), integratedLufs: -9 }
  const whole = { sourceStart: 0, startFrame: 0, endFrame: 120, loop: false, levelDb: -10, duckDb: 12 }
  composition.audio.tracks = tracks.map((track, index) => ({
    id: String(index),
    asset,
    ...whole,
    fadeInMs: 100,
    fadeOutMs: 200,
    ...track,
  }))
  return composition
}
const FILES = ['/music/one', '/music/-two']
const commandOf = (composition: Composition): string[] =>
  renderArguments({
    composition,
    sourceFile: '/x/y',
    outputFile: '/out.mp4',
    stillFile: null,
    encoder: softwareEncoder({ preset: 'veryfast', crf: 20 }, composition.output.frameRate),
    bands: [{ x: 10, y: 20, width: 64, height: 32, pictures: 9, shown: [{ startFrame: 5, endFrame: 50 }] }],
    gain: { gainDb: 3, ceilingDb: -2.2, mixDb: -0.4 },
    trackFiles: FILES.slice(0, composition.audio.tracks?.length ?? 0),
  })
const graphOf = (args: readonly string[]): string => args[args.indexOf('-filter_complex') + 1] ?? ''

describe('tracks in samples', () => {
  it.each([
    ['the whole clip', {}, { start: 0, length: 192_000, from: 0, looped: false }],
    ['past both ends', { startFrame: -30, endFrame: 999 }, { start: 0, length: 192_000, from: 48_000 }],
    ['a part of both', { startFrame: 30, endFrame: 45, sourceStart: secondsToTicks(2) }, { start: 48_000, length: 24_000, from: 96_000 }], // prettier-ignore
    ['round and round', { loop: true, sourceStart: secondsToTicks(27) }, { from: 336_000, looped: true }],
    ['round, but not so far', { loop: true }, { from: 0, looped: false }],
  ])('%s', (_name, track, expected) => {
    expect(planTracks(withTracks([track]))).toMatchObject([expected])
  })

  it('are none where nothing is heard', () => {
    expect(
      planTracks(
        withTracks([
          { startFrame: 120, endFrame: 200 },
          { startFrame: 50, endFrame: 50 },
        ]),
      ),
    ).toEqual([])
  })
})

describe('the files of tracks', () => {
  it('are opened last, guarded, by their path alone, and read no further than they are heard', () => {
    const composition = withTracks([{}, { loop: true, sourceStart: secondsToTicks(8) }])
    const args = commandOf(composition)
    const inputs = args.flatMap((arg, at) => (args[at - 1] === '-i' ? [arg] : []))
    expect(inputs).toEqual(['file:/x/y', 'pipe:3', 'file:/music/one', 'file:/music/-two'])
    const own = trackInputs(composition, FILES)
    for (const guard of ['-protocol_whitelist', '-format_whitelist', '-vn'])
      expect(own.filter((arg) => arg === guard)).toHaveLength(2)
    expect(own[own.indexOf('-protocol_whitelist') + 1]).toBe('file,pipe')
    expect(own.flatMap((arg, at) => (own[at - 1] === '-t' ? [Number(arg)] : []))).toEqual([5, 11])
  })

  it('are read from their own stream', () => {
    expect(graphOf(commandOf(withTracks([{}, {}])))).toMatch(/\[2:2\]aresample=.*\[3:2\]aresample=/)
  })
})

describe('the mix', () => {
  it('brings a track to the speech’s level and its own, fades it, and keeps peaks once, at the end', () => {
    const graph = graphOf(commandOf(withTracks([{}])))
    // -14 of the speech, -10 under it, from -9.
    expect(graph).toContain('volume=-15dB:precision=float,afade=t=in:ss=0:ns=4800:curve=hsin')
    expect(graph).toContain('afade=t=out:ss=182400:ns=9600:curve=hsin')
    expect(graph).toContain('volume=3dB')
    expect(graph).toMatch(/\[mixed\]volume=-0\.4dB:precision=float,.*alimiter/)
    expect(graph.match(/alimiter/gu)).toHaveLength(1)
    expect(graph).not.toContain('amix')
  })

  it('shortens fades that do not fit', () => {
    const graph = graphOf(commandOf(withTracks([{ endFrame: 3 }])))
    expect(graph).toContain('afade=t=in:ss=0:ns=1600:curve=hsin,afade=t=out:ss=1600:ns=3200:curve=hsin')
  })

  it('takes what could not be measured as it is', () => {
    const [track] = withTracks([{}]).audio.tracks ?? []
    if (track === undefined) throw new Error('a track')
    const graph = graphOf(commandOf(withTracks([{ asset: { ...track.asset, integratedLufs: null } }])))
    expect(graph).toContain('volume=-10dB:precision=float')
  })

  it('lowers tracks of one depth together, and none without a source that speaks', () => {
    const graph = graphOf(commandOf(withTracks([{}, {}])))
    expect(graph.match(/aeval=/gu)).toHaveLength(1)
    expect(graphOf(commandOf(withTracks([{}, { duckDb: 6 }]))).match(/aeval=/gu)).toHaveLength(2)
    expect(graphOf(commandOf(withTracks([{}, { duckDb: 0 }]))).match(/aeval=/gu)).toHaveLength(1)
    for (const silent of [withTracks([{ duckDb: 0 }]), withTracks([{}], { hasAudio: false })])
      expect(graphOf(commandOf(silent))).not.toContain('aeval')
  })

  it('listens to the words that are masked', () => {
    const composition = withTracks([{}])
    composition.audio.masks = [{ start: secondsToTicks(1), end: secondsToTicks(2), kind: 'beep' }]
    expect(graphOf(commandOf(composition))).toMatch(/\[whole\]asplit\[unmasked\]\[key\].*\[key\]atrim/)
  })

  it('defines each label once and uses it once', () => {
    const composition = withTracks([{ loop: true, sourceStart: secondsToTicks(9) }, { duckDb: 3 }])
    composition.audio.masks = [{ start: secondsToTicks(1), end: secondsToTicks(2), kind: 'beep' }]
    const labels = [...graphOf(commandOf(composition)).matchAll(/\[([a-z][a-z0-9]*)\]/gu)].map(
      ([, name]) => name,
    )
    const counts = Map.groupBy(labels, (label) => label)
    for (const [label, uses] of counts)
      expect(uses, label).toHaveLength(label === 'video' || label === 'audio' ? 1 : 2)
  })

  it('is measured as it is rendered, without its limiter where none is chosen yet', () => {
    const composition = withTracks([{}])
    const args = loudnessArguments(
      composition,
      '/x/y',
      { gainDb: 3, ceilingDb: null, mixDb: 0 },
      FILES.slice(0, 1),
    )
    expect(args).toContain('file:/music/one')
    const measured = graphOf(args)
    const rendered = graphOf(commandOf(composition))
    expect(measured).not.toContain('alimiter')
    const chains = measured
      .split(';')
      .filter((chain) => !/mixed\]volume|ebur128|aresample=48000:async/u.test(chain))
    expect(chains.length).toBeGreaterThan(4)
    for (const chain of chains) expect(rendered).toContain(chain)
    // A source that is silent by nature is not opened for it.
    const mute = withTracks([{}], { hasAudio: false })
    expect(loudnessArguments(mute, '/x/y', null, FILES.slice(0, 1))).not.toContain('file:/x/y')
  })
})
