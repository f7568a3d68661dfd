/**
 * Videos of two real people side by side of whom one speaks, mixed from the GRID sentences of the development media, with the
 * known truth: whose sound it is.
 */
import { join } from 'node:path'
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools } from './stage-harness.ts'

/** One person for one take of three seconds. */
export interface Person {
  /** Name of the clip without its ending. */
  readonly clip: string
  /** Lips move to the sentence from this second on and then from its beginning, so that they do not fit its sound. */
  readonly from?: number
  /** The first picture all the time. */
  readonly still?: true
}

export interface Take {
  readonly people: readonly Person[]
  /** Whose sound it is: an index of `people`, or the clip of somebody who is not in the picture; null: faint noise. */
  readonly sound: number | string | null
  /** How much faster than recorded, picture and sound; 1 when left out. */
  readonly tempo?: number
}

export interface SpokenTake {
  /** Place in `people` from the left; null: nobody who is visible. */
  readonly who: number | null
  /** Seconds in which there is a voice, or in a take without one all of it. */
  readonly start: number
  readonly end: number
}

const TAKE_SECONDS = 2.96

/** The length of all takes together. */
export const takesSeconds = (takes: readonly Take[]): number =>
  takes.reduce((sum, { tempo = 1 }) => sum + TAKE_SECONDS / tempo, 0)

/** Writes the takes one after the other, 360x288 for each person, 25 pictures a second. Returns the true speakers. */
export async function makeTakes(media: string, file: string, takes: readonly Take[]): Promise<SpokenTake[]> {
  const inputs: string[] = []
  const filters: string[] = []
  const spoken: SpokenTake[] = []
  let at = 0
  for (const [place, { people, sound, tempo = 1 }] of takes.entries()) {
    const seconds = TAKE_SECONDS / tempo
    const add = (clip: string): number => inputs.push(clip) - 1
    people.forEach((person, index) => {
      filters.push(...pictureFilters(person, add(person.clip), `p${place}x${index}`, tempo))
    })
    const pictures = people.map((_, index) => `[p${place}x${index}]`).join('')
    filters.push(`${pictures}hstack=inputs=${people.length},setsar=1[v${place}]`)
    const clip = typeof sound === 'number' ? people[sound]?.clip : sound
    filters.push(
      clip == null
        ? `anoisesrc=a=0.001:r=16000:d=${seconds}[a${place}]`
        : `[${add(clip)}:a]aresample=16000,pan=mono|c0=c0,apad,atrim=end=${TAKE_SECONDS},atempo=${tempo},apad,atrim=end=${seconds}[a${place}]`,
    )
    const voice = clip == null ? { start: 0, end: TAKE_SECONDS } : await findVoice(clipPath(media, clip))
    const who = typeof sound === 'number' ? sound : null
    spoken.push({ who, start: at + voice.start / tempo, end: at + voice.end / tempo })
    at += seconds
  }
  const joined = takes.map((_, place) => `[v${place}][a${place}]`).join('')
  filters.push(`${joined}concat=n=${takes.length}:v=1:a=1[v][a]`)
  const paths = inputs.flatMap((clip) => ['-i', clipPath(media, clip)])
  const coding = [
    '-c:v',
    'libx264',
    '-crf',
    '16',
    '-preset',
    'veryfast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ]
  const args = [
    '-v',
    'error',
    '-y',
    ...paths,
    '-filter_complex',
    filters.join(';'),
    '-map',
    '[v]',
    '-map',
    '[a]',
  ]
  await runTool({ executable: bundledTools().ffmpeg, args: [...args, ...coding, '-r', '25', file] })
  return spoken
}

const clipPath = (media: string, clip: string): string => join(media, 'people', 'grid', `${clip}.mpg`)

function pictureFilters({ from = 0, still }: Person, input: number, name: string, tempo: number): string[] {
  const whole = `fps=25,scale=360:288,tpad=stop=5:stop_mode=clone,trim=end=${TAKE_SECONDS},setpts=PTS-STARTPTS`
  const paced = `setpts=PTS/${tempo},fps=25,trim=end=${TAKE_SECONDS / tempo},setpts=PTS-STARTPTS`
  if (still === true)
    return [
      `[${input}:v]fps=25,scale=360:288,trim=end_frame=1,loop=loop=200:size=1,setpts=N/25/TB,${paced}[${name}]`,
    ]
  if (from === 0) return [`[${input}:v]${whole},${paced}[${name}]`]
  return [
    `[${input}:v]${whole},split[${name}a][${name}b]`,
    `[${name}a]trim=start=${from},setpts=PTS-STARTPTS[${name}c]`,
    `[${name}b]trim=end=${from},setpts=PTS-STARTPTS[${name}d]`,
    `[${name}c][${name}d]concat=n=2:v=1,${paced}[${name}]`,
  ]
}

const RATE = 16_000
const HOP = RATE / 50
/** A sentence is where the sound is louder than this share of the way from its quietest to its loudest tenth, in dB. */
const LOUD_SHARE = 0.5
/** A pause between words, in fiftieths of a second; what is farther away is a noise. */
const PAUSE_HOPS = 12

/** The sentence in a clip's own, clean sound: its longest loud part. */
async function findVoice(path: string): Promise<{ start: number; end: number }> {
  const chunks: Buffer[] = []
  await runTool({
    executable: bundledTools().ffmpeg,
    args: ['-v', 'error', '-i', path, '-ac', '1', '-ar', String(RATE), '-f', 's16le', 'pipe:1'],
    onStdout: (chunk) => void chunks.push(Buffer.from(chunk)),
  })
  const bytes = Buffer.concat(chunks)
  const levels = Array.from({ length: Math.floor(bytes.length / 2 / HOP) }, (_, hop) => {
    let power = 1
    for (let at = 0; at < HOP; at += 1) power += bytes.readInt16LE((hop * HOP + at) * 2) ** 2
    return 10 * Math.log10(power / HOP)
  })
  const sorted = levels.toSorted((a, b) => a - b)
  const quiet = sorted[Math.floor(0.1 * levels.length)] ?? 0
  const loud = sorted[Math.floor(0.9 * levels.length)] ?? 0
  const isLoud = (level: number): boolean => level > quiet + LOUD_SHARE * (loud - quiet)
  const runs: { from: number; to: number }[] = []
  levels.forEach((level, hop) => {
    const last = runs.at(-1)
    if (!isLoud(level)) return
    if (last !== undefined && hop - last.to <= PAUSE_HOPS) last.to = hop + 1
    else runs.push({ from: hop, to: hop + 1 })
  })
  const [longest] = runs.toSorted((a, b) => b.to - b.from - (a.to - a.from))
  return { start: (longest?.from ?? 0) / 50, end: (longest?.to ?? 0) / 50 }
}
