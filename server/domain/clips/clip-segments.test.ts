import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClipSegment } from '../../contract/clip.ts'
import { AppError } from '../../contract/errors.ts'
import { sampleDocument } from '../../../test/support/sample-document.ts'
import { editClip } from './clip-edits.ts'
import { readClipUpdates } from './read-clip-updates.ts'
import { moveSegments, withKeptTimes } from '../../contract/time-map/clip-times.ts'
import { checkSegments } from './clip-segments.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

describe('segments as properties', () => {
  // The model: a clip of 16 quarter seconds; a list of ranges is valid when no quarter is covered twice.
  const LENGTH = 4
  const quarter = fc.integer({ min: -1, max: 18 }).map((n) => n / 4)
  const range = fc.record({
    start: quarter,
    end: quarter,
    playbackRate: fc.constantFrom(undefined, 0.5, 1, 2),
  })
  const valid = (ranges: readonly { start: number; end: number }[]): boolean => {
    const covered = new Array<number>(16).fill(0)
    for (const { start, end } of ranges) {
      if (start < 0 || start >= end || end > LENGTH) return false
      for (let q = start * 4; q < end * 4; q++) covered[q] = (covered[q] ?? 0) + 1
    }
    return covered.every((times) => times <= 1)
  }

  it('are accepted exactly when the model says so; stored sorted; duration is the sum of what is played', () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 4 }), (ranges) => {
        const given = ranges.map(({ playbackRate, ...one }) => ({
          ...one,
          ...omitUndefined({ playbackRate }),
        }))
        const document = sampleDocument({ endTimestamp: 14, duration: LENGTH })
        const act = () => {
          const updates = readClipUpdates({ segments: given })
          const edit = { document, updates, merge: true, sourceDuration: null, segmentsIn: 'cut' as const }
          return withKeptTimes(editClip(edit).document)
        }
        if (!valid(ranges)) {
          expect(act).toThrow(AppError)
          return
        }
        const after = act()
        const starts = after.segments.map((one) => one.startSeconds)
        expect(starts).toEqual(ranges.map((one) => one.start).sort((a, b) => a - b))
        const played = ranges.reduce((sum, one) => sum + (one.end - one.start) / (one.playbackRate ?? 1), 0)
        // Each range is a whole number of frames, of which there are 30 a second.
        const tolerance = Math.max(1, ranges.length) / 30
        expect(Math.abs(after.duration - (ranges.length === 0 ? LENGTH : played))).toBeLessThan(tolerance)
      }),
      { numRuns: 3000 },
    )
  })

  it('after the cut has moved they obey the rules still, and keep nothing that was not kept or at an edge', () => {
    const cut = fc
      .tuple(fc.nat(20), fc.integer({ min: 1, max: 20 }))
      .map(([start, length]) => ({ start, end: start + length }))
    fc.assert(
      fc.property(cut, cut, fc.array(fc.nat(20), { maxLength: 8 }), (from, to, edges) => {
        const sorted = [...new Set(edges.map((edge) => edge % (from.end - from.start + 1)))].sort(
          (a, b) => a - b,
        )
        const segments: ClipSegment[] = []
        for (let i = 0; i + 1 < sorted.length; i += 2)
          segments.push({ startSeconds: sorted[i] ?? 0, endSeconds: sorted[i + 1] ?? 0 })
        const moved = moveSegments(segments, from, to)
        expect(checkSegments(moved, to.end - to.start)).toEqual(moved)
        for (const one of moved) {
          const middle = to.start + (one.startSeconds + one.endSeconds) / 2
          const before = segments.some(
            (old) => from.start + old.startSeconds <= middle && middle <= from.start + old.endSeconds,
          )
          const atEdge = one.startSeconds === 0 || one.endSeconds === to.end - to.start
          expect(before || atEdge).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
