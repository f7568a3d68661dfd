/** The search over all settings: of the studio's sections, and of the environment. PURE. */
import { environment } from '../messages/appliance.ts'
import { atOnce, atStart, entries, search } from '../messages/settings-search.ts'

export interface FoundSetting {
  /** The section that has it. */
  readonly section: string
  readonly name: string
  readonly about: string
  /** What it is unless somebody sets it; empty where the section says so. */
  readonly usual: string
  /** Since when a change holds. */
  readonly holds: string
}

const ALL: readonly FoundSetting[] = [
  ...entries.map(([section, name, about, usual, holds]) => ({ section, name, about, usual, holds })),
  ...Object.values(environment.names).map((name) => ({
    section: 'appliance',
    name,
    about: search.outside,
    usual: '',
    holds: atStart,
  })),
]

const plain = (text: string): string => text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '')

interface NamedSection {
  readonly name: string
  readonly label: string
}

const DESCRIBED: ReadonlySet<string> = new Set(entries.map(([section]) => section))

/**
 * Settings that have every word of the query in their name or in what they do; those with it in their name first. Sections
 * of which no setting is described are found by their label.
 */
export function findSettings(query: string, sections: readonly NamedSection[]): readonly FoundSetting[] {
  const words = plain(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const has = (text: string): boolean => words.every((word) => plain(text).includes(word))
  const labelOf = (section: string): string => sections.find(({ name }) => name === section)?.label ?? ''
  const others = sections
    .filter(({ name }) => !DESCRIBED.has(name))
    .map(({ name, label }) => ({ section: name, name: label, about: '', usual: '', holds: atOnce }))
  const found = [...ALL, ...others].filter(({ section, name, about }) =>
    has(`${name} ${about} ${labelOf(section)}`),
  )
  return [...found.filter(({ name }) => has(name)), ...found.filter(({ name }) => !has(name))]
}
