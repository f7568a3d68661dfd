/** What the home page, new runs and uploads say. */
import { inLanguage, plural, quoted } from './common.ts'

const en = {
  page: {
    applianceSilent:
      'The appliance does not answer. Its work continues, and this page updates once it is back.',
    waiting: 'Waiting for you',
    runs: 'Runs',
    noRuns: 'No runs yet.',
    firstRun: 'No video at hand?',
    trySample: 'Try the sample',
    sampleLength: 'A conversation of four minutes',
  },
  failedWork: {
    kinds: { run: 'Run', render: 'Render', thumbnail: 'Thumbnail', dispatch: 'Confirmed run' },
    heading: 'Failed',
    explanation:
      'These stopped with an error and are not retried by themselves. Finished steps are stored: a retry continues from there.',
    attempts: (at: string, n: number) =>
      plural(n, { one: `${at}, tried once`, other: `${at}, tried ${n} times` }),
    failed: 'It failed without a reason. Try again.',
    tryAgainOf: (kind: string, at: string) => `Try again: ${kind}, ${at}`,
    queueing: 'Queueing…',
  },
  newRun: {
    label: 'New run',
    heading: 'A long video in, finished clips out',
    address: 'Video address',
    workflow: 'Workflow',
    next: 'Continue',
    dropFiles: 'Drop videos anywhere on this page',
    dropHere: 'Drop to add',
    chooseFiles: 'Choose files',
    uploading: (name: string, percent: number, left: number) =>
      `Uploading ${name}: ${percent} %${left === 0 ? '' : plural(left, { one: `, 1 file after it`, other: `, ${left} files after it` })}`,
    upload: 'Upload',
    subtitlesAlone: (name: string) =>
      `${quoted(name)} is a subtitle file. Add it together with its video, or drop it on a run.`,
  },
  sheet: {
    title: (n: number) => plural(n, { one: 'New run', other: `${n} new runs` }),
    files: 'Videos',
    words: (name: string) => `Words from ${quoted(name)}`,
    removeFile: (name: string) => `Remove ${name}`,
    addFiles: 'Add files',
    prompt: 'Prompt',
    promptHint: 'What to look for, in your own words. Empty: the best moments.',
    promptExample: 'the funny part with the investors',
    language: 'Spoken language',
    detect: 'Detect',
    start: 'Make clips',
  },
  replaceWords: {
    title: 'Replace the words?',
    ofRun: (file: string, source: string) =>
      `The words of ${quoted(file)} replace those of all clips of ${quoted(source)}. Corrections made so far are lost.`,
    ofClip: (file: string, title: string) =>
      `The words of ${quoted(file)} replace those of ${quoted(title)}. Corrections made so far are lost.`,
    notSubtitles: (file: string) => `${quoted(file)} is no subtitle file.`,
    othersOnHome: 'Add videos on Home.',
    othersOnTimeline: 'Drop pictures, videos and sounds on the timeline.',
    replace: 'Replace words',
    replacing: 'Replacing…',
    done: (n: number) => plural(n, { one: '1 clip has new words.', other: `${n} clips have new words.` }),
  },
  openedFile: {
    label: 'Opened file',
    opening: 'Opening',
    makeClips: 'Make clips',
  },
  run: {
    installModel: 'Install the model in Settings',
    freeSpace: 'Free up space in Settings',
    waiting: 'Waiting',
    waitsFor: {
      disk: 'Waiting for space on the disk',
      model: 'Waiting for a model',
      source: 'Waiting for the source',
      network: 'Waiting for the network',
      queue: 'Waiting for its turn',
      store: 'Waiting for the media store',
    },
    timeLeft: (left: string) => ` · ${left} left`,
    stopped: 'Stopped',
    failed: 'Failed',
    progressOf: (source: string) => `Progress of ${source}`,
    since: (workflow: string, time: string) => `${workflow} · ${time}`,
    stopRun: (source: string) => `Stop ${source}`,
    stoppedWith: (n: number) =>
      n === 0
        ? 'Stopped before a clip was found.'
        : plural(n, { one: 'Stopped. 1 clip is in Review', other: `Stopped. ${n} clips are in Review` }),
    undecided: (n: number) => `${n} to review`,
    removeRun: (source: string) => `Remove ${source}`,
    resume: 'Resume',
  },
  timeLeft: {
    seconds: (n: number) => `about ${n} s`,
    minutes: (n: number) => `about ${n} min`,
    hours: (n: number) => `about ${n} h`,
  },
  uploads: {
    begun: (name: string) => `${quoted(name)} is uploaded, and its run has started.`,
    begunMany: (n: number) => `${n} files are uploaded, and their runs have started.`,
    refused: (name: string, why: string, left: number) =>
      `${quoted(name)} was not uploaded. ${why}${left === 0 ? '' : plural(left, { one: ' The file after it was not uploaded either.', other: ` The ${left} files after it were not uploaded either.` })}`,
  },
}

export const { page, failedWork, newRun, sheet, replaceWords, openedFile, run, timeLeft, uploads } =
  inLanguage({ en })
