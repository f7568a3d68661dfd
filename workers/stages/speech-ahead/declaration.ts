import { Type, type Static } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'
import { SpeechParams } from '../speech/declaration.ts'
import { PART_SECONDS } from '../speech/pure/plan-windows.ts'

const { language, keywords, model } = SpeechParams.properties

/** Sound of one part and of what comes after it, so that a window that begins in the part is whole. */
export const PIECE_SECONDS = PART_SECONDS + 60

/** Sound that was heard ahead: `PIECE_SECONDS` of it from the beginning of the part. */
export const SoundPiece = Type.Object({
  /** Its number, from 0. */
  part: Type.Integer({ minimum: 0 }),
  /** The SHA-256 of a 16 kHz mono WAV among the sources. */
  digest: Type.String(),
  bytes: Type.Integer(),
})
export type SoundPiece = Static<typeof SoundPiece>

/**
 * Decodes the windows of one part of a source that is not wholly here yet. What it finds is used by the stages `speech` and
 * `speech-part` for windows whose samples turn out to be the same. Fails with MODEL_NOT_INSTALLED.
 */
export const speechAhead = declareStage({
  name: 'speech-ahead',
  version: 1,
  lane: 'gpu',
  label: 'Transcribing what has arrived',
  // `source`: the piece. `before`: the result of the part before it.
  inputs: ['source', 'before'],
  models: ['speech', 'voice-activity'],
  reuse: 'content',
  resumes: true,
  weight: 0,
  params: Type.Object({
    /** Empty: the model detects it in the first part. */
    language,
    keywords,
    model,
    part: SoundPiece.properties.part,
  }),
  output: Type.Object({
    /** As `decodeEach` writes it. */
    windowsFile: Type.String(),
    windowCount: Type.Integer(),
    /** Empty: nobody has spoken yet. */
    language: Type.String(),
    /** Float32 little endian: what the next part begins with (`VoicePage`), then the voice of each frame so far. */
    voiceFile: Type.String(),
  }),
})
