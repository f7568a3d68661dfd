/** Runs whose appliance is killed again and again. */
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { startJobsProcess, type TestHome } from './run-on-jobs.ts'
import { bundledTools } from './stage-harness.ts'
import { SENTENCES } from './tiny-talk.ts'

/** Pinned clips, by default one from the start: the faces of each are looked for in one stage. */
export const faceNodes = (seconds: number, starts: readonly number[] = [0]): ResolvedNode[] => [
  {
    id: 'find_clips',
    type: 'find_clips',
    enabled: true,
    config: {
      min_length: 5,
      max_length: seconds,
      pinnedTimestamps: starts.map((start) => ({ start, end: start + seconds })),
      pinnedTimestampsOnly: true,
    },
  },
  { id: 'smart_zoom', type: 'smart_zoom', enabled: true, config: {} },
]

/** `video` end to end, `seconds` long, with captions beside it. */
export async function makeLongSource(video: string, to: string, seconds: number): Promise<void> {
  const copy = [
    '-v',
    'error',
    '-y',
    '-stream_loop',
    '-1',
    '-i',
    video,
    '-t',
    String(seconds),
    '-c',
    'copy',
    to,
  ]
  await runTool({ executable: bundledTools().ffmpeg, args: copy })
  const stamp = (at: number): string => new Date(at * 1000).toISOString().slice(11, 23).replace('.', ',')
  const cues = Array.from({ length: Math.floor(seconds / 4) }, (_, at) =>
    [at + 1, `${stamp(at * 4)} --> ${stamp(at * 4 + 3.2)}`, SENTENCES[at % SENTENCES.length], ''].join('\n'),
  )
  await writeFile(to.replace(/\.\w+$/, '.srt'), cues.join('\n'))
}

export interface Kills {
  readonly models: string
  /** Milliseconds from the start of a life to its end. */
  readonly nextMs: () => number
  readonly isOver: () => boolean
  /** Called after each kill with their number. */
  readonly onKill?: (kills: number) => void
  /** Called every 50 ms of a life, with its process. */
  readonly onLife?: (pid: number) => void
}

/** Works until it is over, killed with -9 in between. How often it was killed before. */
export async function workUnderKills(
  { home }: TestHome,
  { models, nextMs, isOver, onKill, onLife }: Kills,
): Promise<number> {
  for (let kills = 0; ;) {
    const jobs = await startJobsProcess(home, 0, models)
    const until = performance.now() + nextMs()
    while (!isOver() && performance.now() < until) {
      onLife?.(jobs.pid)
      await pause(50)
    }
    await jobs.kill()
    if (isOver()) return kills
    kills += 1
    onKill?.(kills)
  }
}
