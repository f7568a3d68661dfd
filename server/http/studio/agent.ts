/**
 * The chat about a clip: whether a language model is configured, and which commands it chooses for a request. It edits
 * nothing.
 */
import { Elysia } from 'elysia'
import { StudioAgent, StudioAgentAnswer, StudioAgentQuestion } from '../../contract/studio.ts'
import { agentState, askAgent } from '../../domain/agent/agent.ts'
import type { Services } from '../../domain/services.ts'
import { describeRoute } from '../answers.ts'
import { jsonBody } from '../json-body.ts'
import { companyInQuery } from './company.ts'

export function agentRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/agent',
      (): StudioAgent => agentState(services),
      describeRoute('Whether a language model is there for the chat about clips', StudioAgent),
    )
    .post(
      '/clips/:clipId/agent',
      (ctx): Promise<StudioAgentAnswer> => {
        const companyId = companyInQuery(services, ctx.request)
        return askAgent(services, { ...ctx.body, companyId, clipId: ctx.params.clipId }, ctx.request.signal)
      },
      describeRoute('What a language model would do to a clip; nothing is done', StudioAgentAnswer, {
        body: jsonBody(StudioAgentQuestion),
        errors: ['CLIP_NOT_FOUND', 'CANCELLED'],
      }),
    )
}
