/** Steps with names, one after the other: prints how each went, and figures that were measured. */

/** What was made, by paths. */
export interface Made {
  readonly folder: string
  readonly version: string
  readonly nextVersion: string
  readonly deb: string
  readonly nextDeb: string
  readonly tar: string
  readonly single: string
  readonly bundle: string | null
  readonly publicKey: string
}
export interface Steps {
  /** Runs a step; a failure is reported and counted, and the next steps continue unless they cannot. */
  step(name: string, act: () => Promise<void>): Promise<boolean>
  skip(name: string, why: string): void
  figure(name: string, value: string): void
  /** Prints the figures; true when nothing failed. */
  finish(): boolean
}

export function createSteps(): Steps {
  const figures: (readonly [string, string])[] = []
  let failed = 0
  let done = 0
  return {
    step: async (name, act) => {
      const started = performance.now()
      try {
        await act()
        done += 1
        process.stdout.write(`ok    ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)\n`)
        return true
      } catch (error) {
        failed += 1
        process.stdout.write(`FAIL  ${name}\n      ${String(error instanceof Error ? error.stack : error)}\n`)
        return false
      }
    },
    skip: (name, why) => void process.stdout.write(`skip  ${name}: ${why}\n`),
    figure: (name, value) => void figures.push([name, value]),
    finish: () => {
      const width = Math.max(0, ...figures.map(([name]) => name.length))
      process.stdout.write('\n')
      for (const [name, value] of figures) process.stdout.write(`${name.padEnd(width)}  ${value}\n`)
      process.stdout.write(`\n${done} steps done, ${failed} failed\n`)
      return failed === 0
    },
  }
}

/** Throws with `said` when `holds` is false. */
export function must(holds: boolean, said: string): asserts holds {
  if (!holds) throw new Error(said)
}
