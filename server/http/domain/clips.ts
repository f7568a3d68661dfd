/** GET /clips. */
import { ClipsMeta, ClipsQuery, ClipSummary } from '../../contract/domain/clip.ts'
import { list } from '../../contract/domain/envelope.ts'
import { listClips } from '../../domain/list-clips.ts'
import { tenantRoute } from './declare.ts'

export const clipRoutes = [
  tenantRoute({
    ...{ method: 'GET', path: '/clips', operationId: 'listClips' },
    summary: 'Clips, filtered and sorted, as compact summaries; or how many there are',
    description:
      'Filters of different names must all hold. Facets and totals count the clips that the filters leave, not only those of the page.',
    ...{ query: ClipsQuery, answer: list(ClipSummary, ClipsMeta), success: 'A page, or a count' },
    errors: ['INVALID_CURSOR'],
    handle: (services, { caller, query, baseUrl }) =>
      listClips(services, { companyId: caller.companyId, query, baseUrl }),
  }),
]
