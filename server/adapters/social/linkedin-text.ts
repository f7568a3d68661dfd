/** PURE: a text in LinkedIn's "little text" format: https://learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format */

const RESERVED = /[\\|{}@[\]()<>#*_~]/g
const HASHTAG = /(?<=^|\s)#([\p{L}\p{N}_]*[\p{L}][\p{L}\p{N}_]*)/gu

const escaped = (text: string): string => text.replaceAll(RESERVED, (sign) => `\\${sign}`)

/** What has a meaning in the format is escaped, and hashtags are marked as such. */
export function littleText(text: string): string {
  let made = ''
  let end = 0
  for (const match of text.matchAll(HASHTAG)) {
    made += `${escaped(text.slice(end, match.index))}{hashtag|\\#|${escaped(match[1] ?? '')}}`
    end = match.index + match[0].length
  }
  return made + escaped(text.slice(end))
}
