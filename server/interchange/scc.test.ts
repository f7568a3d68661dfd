import { describe, expect, it } from 'vitest'
import { rate } from '../../test/support/export-clip.ts'
import { writeScc } from './scc.ts'
import type { EditedWord } from './words.ts'

/** Words at 25 frames a second. */
const word = (text: string, startFrame: number, endFrame: number): EditedWord => ({
  text,
  startFrame,
  endFrame,
  speaker: 0,
  joinsNext: false,
})
const scc = (...words: readonly EditedWord[]): string[] =>
  writeScc({ title: '', language: 'en', rate: rate(25), durationFrames: 2500, words, speakers: [] })
    .split('\n')
    .filter((line) => line !== '')

/** Frames at 29.97, without dropped numbers in the first minute. */
const frameOf = (line: string | undefined): number => {
  const [, seconds = NaN, frames = NaN] = /^00:00:(\d\d);(\d\d)\t/.exec(line ?? '')?.map(Number) ?? []
  return seconds * 30 + frames
}
const pairsOf = (line: string | undefined): string[] => line?.split('\t')[1]?.split(' ') ?? []

describe('closed captions', () => {
  it('are loaded before the moment at which they are shown, and cleared', () => {
    const [head, load, clear, ...more] = scc(word('Hi.', 100, 150))
    expect([head, more]).toEqual(['Scenarist_SCC V1.0', []])
    // Row 15, column 12 and two to the right: 3 letters are centred in 32 columns.
    expect(pairsOf(load)).toEqual('9420 9420 94ae 94ae 9476 9476 97a2 97a2 c8e9 ae80 942f 942f'.split(' '))
    // At 4 s, which is frame 119.88: the last but one of the twelve pairs shows it.
    expect(frameOf(load) + 10).toBe(120)
    expect([frameOf(clear), pairsOf(clear)]).toEqual([180, ['942c', '942c']])
  })

  it('stay until the next one where the gap is short, and are never sent two at a time', () => {
    const lines = scc(word('One.', 100, 120), word('Two.', 130, 140), word('Three.', 141, 200)).slice(1)
    expect(lines.map((line) => pairsOf(line).includes('942c'))).toEqual([false, false, false, true])
    for (const [index, line] of lines.entries()) {
      const before = lines[index - 1]
      if (before !== undefined)
        expect(frameOf(line)).toBeGreaterThanOrEqual(frameOf(before) + pairsOf(before).length)
    }
  })

  it('wraps at 32 letters, the last row at the bottom', () => {
    const long = Array.from({ length: 8 }, (_, index) =>
      word(`number${index}`, 100 + index * 10, 109 + index * 10),
    )
    const [load] = scc(...long).slice(1)
    const rows = pairsOf(load).filter(
      (pair, index, all) => /^(?:13|94|b3)[567d-f]/.test(pair) && pair !== all[index - 1],
    )
    expect(rows.length).toBe(2)
  })

  it('writes accents as older and newer receivers read them, and leaves out what has no letter', () => {
    const pairs = (text: string): string[] =>
      pairsOf(scc(word(text, 100, 150))[1])
        .slice(6, -2)
        .filter((pair) => !pair.startsWith('97'))
    // é is a letter of one byte; à has two bytes of its own; Ü is a U that the next pair replaces.
    expect(pairs('né')).toEqual(['6edc'])
    expect(pairs('xà')).toEqual(['f880', '9138', '9138'])
    expect(pairs('Ü')).toEqual(['d580', '92a4', '92a4'])
    expect(pairs("it's")).toEqual(['e9f4', 'a773'])
    expect(pairs('日本x')).toEqual(['f880'])
  })
})
