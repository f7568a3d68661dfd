/** Signing in by password, and setting one. Which of address and password was wrong shows in no answer and no time. */
import { invalidRequest } from '../../contract/errors.ts'
import { normalPassword, PASSWORD_SENTENCES, passwordProblem } from '../../contract/password-rules.ts'
import { findPassword, findPersonByEmail, savePassword } from '../../db/credentials.ts'
import type { ClockServices, DbServices } from '../services.ts'
import { hashPassword, isPassword } from './argon2/hash.ts'

/** What is compared where there is no such person, so that it takes as long: the hash of a password that was thrown away. */
let nobody: Promise<string> | null = null

/** The id of the person whose address and password these are, or null. RATE_LIMITED. */
export async function checkSignIn(
  services: DbServices,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string | null> {
  const person = findPersonByEmail(services.db, email.normalize('NFC').trim().toLowerCase())
  const stored = person === null ? null : findPassword(services.db, person.id)
  const hash = stored?.hash ?? (await (nobody ??= hashPassword('nobody has this password')))
  const right = await isPassword(normalPassword(password), hash)
  return right && stored !== null && person !== null ? person.id : null
}

/** Whether it is this person's password. RATE_LIMITED. */
export async function isOwnPassword(
  services: DbServices,
  personId: string,
  password: string,
): Promise<boolean> {
  const stored = findPassword(services.db, personId)
  return stored !== null && (await isPassword(normalPassword(password), stored.hash))
}

/** The hash to store. INVALID_REQUEST for a password that is too easy. `about`: name and address of the person. */
export async function hashNewPassword(password: string, about: readonly string[]): Promise<string> {
  const problem = passwordProblem(password, about)
  if (problem !== null) throw invalidRequest('password', PASSWORD_SENTENCES[problem])
  return hashPassword(normalPassword(password))
}

export function storePassword(services: ClockServices, personId: string, hash: string): void {
  savePassword(services.db, { personId, hash, changedAt: services.now() })
}
