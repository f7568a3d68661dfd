/** Another process's lease on an action of the outbox. */
import { applyActionEvent } from '../../server/db/social-actions.ts'
import type { TestServer } from './server.ts'

/** Takes the action; answers how it is let go of in good order. */
export function claimForTest(server: TestServer, id: string, owner = 'somebody-else'): () => void {
  const { db, now } = server.services
  if (applyActionEvent(db, id, { kind: 'claim', owner, now: now() }, now()) === null)
    throw new Error('it could not be claimed')
  return () => void applyActionEvent(db, id, { kind: 'release', owner, now: now() }, now())
}
