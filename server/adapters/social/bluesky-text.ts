/** PURE: addresses and hashtags of a text as Bluesky wants them marked, by bytes: https://docs.bsky.app/docs/advanced-guides/post-richtext */

export interface Facet {
  readonly index: { readonly byteStart: number; readonly byteEnd: number }
  readonly features: readonly (
    | { readonly $type: 'app.bsky.richtext.facet#link'; readonly uri: string }
    | { readonly $type: 'app.bsky.richtext.facet#tag'; readonly tag: string }
  )[]
}

const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'’]/gu
const HASHTAG = /(?<=^|\s)#([\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*)/gu
/** As the lexicon has it. */
const LONGEST_TAG = 64

const bytes = (text: string): number => new TextEncoder().encode(text).length

export function facetsOf(text: string): Facet[] {
  const place = (start: number, found: string) => {
    const byteStart = bytes(text.slice(0, start))
    return { byteStart, byteEnd: byteStart + bytes(found) }
  }
  const links = [...text.matchAll(ADDRESS)].map((match): Facet => ({
    index: place(match.index, match[0]),
    features: [{ $type: 'app.bsky.richtext.facet#link', uri: match[0] }],
  }))
  const tags = [...text.matchAll(HASHTAG)]
    .filter(([, tag = '']) => [...tag].length <= LONGEST_TAG)
    .map((match): Facet => ({
      index: place(match.index, match[0]),
      features: [{ $type: 'app.bsky.richtext.facet#tag', tag: match[1] ?? '' }],
    }))
  return [...links, ...tags].sort((a, b) => a.index.byteStart - b.index.byteStart)
}
