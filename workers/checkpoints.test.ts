import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCheckpoints } from './checkpoints.ts'

let temporary: string
let reached: number[]
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'cutroom-checkpoints-'))
  reached = []
})
afterEach(() => rm(temporary, { recursive: true, force: true }))

const openHere = () => openCheckpoints({ temporary, checkpoint: (position) => void reached.push(position) })
const VALUE = { list: [1, -0, Number.NaN, null], floats: Float32Array.of(0.1, 2), open: new Map([[1, 'a']]) }

describe('checkpoints', () => {
  it('give back exactly what was stored, and say how far they reach', async () => {
    await openHere().write('a', VALUE, 3)
    expect(await openHere().read('a')).toEqual(VALUE)
    expect([await openHere().read('b'), reached]).toEqual([null, [3]])
    expect(await readdir(temporary)).toEqual(['a.checkpoint'])
  })

  it('make a value once', async () => {
    let made = 0
    const keep = () => openHere().keep('a', 1, () => Promise.resolve((made += 1)))
    expect([await keep(), await keep(), made]).toEqual([1, 1, 1])
  })

  it('keep a value that is null', async () => {
    expect(await openHere().keep('a', 1, () => Promise.resolve(null))).toBeNull()
    expect(await openHere().keep('a', 1, () => Promise.resolve(7))).toBeNull()
  })

  it('give back the values of a piece that were kept now and then, and make the rest', async () => {
    const made: number[] = []
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const live = async (piece: number, values: number): Promise<number[]> => {
      const once = await openHere().resumeValues<number>('found', piece, 100 * piece)
      const found: number[] = []
      for (let at = 0; at < values; at += 1)
        found.push(
          await once(async () => {
            made.push(at)
            // The third takes long, so that what there is by then is kept.
            if (at === 2) await wait(1600)
            return 10 * piece + at
          }),
        )
      return found
    }
    expect(await live(3, 4)).toEqual([30, 31, 32, 33])
    expect(reached, 'the first, and what there was after a while').toEqual([301, 303])
    expect(await live(3, 5)).toEqual([30, 31, 32, 33, 34])
    expect(made).toEqual([0, 1, 2, 3, 3, 4])
    expect(await live(4, 1), 'those of another piece are none of this one').toEqual([40])
  })

  it('go on after the last piece that is whole', async () => {
    const made: number[] = []
    const pass = (count: number) =>
      openHere().passPieces(
        'state',
        { first: { pieces: 0, sum: 0 }, count, position: (pieces) => 10 * pieces },
        ({ pieces, sum }) => {
          made.push(pieces)
          return Promise.resolve({ pieces: pieces + 1, sum: sum + pieces })
        },
      )
    expect(await pass(3)).toEqual({ pieces: 3, sum: 3 })
    expect([reached, made]).toEqual([
      [10, 20, 30],
      [0, 1, 2],
    ])
    expect(await pass(4)).toEqual({ pieces: 4, sum: 6 })
    await truncate(join(temporary, 'state-0.checkpoint'), 7)
    expect(await pass(4)).toEqual({ pieces: 4, sum: 6 })
    expect(made, 'the third was kept, too').toEqual([0, 1, 2, 3, 3])
  })

  it('throw away what was cut off at any length, and what has one bit flipped', async () => {
    await openHere().write('a', VALUE, 1)
    const file = join(temporary, 'a.checkpoint')
    const whole = await readFile(file)
    for (let length = 0; length < whole.length; length += 1) {
      await writeFile(file, whole)
      await truncate(file, length)
      expect(await openHere().read('a'), `${length} bytes`).toBeNull()
      const flipped = Buffer.from(whole)
      flipped[length] = (flipped[length] ?? 0) ^ 1
      await writeFile(file, flipped)
      expect(await openHere().read('a'), `bit of byte ${length}`).toBeNull()
    }
    expect(await openHere().keep('a', 2, () => Promise.resolve('again'))).toBe('again')
  })
})
