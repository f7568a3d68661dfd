import { Type } from '@sinclair/typebox'
import { ClipCandidate } from '../../../server/contract/clip-candidate.ts'
import { declareStage } from '../declare.ts'

/** The address of a language model, and how long to wait for it. */
export const ModelAccess = Type.Object({
  /** Base of an API like OpenAI's chat completions, such as http://127.0.0.1:11434/v1, without a slash at the end. */
  address: Type.String(),
  model: Type.String(),
  /** Never part of a content key, an error or the log. */
  key: Type.Union([Type.String(), Type.Null()]),
  /** `loopback`: this machine only. */
  addresses: Type.Union([Type.Literal('any'), Type.Literal('loopback')]),
  /** For all requests together. */
  timeoutSeconds: Type.Number(),
})

/**
 * Lets the user's own language model judge the candidates of find-clips: it ranks them again and writes titles, bios, keywords and,
 * where a title node has a prompt, headlines. What it
 * writes is held against the transcript and dropped where it claims what is not said. Times and texts do not change. If anything goes wrong, the candidates stay as they
 * were, with a warning; the stage only fails when it is cancelled.
 */
export const judgeClips = declareStage({
  name: 'judge-clips',
  version: 4,
  lane: 'network',
  label: 'Asking the language model',
  inputs: [],
  reuse: 'run',
  weight: 4,
  params: Type.Object({
    candidates: Type.Array(ClipCandidate),
    /** What was requested: prompt, its adjustment, keywords. */
    wishes: Type.Array(Type.String()),
    /** How the headline in the picture should be written; empty: no headline is requested. */
    headline: Type.Optional(Type.String()),
    access: ModelAccess,
  }),
  output: Type.Object({
    candidates: Type.Array(ClipCandidate),
    /** How many clips the model was asked about, and for how many its answer was usable. */
    asked: Type.Integer(),
    judged: Type.Integer(),
    /** Texts of the model that are not used, with the reason as a clause; absent in results of before. */
    dropped: Type.Optional(
      Type.Array(Type.Object({ clip: Type.Integer(), text: Type.String(), why: Type.String() })),
    ),
  }),
})
