/** The appliance's own guide (README.md and docs/*.md) in the search index, section by section. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applicationRoot } from '../../config/config.ts'
import type { Db } from '../../db/client.ts'
import { replaceGuide, type GuideSection } from '../../db/search.ts'
import { getSetting, setSetting } from '../../db/settings.ts'
import { digestOf } from '../../../workers/artefacts.ts'
import type { ClockServices } from '../services.ts'
import { inTransaction } from '../../db/prepared.ts'

const SETTING = 'guide-digest'
const indexed = new WeakSet<Db>()

/** `## Getting in` → `getting-in`, as the headings of rendered Markdown are linked to. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-')

/** Markdown as plain text, without its markup. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/^\s*(?:```.*|\|?[\s|:-]+\|?)$/gmu, '')
    .replaceAll(/[*`|#>]+/gu, ' ')
    .replaceAll(/[ \t]+/gu, ' ')
    .trim()
}

/** PURE: the sections of one file. Headings inside code are none. */
export function sectionsOf(file: string, markdown: string): GuideSection[] {
  const sections: { title: string; lines: string[] }[] = []
  let code = false
  for (const line of markdown.split('\n')) {
    if (/^\s*```/u.test(line)) code = !code
    const heading = code ? undefined : /^#{1,4}\s+(.+?)\s*#*$/u.exec(line)?.[1]
    if (heading !== undefined) sections.push({ title: plain(heading), lines: [] })
    else if (sections.length === 0) sections.push({ title: file, lines: [line] })
    else sections.at(-1)?.lines.push(line)
  }
  const first = sections[0]?.title ?? file
  const used = new Map<string, number>()
  return sections
    .filter(({ title, lines }) => title !== file || lines.some((line) => line.trim() !== ''))
    .map(({ title, lines }) => {
      const anchor = anchorOf(title)
      const before = used.get(anchor) ?? 0
      used.set(anchor, before + 1)
      const id = `${file}#${anchor}${before === 0 ? '' : `-${before}`}`
      return { id, title, tags: title === first ? file : first, body: plain(lines.join('\n')) }
    })
}

/** The pages of the guide that are installed; an installation may have none. */
function readGuide(root: string): GuideSection[] {
  const folder = join(root, 'docs')
  const docs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : []
  return ['README.md', ...docs.sort().map((name) => `docs/${name}`)]
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) => sectionsOf(file, readFileSync(join(root, file), 'utf8')))
}

/** Puts the guide into the index, when it is another one than there. Once for each connection; it may be called often. */
export function storeGuide({ db, now }: ClockServices): void {
  if (indexed.has(db)) return
  const sections = readGuide(applicationRoot())
  const digest = digestOf(sections)
  if (getSetting(db, SETTING) !== digest)
    inTransaction(db, () => {
      replaceGuide(db, sections, now())
      setSetting(db, SETTING, digest)
    })
  indexed.add(db)
}
