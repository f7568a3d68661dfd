/** PURE. A caption cue as parsed, before its words are timed. */

/** A part of a cue with a start of its own, from inline time stamps. */
export interface CuePart {
  readonly start: number
  readonly text: string
}

export interface Cue {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
  /** Lines as shown, with tags and entities resolved and inline time stamps removed. */
  readonly lines: readonly string[]
  /** Name from a voice tag or a label. */
  readonly speaker: string | null
  /** Another person begins to speak, without a name (`>>`). */
  readonly turn: boolean
  /** Parts with inline times; empty when there are none. */
  readonly parts: readonly CuePart[]
}

export interface ParsedCaptions {
  readonly cues: readonly Cue[]
  /** From the file's header, if it names one. */
  readonly language: string | null
  /** Number of timing lines that could not be read. */
  readonly broken: number
}
