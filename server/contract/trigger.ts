/** POST /trigger-template. Nested configs stay loose here: the node schemas check them after the merge. */
import { Type, type Static } from '@sinclair/typebox'
import { SubtitleConfig, TitleConfig } from './text-configs.ts'
import { choice, takesNull } from './config-fields.ts'
import { Metadata } from './metadata.ts'

const Text = Type.String({ minLength: 1, maxLength: 200 })
const LooseObject = Type.Record(Type.String(), Type.Unknown())

/** `{ nodeType: config }` or `[{ nodeType, config }]`; a config is judged by its node, where the workflow has that. */
const NodeConfigs = Type.Union([
  Type.Array(Type.Object({ nodeType: Type.String({ minLength: 1 }), config: Type.Optional(Type.Unknown()) })),
  LooseObject,
])

const PinnedRange = Type.Object({ start: Type.Number(), end: Type.Number() })

export const TriggerRequest = Type.Object({
  companyId: Text,
  workflowId: Text,
  url: Type.String({
    minLength: 1,
    maxLength: 8192,
    description: 'Publicly reachable long-form video, or the address of an upload (POST /uploads)',
  }),
  orientation: Type.Optional(choice(['horizontal', 'vertical'])),
  minLengthTarget: Type.Optional(Type.Number({ description: 'Seconds' })),
  maxLengthTarget: Type.Optional(Type.Number({ description: 'Seconds' })),
  broll: Type.Optional(Type.Union([Type.Boolean(), LooseObject])),
  subtitles: Type.Optional(Type.Boolean()),
  subtitleConfig: Type.Optional(LooseObject),
  titleOverlay: Type.Optional(Type.Boolean()),
  titleConfig: Type.Optional(LooseObject),
  watermarkUrl: Type.Optional(Type.String()),
  keywords: Type.Optional(Type.Array(Type.String(), { maxItems: 150 })),
  promptAdjustment: Type.Optional(Type.String()),
  pinnedTimestamps: Type.Optional(Type.Array(PinnedRange)),
  pinnedTimestampsOnly: Type.Optional(Type.Boolean()),
  pinnedTimestampMode: Type.Optional(Type.String()),
  musicUrl: Type.Optional(Type.String()),
  removeFillerWords: Type.Optional(Type.Boolean()),
  removeStutteredWords: Type.Optional(Type.Boolean()),
  removeSilences: Type.Optional(Type.Boolean()),
  outroImageUrl: Type.Optional(Type.String()),
  outroMusicUrl: Type.Optional(Type.String()),
  nodeConfigs: Type.Optional(NodeConfigs),
  nodeConfigOverrides: Type.Optional(NodeConfigs),
  actionConfigs: Type.Optional(NodeConfigs),
  metadata: Type.Optional(Metadata),
})
export type TriggerRequest = Static<typeof TriggerRequest>

/** The body as documented to callers: the same, with the schemas of the node configurations. */
const documentedNodeConfigs = () => Type.Optional(Type.Unsafe({ $ref: '#/components/schemas/NodeConfigs' }))
export const TriggerBody = takesNull(
  Type.Object({
    ...TriggerRequest.properties,
    pinnedTimestampMode: Type.Optional(choice(['search_within', 'ranges'])),
    subtitleConfig: Type.Optional(SubtitleConfig),
    titleConfig: Type.Optional(TitleConfig),
    nodeConfigs: documentedNodeConfigs(),
    nodeConfigOverrides: documentedNodeConfigs(),
    actionConfigs: documentedNodeConfigs(),
  }),
)

/** Names that the trigger body may hold; any other is ignored with a warning. */
export const TRIGGER_FIELDS: ReadonlySet<string> = new Set(Object.keys(TriggerRequest.properties))

export const TriggerResponse = Type.Object({
  triggerId: Type.String(),
  status: Type.Literal('pending'),
  message: Type.String(),
})
export type TriggerResponse = Static<typeof TriggerResponse>
