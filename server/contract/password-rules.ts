/**
 * What a password must be, by NIST SP 800-63B-4 (3.1.1.2): at least 15 characters where it is the only factor, no rule of
 * composition, and none that is commonly used or expected. PURE: the studio shows the same sentence while one types.
 */
import { charactersIn } from './characters.ts'

export const MIN_PASSWORD = 15
const MAX_PASSWORD = 256

/** What the commonest passwords are made of; length alone does not help "passwordpassword1". */
const COMMON =
  'password passwort passwd contrasena motdepasse qwerty qwertz azerty asdfgh zxcvbn letmein welcome admin administrator login master monkey dragon football baseball basketball soccer iloveyou sunshine princess superman batman trustno shadow michael jordan hunter ninja secret changeme default starwars whatever freedom computer internet google cutroom studio video editor test guest user root hello love god sex pass word qaz wsx edc rfv qwer asdf zxcv uiop hjkl bnm abcdef abc def xyz summer winter spring autumn january february march april may june july august september october november december monday friday'
    .split(' ')
    .sort((one, other) => other.length - one.length)

const LEET: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
/** Letters that a password has of its own, besides common words, digits and signs. */
const MIN_OWN = 6

/** The same text, however a keyboard wrote it: NFC, as NIST has it. */
export const normalPassword = (text: string): string => text.normalize('NFC')

const withoutCommon = (text: string, expected: readonly string[]): string =>
  [...expected, ...COMMON].reduce((rest, word) => rest.replaceAll(word, ' '), text)

/** How many different pieces of three characters are in a text: few where it repeats or counts. */
function ownPieces(text: string): number {
  const letters = [...text]
  const pieces = new Set<string>()
  for (let at = 0; at + 3 <= letters.length; at += 1) {
    const codes = letters.slice(at, at + 3).map((one) => one.codePointAt(0) ?? 0)
    const [first = 0, second = 0, third = 0] = codes
    const step = second - first
    if (Math.abs(step) <= 1 && third - second === step) continue
    pieces.add(codes.join())
  }
  return pieces.size
}

/**
 * Why a password is not good enough: `short`, `long`, `common` (made of what everybody tries, of one's own name or
 * address, or of repetition); null: it is. `about`: name and email address of the person.
 */
export function passwordProblem(
  given: string,
  about: readonly string[] = [],
): 'short' | 'long' | 'common' | null {
  const password = normalPassword(given)
  const length = charactersIn(password)
  if (length < MIN_PASSWORD) return 'short'
  if (length > MAX_PASSWORD) return 'long'
  const lower = password.toLowerCase()
  const expected = about
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length > 2)
    .sort((one, other) => other.length - one.length)
  const plain = [...lower].map((sign) => LEET[sign] ?? sign).join('')
  const own = Math.min(
    ...[lower, plain].map((text) =>
      charactersIn(withoutCommon(text, expected).replaceAll(/[\s\d\p{P}\p{S}]/gu, '')),
    ),
  )
  const digits = charactersIn(lower.replaceAll(/\D/g, ''))
  // Long numbers of one's own are rare, but no letters are needed: composition is free.
  if (own < MIN_OWN && digits < MIN_PASSWORD) return 'common'
  return ownPieces(lower) < MIN_OWN ? 'common' : null
}

/** A sentence for each problem. */
export const PASSWORD_SENTENCES: Readonly<Record<NonNullable<ReturnType<typeof passwordProblem>>, string>> = {
  short: `A password has at least ${MIN_PASSWORD} characters. A few words that do not belong together are easy to remember.`,
  long: `A password has at most ${MAX_PASSWORD} characters.`,
  common: 'This password is too easy to guess. Take a few words that do not belong together.',
}
