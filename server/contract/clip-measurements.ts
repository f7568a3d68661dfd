/** What is measured of a clip over its extended range when it is made, and stored with it: faces, sound, logos. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject, nullable } from './config-fields.ts'
import { UnwrittenFiller } from './transcript.ts'

const Stretch = closedObject({ start: Type.Number(), end: Type.Number() })

export const FaceTrack = closedObject({
  /** The same person within one shot. */
  id: Type.Integer({ minimum: 0 }),
  /** Source second, then left, top, width, height in shares of the picture; in between it moves evenly. */
  points: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number(), Type.Number()])),
  /** When this person is speaking, in source seconds. */
  speaking: Type.Array(Stretch),
})
export type FaceTrack = Static<typeof FaceTrack>

/** Letters that were laid over the picture: a name, a ticker, a score. */
const Banner = closedObject({
  start: Type.Number(),
  end: Type.Number(),
  /** Left, top, width, height in shares of the picture. */
  box: Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()]),
})
export type Banner = Static<typeof Banner>

export const ClipFaces = closedObject({
  /** What was looked at, source seconds. */
  start: Type.Number(),
  end: Type.Number(),
  /** Seconds at which a new shot begins, `start` not among them. */
  shotStarts: Type.Array(Type.Number()),
  tracks: Type.Array(FaceTrack),
  /** Stretches that show a screen or slides, with a person small in a corner or not at all; shares of the picture. */
  screens: Type.Array(
    closedObject({
      start: Type.Number(),
      end: Type.Number(),
      /** Rectangle of the person's own picture: left, top, width, height; null: there is none. */
      inset: nullable(Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()])),
    }),
  ),
  /** Banners, tickers and other letters that were laid over the picture; absent: they were not looked for. */
  banners: Type.Optional(Type.Array(Banner)),
  /** Stretches in which guests have pictures of their own beside each other; absent: that was not looked for. */
  splits: Type.Optional(
    Type.Array(
      closedObject({
        start: Type.Number(),
        end: Type.Number(),
        /** Left, top, width, height in shares of the picture, in reading order. */
        boxes: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()])),
      }),
    ),
  ),
})
export type ClipFaces = Static<typeof ClipFaces>

/** Every box of each face track over one range, as it was detected or followed; not stored with clips. */
export interface FaceBoxes {
  /** What was looked at, source seconds. */
  readonly start: number
  readonly end: number
  readonly tracks: readonly {
    /** As in the ClipFaces of the same range. */
    readonly id: number
    readonly boxes: readonly {
      /** Source second. */
      readonly time: number
      /** Shares of the picture. */
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      /** 0 to 1: of the detector, or of the tracker where the face was only followed. */
      readonly score: number
    }[]
  }[]
}

/** Who of the visible people speaks over one range, by sound and lips together; not stored with clips. */
export interface RangeSpeakers {
  /** What was looked at, source seconds. */
  readonly start: number
  readonly end: number
  readonly tracks: readonly {
    /** As in the ClipFaces of the same range. */
    readonly id: number
    /** When this person is speaking, in source seconds. */
    readonly speaking: readonly Static<typeof Stretch>[]
  }[]
  /** Five a second from `start` on. `track`: null where nobody who is visible speaks. `confidence`: the probability of that. */
  readonly samples: readonly {
    readonly time: number
    readonly track: number | null
    readonly confidence: number
  }[]
}

/** The faces of a range with who speaks by sound and lips in place of who moves the mouth; null: not known. */
export function withSpeakers(faces: ClipFaces, found: RangeSpeakers | null): ClipFaces {
  if (found === null) return faces
  const speaking = new Map(found.tracks.map((track) => [track.id, track.speaking]))
  return {
    ...faces,
    tracks: faces.tracks.map((track) => ({ ...track, speaking: [...(speaking.get(track.id) ?? [])] })),
  }
}

/** One character per hop: `#` is the quietest, each next one `LEVEL_STEP_DB` louder, `[` full scale. */
const LEVEL_FLOOR_DB = -84
const LEVEL_STEP_DB = 1.5
const FIRST_CHARACTER = 35

export const ClipSound = Type.Object({
  /** Source second at which the first hop starts. */
  start: Type.Number(),
  hopSeconds: Type.Number({ exclusiveMinimum: 0 }),
  levels: Type.String({ pattern: '^[#-\\[]*$' }),
  /** Of the whole source, dBFS: the middle of what is loud, and the background. */
  speechLevelDb: Type.Number(),
  noiseLevelDb: Type.Number(),
  /** Fillers that are not among the words, in order of time; absent: they were not looked for. */
  fillers: Type.Optional(Type.Array(UnwrittenFiller)),
})
export type ClipSound = Static<typeof ClipSound>

/** Levels in dBFS as text, to the nearest step. */
export function encodeLevels(levels: Iterable<number>): string {
  const characters: string[] = []
  for (const level of levels) {
    const bounded = Math.min(0, Math.max(LEVEL_FLOOR_DB, level))
    characters.push(
      String.fromCharCode(FIRST_CHARACTER + Math.round((bounded - LEVEL_FLOOR_DB) / LEVEL_STEP_DB)),
    )
  }
  return characters.join('')
}

/** The level of a hop in dBFS; undefined outside what was measured. */
export function levelOfHop(sound: ClipSound, hop: number): number | undefined {
  if (hop < 0 || hop >= sound.levels.length) return undefined
  return LEVEL_FLOOR_DB + (sound.levels.charCodeAt(hop) - FIRST_CHARACTER) * LEVEL_STEP_DB
}

/** Percent of the source picture. */
export const LogoPlace = closedObject({
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
})
export type LogoPlace = Static<typeof LogoPlace>

/** `unsure`: too little of the picture changes to tell a logo from a static background. */
export const ClipLogos = closedObject({ places: Type.Array(LogoPlace), unsure: Type.Boolean() })
export type ClipLogos = Static<typeof ClipLogos>

const MOST = 35

/** Heights of a wave from 0 to 1 as text, a character each, to the nearest step: `0` is none, `Z` all of it (base 36). */
export function encodeWave(heights: Iterable<number>): string {
  let text = ''
  for (const height of heights) {
    text += Math.round(Math.min(1, Math.max(0, height)) * MOST)
      .toString(36)
      .toUpperCase()
  }
  return text
}

/** The heights, 0 to 1; a character that is none of ours counts as nothing. */
export function decodeWave(text: string): Float64Array {
  return Float64Array.from(text, (character) => {
    const value = Number.parseInt(character, 36)
    return Number.isNaN(value) ? 0 : value / MOST
  })
}
