import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { RequestRefused } from '../state/request-refused.ts'
import { editOf, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import { createSaver, type SaveState } from './saver.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const clipOf = (fontSize: number, revision = 1): StudioEditor =>
  ({
    id: 'clip',
    title: 'Talk',
    startTimestamp: 1,
    endTimestamp: 9,
    segments: [],
    speakers: [],
    subtitleConfig: { fontSize },
    overrides: { zooms: [] },
    broll: [],
    words: [],
    etag: String(revision),
  }) as unknown as StudioEditor
const sized = (fontSize: number): ClipEdit => editOf(clipOf(fontSize))

/** An appliance with one clip, and a page on which it is open. */
function stage() {
  let held = clipOf(40)
  let state = { editor: held, base: editOf(held), edit: editOf(held) }
  const states: SaveState[] = []
  const beside: StudioEditor[] = []
  let answers = Promise.resolve()
  /** The clip cannot be read. */
  let isAway = false
  const next = (editor: StudioEditor, fontSize: unknown): StudioEditor =>
    clipOf(Number(fontSize), Number(editor.etag) + 1)
  const saver = createSaver({
    id: 'clip',
    now: () => state,
    open: () => (isAway ? Promise.reject(new RequestRefused(0, 'away')) : Promise.resolve(held)),
    saved: (base, etag) => (state = { ...state, base, editor: { ...state.editor, etag } }),
    save: async (_id, { etag, updates }) => {
      if (etag !== held.etag) throw new RequestRefused(412, 'newer')
      held = next(held, (updates['subtitleConfig'] as { fontSize: number }).fontSize)
      const { etag: made } = held
      await answers
      return { etag: made, warnings: [] }
    },
    rebase: (editor, edit) => {
      state = { editor, base: editOf(editor), edit }
      saver.edited()
    },
    beside: (newest) => void beside.push(newest),
    report: (save) => void states.push(save),
  })
  return {
    saver,
    states,
    beside,
    edit: (fontSize: number) => {
      state = { ...state, edit: sized(fontSize) }
      saver.edited()
    },
    away: (is: boolean) => void (isAway = is),
    saveElsewhere: (fontSize: number) => void (held = next(held, fontSize)),
    /** Answers to what is saved wait from now on, until what this returns is called. */
    hold: () => {
      const held = Promise.withResolvers<undefined>()
      answers = held.promise
      return () => held.resolve(undefined)
    },
    sizes: () => [held.subtitleConfig['fontSize'], state.edit.subtitleConfig['fontSize']],
  }
}

it.each([
  ['ours', [61, 61]],
  ['theirs', [33, 33]],
] as const)('saves nothing over what others have changed too, before %s is chosen', async (keep, sizes) => {
  const { saver, states, beside, edit, saveElsewhere, sizes: now } = stage()
  saveElsewhere(33)
  edit(61)
  await saver.renew()
  expect([states.at(-1), beside.length]).toEqual(['conflict', 1])
  await vi.advanceTimersByTimeAsync(10_000)
  edit(61)
  await saver.now()
  expect(now()).toEqual([33, 61])
  // Read again meanwhile, it is still the same question.
  await saver.renew()
  expect(states.at(-1)).toBe('conflict')
  saver.settle(keep)
  await vi.advanceTimersByTimeAsync(10_000)
  expect([states.at(-1), now()]).toEqual(['saved', sizes])
})

it('ends a conflict that others have taken back', async () => {
  const { saver, states, edit, saveElsewhere, sizes } = stage()
  saveElsewhere(33)
  edit(61)
  await saver.renew()
  saveElsewhere(40)
  await saver.renew()
  await vi.advanceTimersByTimeAsync(10_000)
  expect([states.at(-1), sizes()]).toEqual(['saved', [61, 61]])
})

it.each([
  ['ours', [61, 61]],
  ['theirs', [33, 33]],
] as const)(
  'asks before it saves over what others saved while its own save was answered: %s',
  async (keep, sizes) => {
    const { saver, states, edit, hold, saveElsewhere, sizes: now } = stage()
    const answer = hold()
    edit(50)
    const saved = saver.now()
    edit(61)
    saveElsewhere(33)
    answer()
    await saved
    await vi.advanceTimersByTimeAsync(10_000)
    expect([states.at(-1), now()]).toEqual(['conflict', [33, 61]])
    saver.settle(keep)
    await vi.advanceTimersByTimeAsync(10_000)
    expect([states.at(-1), now()]).toEqual(['saved', sizes])
  },
)

it('reads what others have saved once it can, where the appliance went away after a save', async () => {
  const { saver, states, edit, away, saveElsewhere, sizes } = stage()
  edit(50)
  away(true)
  await saver.now()
  expect(states.at(-1)).toBe('waiting')
  saveElsewhere(33)
  away(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect([states.at(-1), sizes()]).toEqual(['saved', [33, 33]])
})

it('does not take its own save for somebody else’s', async () => {
  const { saver, states, edit, hold, sizes } = stage()
  const answer = hold()
  edit(50)
  const saved = saver.now()
  edit(61)
  const renewed = saver.renew()
  await vi.advanceTimersByTimeAsync(2000)
  answer()
  await Promise.all([saved, renewed])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(states).not.toContain('conflict')
  expect([states.at(-1), sizes()]).toEqual(['saved', [61, 61]])
})
