import { Type } from '@sinclair/typebox'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'

/**
 * Finds who speaks when, and adds speakers to words where a transcript is given. Speakers named by captions stay. Fails with
 * MODEL_NOT_INSTALLED.
 */
export const speakers = declareStage({
  name: 'speakers',
  version: 7,
  lane: 'cpu',
  label: 'Telling the speakers apart',
  /** `voices`: the result of this stage for the part of a stream before; its speakers keep their numbers. */
  inputs: ['transcript', 'audio', 'voices'],
  models: ['speakers', 'speaker-embedding'],
  reuse: 'content',
  resumes: true,
  weight: 4,
  params: Type.Object({
    /** Number of speakers; 0: as many as are found. Where fewer voices differ, there are fewer, and a warning. */
    count: Type.Integer({ minimum: 0 }),
  }),
  output: Type.Object({
    /** Empty without a transcript; then there are no words either, and the language is empty. */
    transcriptFile: Type.String(),
    wordCount: Type.Integer(),
    language: Type.String(),
    /** A JSON list of `{ start, end, speaker }`, in seconds, in order of start. */
    turnsFile: Type.String(),
    /** A JSON list of SpeakerVoice, of a whole stream so far; absent: no voices were measured, or an earlier version. */
    voicesFile: Type.Optional(Type.String()),
    speakers: Type.Integer(),
    model: Type.String(),
    /** The voice embedding; absent: none is installed or needed, or the result is from an earlier version. */
    embedding: Type.Optional(Type.String()),
    /** What the model ran on; absent: it was not needed, or the result is from an earlier version. */
    provider: Type.Optional(Provider),
  }),
})
