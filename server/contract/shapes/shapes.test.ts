import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { convertToVertical } from '../../nodes/types/convert-to-vertical.ts'
import { aspectName, outputShape } from '../../nodes/settings.ts'
import { pixelsOf, ThumbnailSizeName } from '../thumbnail.ts'
import { SHAPE_TERMS, SHAPES } from './registry.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RATIO = new RegExp(`['"\`](?:${SHAPES.map(({ ratio }) => ratio).join('|')})['"\`]`)

/** Source files that write a ratio down themselves, so that a new shape would miss them. */
const filesWithRatios = (): string[] =>
  globSync(['server/**/*.ts', 'renderer/**/*.{ts,svelte}', 'workers/**/*.ts'], { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('server/contract/shapes/'))
    .filter((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .some((line) => !/^\s*(?:\/?\*|\/\/)/.test(line) && RATIO.test(line)),
    )

it('is the only place that names the ratios', () => {
  expect(filesWithRatios()).toEqual([])
})

it.each(SHAPES)('$ratio is a folder entry, a setting, a thumbnail and a word of the chat', (shape) => {
  const { ratio, width, height, thumbnailSizes } = shape
  expect(ratio).toBe(`${width}:${height}`)
  const config = { aspect_ratio: ratio }
  const made = outputShape([{ id: 'a', type: 'convert_to_vertical', enabled: true, config }], { video: null })
  expect(made.aspectRatio).toBe(ratio)
  expect(made.width / made.height).toBeCloseTo(width / height, 2)
  expect(JSON.stringify(convertToVertical.config)).toContain(ratio)
  for (const size of thumbnailSizes) {
    const pixels = pixelsOf(size)
    expect(aspectName(pixels?.width ?? 0, pixels?.height ?? 0)).toBe(ratio)
    expect(JSON.stringify(ThumbnailSizeName)).toContain(size)
  }
  const terms = new RegExp(`^(?:${SHAPE_TERMS[ratio]})$`)
  expect([`${width} by ${height}`, ratio].every((text) => terms.test(text))).toBe(true)
})

it('has one file for each entry', () => {
  const files = globSync('server/contract/shapes/*.ts', { cwd: ROOT }).length
  expect(files - ['shape.ts', 'registry.ts', 'shapes.test.ts'].length).toBe(SHAPES.length)
})
