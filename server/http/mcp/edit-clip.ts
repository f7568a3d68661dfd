/** The tool that edits a clip by the commands of the table. It is no route of the tenant API, and is checked like one. */
import { Type } from '@sinclair/typebox'
import { single } from '../../contract/tenant-api/envelope.ts'
import { runClipCommands } from '../../domain/clips/editor.ts'
import { EDIT_COMMANDS, type CommandCall } from '../../nodes/commands/index.ts'
import { tenantRoute } from '../tenant-api/declare.ts'

const closed = { additionalProperties: false } as const
const MAX_COMMANDS = 20

const Commands = Type.Object(
  {
    commands: Type.Array(
      Type.Union(
        EDIT_COMMANDS.map(({ name, description, params }) =>
          Type.Object({ name: Type.Literal(name), arguments: params }, { ...closed, description }),
        ),
      ),
      {
        minItems: 1,
        maxItems: MAX_COMMANDS,
        description: 'Done in order, each on what the ones before made',
      },
    ),
  },
  closed,
)

const Done = Type.Object(
  {
    lines: Type.Array(
      Type.Object(
        {
          kind: Type.Union([Type.Literal('done'), Type.Literal('refused'), Type.Literal('unknown')]),
          text: Type.String(),
        },
        closed,
      ),
    ),
  },
  closed,
)

export const editClipRoute = tenantRoute({
  method: 'POST',
  path: '/clips/{clipId}/commands',
  operationId: 'editClip',
  summary: 'Edit a clip by commands, as its editor does',
  description:
    'Cuts words, sentences and times; sets captions, title, zooms, layout, sound and texts. One edit, saved; nothing is rendered. Times are seconds as the player counts them.',
  body: Commands,
  ifMatch: true,
  idempotent: 'slow',
  answer: single(Done),
  success: 'A line for each command: done, or why not',
  errors: ['NOT_FOUND'],
  handle: (services, { caller, params, baseUrl, body, ifMatch }) =>
    runClipCommands(
      services,
      { companyId: caller.companyId, clipId: params['clipId'] ?? '', baseUrl },
      { calls: body.commands as unknown as CommandCall[], ifMatch },
    ),
})
