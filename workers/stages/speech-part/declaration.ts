import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'
import { SpeechParams } from '../speech/declaration.ts'

const { language, keywords, model } = SpeechParams.properties

/**
 * Decodes the windows of one part of the source, for the stage `speech`, which joins the parts. Fails as that does, but not
 * where the part has no voice: that is a part without windows.
 */
export const speechPart = declareStage({
  name: 'speech-part',
  version: 1,
  lane: 'gpu',
  label: 'Transcribing a part of the speech',
  inputs: ['audio', 'voice'],
  models: ['speech'],
  reuse: 'content',
  resumes: true,
  weight: 0,
  params: Type.Object({
    language,
    keywords,
    model,
    /** Its number, from 0. */
    part: Type.Integer({ minimum: 0 }),
  }),
  output: Type.Object({
    /** As `decodeEach` writes it. */
    windowsFile: Type.String(),
    windowCount: Type.Integer(),
  }),
})
