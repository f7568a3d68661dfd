import { configDefaults, defineConfig } from 'vitest/config'

/**
 * The projects run one after the other; `npm test` has those up to `system`. Unit tests sit beside the code and share their processes. Everything under test/
 * starts real ffmpeg, SQLite and servers, each with a home and a port of its own: these files run two at a time, because
 * they wait as much as they work. Files that measure a whole process or hold something to a second run alone, and so do
 * the faults, which have a command of their own (`npm run faults`) because kills and waits make them slow.
 */
const ALONE = [
  // Memory and clocks.
  'test/e2e/{kill,memory}.test.ts',
  'test/bench/**/*.test.ts',
  'test/pipeline/jobs-in-process.test.ts',
  'test/contract/posts.test.ts',
]

const FAULTS = 'test/faults/**/*.test.ts'

/**
 * What takes a file a quarter of a minute or more has a command of its own, `npm run test:slow`, so that `npm test` is done in
 * less than fifteen minutes on two cores.
 */
const SLOW = [
  // The studio in a browser; what is left with `npm test` is what it loads.
  'test/e2e/{studio,studio-[!w]*,studio-workflows,preview*,walkthrough}.test.ts',
  // Whole appliances.
  'test/e2e/{demo,export,inspect,social-kill,uploads,watch-folder,zero-egress}.test.ts',
  'test/docs/{guide-api,runbook}.test.ts',
  'test/contract/{standby,store}.test.ts',
  // Models that hear, see and judge; runs from the source to the clip.
  'test/pipeline/{active-speaker,checkpoints,faces,hear-ahead,judge-clips,look-over,meaning,models-tried,shorten-stories,speakers,traces}.test.ts',
  'test/pipeline/{*-run,record-*,speech-*,stream-*,thumbnail*,unusual-sources,words-*}.test.ts',
  // Films of minutes.
  'test/pipeline/{cards,export-hdr,export-profiles,ffmpeg-choice,media-probe,newer-ffmpeg,render-keyframes,render-sound-clean,render-sound-cuts,render-transitions,render-words,videos-render}.test.ts',
]

/** Unit tests that replace a whole module: in a shared process another file may have loaded it already. */
const ISOLATED = ['workers/stages/fetch-asset/picture.test.ts', 'workers/stages/ingest/guard.test.ts']

/**
 * What is waited for comes when the machine gets to it. Tests and the processes that they start have one ffmpeg, whatever
 * else this machine has.
 */
const system = {
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
  env: { CUTROOM_FFMPEG: 'bundled' },
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{main,server,workers,renderer,resources}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ISOLATED],
          testTimeout: 20_000,
          // Each module is loaded once for many files: half the processor time.
          isolate: false,
          setupFiles: ['test/support/restore-globals.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'unit-isolated',
          include: ISOLATED,
          testTimeout: 20_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...system,
          name: 'system',
          include: ['test/**/*.test.ts'],
          // Naming files here replaces the defaults, which leave out node_modules: test/pds has one of its own.
          exclude: [...configDefaults.exclude, ...ALONE, ...SLOW, FAULTS],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...system,
          name: 'slow',
          include: SLOW,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...system,
          name: 'appliance',
          include: ALONE,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...system,
          name: 'faults',
          include: [FAULTS],
          fileParallelism: false,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
