/** PURE. One caption cue as read, before its words are timed. */

/** A stretch of a cue with its own start, from inline time stamps. */
export interface CuePart {
  readonly start: number
  readonly text: string
}

export interface Cue {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
  /** Lines as shown, tags and entities resolved; inline stamps cut out. */
  readonly lines: readonly string[]
  /** From a voice tag or a label. */
  readonly speaker: string | null
  /** A new person speaks, nobody says who (`>>`). */
  readonly turn: boolean
  /** Parts with inline times, empty when there are none. */
  readonly parts: readonly CuePart[]
}

export interface ParsedCaptions {
  readonly cues: readonly Cue[]
  /** From the file's own header, when it names one. */
  readonly language: string | null
  /** Timing lines that could not be read. */
  readonly broken: number
}
