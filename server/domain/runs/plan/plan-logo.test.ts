import { expect, it } from 'vitest'
import { failed, found, heard, node, plan, snapshotOf, words } from '../../../../test/support/plan-case.ts'

const snapshot = snapshotOf([
  node('find_clips', { min_length: 10, max_length: 30 }),
  node('remove_watermark', { remove_watermark_config: { auto: true } }),
])
const rows = { ...heard, captions: words, 'find-clips': found }
const LOGOS = { logos: { places: [], unsure: false }, pictures: 48 }

it('is looked for beside everything else when a node asks, and the clips wait for the answer', () => {
  const first = plan({ rows: heard, snapshot }).ready.find(({ slot }) => slot === 'find-logo')
  expect(first?.params).toEqual({ streamIndex: 0, durationSeconds: 60, width: 640, height: 360 })
  expect(plan({ rows, snapshot }).makeClips).toBe(false)
  expect(plan({ rows: { ...rows, 'find-logo': LOGOS }, snapshot }).makeClips).toBe(true)
  const without = plan({ rows })
  expect([without.makeClips, without.slots.some(({ slot }) => slot === 'find-logo')]).toEqual([true, false])
})

it('goes on without it where the look fails', () => {
  const { makeClips, failure, warnings } = plan({
    rows: { ...rows, 'find-logo': failed('STAGE_FAILED') },
    snapshot,
  })
  expect([makeClips, failure]).toEqual([true, undefined])
  expect(warnings).toContainEqual(expect.stringMatching(/^No logo was looked for\./))
})
