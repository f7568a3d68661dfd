/** File names for finished clips, from their titles. */

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * Builds a file name such as `02-why-nobody-reads-manuals.mp4`: the rank first, so that a folder lists clips by score.
 * Letters and digits of any script stay, everything else becomes a dash; at most 60 characters of the title, to fit
 * every file system.
 */
export function clipFileName(place: number, title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const short = [...words]
    .slice(0, 60)
    .join('')
    .replace(/^-+|-+$/g, '')
  const safe = short === '' || RESERVED.test(short) ? 'clip' : short
  return `${String(place).padStart(2, '0')}-${safe}.mp4`
}
