/** GET /search. */
import { list } from '../../contract/tenant-api/envelope.ts'
import { SearchQuery, SearchResult } from '../../contract/tenant-api/search.ts'
import { search } from '../../domain/search/search.ts'
import { tenantRoute } from './declare.ts'

export const searchRoutes = [
  tenantRoute({
    method: 'GET',
    path: '/search',
    operationId: 'search',
    summary: 'Find workflows, runs, clips, posts and sections of the guide by words',
    description:
      'Best first: what has all the words in its title, keywords, people or names, then what has them in its text; among those by relevance, then the newest. Anything may be typed: signs are not syntax, but for "quotes".',
    query: SearchQuery,
    answer: list(SearchResult),
    success: 'A page of what was found',
    errors: ['INVALID_CURSOR'],
    handle: (services, { caller, query }) => {
      const { results, nextCursor } = search(services, caller, query)
      return { data: results, meta: { nextCursor } }
    },
  }),
]
