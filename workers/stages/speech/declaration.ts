import { Type } from '@sinclair/typebox'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'
import { PART_SECONDS } from './pure/plan-windows.ts'

/** The address of the studio's own speech server, and how long to wait for it. */
const SpeechServer = Type.Object({
  /** Base of an API like OpenAI's audio transcriptions, such as http://127.0.0.1:8000/v1, without a slash at the end. */
  address: Type.String(),
  model: Type.String(),
  /** Never part of a content key, an error or the log. */
  key: Type.Union([Type.String(), Type.Null()]),
  /** `loopback`: this machine only. */
  addresses: Type.Union([Type.Literal('any'), Type.Literal('loopback')]),
  /** For one window. */
  timeoutSeconds: Type.Number(),
})

export const SpeechParams = Type.Object({
  /** Empty: the model detects it. */
  language: Type.String(),
  keywords: Type.Array(Type.String()),
  /** Name of a model in models/manifest.json; empty: the best one that is installed. */
  model: Type.String(),
  /** Absent: a local model. */
  server: Type.Optional(SpeechServer),
})

/**
 * Words of the sound from a local speech model or the studio's own server. Fails with MODEL_NOT_INSTALLED when there is no
 * model, INVALID_CONFIGURATION when the server refuses what is configured, STAGE_FAILED when it does not work.
 */
export const speech = declareStage({
  name: 'speech',
  version: 6,
  lane: 'gpu',
  label: 'Transcribing the speech',
  inputs: ['audio', 'voice'],
  models: ['speech'],
  reuse: 'content',
  resumes: true,
  weight: 40,
  spread: { into: 'speech-part', by: 'audio', seconds: PART_SECONDS },
  params: SpeechParams,
  output: Type.Object({
    transcriptFile: Type.String(),
    wordCount: Type.Integer(),
    language: Type.String(),
    /** Of a server: the name of its model and its host. */
    model: Type.String(),
    /** What the model ran on; absent: a server, or the result is from an earlier version. */
    provider: Type.Optional(Provider),
  }),
})
