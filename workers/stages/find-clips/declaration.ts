import { Type } from '@sinclair/typebox'
import { ClipCandidate, FindClipsSettings } from '../../../server/contract/clip-candidate.ts'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'

/** Chooses the parts worth a clip. The deciding is pure code in `pure/`; this stage only reads and writes. */
export const findClips = declareStage({
  name: 'find-clips',
  version: 4,
  lane: 'cpu',
  label: 'Finding the clips',
  inputs: ['transcript', 'audio', 'events', 'picture'],
  tools: [],
  models: ['text-embedding'],
  reuse: 'content',
  weight: 3,
  params: Type.Object({
    settings: FindClipsSettings,
    durationSeconds: Type.Number(),
    /** Given when more than the words counts (`multimodal`); `name` is what the source is called. */
    senses: Type.Optional(Type.Object({ name: Type.String() })),
  }),
  output: Type.Object({
    candidates: Type.Array(ClipCandidate),
    considered: Type.Integer(),
    /** One sentence: when there are no candidates, what was found and why it was rejected. */
    summary: Type.String(),
    warnings: Type.Array(Type.String()),
    /** What told how near what is said comes to what was asked for, and what it ran on; absent: words alone did. */
    model: Type.Optional(Type.String()),
    provider: Type.Optional(Provider),
  }),
})
