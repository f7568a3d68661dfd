/** Who is signed in: what they may do decides what the settings offer. The server holds it, whatever is shown. */
import type { StudioSession } from '../../server/contract/studio.ts'

export interface Me {
  readonly id: string
  readonly name: string
  readonly role: 'owner' | 'editor' | 'viewer'
  readonly companyId: string
  readonly companies: StudioSession['companies']
}

export function meOf({ person, companyId, companies }: StudioSession): Me {
  const known = person ?? { id: '', name: '', role: 'viewer' as const }
  return { ...known, companyId, companies }
}

/** What every section is given. */
export interface SectionProps {
  readonly me: Me
}
