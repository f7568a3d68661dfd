/**
 * Everything of the studio that can be opened, as the renderer's own files list it: what is added there is crawled by
 * itself, or fails the crawl until its test says how it is opened.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const RENDERER = join(import.meta.dirname, '..', '..', '..', 'renderer')
const read = (file: string): Promise<string> => readFile(join(RENDERER, file), 'utf8')

async function named(file: string, pattern: RegExp): Promise<string[]> {
  return [...(await read(file)).matchAll(pattern)].map((match) => match[1] ?? '')
}

/** The first words of the addresses of all pages; home is empty. */
const pageNames = (): Promise<string[]> => named('pages.ts', /\bpage\(\s*'([\w-]*)'/g)
const settingNames = (): Promise<string[]> => named('settings/sections.ts', /\bname: '([\w-]+)'/g)
const setUpNames = (): Promise<string[]> => named('set-up/steps.ts', /\bname: '([\w-]+)'/g)
const publishTabs = (): Promise<string[]> => named('pages/Publish.svelte', /\{ name: '([\w-]+)', label:/g)

/** The addresses of all pages, of the sections of the settings and of the steps of the set-up. */
export async function everyPlace(): Promise<string[]> {
  const pages = await pageNames()
  return [
    // Review is of a run, and has no page without one.
    ...pages.filter((name) => !['settings', 'review', 'set-up'].includes(name)),
    ...(await settingNames()).map((name) => `settings/${name}`),
    ...(await setUpNames()).map((name) => `set-up/${name}`),
    ...(await publishTabs()).map((name) => `publish/${name}`),
  ]
}

/** Pages that show one thing of theirs where the address names it. */
export async function pagesOfOneThing(): Promise<string[]> {
  const components = await named('pages.ts', /import\('\.\/(pages\/\w+\.svelte)'\)/g)
  const names = await pageNames()
  const sources = await Promise.all(components.map(read))
  if (names.length !== components.length)
    throw new Error('pages.ts has pages whose name or component the crawl cannot read')
  return names.filter((_, at) => !/\bid: _id\b/.test(sources[at] ?? ''))
}

/** The documents that the appliance serves beside its APIs. */
export const documents = async (): Promise<string[]> =>
  (await readdir(RENDERER)).filter((name) => name.endsWith('.html'))

/** What App.svelte shows to people who are not signed in, by the first word of its address. */
export const pagesOfStrangers = (): Promise<string[]> => named('App.svelte', /const [A-Z_]+ = '([\w-]+)'/g)
