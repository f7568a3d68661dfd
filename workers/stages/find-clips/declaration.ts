import { Type } from '@sinclair/typebox'
import { ClipCandidate, FindClipsSettings, FoundTopic } from '../../../server/contract/clip-candidate.ts'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'

/** Chooses the parts that are worth a clip. `pure/` decides; this stage only reads and writes. */
export const findClips = declareStage({
  name: 'find-clips',
  version: 10,
  lane: 'cpu',
  label: 'Finding the clips',
  inputs: ['transcript', 'audio', 'events', 'picture'],
  models: ['text-embedding'],
  reuse: 'content',
  weight: 3,
  params: Type.Object({
    settings: FindClipsSettings,
    durationSeconds: Type.Number(),
    /** Present when sound and picture count as well (`multimodal`); `name` is the name of the source. */
    senses: Type.Optional(Type.Object({ name: Type.String() })),
  }),
  output: Type.Object({
    candidates: Type.Array(ClipCandidate),
    considered: Type.Integer(),
    /** Of the whole talk, in order; none in a talk of one topic, and absent where no words are known. */
    topics: Type.Optional(Type.Array(FoundTopic)),
    /** One sentence: without candidates, what was found and why it was rejected. */
    summary: Type.String(),
    warnings: Type.Array(Type.String()),
    /** The model that read the meaning of the sentences, and what it ran on; absent: only their words were read. */
    model: Type.Optional(Type.String()),
    provider: Type.Optional(Provider),
  }),
})
