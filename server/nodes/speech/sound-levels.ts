/** Reads measured levels: loudness at a time, and silence. */
import { levelOfHop, type ClipSound } from '../../contract/clip-measurements.ts'
import type { Stretch } from '../../contract/time.ts'

/** With less contrast between speech and background, pauses cannot be detected. dB. */
const MIN_CONTRAST = 8

/** The level below which it is silent, dBFS; null when the background is about as loud as the speech. */
export function silenceThreshold(sound: ClipSound): number | null {
  const { speechLevelDb: speech, noiseLevelDb: noise } = sound
  const contrast = speech - noise
  return contrast < MIN_CONTRAST ? null : Math.min(noise + Math.max(4, 0.3 * contrast), speech - 6)
}

/** Mean level around a moment, dBFS, over about 40 ms; undefined where it was not measured. */
export function levelAround(sound: ClipSound, seconds: number): number | undefined {
  const hop = Math.round((seconds - sound.start) / sound.hopSeconds)
  const before = levelOfHop(sound, hop - 1)
  const after = levelOfHop(sound, hop)
  return before === undefined || after === undefined ? undefined : (before + after) / 2
}

/** Silent ranges between two times, hop by hop; none where levels were not measured or have too little contrast. */
export function findSilences(sound: ClipSound, from: number, to: number): Stretch[] {
  const threshold = silenceThreshold(sound)
  if (threshold === null) return []
  const { start, hopSeconds } = sound
  const stretches: Stretch[] = []
  const first = Math.floor((from - start) / hopSeconds + 1e-6)
  const end = Math.ceil((to - start) / hopSeconds - 1e-6)
  let open: number | null = null
  for (let hop = first; hop <= end; hop++) {
    const level = hop < end ? levelOfHop(sound, hop) : undefined
    const silent = level !== undefined && level < threshold
    if (silent) open ??= hop
    else if (open !== null) {
      stretches.push({
        start: Math.max(from, start + open * hopSeconds),
        end: Math.min(to, start + hop * hopSeconds),
      })
      open = null
    }
  }
  return stretches
}

/** Whether the whole range is silent. */
export function isSilent(sound: ClipSound, from: number, to: number): boolean {
  if (to <= from) return true
  const [only, more] = findSilences(sound, from, to)
  return only !== undefined && more === undefined && only.start <= from + 1e-6 && only.end >= to - 1e-6
}
