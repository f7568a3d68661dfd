/** The chat about a clip: whether a language model is there, and what it makes of a wish. It edits nothing by itself. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { StudioAgent, StudioAgentAnswer, StudioAgentQuestion } from '../../contract/agent.ts'
import { agentState, askAgent } from '../../domain/agent.ts'
import type { Services } from '../../domain/services.ts'
import { describe } from '../answers.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor } from './company.ts'

const CompanyQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })

export function agentRoutes(services: Services) {
  const question = jsonBody(StudioAgentQuestion)
  return new Elysia({ prefix: '/studio' })
    .get('/agent', (): StudioAgent => agentState(services), {
      detail: describe('Whether a language model is there for the chat about clips', StudioAgent),
    })
    .post(
      '/clips/:clipId/agent',
      (ctx): Promise<StudioAgentAnswer> => {
        const { companyId: given } = readQuery({ request: ctx.request, params: {} }, CompanyQuery)
        const companyId = companyFor(services, principalOf(ctx.request), given)
        return askAgent(services, { companyId, clipId: ctx.params.clipId, ...ctx.body }, ctx.request.signal)
      },
      {
        ...question,
        detail: describe('What a language model would do to a clip; nothing is done', StudioAgentAnswer, {
          ...{ body: question.detail, errors: ['CLIP_NOT_FOUND', 'CANCELLED'] },
        }),
      },
    )
}
