import { describe, expect, it } from 'vitest'
import {
  BackgroundMusicOption,
  EndCardOption,
  WatermarkConfig,
} from '../../../server/contract/media-configs.ts'
import type { FieldGroup } from '../captions/fields.ts'
import {
  addressProblem,
  effectiveWatermark,
  END_CARD_GROUPS,
  MUSIC_GROUPS,
  nameOfAddress,
  onGrid,
  WATERMARK_GROUPS,
} from './fields.ts'

const namesOf = (groups: readonly FieldGroup[]): string[] =>
  groups.flatMap(({ fields }) => fields.map(({ name }) => name)).toSorted()
const without = (schema: { properties: object }, names: readonly string[]): string[] =>
  Object.keys(schema.properties)
    .filter((name) => !names.includes(name))
    .toSorted()

describe('branding', () => {
  it('has a control for every field that the picker and the grid do not set', () => {
    expect(namesOf(WATERMARK_GROUPS)).toEqual(without(WatermarkConfig, ['enabled', 'url', 'position']))
    expect(namesOf(END_CARD_GROUPS)).toEqual(without(EndCardOption, ['url']))
    const track = ['id', 'name', 'url', 'thumbnailUrl', 'duration']
    expect(namesOf(MUSIC_GROUPS)).toEqual(without(BackgroundMusicOption, track))
  })

  it('puts a watermark back on the grid from a place of its own', () => {
    expect(onGrid({ url: 'u', x: 10, y: 20, size: 12 }, 9)).toEqual({ url: 'u', size: 12, position: 9 })
    expect(effectiveWatermark({ position: 1 })).toMatchObject({ x: 12, y: 8 })
    expect(effectiveWatermark({ position: 6, size: 20, padding: 5 })).toMatchObject({ x: 85, y: 50 })
  })

  it('calls files by the last part of their address, and refuses what is none', () => {
    expect(nameOfAddress('https://a.example/x/My%20logo.png?key=1')).toBe('My logo.png')
    expect(nameOfAddress('https://a.example/%zz')).toBe('%zz')
    expect(nameOfAddress(`cutroom-source:${'a'.repeat(64)}`)).toBe('File from the library')
    expect(['https://a.example/x.png', 'data:image/png;base64,AA', ''].map(addressProblem)).toEqual([
      null,
      null,
      null,
    ])
    expect(['logo.png', 'ftp://a.example/x', 'cutroom-source:12'].every((one) => addressProblem(one))).toBe(
      true,
    )
  })
})
