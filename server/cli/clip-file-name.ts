/** File names for finished clips, from their titles. */

/** Names that Windows keeps for devices, whatever their extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * `02-why-nobody-reads-manuals.mp4`: place first, so that a folder lists them by score. Letters and digits of any script
 * stay, everything else becomes one dash; 60 characters of the title at the most, so that any file system takes it.
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
