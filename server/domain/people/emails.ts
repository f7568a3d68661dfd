/** Addresses that people sign in with: compared in lower case, one person each. */
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { findPersonByEmail } from '../../db/credentials.ts'
import type { DbServices } from '../services.ts'

const SHAPE = /^[^\s@]+@[^\s@]+$/

/** The address as it is stored. INVALID_REQUEST for what is none. */
export function emailOf(given: string): string {
  const email = given.normalize('NFC').trim().toLowerCase()
  if (!SHAPE.test(email) || email.length > 254)
    throw invalidRequest('email', 'This is not an email address. It looks like name@example.com.')
  return email
}

/** INVALID_STATE where somebody else has it. */
export function requireFreeEmail(services: DbServices, email: string, personId: string | null): void {
  const owner = findPersonByEmail(services.db, email)
  if (owner !== null && owner.id !== personId)
    throw new AppError('INVALID_STATE', {
      message: 'Somebody in this studio has this email address already.',
      details: { field: 'email' },
    })
}
