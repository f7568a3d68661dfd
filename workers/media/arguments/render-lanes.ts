/** Places pieces of sound on lanes, and adds lanes. PURE. */
import { SAMPLE_RATE } from './render-time.ts'
import { inGroups } from './split-sound.ts'

/** Assumed speech level, in LUFS, where the clip's level is not changed. */
export const DEFAULT_SPEECH = -20

/** A piece of sound with its position on a lane, in samples. */
export interface TrackPiece {
  readonly chain: string
  readonly start: number
  readonly length: number
  readonly fadeIn: number
  readonly fadeOut: number
}

export const STEREO = `aformat=sample_fmts=fltp:sample_rates=${SAMPLE_RATE}:channel_layouts=stereo`

/** A source of this many samples of silence. */
export function silence(samples: number): string {
  return `anullsrc=r=${SAMPLE_RATE}:cl=stereo,atrim=end_sample=${samples}`
}

/** Filters that make a sound exactly this long. */
export function exactly(samples: number): string {
  return `apad,atrim=end_sample=${samples},asetpts=N/SR/TB`
}

/**
 * A fade shaped by half a cosine. It begins and ends without a corner, which would be audible as a faint tick, and a fade-out
 * and a fade-in that overlap add up to one. Start and length in samples.
 */
export function fade(direction: 'in' | 'out', start: number, length: number): string {
  return `afade=t=${direction}:ss=${start}:ns=${length}:curve=hsin`
}

/** The start of a chain that adds two sounds of equal length; `amix` would make both quieter. */
export function sumChain(first: string, second: string): string {
  // The format is repeated because ffmpeg finds no common layout when a lane begins with silence and the other is guessed.
  return `[${first}]${STEREO}[${first}q];[${second}]${STEREO}[${second}q];[${first}q][${second}q]amerge=inputs=2,pan=stereo|c0=c0+c2|c1=c1+c3,asetpts=N/SR/TB`
}

/** Chains that end in `[label]`: each piece at its position, with silence between them. */
export function laneChains(pieces: readonly TrackPiece[], totalSamples: number, label: string): string[] {
  const chains: string[] = []
  const parts: string[] = []
  const first = pieces[0]?.start ?? totalSamples
  if (first > 0) {
    chains.push(`${silence(first)},${STEREO}[${label}s]`)
    parts.push(`[${label}s]`)
  }
  pieces.forEach((piece, number) => {
    const fades = [
      ...(piece.fadeIn > 0 ? [fade('in', 0, piece.fadeIn)] : []),
      ...(piece.fadeOut > 0 ? [fade('out', piece.length - piece.fadeOut, piece.fadeOut)] : []),
    ]
    const slot = (pieces[number + 1]?.start ?? totalSamples) - piece.start
    const part = `[${label}x${number}]`
    chains.push([piece.chain, ...fades, `${exactly(slot)}${part}`].join(','))
    parts.push(part)
  })
  return [...chains, ...joinChains(parts, label)]
}

/** A `concat` looks through all its inputs for every block of samples, so that many are joined a few at a time. */
const JOINED_AT_ONCE = 16

/** Chains that end in `[label]`: the sounds `names` one after the other. */
function joinChains(names: readonly string[], label: string): string[] {
  if (names.length === 1) return [`${names.join('')}anull[${label}]`]
  if (names.length <= JOINED_AT_ONCE) return [`${names.join('')}concat=n=${names.length}:v=0:a=1[${label}]`]
  const groups = inGroups(names, JOINED_AT_ONCE).map((group, at) => ({
    label: `${label}g${at}`,
    names: group,
  }))
  return [
    ...groups.flatMap((group) => joinChains(group.names, group.label)),
    ...joinChains(
      groups.map((group) => `[${group.label}]`),
      label,
    ),
  ]
}
