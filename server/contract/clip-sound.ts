/** How loud a clip's sound is, hop by hop: what cutting of speech is checked against. Measured when the clip is made. */
import { Type, type Static } from '@sinclair/typebox'

/**
 * Levels are stored as text, one character per hop: `#` is the quietest, each next character `LEVEL_STEP_DB` louder,
 * `[` full scale.
 */
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
