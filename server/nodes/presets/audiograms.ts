/** Audiogram presets: what `template` names. Places are percent of the picture, for each of its shapes. */
import type { AudiogramLayer } from '../../contract/composition.ts'
import type { PictureShape } from '../compose/read-config.ts'

/** Middle and size; percent of the picture's width and height. */
export interface WavePlace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A square around its middle; `size` in reference units (1080 on the picture's short side), corners too. */
export interface CoverPlace {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly radius: number
}

/** The title is above and the captions below, so these presets avoid both areas. */
export interface AudiogramPlaces {
  /** The wave alone, with nothing else to look at. */
  readonly alone: WavePlace
  /** The wave next to or below a cover. */
  readonly withCover: WavePlace
  readonly cover: CoverPlace
  /** The wave on a moving picture, at its lower edge, off faces and captions. */
  readonly overPicture: WavePlace
}

export interface AudiogramPreset {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Colours at the top and at the bottom. */
  readonly background: readonly [string, string]
  readonly waveColour: string
  readonly waveStyle: AudiogramLayer['style']
  /** Around the wave, on the preset's own background; null: none. */
  readonly halo: NonNullable<AudiogramLayer['halo']> | null
  readonly places: Readonly<Record<PictureShape, AudiogramPlaces>>
}

const CENTRED: AudiogramPreset['places'] = {
  vertical: {
    alone: { x: 50, y: 46, width: 82, height: 18 },
    withCover: { x: 50, y: 60.5, width: 78, height: 8.5 },
    cover: { x: 50, y: 39.5, size: 540, radius: 40 },
    overPicture: { x: 50, y: 87, width: 82, height: 8 },
  },
  square: {
    alone: { x: 50, y: 49, width: 80, height: 28 },
    withCover: { x: 50, y: 64.5, width: 78, height: 10 },
    cover: { x: 50, y: 42.5, size: 310, radius: 30 },
    overPicture: { x: 50, y: 93, width: 86, height: 8 },
  },
  horizontal: {
    alone: { x: 50, y: 51, width: 70, height: 30 },
    withCover: { x: 63, y: 50, width: 54, height: 28 },
    cover: { x: 20, y: 50, size: 480, radius: 36 },
    overPicture: { x: 50, y: 94.5, width: 80, height: 8 },
  },
}

/** The cover dominates: as large as title and captions allow. */
const ARTWORK: AudiogramPreset['places'] = {
  vertical: {
    ...CENTRED.vertical,
    withCover: { x: 50, y: 62.3, width: 63, height: 5.6 },
    cover: { x: 50, y: 41, size: 680, radius: 20 },
  },
  square: {
    ...CENTRED.square,
    withCover: { x: 50, y: 66.5, width: 84, height: 8 },
    cover: { x: 50, y: 44, size: 360, radius: 16 },
  },
  horizontal: {
    ...CENTRED.horizontal,
    withCover: { x: 68, y: 50, width: 46, height: 26 },
    cover: { x: 21.5, y: 50.5, size: 540, radius: 18 },
  },
}

export const DEFAULT_AUDIOGRAM_PRESET = 'midnight'

export const AUDIOGRAM_PRESETS: readonly AudiogramPreset[] = [
  {
    id: 'midnight',
    name: 'Midnight',
    description: 'Mint bars on deep blue',
    background: ['#1d2646', '#0a0d19'],
    waveColour: '#6ee7c8',
    waveStyle: 'bars',
    halo: null,
    places: CENTRED,
  },
  {
    id: 'paper',
    name: 'Paper',
    description: 'A red strip of sound on warm paper',
    background: ['#f8f4ea', '#eadfca'],
    waveColour: '#d4452a',
    waveStyle: 'mirror',
    halo: null,
    places: CENTRED,
  },
  {
    id: 'sunset',
    name: 'Sunset',
    description: 'A light line that swings over orange and magenta',
    background: ['#ff8748', '#9c1f6b'],
    waveColour: '#fff6e6',
    waveStyle: 'line',
    halo: null,
    places: CENTRED,
  },
  {
    id: 'neon',
    name: 'Neon',
    description: 'A glowing strip of sound on violet black',
    background: ['#1d0d36', '#06030f'],
    waveColour: '#3fe4ff',
    waveStyle: 'mirror',
    halo: { colour: '#3fe4ff3d', width: 6 },
    places: CENTRED,
  },
  {
    id: 'artwork',
    name: 'Artwork',
    description: 'A large cover over quiet white bars on black',
    background: ['#17181c', '#0c0d10'],
    waveColour: '#ffffff',
    waveStyle: 'bars',
    halo: null,
    places: ARTWORK,
  },
]

/** The preset of that id, whatever its case and separators; undefined when there is none. */
export function audiogramPreset(id: string): AudiogramPreset | undefined {
  const key = id.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')
  return AUDIOGRAM_PRESETS.find((entry) => entry.id === key)
}
