/** GET /operations/{operationId}. */
import { single, DomainContext, list } from '../../contract/tenant-api/envelope.ts'
import { DomainOperation } from '../../contract/tenant-api/operation.ts'
import { readOperation } from '../../domain/operations/read-operation.ts'
import { tenantRoute } from './declare.ts'
import { describeCaller } from '../../domain/access/authorise.ts'
import { Confirmation, ConfirmationDecision } from '../../contract/tenant-api/workflow.ts'
import { decideConfirmation, readConfirmation } from '../../domain/operations/confirmations.ts'
import { SearchMeta, SearchQuery, SearchResult } from '../../contract/tenant-api/search.ts'
import { searchEverything } from '../../domain/search/joined-search.ts'

export const operationRoutes = [
  tenantRoute('GET /operations/{operationId}', {
    operationId: 'getOperation',
    summary: 'How durable work stands: a run, a render, a publishing',
    answer: single(DomainOperation),
    success: 'The operation',
    handle: (services, { caller: { companyId }, params, baseUrl }) => ({
      data: readOperation(services, { companyId, ...params, baseUrl }),
    }),
  }),
]

export const contextRoutes = [
  tenantRoute('GET /context', {
    operationId: 'getContext',
    summary: 'For which organization and principal the caller acts',
    answer: single(DomainContext),
    success: 'The bound organization and principal',
    handle: (services, { caller, delegation }) => ({ data: describeCaller(services, caller, delegation) }),
  }),
]

export const confirmationRoutes = [
  tenantRoute('GET /confirmations/{confirmationId}', {
    operationId: 'getConfirmation',
    summary: 'What waits for a decision, and how it stands',
    answer: single(Confirmation),
    success: 'The preview and the state',
    handle: (services, { caller, params }) => ({
      data: readConfirmation(services, { caller, id: params.confirmationId }),
    }),
  }),
  tenantRoute('POST /confirmations/{confirmationId}:decide', {
    operationId: 'decideConfirmation',
    summary: 'Record the decision of a person',
    description:
      'A decision is made once. An agent that carries a written consent sends the words of the person in consentText and source mcp_written_consent. Where an organization asks for two people, whoever prepared a publication may not approve it, and a delegation approves nothing without those words.',
    body: ConfirmationDecision,
    idempotent: 'atomic',
    answer: single(Confirmation),
    success: 'The decision is recorded',
    errors: ['INVALID_STATE', 'CONFIRMATION_EXPIRED', 'CONSENT_NEEDED', 'SECOND_PERSON_NEEDED'],
    handle: (services, { caller, params, body }) => ({
      data: decideConfirmation(services, { caller, id: params.confirmationId, decision: body }),
    }),
  }),
]

export const searchRoutes = [
  tenantRoute('GET /search', {
    operationId: 'search',
    summary: 'Find workflows, runs, clips, posts and sections of the guide, by words and by meaning',
    description:
      'Best first: what has all the words in its title, keywords, people or names, then what has them in its text; among those by relevance, then the newest. Transcripts are searched by meaning too, where a model for it is installed: results have the passages with their times, `foundBy` says why each one is here, and `meta` whether meaning was searched and how much of it is indexed. Anything may be typed: signs are not syntax, but for "quotes".',
    query: SearchQuery,
    answer: list(SearchResult, SearchMeta),
    success: 'A page of what was found',
    errors: ['INVALID_CURSOR'],
    handle: async (services, { caller, query, baseUrl }) => {
      const { results, meta } = await searchEverything(services, caller, query, baseUrl)
      return { data: results, meta }
    },
  }),
]
