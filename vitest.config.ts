import { configDefaults, defineConfig } from 'vitest/config'

/**
 * Three projects, one after the other. Unit tests sit beside the code. Everything under test/ starts real ffmpeg, SQLite
 * and servers, each on a home and a port of its own: most of these files go two at a time, for they wait as much as they
 * work; those that look at whole processes (browsers, kills, memory, full disks) go one by one.
 */
const ALONE = [
  'test/faults/**/*.test.ts',
  'test/bench/**/*.test.ts',
  // Two browsers that wait for their appliances do go together: rooms of the studio.
  'test/e2e/!(studio-*).test.ts',
  // They hold something to a second of the clock: that a cancelled tool ends, that a page is answered.
  'test/pipeline/{media-tools,encoders,jobs-in-process,judge-clips,page-sources,media-ingest}.test.ts',
  'test/contract/posts.test.ts',
]

/** What is waited for comes when the machine gets to it. */
const system = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{main,server,workers,renderer,resources}/**/*.test.ts'],
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...system,
          name: 'system',
          include: ['test/**/*.test.ts'],
          // Naming files here replaces the defaults, which leave out node_modules: test/pds has one of its own.
          exclude: [...configDefaults.exclude, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...system,
          name: 'appliance',
          include: ALONE,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
