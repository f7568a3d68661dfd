import { AppError } from '../../contract/errors.ts'
import { MAX_SETTLE_SECONDS, type WatchedFile, type WatchFolder } from '../../contract/watch.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import {
  addWatchFolder,
  changeWatchFolder,
  describeWatchFolder,
  describeWatchFolders,
  removeWatchFolder,
  retryWatched,
} from '../../domain/watch/watch-folders.ts'
import { resolve } from 'node:path'
import { readRunningAppliance } from '../../jobs/home-lock.ts'
import type { Services } from '../../domain/services.ts'
import { parseSpan } from '../arguments.ts'
import { flag, optional, required } from '../command.ts'
import { defineHomeCommand } from '../open-home.ts'
import { workflowNamed } from '../run-on-home.ts'
import { table } from '../terminal.ts'

const noAppliance = ({ home }: Services): string[] =>
  readRunningAppliance(home) === null
    ? ['No appliance is running on this home: folders are looked into when one is started (cutroom serve).']
    : []

export const watchAdd = defineHomeCommand({
  summary: 'Watch a folder: videos that are put there go through a workflow by themselves',
  positionals: ['DIR'],
  options: {
    company: optional('ID', 'whose videos they are (local)'),
    workflow: required('ID', 'workflow id, or its exact name'),
    out: optional('DIR', 'write finished clips and their captions there; not inside the watched folder'),
    settle: optional('SPAN', 'a file is complete when it has not changed for so long (10s)'),
    'skip-existing': flag('leave what is there now; only what comes later is taken'),
  },
  examples: {
    'cutroom watch add /mnt/share/in --workflow "Vertical shorts" --out /mnt/share/clips':
      'Nothing in the watched folder is changed. Subtitles beside a video (talk.srt, talk.de.srt) belong to it.',
    'cutroom watch add ~/Recordings --workflow ID --skip-existing --settle 1m --json':
      'Prints the watched folder.',
  },
  run: async ({ services, options, positionals: [folder = ''] }) => {
    const companyId = options.company ?? 'local'
    const workflowId = workflowNamed(services, { companyId, workflow: options.workflow })
    const settleSeconds = options.settle === undefined ? undefined : parseSpan('settle', options.settle)
    if (settleSeconds !== undefined && settleSeconds > MAX_SETTLE_SECONDS)
      throw new AppError('INVALID_USAGE', '--settle is at most 1h.')
    const output = options.out === undefined ? undefined : resolve(options.out)
    const watched = await addWatchFolder(services, {
      companyId,
      workflowId,
      folder: resolve(folder),
      roots: null,
      skipExisting: options['skip-existing'],
      ...omitUndefined({ output, settleSeconds }),
    })
    return {
      json: watched,
      text: `${watched.folder} is watched (${watched.id}).`,
      notes: noAppliance(services),
    }
  },
})

const stateText = ({ state, status }: WatchFolder): string => {
  if (state === 'paused') return 'paused'
  if (status.taking !== null)
    return `taking ${status.taking.path} (${Math.round(status.taking.progress * 100)} %)`
  return status.settling + status.waiting === 0
    ? 'watching'
    : `${status.settling} settling, ${status.waiting} waiting`
}

export const watchList = defineHomeCommand({
  summary: 'List watched folders',
  options: { company: optional('ID', 'only those of this company') },
  examples: { 'cutroom watch list': 'Ids, what each is doing, and what keeps it from working.' },
  run: ({ services, options }) => {
    const folders = describeWatchFolders(services, options.company ?? null)
    const rows = folders.map((one) => {
      const { id, companyId, folder, workflowName, counts } = one
      const failed = counts.failed === 0 ? '' : `, ${counts.failed} failed`
      return [
        id,
        companyId,
        folder,
        workflowName ?? '(deleted)',
        stateText(one),
        `${counts.taken} taken${failed}`,
      ]
    })
    const problems = folders.flatMap(({ state, status }) =>
      state === 'paused' ? [] : [status.problem, status.outputProblem].filter((problem) => problem !== null),
    )
    return {
      json: folders,
      text: table([['ID', 'COMPANY', 'FOLDER', 'WORKFLOW', 'STATE', 'FILES'], ...rows]),
      notes: [
        ...problems,
        ...(rows.length === 0
          ? ['Nothing is watched. Add a folder with: cutroom watch add DIR --workflow ID']
          : noAppliance(services)),
      ],
    }
  },
})

const fileState = ({ state, run }: WatchedFile): string =>
  state === 'taken' && run !== null ? run.status : state

export const watchShow = defineHomeCommand({
  summary: 'Show what was taken from a watched folder, and what became of it',
  positionals: ['ID'],
  options: { limit: optional('N', 'how many files, the newest first (50)') },
  examples: { 'cutroom watch show ID --json': '{ "folder", "files" }; a problem says what to do.' },
  run: ({ services, options, positionals: [id = ''] }) => {
    const limit = Number(options.limit ?? 50)
    if (!Number.isInteger(limit) || limit < 1)
      throw new AppError('INVALID_USAGE', '--limit is a number from 1.')
    const described = describeWatchFolder(services, id, limit)
    const { folder, files } = described
    const rows = files.map((file) => [
      file.id,
      file.path,
      fileState(file),
      file.run?.id ?? '-',
      String(file.clips),
      file.problem ?? '',
    ])
    return {
      json: described,
      text: [
        `${folder.folder}: ${stateText(folder)}. ${folder.output === null ? 'Clips stay in the studio.' : `Clips are written to ${folder.output}.`}`,
        ...table([['ID', 'FILE', 'STATE', 'RUN', 'CLIPS', 'PROBLEM'], ...rows]),
      ],
      notes: [folder.status.problem, folder.status.outputProblem].filter((problem) => problem !== null),
    }
  },
})

export const watchPause = defineHomeCommand({
  summary: 'Take nothing more from a watched folder for now; runs that were started go on',
  positionals: ['ID'],
  examples: { 'cutroom watch pause ID': 'A file that is being copied is copied again later.' },
  run: ({ services, positionals: [id = ''] }) => {
    const folder = changeWatchFolder(services, id, 'paused')
    return { json: folder, text: `${folder.folder} is paused.` }
  },
})

export const watchResume = defineHomeCommand({
  summary: 'Go on with a watched folder that was paused',
  positionals: ['ID'],
  examples: { 'cutroom watch resume ID': 'What came meanwhile is taken too.' },
  run: ({ services, positionals: [id = ''] }) => {
    const folder = changeWatchFolder(services, id, 'active')
    return { json: folder, text: `${folder.folder} is watched again.`, notes: noAppliance(services) }
  },
})

export const watchRetry = defineHomeCommand({
  summary: 'Try again what failed in a watched folder; else a file is tried again only when it changes',
  positionals: ['ID', '[FILE_ID]'],
  examples: {
    'cutroom watch retry ID FILE_ID': 'One file, or its run; without FILE_ID every one.',
  },
  run: ({ services, positionals: [folderId = '', fileId] }) => {
    const done = retryWatched(services, { folderId, ...omitUndefined({ fileId }) })
    return { json: done, text: `Trying ${done.retried} again.`, notes: noAppliance(services) }
  },
})

export const watchRemove = defineHomeCommand({
  summary: 'Stop watching a folder and forget what was taken; files, runs and clips stay',
  positionals: ['ID'],
  examples: {
    'cutroom watch remove ID': 'Added again, everything in it is taken again; "watch pause" remembers.',
  },
  run: ({ services, positionals: [id = ''] }) => {
    removeWatchFolder(services, id)
    return { json: { id, removed: true }, text: `${id} is not watched any more.` }
  },
})
