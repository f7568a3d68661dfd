import { AppError } from '../../contract/errors.ts'
import { resumeAll, sentencesOfLeft } from '../../domain/runs/resume-all.ts'
import { readRunningAppliance } from '../../jobs/home-lock.ts'
import { parseSource, prepareOutFolder } from '../arguments.ts'
import {
  defineCommand,
  EXIT,
  type CommonOptions,
  type Terminal,
  flag,
  optional,
  required,
} from '../command.ts'
import { withServices } from '../open-home.ts'
import { resumeOnHome, runOnHome, type FinishedRun } from '../run-on-home.ts'
import { readJsonFile } from './workflow.ts'

/** One long video through a workflow. */
export const run = defineCommand({
  summary: 'Run a workflow on a video: an address or a file on this machine',
  positionals: ['URL_OR_FILE'],
  options: {
    company: optional('ID', 'whose run it is (local)'),
    workflow: required('ID', 'workflow id, or its exact name'),
    'node-configs': optional('FILE', 'JSON overrides keyed by node type'),
    wait: flag('stay until it is done, with progress'),
    out: optional('DIR', 'copy the finished clips there (waits)'),
  },
  examples: {
    'cutroom run talk.mp4 --workflow "Vertical shorts" --wait --out clips':
      'Finished clips in ./clips. A talk.srt or talk.vtt beside the video gives the captions.',
    'cutroom run https://example.com/talk.mp4 --company acme --workflow WORKFLOW_ID --json':
      'Queues the run and prints it; `--wait` adds the clips.',
  },
  run: async ({ options, positionals, terminal }) => {
    const nodeConfigs =
      options['node-configs'] === undefined ? undefined : await readJsonFile(options['node-configs'])
    const finished = await runOnHome(
      options,
      {
        companyId: options.company ?? 'local',
        workflow: options.workflow,
        source: parseSource(positionals[0] ?? ''),
        nodeConfigs,
        wait: options.wait || options.out !== undefined,
        out: options.out === undefined ? null : await prepareOutFolder(options.out),
      },
      terminal,
    )
    return reportRun(finished, options.json, terminal)
  },
})

/** Resumes a failed run where it stopped. */
export const resume = defineCommand({
  summary:
    'Let a run that failed go on where it stopped, once the cause is mended; --all: every one that may succeed now',
  positionals: ['[RUN_ID]'],
  options: {
    all: flag(
      'every run in Error, but those whose video or settings make no clip, and those that were stopped',
    ),
    wait: flag('stay until it is done, with progress'),
    out: optional('DIR', 'copy the finished clips there (waits)'),
  },
  examples: {
    'cutroom resume 4cFZ0yZLQ3yX9yXbq0m1bg --wait':
      'After a full disk or a missing model: finished stages are not done again.',
    'cutroom resume --all --json': '{ "resumed": 20, "runs": [...], "left": { "NO_SPEECH": 1 } }',
  },
  run: async ({ options, positionals, terminal }) => {
    if (options.all === positionals.length > 0)
      throw new AppError('INVALID_USAGE', 'Give the id of a run, or --all.')
    if (options.all) {
      if (options.wait || options.out !== undefined)
        throw new AppError('INVALID_USAGE', '--all queues runs and does not wait for them.')
      return await resumeEveryRun(options, terminal)
    }
    const finished = await resumeOnHome(
      options,
      {
        triggerId: positionals[0] ?? '',
        wait: options.wait || options.out !== undefined,
        out: options.out === undefined ? null : await prepareOutFolder(options.out),
      },
      terminal,
    )
    return reportRun(finished, options.json, terminal)
  },
})

async function resumeEveryRun(options: CommonOptions, terminal: Terminal): Promise<number> {
  const { gone, idle } = await withServices(options, (services) => ({
    gone: resumeAll(services),
    idle: readRunningAppliance(services.home) === null,
  }))
  const resumed = gone.queued.length
  if (options.json) terminal.out(JSON.stringify({ resumed, runs: gone.queued, left: gone.left }))
  else {
    terminal.out(`${resumed} ${resumed === 1 ? 'run goes' : 'runs go'} on.`)
    for (const sentence of sentencesOfLeft(gone)) terminal.note(sentence)
    if (idle && resumed > 0)
      terminal.note('No appliance is running on this home: they begin when one is started (cutroom serve).')
  }
  return EXIT.done
}

const formatRelevance = (relevance: number | undefined): string =>
  relevance === undefined ? '' : `, relevance ${relevance}`

/** Prints what became of a run and its clips; the exit code. */
function reportRun(finished: FinishedRun, json: boolean, terminal: Terminal): number {
  if (json) terminal.out(JSON.stringify(finished))
  else {
    for (const warning of finished.run.warnings) terminal.note(`Note: ${warning}`)
    if (finished.run.status === 'Pending') terminal.out(`Run ${finished.run.id} is queued.`)
    finished.clips.forEach((clip, place) => {
      terminal.out(`${String(place + 1).padStart(2)}. ${clip.title}`)
      terminal.out(
        `    ${clip.duration.toFixed(1)} s, score ${Math.round(clip.viralityScore)}${formatRelevance(clip.relevance)}, ${clip.file ?? clip.id}`,
      )
    })
  }
  if (finished.run.status !== 'Error') return EXIT.done
  if (!json)
    terminal.note(`cutroom: the run failed (${finished.run.code ?? 'INTERNAL'}): ${finished.run.error ?? ''}`)
  if (!json && finished.run.waitsFor !== undefined)
    terminal.note(
      `It waits for the ${finished.run.waitsFor}: an appliance on this home (cutroom serve) lets it go on when that is there again.`,
    )
  return EXIT.failed
}
