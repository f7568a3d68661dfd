/** One thing that the doctor looked at. */
export interface Check {
  /** `ffmpeg`, `disk`, `model whisper-base`: what scripts look for. */
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failure'
  /** What was found, one line. */
  readonly found: string
  /** What to do about it; only when the state is not ok. */
  readonly mend?: string
}

export const ok = (name: string, found: string): Check => ({ name, state: 'ok', found })
export const warning = (name: string, found: string, mend: string): Check => ({
  name,
  state: 'warning',
  found,
  mend,
})
export const failure = (name: string, found: string, mend: string): Check => ({
  name,
  state: 'failure',
  found,
  mend,
})

/** The sentence of whatever was thrown. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
