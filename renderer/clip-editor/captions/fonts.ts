/** The list of bundled fonts. */
import type { FontTable } from '../../../workers/compositor/font-table.ts'
import { isTextFamily } from '../../../workers/compositor/fonts.ts'
import { fonts as messages } from '../../messages/captions.ts'
import { throughOutages } from '../../state/outage.ts'

let loading: Promise<FontTable> | undefined

/** `file`: a path below the fonts' folder; the parts of large fonts lie in folders of their own. */
export const fontUrl = (file: string): string => `/fonts/${file.split('/').map(encodeURIComponent).join('/')}`

/** Loads the list of fonts once. Rejects when it cannot be loaded; the next call tries again. */
export function fontTable(): Promise<FontTable> {
  loading ??= throughOutages(() => fetch(fontUrl('fonts.json'))).then((response) => {
    if (!response.ok) throw new Error(messages.listFailed(response.status))
    return response.json() as Promise<FontTable>
  })
  loading.catch(() => (loading = undefined))
  return loading
}

/** Families to choose from, without those that only serve as fallback for other scripts and emojis. */
export function familiesOf(table: FontTable): string[] {
  return [...new Set(table.fonts.map(({ family }) => family))].filter(isTextFamily)
}

/** Weights that a family is drawn in; those of all families for one that is not here. */
export function weightsOf(table: FontTable, family: string): number[] {
  const own = table.fonts.filter((font) => font.family.toLowerCase() === family.toLowerCase())
  const upright = (own.length === 0 ? table.fonts : own).filter(({ style }) => style === 'normal')
  return [...new Set(upright.map(({ weight }) => weight))].toSorted((a, b) => a - b)
}

const NAMES: Readonly<Record<number, string>> = messages.weights

export const weightName = (weight: number): string => NAMES[weight] ?? String(weight)
