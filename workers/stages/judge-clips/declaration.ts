import { Type } from '@sinclair/typebox'
import { ClipCandidate } from '../../../server/contract/clip-candidate.ts'
import { declareStage } from '../declare.ts'

/** Where a language model answers, and how long it is waited for. */
export const ModelAccess = Type.Object({
  /** Base of an API in the way of OpenAI's chat completions, such as http://127.0.0.1:11434/v1; no slash at the end. */
  address: Type.String(),
  model: Type.String(),
  /** Never part of a content key, an error or the log. */
  key: Type.Union([Type.String(), Type.Null()]),
  /** `loopback`: this machine only. */
  addresses: Type.Union([Type.Literal('any'), Type.Literal('loopback')]),
  /** For everything together. */
  timeoutSeconds: Type.Number(),
})

/**
 * Lets the user's own language model read what find-clips chose: it ranks anew and writes titles, bios, keywords and,
 * where a title node has a prompt, headlines. Times and texts stay as they are. Whatever goes wrong leaves the candidates as they were, with a warning: this stage only
 * fails when it is cancelled.
 */
export const judgeClips = declareStage({
  name: 'judge-clips',
  version: 3,
  lane: 'network',
  label: 'Asking the language model',
  inputs: [],
  tools: [],
  models: [],
  reuse: 'run',
  weight: 4,
  params: Type.Object({
    candidates: Type.Array(ClipCandidate),
    /** What was asked for: prompt, its adjustment, keywords. */
    wishes: Type.Array(Type.String()),
    /** How the headline in the picture is to be written; empty: it is not asked for. */
    headline: Type.Optional(Type.String()),
    access: ModelAccess,
  }),
  output: Type.Object({
    /** Best first. */
    candidates: Type.Array(ClipCandidate),
    /** How many the model was asked about, and for how many its answer was of use. */
    asked: Type.Integer(),
    judged: Type.Integer(),
  }),
})
