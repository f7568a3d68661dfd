/**
 * Golden frames: the compositor still draws what it drew when a person looked at it. `npm run golden:sheet` shows expected,
 * actual and difference of each on one page; renew with `node test/golden/renew.ts` after looking. A failing case leaves
 * the same of itself in test/.artifacts/golden.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GOLDEN_CASES } from './cases.ts'
import { ARTIFACTS, compare, contactSheet, drawCase, IMAGES, readPicture } from './draw.ts'

// Skia's antialiasing differs a little between processors; a moved or recoloured letter is far beyond this.
const MEAN_SIMILARITY = 0.995
const WORST_WINDOW = 0.85
const MEAN_DIFFERENCE = 0.6

describe('golden frames', () => {
  it.each(GOLDEN_CASES.map((golden) => [golden.name, golden] as const))('%s', async (name, golden) => {
    const wanted = await readPicture(join(IMAGES, `${name}.png`))
    const drawn = await drawCase(golden)
    const result = compare(wanted, drawn)
    const same =
      result.mean >= MEAN_SIMILARITY && result.worst >= WORST_WINDOW && result.difference <= MEAN_DIFFERENCE
    if (!same) {
      await mkdir(ARTIFACTS, { recursive: true })
      const sheet = await contactSheet(wanted, drawn).encode('png')
      await writeFile(join(ARTIFACTS, `${name}.png`), sheet)
    }
    expect(result.mean).toBeGreaterThanOrEqual(MEAN_SIMILARITY)
    expect(result.worst).toBeGreaterThanOrEqual(WORST_WINDOW)
    expect(result.difference).toBeLessThanOrEqual(MEAN_DIFFERENCE)
  })

  it('has a picture for every case and no other', async () => {
    const files = (await readdir(IMAGES)).toSorted()
    expect(files).toEqual(GOLDEN_CASES.map((golden) => `${golden.name}.png`).toSorted())
  })

  it('detects a word in another colour, and a frame too early', async () => {
    const [colour] = GOLDEN_CASES
    if (colour === undefined) throw new Error('no cases')
    const early = await drawCase({ ...colour, frame: 19 })
    const result = compare(await drawCase(colour), early)
    expect(result.difference).toBeGreaterThan(MEAN_DIFFERENCE)
  })
})
