/** Answers to calls, and moments of the source as the player counts them. */
import { describe, expect, it } from 'vitest'
import { sampleContext, SAMPLE_EDIT, SAMPLE_WORDS } from '../../../test/support/sample-clip.ts'
import type { Composition } from '../../contract/composition.ts'
import { TICKS_PER_SECOND } from '../../contract/time.ts'
import { contextOf, cutByNodes, type OpenedClip } from './context.ts'
import { doMessage, doModelCalls, isWhole, type Line } from './do-calls.ts'
import { commandOf, COMMANDS, EDIT_COMMANDS, runCommand, type CommandCall } from './index.ts'

const CONTEXT = sampleContext()

describe('calls', () => {
  it('answers undo beside others with what would do it', () => {
    const undo = { name: 'undo', arguments: {} } as CommandCall
    expect(doModelCalls(SAMPLE_EDIT, CONTEXT, [undo])).toEqual({
      edit: SAMPLE_EDIT,
      lines: [],
      session: 'undo',
    })
    expect(doModelCalls(SAMPLE_EDIT, CONTEXT, [undo, undo]).lines).toEqual([
      { kind: 'refused', text: '“undo” is done when it is all that you ask for.' },
      { kind: 'refused', text: '“undo” is done when it is all that you ask for.' },
    ])
  })
  it('leaves help beside others out', () => {
    const help = { name: 'help', arguments: {} } as CommandCall
    expect(doModelCalls(SAMPLE_EDIT, CONTEXT, [help, help])).toEqual({
      edit: SAMPLE_EDIT,
      lines: [],
      session: null,
    })
    expect(doModelCalls(SAMPLE_EDIT, CONTEXT, [help]).session).toBe('help')
  })
  it('refuses what there is no command for', () => {
    const call = { name: 'fly', arguments: {} } as unknown as CommandCall
    expect(runCommand(SAMPLE_EDIT, CONTEXT, call)).toEqual({
      kind: 'refused',
      why: 'There is no such command.',
    })
    expect(commandOf('fly')).toBeUndefined()
    expect(EDIT_COMMANDS.map(({ name }) => name)).not.toContain('undo')
    expect(COMMANDS.map(({ name }) => name)).toContain('undo')
  })
  it('asks for other words where none is near', () => {
    expect(doMessage(SAMPLE_EDIT, CONTEXT, 'qwxyz bjq').lines).toEqual([
      { kind: 'unknown', text: '“qwxyz bjq” was not understood. Ask “what can you do?”.' },
    ])
  })
  it.each<readonly [kinds: Line['kind'][], whole: boolean]>([
    [[], true],
    [['done', 'done'], true],
    [['done', 'refused'], false],
    [['unknown'], false],
  ])('%j is whole: %j', (kinds, whole) => {
    const lines = kinds.map((kind) => ({ kind, text: '' }))
    expect(isWhole({ edit: SAMPLE_EDIT, lines, session: null })).toBe(whole)
  })
})

/** 25 pictures a second: 10 to 12 s at double speed, then 14 to 16 s, then half a second of an end card. */
const span = (startFrame: number, endFrame: number, start: number, end: number, playbackRate: number) => ({
  startFrame,
  endFrame,
  playbackRate,
  sourceStart: start * TICKS_PER_SECOND,
  sourceEnd: end * TICKS_PER_SECOND,
})
const COMPOSITION = {
  timeMap: [span(0, 25, 10, 12, 2), span(25, 75, 14, 16, 1)],
  output: { width: 1080, height: 1920, frameRate: { numerator: 50, denominator: 2 } },
  durationFrames: 87.5,
  tailFrames: 12.5,
} as unknown as Composition
const opened = (composition: Composition): OpenedClip =>
  ({
    editor: { words: SAMPLE_WORDS },
    composed: { cut: { startTimestamp: 10, endTimestamp: 16, segments: [] } },
    preview: { composition },
  }) as unknown as OpenedClip

describe('contextOf', () => {
  const context = contextOf(opened(COMPOSITION), 11)
  it('knows the picture and its length without the end card', () => {
    expect(context).toMatchObject({ length: 3, playhead: 11, output: { width: 1080, height: 1920 } })
    expect(contextOf(opened({ ...COMPOSITION, tailFrames: 0 }), 11).length).toBe(3.5)
  })
  it.each([
    [-1, 10],
    [0, 10],
    [0.5, 11],
    [0.96, 11.92],
    [1, 14],
    [1.5, 14.5],
    [2.5, 15.5],
    [3, 16],
    [9, 16],
  ])('%d s played is %d s of the source', (played, source) => {
    expect(context.sourceAt(played)).toBeCloseTo(source, 6)
  })
  it('is at the beginning of nothing', () => {
    expect(contextOf(opened({ ...COMPOSITION, timeMap: [] }), 0).sourceAt(5)).toBe(0)
  })
  it('hears no word that is not there', () => {
    expect(context.heard(SAMPLE_EDIT.cut, 9_999)).toBe(false)
  })
  it('lists what nodes leave out, but for what rounding does', () => {
    const cut = { startTimestamp: 10, endTimestamp: 16, segments: [] }
    expect(cutByNodes(cut, COMPOSITION)).toEqual([{ start: 12, end: 14 }])
    const rounded = [span(0, 25, 10, 12, 1), span(25, 75, 12.05, 15.97, 1)]
    expect(cutByNodes(cut, { ...COMPOSITION, timeMap: rounded })).toEqual([])
  })
})
