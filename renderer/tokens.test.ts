/** Sizes of type, radii, shadows and colours come from tokens.css: whatever a component sets itself is found here. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const RENDERER = import.meta.dirname
/** What a radius may be besides a token: no corner, bars of a few pixels, circles, and what lies exactly over another. */
const RADII = new Set(['0', '2px', '50%', 'inherit'])
/** Rings and edges, which have no blur, and the one shadow of what floats. */
const SHADOW = /^(var\(--shadow\)|none|(inset )?-?\d+(px)? -?\d+(px)?( 0( \d+\w*)?)? var\(--[\w-]+\))$/

const COLOUR =
  /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|lab)a?\(|\b(white|black|red|orange|green|gr[ae]y|blue|yellow)\b(?!-)/i

/** Whether a declaration sets a value of its own. */
function isStray(name: string, value: string): boolean {
  const parts = (at: RegExp): string[] => value.split(at).map((one) => one.trim())
  if (/^font(-size)?$/.test(name) && /\d(rem|px|pt|em|%)/.test(value)) return true
  if (/^border(-[a-z]+)*-radius$/.test(name))
    return parts(/\s+/).some((one) => !RADII.has(one) && !/^var\(--radius[\w-]*\)$/.test(one))
  if (name === 'box-shadow' && parts(/,(?![^(]*\))/).some((one) => !SHADOW.test(one))) return true
  return COLOUR.test(value.replaceAll(/var\([^)]*\)|url\([^)]*\)/g, ''))
}

/** Each declaration of a sheet of styles that does not come from the tokens. */
function strayStyles(css: string): string[] {
  const declarations = css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .matchAll(/(?:^|[;{\s])(-{0,2}[a-z][\w-]*)\s*:\s*([^;{}]+)(?=[;}])/g)
  return [...declarations]
    .map(([, name = '', value = '']) => ({ name, value: value.trim().replaceAll(/\s+/g, ' ') }))
    .filter(({ name, value }) => isStray(name, value))
    .map(({ name, value }) => `${name}: ${value}`)
}

const stylesOf = (file: string, text: string): string =>
  file.endsWith('.css')
    ? text
    : [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css]) => css).join('\n')

it('finds what does not come from the tokens', () => {
  expect(
    strayStyles(
      '.a { font-size: 0.8rem; color: #fff; border-radius: 5px; box-shadow: 0 1px 4px var(--veil); font: 700 12px x }',
    ),
  ).toHaveLength(5)
  expect(
    strayStyles(
      '.a:hover { font-size: var(--text-12); font: inherit; color: var(--white); border-radius: 50%; box-shadow: 0 0 0 1px var(--line) }',
    ),
  ).toEqual([])
})

it('has every size, radius, shadow and colour of the studio in the tokens', async () => {
  const files = (await readdir(RENDERER, { recursive: true })).filter(
    (file) => /\.(svelte|css)$/.test(file) && file !== 'tokens.css',
  )
  const found = await Promise.all(
    files.map(async (file) =>
      strayStyles(stylesOf(file, await readFile(join(RENDERER, file), 'utf8'))).map(
        (what) => `${file}: ${what}`,
      ),
    ),
  )
  expect(found.flat()).toEqual([])
  expect(files.length).toBeGreaterThan(100)
})
