import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { RequestRefused } from '../state/request-refused.ts'
import { recordResponse, SESSION_PATH } from '../state/signed-out.ts'
import { editOf } from '../../server/nodes/editing/clip-edit.ts'
import { createSaver, type SaveState } from './saver.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const clipOf = (fontSize: number): StudioEditor =>
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
    etag: '1',
  }) as unknown as StudioEditor

it('saves what was refused after the session ended as soon as somebody is signed in again', async () => {
  const editor = clipOf(40)
  const states: SaveState[] = []
  const save = vi.fn(() => {
    recordResponse('/studio/clips/clip', 401)
    return Promise.reject(new RequestRefused(401, 'You are signed out.'))
  })
  const saver = createSaver({
    id: 'clip',
    now: () => ({ editor, base: editOf(editor), edit: editOf(clipOf(61)) }),
    open: () => Promise.resolve(editor),
    save,
    saved: () => undefined,
    rebase: () => undefined,
    beside: () => undefined,
    report: (state) => void states.push(state),
  })
  saver.edited()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([states.at(-1), save.mock.calls.length]).toEqual(['refused', 1])
  recordResponse(SESSION_PATH, 200)
  await vi.advanceTimersByTimeAsync(0)
  expect(save.mock.calls.length).toBe(2)
})
