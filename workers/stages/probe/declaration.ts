import { Type } from '@sinclair/typebox'
import { SourceFacts } from '../../../server/contract/source-facts.ts'
import { declareStage } from '../declare.ts'

/** Reads what the source is, and stores the cover of one without moving picture. Fails with SOURCE_NOT_VIDEO if it cannot be decoded. */
export const probe = declareStage({
  name: 'probe',
  version: 5,
  lane: 'cpu',
  label: 'Looking at the video',
  inputs: ['source'],
  tools: ['ffmpeg', 'ffprobe'],
  reuse: 'content',
  weight: 1,
  params: Type.Object({}),
  output: SourceFacts,
})
