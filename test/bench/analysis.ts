/**
 * Time that the analysis of an hour takes for a vertical run, without speech: ten minutes of people talking go through
 * the real job machinery with the installed models, up to face detection: `npm run bench -- analysis`.
 */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseModel } from '../../models/installed.ts'
import type { RunStage } from '../../server/db/runs.ts'
import { processorSeconds } from './measure/processor.ts'
import { modelFolders } from './media.ts'
import { qualityBench, type QualityBench } from './report.ts'
import { makeLongTalk, runOnce } from './run.ts'

const HOUR = 3600
const LIMIT_SECONDS = 120

/** `seconds`: of the source. About two minutes. */
export async function runAnalysisBench({
  seconds = 600,
  say = () => undefined,
}: {
  readonly seconds?: number
  readonly say?: (line: string) => void
} = {}): Promise<QualityBench> {
  const title = 'Analysis of an hour'
  const models = modelFolders()
  if (process.platform !== 'linux' || (await chooseModel(models, 'faces')) === null) {
    const why =
      'how long the analysis of an hour takes: processor time is read where Linux keeps it, and the model for faces must be there (`cutroom models install yunet`).'
    say(`not measured: ${why}`)
    return qualityBench('analysis', { title, tables: [], unmeasured: [why] })
  }
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-analysis-'))
  try {
    const video = join(folder, 'talk.mp4')
    say(`making ${seconds} s of 720p with captions`)
    await makeLongTalk(video, seconds)
    const watch = watchProcessor()
    const without = await linkModels(models, join(folder, 'models'))
    const { stages } = await runOnce(join(folder, 'home'), video, say, [without], watch.enough, true)
    return report(title, stages, watch.spent(), seconds)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The models without those that tell who of several faces speaks: what they cost is measured by itself (Eyes). */
async function linkModels(folders: readonly string[], into: string): Promise<string> {
  await mkdir(into)
  for (const folder of folders)
    for (const name of readdirSync(folder))
      if (!name.startsWith('asd')) await symlink(join(folder, name), join(into, name))
  return into
}

interface Spent {
  /** Processor seconds until clips were chosen, and from then until faces were looked for. */
  readonly choosing: number
  readonly faces: number
}

/** `enough` is called repeatedly while the run goes on. */
function watchProcessor(): { enough: (stages: readonly RunStage[]) => boolean; spent: () => Spent } {
  const began = processorSeconds()
  let chosen = began
  let seen = began
  const ended = (stages: readonly RunStage[], name: string): RunStage[] =>
    stages.filter(({ stage, state }) => stage === name && state === 'finished')
  return {
    enough: (stages) => {
      const now = processorSeconds()
      const [found] = ended(stages, 'find-clips')
      if (found === undefined) chosen = now
      seen = now
      const { candidates } = (found?.output ?? { candidates: null }) as { candidates: unknown[] | null }
      return candidates !== null && ended(stages, 'faces').length >= candidates.length
    },
    spent: () => ({ choosing: chosen - began, faces: seen - chosen }),
  }
}

function report(title: string, stages: readonly RunStage[], spent: Spent, seconds: number): QualityBench {
  const hours = HOUR / seconds
  const names = [...new Set(stages.map(({ stage }) => stage))]
  const clips = (stages.find(({ stage }) => stage === 'find-clips')?.output as { candidates: unknown[] })
    .candidates
  const hour = { choosing: spent.choosing * hours, faces: spent.faces }
  const all = hour.choosing + hour.faces
  const whole = names.filter((name) => !AFTER.has(name)).join(', ')
  return qualityBench('analysis', {
    title,
    tables: [
      {
        title: 'Speech aside',
        columns: ['what', `${(seconds / 60).toFixed(0)} minutes`, 'an hour (under 120 s)'],
        rows: [
          [`until clips are chosen (${whole})`, inSeconds(spent.choosing), inSeconds(hour.choosing)],
          [
            `looking for faces in ${clips.length} clips, and cutting them`,
            inSeconds(spent.faces),
            inSeconds(hour.faces),
          ],
          ['all', inSeconds(spent.choosing + spent.faces), inSeconds(all)],
        ],
        notes: [
          `Seconds of processor time of the appliance and all that it starts, in a run of “Vertical shorts” over a talk with captions beside it: what one idle core needs. What goes through the whole source is multiplied by ${hours.toFixed(0)}; faces are looked for in the chosen clips only, of which there are ten at most, however long the source is. Nothing is rendered, and no model tells who of several faces speaks (its cost: Eyes). The first row includes starting up, fetching the file and its checksum.`,
          all < LIMIT_SECONDS
            ? 'Within what is asked for.'
            : `Over the ${LIMIT_SECONDS} s that are asked for.`,
        ],
      },
    ],
    unmeasured: [],
  })
}

/** Stages that begin after the clips are chosen. */
const AFTER = new Set([
  'faces',
  'cut',
  'thumbnail',
  'transcript-file',
  'render',
  'shorten-stories',
  'judge-clips',
  'peaks',
])

const inSeconds = (value: number): string => `${value.toFixed(1)} s`
