/** Sends the queries one after the other: there are few, and they count against the user's quota. */
import type { BrollCandidate } from '../../../server/contract/clip-broll.ts'
import type { StageHandler } from '../context.ts'
import { searchGetty } from './providers/getty.ts'
import { searchGoogleImages } from './providers/google-images.ts'
import type { Searcher } from './ask.ts'
import { searchYoutube } from './providers/youtube.ts'

type Handler = StageHandler<'search-broll'>

const SEARCHERS: Readonly<Record<Parameters<Handler>[1]['provider'], Searcher>> = {
  google_images: searchGoogleImages,
  youtube: searchYoutube,
  getty: searchGetty,
}

export const runSearchBroll: Handler = async (context, { provider, queries, perQuery, access }) => {
  const found = new Map<string, BrollCandidate>()
  const shared = {}
  for (const [place, query] of queries.entries()) {
    context.progress(place / queries.length, `Looking for “${query}”`)
    const question = { access, query, most: perQuery, signal: context.signal, shared }
    for (const one of await SEARCHERS[provider](question)) {
      const known = found.get(one.url)
      const tags = [...new Set([...(known?.tags ?? []), query])]
      found.set(one.url, { ...one, provider, tags })
    }
  }
  context.progress(1)
  return { candidates: [...found.values()] }
}
