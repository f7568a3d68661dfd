import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitSound, type SampleRange } from './split-sound.ts'

/** What each part has of the sound, followed through the chains from where it is split first. */
function rangesOf({ chains, parts }: ReturnType<typeof splitSound>): SampleRange[] {
  const starts = new Map<string, number>([['source', 0]])
  for (const chain of chains) {
    const [, from = '', start, names = ''] =
      /^\[(\w+)\](?:atrim=start_sample=(\d+):end_sample=\d+,asetpts=N\/SR\/TB)?(?:,?(?:asplit=\d+)?)((?:\[\w+\])+)$/.exec(
        chain,
      ) ?? []
    const at = (starts.get(from) ?? NaN) + Number(start ?? 0)
    for (const [, name = ''] of names.matchAll(/\[(\w+)\]/g)) starts.set(name, at)
  }
  return parts.map((part) => {
    const [, from = '', start, end] =
      /^\[(\w+)\]atrim=start_sample=(\d+):end_sample=(\d+),asetpts=N\/SR\/TB$/.exec(part) ?? []
    const at = starts.get(from) ?? NaN
    return { from: at + Number(start), to: at + Number(end) }
  })
}

/** Ranges one after the other, each of which may reach into the one before, as in a crossfade. */
const followingRanges = fc
  .array(
    fc.record({ gap: fc.integer({ min: -200, max: 5000 }), length: fc.integer({ min: 400, max: 9000 }) }),
    {
      minLength: 1,
      maxLength: 200,
    },
  )
  .map((steps) => {
    let at = 1000
    return steps.map(({ gap, length }): SampleRange => {
      const from = at + gap
      at = from + length
      return { from, to: at }
    })
  })

describe('splitSound', () => {
  it('gives each range its own samples', () => {
    fc.assert(
      fc.property(followingRanges, (ranges) => {
        expect(rangesOf(splitSound('[source]', ranges, 'a'))).toEqual(ranges)
      }),
    )
  })

  it('splits a few ways at a time, each part of what its own ranges take', () => {
    const ranges = Array.from({ length: 400 }, (_, at) => ({ from: at * 100, to: at * 100 + 90 }))
    const { chains } = splitSound('[source]', ranges, 'a')
    expect(chains[0]).toBe('[source],asplit=8[ax0][ax1][ax2][ax3][ax4][ax5][ax6][ax7]')
    expect(chains[1]).toMatch(/^\[ax0\]atrim=start_sample=0:end_sample=4990,asetpts=N\/SR\/TB,asplit=8/)
    for (const chain of chains) expect(Number(/asplit=(\d+)/.exec(chain)?.[1])).toBeLessThanOrEqual(8)
  })

  it('takes one range without a split', () => {
    expect(splitSound('[0:1]anull', [{ from: 5, to: 9 }], 'a')).toEqual({
      chains: ['[0:1]anull[a]'],
      parts: ['[a]atrim=start_sample=5:end_sample=9,asetpts=N/SR/TB'],
    })
  })
})
