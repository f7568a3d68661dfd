/**
 * A render whose work outlives an interruption: the sound, and the picture in parts that begin with a keyframe, are files in the
 * stage's scratch folder, each with its digest. The next attempt begins behind the last part that is whole, and the end copies
 * them into one file without encoding again.
 */
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256OfFile } from '../../../models/installed.ts'
import { rationalToNumber } from '../../../server/contract/time.ts'
import { sourceFrames, type Composition } from '../../../server/contract/composition.ts'
import { transitionFrames } from '../../../server/contract/time-map/transitions.ts'
import type { Checkpoints } from '../../checkpoints.ts'
import type { StageContext } from '../context.ts'

/** A kept file in the scratch folder. */
interface KeptFile {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** Frames `from` up to `to` of the clip, as encoded by `encoder`. */
interface Part extends KeptFile {
  readonly from: number
  readonly to: number
  readonly encoder: string
}

const BEGUN = 'begun'
/** Checkpoints of the picture count its frames, so that those before it are below any part. */
export const SOUND_POSITION = 1

/** Whether an earlier attempt at this very render was interrupted. */
export async function wasInterrupted(checkpoints: Checkpoints): Promise<boolean> {
  if ((await checkpoints.read(BEGUN)) !== null) return true
  await checkpoints.write(BEGUN, true, 0)
  return false
}

/** The file that `make` writes to the path it is given, or the one that an earlier attempt has kept. */
export async function keepFile(
  context: Pick<StageContext, 'temporary'>,
  checkpoints: Checkpoints,
  name: string,
  make: (path: string) => Promise<void>,
): Promise<string> {
  const path = join(context.temporary, name)
  const kept = await checkpoints.read<KeptFile>(name)
  if (kept !== null && (await isWhole(context, kept))) return path
  const draft = join(context.temporary, `draft-${name}`)
  await make(draft)
  await rename(draft, path)
  await checkpoints.write(name, await described(context, name), SOUND_POSITION)
  return path
}

/** Parts that are whole and follow each other from the clip's first frame; the picture is made from the end of the last. */
export async function findParts(
  context: Pick<StageContext, 'temporary'>,
  checkpoints: Checkpoints,
  encoder: string,
): Promise<Part[]> {
  const parts: Part[] = []
  for (let from = 0; ;) {
    const part = await checkpoints.read<Part>(nameOf(from))
    if (part === null || part.encoder !== encoder || !(await isWhole(context, part))) return parts
    parts.push(part)
    from = part.to
  }
}

/** Those behind which the picture can go on: not in the tail or a transition, nor where speed was changed or an intro plays. */
export function usableParts(parts: readonly Part[], composition: Composition): Part[] {
  const { durationFrames, headFrames = 0, timeMap, transitions = [] } = composition
  if (parts.at(-1)?.to === durationFrames) return [...parts]
  if (headFrames > 0 || timeMap.some(({ playbackRate }) => playbackRate !== 1)) return []
  const last = sourceFrames(composition).endFrame - 1
  const isWithin = (frame: number): boolean =>
    transitions
      .map(transitionFrames)
      .some(({ startFrame, endFrame }) => startFrame < frame && frame < endFrame)
  return parts.slice(0, parts.findLastIndex(({ to }) => to <= last && !isWithin(to)) + 1)
}

export interface PartsOfAttempt {
  /** Path with `%d` that the parts get. */
  readonly partFile: string
  readonly listFile: string
  /** Keeps what is finished so far; call it again and again, and once at the end. */
  readonly collect: () => Promise<void>
  /** Those that were kept. */
  readonly kept: readonly Part[]
}

/** Keeps the parts that an attempt makes from frame `from` on, one after the other. */
export function keepParts(
  context: Pick<StageContext, 'temporary'>,
  checkpoints: Checkpoints,
  { from, encoder, composition }: { from: number; encoder: string; composition: Composition },
): PartsOfAttempt {
  const listFile = join(context.temporary, `parts-${from}.csv`)
  const kept: Part[] = []
  const perSecond = rationalToNumber(composition.output.frameRate)
  const frameAt = (seconds: string | undefined): number => from + Math.round(Number(seconds) * perSecond)

  async function keepFinished(): Promise<void> {
    const text = await readFile(listFile, 'utf8').catch(() => '')
    // A line without its end is still being written.
    for (const line of text.split('\n').slice(kept.length, -1)) {
      const [file = '', start, end] = line.split(',')
      const place = { from: frameAt(start), to: frameAt(end), encoder }
      const part: Part = { ...place, ...(await described(context, file)) }
      await checkpoints.write(nameOf(part.from), part, SOUND_POSITION + part.to)
      kept.push(part)
    }
  }
  let going: Promise<void> = Promise.resolve()
  return {
    partFile: join(context.temporary, `part-${from}-%d.mp4`),
    listFile,
    collect: () => (going = going.then(keepFinished)),
    kept,
  }
}

/** The script by which ffmpeg reads the parts one after the other. */
export async function writeScript(
  context: Pick<StageContext, 'temporary'>,
  parts: readonly Part[],
  { frameRate }: Composition['output'],
): Promise<string> {
  const seconds = (frame: number): number => Math.round((frame * 1e6) / rationalToNumber(frameRate))
  // Each length is the difference of two rounded times, so that what rounding adds or takes never sums up.
  const lines = parts.flatMap(({ file, from, to }) => [
    `file '${file}'`,
    `duration ${((seconds(to) - seconds(from)) / 1e6).toFixed(6)}`,
  ])
  const script = join(context.temporary, 'parts.ffconcat')
  await writeFile(script, ['ffconcat version 1.0', ...lines, ''].join('\n'))
  return script
}

const nameOf = (from: number): string => `part-${from}`

/** Flushes a file to the disk and describes it. */
async function described({ temporary }: Pick<StageContext, 'temporary'>, file: string): Promise<KeptFile> {
  const path = join(temporary, file)
  await using handle = await open(path, 'r')
  await handle.sync()
  return { file, bytes: (await handle.stat()).size, sha256: await sha256OfFile(path) }
}

async function isWhole({ temporary }: Pick<StageContext, 'temporary'>, kept: KeptFile): Promise<boolean> {
  return (await sha256OfFile(join(temporary, kept.file)).catch(() => '')) === kept.sha256
}
