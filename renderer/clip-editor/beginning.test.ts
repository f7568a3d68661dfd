import { expect, it } from 'vitest'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { beginningOf, begin, record, type History, type Step } from './history.ts'
import { editOf, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'

/** A clip whose captions are of this size. */
const clipOf = (fontSize: number, title = 'Talk'): StudioEditor =>
  ({
    id: 'clip',
    title,
    startTimestamp: 1,
    endTimestamp: 9,
    segments: [],
    words: [],
    speakers: [],
    subtitleConfig: { fontSize },
    overrides: { zooms: [] },
    broll: [],
  }) as unknown as StudioEditor
const sized = (fontSize: number, title?: string): ClipEdit => editOf(clipOf(fontSize, title))
const stepsOf = (...edits: ClipEdit[]): History =>
  edits
    .slice(1)
    .reduce(
      (history, edit) => record(history, { edit, words: null }),
      begin<Step>({ edit: edits[0] ?? sized(40), words: null }),
    )

it('opens what the appliance has, and what is not saved of it as a step', () => {
  expect(beginningOf(clipOf(40), null, null)).toEqual({
    base: sized(40),
    history: stepsOf(sized(40)),
    isConflict: false,
  })
  expect(beginningOf(clipOf(40, 'Theirs'), { base: sized(40), edit: sized(61) }, null)).toEqual({
    base: sized(40, 'Theirs'),
    history: stepsOf(sized(40, 'Theirs'), sized(61, 'Theirs')),
    isConflict: false,
  })
})

it('leaves edits where they were while somebody else has changed the same', () => {
  const draft = { base: sized(40), edit: sized(61) }
  const history = stepsOf(sized(40), sized(50), sized(61))
  const opened = { base: sized(40), history, isConflict: true }
  expect(beginningOf(clipOf(33), draft, { history, base: sized(40) })).toEqual(opened)
  expect(beginningOf(clipOf(33), draft, null)).toEqual({
    ...opened,
    history: stepsOf(sized(40), sized(61)),
  })
  // Both have chosen the same.
  expect(beginningOf(clipOf(61), draft, null).isConflict).toBe(false)
})

it('takes what this window has saved, and was gone before it heard so, for nobody else’s', () => {
  const history = stepsOf(sized(40), sized(50), sized(61))
  const draft = { base: sized(40), edit: sized(61) }
  expect(beginningOf(clipOf(50), draft, { history, base: sized(40) })).toEqual({
    base: sized(50),
    history,
    isConflict: false,
  })
})

it('brings back the steps that lead to what there is, together with what others have saved', () => {
  const history = stepsOf(sized(40), sized(50))
  const stored = { history, base: sized(50) }
  expect(beginningOf(clipOf(50), null, stored).history).toEqual(history)
  expect(beginningOf(clipOf(50, 'Theirs'), null, stored).history).toEqual(
    stepsOf(sized(40, 'Theirs'), sized(50, 'Theirs')),
  )
  expect(beginningOf(clipOf(33), { base: sized(33), edit: sized(34) }, stored).history).toEqual(
    stepsOf(sized(33), sized(34)),
  )
})
