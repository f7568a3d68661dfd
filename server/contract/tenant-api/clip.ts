/** GET /clips with its filters, and one clip: resources of the tenant API. */
import { SHAPE_RATIOS } from '../shapes/registry.ts'
import { Type, type Static } from '@sinclair/typebox'
import { PublicClip, strict } from '../public-clip.ts'
import { RenderWarnings } from '../render-warnings.ts'
import { TitleProposal } from '../clip-candidate.ts'
import { EditableClip, merge } from '../update-clip.ts'
import { choice, choiceField, closedObject, describedObject, listField, nullable } from '../config-fields.ts'
import { Moment, PAGE_QUERY } from './envelope.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** States of a clip. Exactly one of the first four applies; `edited` and the states of its posts are added to it. */
export const CLIP_STATUSES = [
  'rendering',
  'rendered',
  'render_failed',
  'unrendered',
  'edited',
  'drafted',
  'scheduled',
  'publishing',
  'published',
  'publish_failed',
] as const
export type ClipStatus = (typeof CLIP_STATUSES)[number]

const Status = choice(CLIP_STATUSES)

const STATUS_MEANINGS =
  'rendering: a render waits or is under way; rendered: there is a video of the clip as it is; render_failed: the last render failed; unrendered: changed since it was rendered, or never rendered; edited: changed since its run made it; drafted, scheduled, publishing, published, publish_failed: a post made of it is that. No clip has any other'

/** An empty value is no filter, because clients send every field of a form; one that no clip has matches nothing. */
const wanted = (description?: string) => Type.String({ maxLength: 2000, ...omitUndefined({ description }) })

export const CLIP_SORTS = ['created_at', 'updated_at', 'duration', 'title', 'virality_score'] as const
export type ClipSort = (typeof CLIP_SORTS)[number]

const id = (description: string) =>
  Type.Optional(Type.String({ maxLength: 200, description: `${description}, exactly` }))
const terms = (maxItems: number, description: string) =>
  Type.Optional(Type.Array(wanted(), { maxItems, description }))
const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

/** Filters of text that are empty, and empty entries of lists, count as not given. */
export const ClipsQuery = Type.Object({
  query: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'Words that all occur in title, description, people or keywords; case and accents do not matter. The last one may be the beginning of a word, from three characters on',
    }),
  ),
  status: Type.Optional(wanted(STATUS_MEANINGS)),
  aspectRatio: Type.Optional(wanted(SHAPE_RATIOS.map((ratio) => `\`${ratio}\``).join(', '))),
  tags: terms(20, 'One of these tags at least; case does not matter, here and in people and keywords'),
  statuses: Type.Optional(
    Type.Array(wanted(), { maxItems: 20, description: `One of these at least. ${STATUS_MEANINGS}` }),
  ),
  people: terms(30, 'People featured; see personMode'),
  personMode: choiceField('Whether a clip needs one of people, or all', ['any', 'all'], 'any'),
  keywords: terms(30, 'One of these keywords at least'),
  workflowId: id('Workflow'),
  episodeId: id('The episode or source: sourceId or sourceInputId of a clip, `live_` and more included'),
  workflowRunId: id('Run that made the clip'),
  durationMin: Type.Optional(Type.Number({ minimum: 0, description: 'Seconds, inclusive' })),
  durationMax: Type.Optional(Type.Number({ minimum: 0, description: 'Seconds, inclusive' })),
  modifiedAfter: moment('updatedAt, inclusive'),
  modifiedBefore: moment('updatedAt, inclusive'),
  includeFacets: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Adds meta.facets and meta.total, over all clips that the filters leave',
    }),
  ),
  countOnly: Type.Optional(Type.Boolean({ default: false, description: 'No clips, only meta.total' })),
  sortBy: choiceField('Clips that are equal in it are in the order of their ids', CLIP_SORTS, 'created_at'),
  sortOrder: choiceField('Order', ['asc', 'desc'], 'desc'),
  ...PAGE_QUERY,
})
export type ClipsQuery = Static<typeof ClipsQuery>

