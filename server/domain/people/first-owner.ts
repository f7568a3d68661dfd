/** The owner that every appliance has. */
import { adoptSessions, firstOwner, insertPerson } from '../../db/people.ts'
import { newId } from '../../ids.ts'
import type { Services } from '../services.ts'

/** The appliance's first owner; made where there is none. Sessions of before there were people become theirs. */
export function ensureOwner(services: Pick<Services, 'db' | 'now'>): { readonly id: string } {
  const find = services.db.sqlite.transaction(() => {
    const known = firstOwner(services.db)
    const id = known?.id ?? newId()
    if (known === null) {
      const owner = { id, name: 'Owner', role: 'owner' as const, companyId: null }
      insertPerson(services.db, { ...owner, createdAt: services.now(), lastSeenAt: null })
    }
    adoptSessions(services.db, id)
    return { id }
  })
  return find.immediate()
}
