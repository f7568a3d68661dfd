/** Cases of commands: what one makes of the sample clip, held against the whole outcome. */
import { expect, it } from 'vitest'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import type { CommandContext } from '../../server/nodes/commands/context.ts'
import { Refusal } from '../../server/nodes/commands/declare.ts'
import { runCommand, type CommandCall } from '../../server/nodes/commands/index.ts'
import type { ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import type { ClipCut } from '../../server/contract/time-map/cut.ts'
import { SAMPLE_EDIT, sampleContext } from './sample-clip.ts'

export interface CommandCase {
  readonly name: string
  readonly call: CommandCall
  /** What of the clip and of its context differs from the sample. */
  readonly edit?: Partial<ClipEdit>
  readonly context?: Partial<CommandContext>
  /** The fields that change, and the sentence about it. */
  readonly made?: readonly [changes: Partial<ClipEdit>, done: string]
  readonly refused?: string
}

/** A test for each case: only these fields change, and every word of the answer is the expected one. */
export function itDoes(cases: readonly CommandCase[]): void {
  it.each(cases)('$call.name: $name', ({ call, edit = {}, context = {}, made, refused }) => {
    const before = { ...SAMPLE_EDIT, ...edit }
    const [changes, done] = made ?? []
    expect(runCommand(before, sampleContext(context), call)).toEqual(
      refused === undefined
        ? { kind: 'edit', edit: { ...before, ...changes }, done }
        : { kind: 'refused', why: refused },
    )
  })
}

/** The sentence with which something is refused; a sentence that none expects where it is not. */
export function refusalOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
  return 'It was not refused.'
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** The cut that plays these stretches of the source at natural speed, or at the speed that stands third. */
export function playing(...kept: readonly (readonly [start: number, end: number, rate?: number])[]): ClipCut {
  const startTimestamp = kept[0]?.[0] ?? 0
  const endTimestamp = kept.at(-1)?.[1] ?? 0
  if (kept.length === 1 && kept[0]?.[2] === undefined) return { startTimestamp, endTimestamp, segments: [] }
  const segments = kept.map(([start, end, playbackRate]) => ({
    startSeconds: rounded(start - startTimestamp),
    endSeconds: rounded(end - startTimestamp),
    ...omitUndefined({ playbackRate }),
  }))
  return { startTimestamp, endTimestamp, segments }
}
