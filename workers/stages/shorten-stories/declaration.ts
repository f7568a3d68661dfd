import { Type } from '@sinclair/typebox'
import { ClipCandidate, FindClipsSettings } from '../../../server/contract/clip-candidate.ts'
import { declareStage } from '../declare.ts'
import { ModelAccess } from '../judge-clips/declaration.ts'

/**
 * Lets the user's own language model mark stories that are longer than a clip may be: where they begin, where they end with
 * their pay-off, and what of the set-up can go. Its marks are checked before a clip is changed; a clip whose marks fail stays
 * as it is, and its reason for completeness says why. If the model fails, the clips stay, with a warning; the stage only
 * fails when it is cancelled.
 */
export const shortenStories = declareStage({
  name: 'shorten-stories',
  version: 1,
  lane: 'network',
  label: 'Shortening long stories',
  inputs: ['transcript'],
  reuse: 'run',
  weight: 3,
  params: Type.Object({
    candidates: Type.Array(ClipCandidate),
    settings: FindClipsSettings,
    durationSeconds: Type.Number(),
    access: ModelAccess,
  }),
  output: Type.Object({
    candidates: Type.Array(ClipCandidate),
    /** How many clips the model was asked about, and how many are changed. */
    asked: Type.Integer(),
    changed: Type.Integer(),
    /** Marks that are not used: the place of the clip among the candidates that were given, and the reason as a clause. */
    refused: Type.Array(Type.Object({ clip: Type.Integer(), why: Type.String() })),
  }),
})
