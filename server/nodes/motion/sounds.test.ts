import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SYNTHESISED, wavOf } from '../../../resources/sounds/synthesise.ts'
import type { Assets } from '../../contract/asset.ts'
import type { MotionConfig } from '../../contract/motion-config.ts'
import { SOUND_NAMES, soundAddress, soundOfAddress } from '../../contract/sounds.ts'
import { buildTimeMap } from '../../contract/time-map/spans.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { placeSounds, soundNeeds } from './sounds.ts'
import { placeTransitions } from './transitions.ts'

const RATE = { numerator: 30, denominator: 1 }
const output = { width: 1080, height: 1920, frameRate: RATE }
const { timeMap, durationFrames } = buildTimeMap(
  [
    { start: 1, end: 3, playbackRate: 1 },
    { start: 4, end: 6, playbackRate: 1 },
    { start: 7, end: 9, playbackRate: 1 },
  ],
  RATE,
  secondsToTicks(60),
)
const assets: Assets = new Map(
  SOUND_NAMES.map((name) => [
    soundAddress(name),
    {
      state: 'ready',
      kind: 'audio',
      sound: { digest: name, audioStream: 0, duration: secondsToTicks(0.6), integratedLufs: null },
    },
  ]),
)
const placed = (config: MotionConfig, given = assets) => {
  const transitions = placeTransitions(config, { timeMap, output })
  return placeSounds(config, transitions, { assets: given, timeMap, output, durationFrames })
}

describe('sound effects', () => {
  it('have their peak at the cut of a transition, each its own or the usual one', () => {
    const { tracks = [] } = placed({
      transition: 'whip',
      transitionSound: 'whoosh',
      cuts: [{ at: 6.5, transition: 'dip', sound: 'hit' }],
    })
    expect(tracks.map(({ asset, startFrame, endFrame }) => [asset.digest, startFrame, endFrame])).toEqual([
      ['whoosh', 51, 69],
      ['hit', 120, 138],
    ])
  })

  it('are none at a cut without a transition, and none where they are switched off', () => {
    expect(placed({ transitionSound: 'pop' }).tracks).toEqual([])
    expect(placed({ transition: 'dip', transitionSound: 'pop', enabled: false })).toEqual({})
    expect(soundNeeds({ transitionSound: 'pop', enabled: false })).toEqual([])
  })

  it('are at moments of their own, a riser up to its moment, silent ones not at all', () => {
    const sounds = [
      { sound: 'riser' as const, at: 5, volume: 1 },
      { sound: 'pop' as const, at: 5, volume: 0 },
    ]
    const { tracks = [] } = placed({ sounds })
    expect(tracks).toHaveLength(1)
    expect(tracks[0]).toMatchObject({ startFrame: 90 - 42, levelDb: 0 })
    expect(soundNeeds({ sounds })).toEqual([
      { url: 'cutroom-sound:riser', kind: 'audio' },
      { url: 'cutroom-sound:pop', kind: 'audio' },
    ])
  })

  it('that are not here yet are named', () => {
    const { tracks, warnings } = placed({ sounds: [{ sound: 'pop', at: 5 }] }, new Map())
    expect(tracks).toEqual([])
    expect(warnings?.map(({ field }) => field)).toEqual(['motionConfig.sounds.0'])
  })

  it('are no other file', () => {
    expect(soundOfAddress('cutroom-sound:pop')).toBe('pop')
    for (const address of ['cutroom-sound:../../secret', 'cutroom-sound:', 'https://x.example/pop.wav'])
      expect(soundOfAddress(address)).toBeNull()
  })

  it.each(Object.entries(SYNTHESISED))(
    'are what the code in the repository makes: %s',
    async (name, make) => {
      const file = await readFile(join(import.meta.dirname, '../../../resources/sounds', `${name}.wav`))
      const made = wavOf(make())
      expect(SOUND_NAMES).toContain(name)
      expect(file.length).toBe(made.length)
      // Another machine's sine may differ in the last bit.
      for (let at = 44; at < file.length; at += 2)
        if (Math.abs(file.readInt16LE(at) - made.readInt16LE(at)) > 2) throw new Error(`differs at ${at}`)
    },
  )
})