const Text = Type.String()
const TextOrNull = nullable(Type.String())

export const ClipSummary = closedObject({
  id: Text,
  title: Text,
  /** The first of `statuses`. */
  status: Status,
  statuses: Type.Array(Status),
  duration: Type.Number({ description: 'Seconds' }),
  viralityScore: Type.Number({ minimum: 0, maximum: 100 }),
  aspectRatio: Text,
  tags: Type.Array(Text),
  people: Type.Array(Text),
  keywords: Type.Array(Text),
  workflowId: Text,
  workflowRunId: TextOrNull,
  episodeId: Text,
  thumbnailUrl: TextOrNull,
  createdAt: Moment,
  updatedAt: Moment,
})
export type ClipSummary = Static<typeof ClipSummary>

/** How many values each facet shows at most. */
export const FACET_LIMITS = { tags: 20, statuses: 20, people: 30, keywords: 30 } as const
export type FacetName = keyof typeof FACET_LIMITS

const facet = (maxItems: number) =>
  Type.Array(closedObject({ value: Text, count: Type.Integer({ minimum: 1 }) }), {
    maxItems,
    description: 'Most frequent first',
  })
export const ClipFacets = closedObject({
  tags: facet(FACET_LIMITS.tags),
  statuses: facet(FACET_LIMITS.statuses),
  people: facet(FACET_LIMITS.people),
  keywords: facet(FACET_LIMITS.keywords),
})
export type ClipFacets = Static<typeof ClipFacets>

export const ClipsMeta = closedObject({
  nextCursor: nullable(Type.String(), {
    description: 'Opaque; send it as cursor with the same filters and order. Null: this is the last page',
  }),
  total: Type.Optional(Type.Integer({ minimum: 0, description: 'With countOnly or includeFacets' })),
  facets: Type.Optional(ClipFacets),
})
export type ClipsMeta = Static<typeof ClipsMeta>

const shown = Type.Omit(PublicClip, [
  'companyId',
  'runId',
  'taskId',
  'taskID',
  'clipHash',
  'sourceID',
]).properties

/** One clip: the document that is edited, without what is of the inside, with addresses of its files. */
export const DomainClip = closedObject({
  ...shown,
  status: Status,
  statuses: Type.Array(Status),
  tags: Type.Array(Text),
  workflowRunId: TextOrNull,
  episodeId: Text,
  titleProposals: Type.Optional(
    Type.Array(closedObject({ text: Text, from: TitleProposal.properties.from }), {
      description: 'Titles to choose from, as the clip was made, best first; the chosen one goes into title',
    }),
  ),
})
export type DomainClip = Static<typeof DomainClip>

const MAX_TAGS = 50

/** PATCH /clips/{clipId}: fields to set. The error response names fields that contradict each other. */
export const ClipPatch = closedObject(
  {
    ...EditableClip.properties,
    tags: listField(Type.String({ minLength: 1, maxLength: 100 }), 'Tags, replacing those it has', MAX_TAGS),
    merge,
  },
  { minProperties: 1 },
)
export type ClipPatch = Static<typeof ClipPatch>

export const ClipPatchMeta = closedObject({ updatedFields: Type.Array(Text), warnings: Type.Array(Text) })

/** POST /clips/{clipId}/render: the finished video; or, after half a day, that it is being rendered yet. */
/** The body of a render, which may be left out. */
export const RenderBody = closedObject({ strict })

export const RenderedClip = Type.Union([
  closedObject({
    clipId: Text,
    status: Type.Literal('finished'),
    renderUrl: Text,
    warnings: Type.Optional(RenderWarnings),
  }),
  describedObject('After 12 hours: it goes on, and the same request waits for it again', {
    clipId: Text,
    status: Type.Literal('rendering'),
    operationId: Text,
  }),
])
export type RenderedClip = Static<typeof RenderedClip>
