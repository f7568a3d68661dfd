/** Which company this window shows. Requests, live updates and addresses follow it; other windows may show others. */
import type { StudioSession } from '../../server/contract/studio.ts'

type Companies = StudioSession['companies']

let shown: string | null = null
/** Whether addresses name the company: where a person may open several. */
let named = false

/** The company's id; null until the session has been read. */
export const shownCompany = (): string | null => shown

/** The company that addresses name; null: there is only one. */
export const namedCompany = (): string | null => (named ? shown : null)

/** Shows this company from now on. */
export function showCompany(id: string, companies: Companies): void {
  shown = id
  named = companies.length > 1
}

/**
 * The company to open a window with: the one of its address, else the one that was open last, else the person's own.
 * Null where the address names one that they may not open.
 */
export function chooseCompany(
  { companyId, companies }: Pick<StudioSession, 'companyId' | 'companies'>,
  addressed: string | undefined,
  last: string | null,
): string | null {
  const mayOpen = (id: string): boolean => companies.some((one) => one.id === id)
  if (addressed !== undefined) return mayOpen(addressed) ? addressed : null
  return last !== null && mayOpen(last) ? last : companyId
}

const key = (personId: string): string => `cutroom-company-${personId}`

/** The company that this person had open last in this browser. */
export const lastCompany = (personId: string): string | null => localStorage.getItem(key(personId))

export const rememberCompany = (personId: string, id: string): void => localStorage.setItem(key(personId), id)
