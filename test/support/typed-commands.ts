/** Commands of `cutroom` as a person types them, on a home of the test's own, without a process for each. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { runCommandLine } from '../../server/cli/command-line.ts'

/** Result of a command: its exit code, and the lines for programs and for people. */
export interface Typed {
  readonly code: number
  readonly out: readonly string[]
  readonly notes: readonly string[]
}

export interface TypedCommands {
  /** The home, while tests of this file run. */
  readonly home: () => string
  readonly cutroom: (...words: string[]) => Promise<Typed>
  /** With `--json`: what it answers. Fails where the command does. */
  readonly json: <T>(...words: string[]) => Promise<T>
}

/** One command on a home. */
export async function typeCommand(home: string, words: readonly string[]): Promise<Typed> {
  const out: string[] = []
  const notes: string[] = []
  const terminal = {
    out: (line: string) => void out.push(line),
    note: (line: string) => void notes.push(line),
    status: () => undefined,
    interactive: false,
    columns: 80,
  }
  const code = await runCommandLine([...words, '--home', home], terminal)
  return { code, out, notes }
}

/** For programs: what one command on a home answers, and what it says to people. `json` is empty where it failed. */
export async function askCommand(
  home: string,
  words: readonly string[],
): Promise<{ code: number; json: Record<string, unknown>; said: string }> {
  const { code, out, notes } = await typeCommand(home, [...words, '--json'])
  return { code, json: JSON.parse(out[0] ?? '{}') as Record<string, unknown>, said: notes.join('\n') }
}

/** For the top of a test file: makes the home before its tests, and removes it after them. */
export function typedCommands(): TypedCommands {
  let home: string
  beforeAll(async () => void (home = await mkdtemp(join(tmpdir(), 'cutroom-typed-'))))
  afterAll(() => rm(home, { recursive: true, force: true }))

  const cutroom = (...words: string[]): Promise<Typed> => typeCommand(home, words)
  return {
    home: () => home,
    cutroom,
    json: async <T>(...words: string[]) => {
      const { code, out, notes } = await cutroom(...words, '--json')
      if (code !== 0) throw new Error(`cutroom ${words.join(' ')} ended with ${code}: ${notes.join(' ')}`)
      return JSON.parse(out[0] ?? '') as T
    },
  }
}
