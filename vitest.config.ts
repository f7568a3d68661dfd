import { defineConfig } from 'vitest/config'

// Two projects: unit tests sit beside the code and run in parallel; everything under test/ starts
// real ffmpeg, SQLite and servers, so its files run one after the other and keep timings honest.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{main,server,workers,renderer,resources}/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
