/** What is mutated, and which tests are held against it. All are globs from the root of the repository. */
export interface Area {
  mutate: string[]
  tests: string[]
}

export const areas: Record<string, Area> = {
  nodes: { mutate: ['server/nodes/**/*.ts'], tests: ['server/nodes/**/*.test.ts'] },
  planner: {
    // Not what reads the library and the settings for it.
    mutate: ['server/domain/runs/plan/{plan-*,caption-tracks,stream-slots}.ts'],
    tests: ['server/domain/runs/plan/*.test.ts'],
  },
  interchange: { mutate: ['server/interchange/*.ts'], tests: ['server/interchange/*.test.ts'] },
  compositor: {
    mutate: ['workers/compositor/**/*.ts'],
    // What a layer draws is seen in pictures only: the golden ones belong to its tests.
    tests: ['workers/compositor/**/*.test.ts', 'workers/render-support/*.test.ts', 'test/golden/*.test.ts'],
  },
  captions: {
    mutate: ['workers/stages/{captions,transcript-file}/pure/*.ts'],
    tests: ['workers/stages/{captions,transcript-file}/pure/*.test.ts'],
  },
}
