/** The studio's texts: no words of ours that were replaced by better ones, and none that only developers know. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const RENDERER = join(import.meta.dirname, '..')
const OLD = [
  'Take out',
  'Take this node out',
  'Made quick to scrub',
  'Pictures are being taken',
  'Across, percent',
  'Down, percent',
  'How close',
  'Seconds to grow',
  'Laid over it',
  'Make a post',
  'What was done is kept',
  'One of these is picked, stably',
  'whatever its name says',
  'Not kept',
  'Not saved yet',
  'Edited by somebody else',
]
const JARGON = /CUTROOM_|\bnpx\b|\bcutroom [a-z]|\bJSON\b|\bcurl\b/

/** Files of the renderer, by their path in it. */
const files = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.(?:svelte|ts)$/.test(path) && !path.includes('.test.') && !path.startsWith('api-docs'),
)
const withoutComments = (path: string): string =>
  readFileSync(join(RENDERER, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|^\s*\/\/.*$/gm, '')

it('have none of the words that better ones have replaced', () => {
  const found = files.flatMap((path) =>
    OLD.filter((words) => withoutComments(path).includes(words)).map((words) => `${path}: ${words}`),
  )
  expect(found).toEqual([])
})

it('name no variables, commands and formats in their catalogues', () => {
  const catalogues = files.filter((path) => path.startsWith('messages'))
  expect(catalogues.length).toBeGreaterThan(15)
  expect(catalogues.filter((path) => JARGON.test(withoutComments(path)))).toEqual([])
})
