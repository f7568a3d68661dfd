import { describe, expect, it } from 'vitest'
import { sampleComposition } from '../../../test/support/sample-composition.ts'
import { PROFILES } from '../../contract/profiles/registry.ts'
import { composeFor, requireProfile } from './plan-delivery.ts'

const sizeIn = (name: string, width: number, height: number) => {
  const { output } = composeFor(requireProfile(name), sampleComposition({ width, height }))
  return [output.width, output.height]
}

describe('a clip composed for a profile', () => {
  it.each([
    ['social-1080', 1080, 1920, [1080, 1920]],
    ['social-4k', 1080, 1920, [2160, 3840]],
    ['social-4k', 640, 360, [3840, 2160]],
    // Of the frame's shape: composed at its size. Of another one: fitted at the end.
    ['broadcast-r128-25i', 640, 360, [1920, 1080]],
    ['broadcast-r128-25i', 1080, 1920, [1080, 1920]],
    ['broadcast-r128-25i', 1080, 1080, [1080, 1080]],
  ])('%s of %d x %d', (name, width, height, wanted) => expect(sizeIn(name, width, height)).toEqual(wanted))

  it('has the loudness of the profile, but where it is left alone', () => {
    const clip = sampleComposition()
    const loud = { ...clip, audio: { ...clip.audio, integratedLufs: -14, truePeakDb: -1.5 } }
    const quiet = { ...clip, audio: { ...clip.audio, integratedLufs: null } }
    expect(composeFor(requireProfile('broadcast-a85'), loud).audio).toMatchObject({
      integratedLufs: -24,
      truePeakDb: -2,
    })
    expect(composeFor(requireProfile('broadcast-a85'), quiet).audio).toEqual(quiet.audio)
    expect(composeFor(requireProfile('gif'), loud).audio).toEqual(loud.audio)
  })
})

describe('the registry', () => {
  it('has a name once, and says what is in the file', () => {
    expect(new Set(PROFILES.map(({ name }) => name)).size).toBe(PROFILES.length)
    for (const { name, label, description, extension } of PROFILES) {
      expect(name).toMatch(/^[a-z0-9-]+$/u)
      expect(label).not.toBe('')
      expect(description).toMatch(/\.$/u)
      expect(extension).toMatch(/^[a-z0-9]+$/u)
    }
  })

  it('refuses another name, with those that there are', () => {
    expect(() => requireProfile('vhs')).toThrow(/social-1080, social-4k/u)
  })
})
