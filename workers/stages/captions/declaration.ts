import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/** Words from captions that came with the source, timed inside each cue by the sound. */
export const captions = declareStage({
  name: 'captions',
  version: 5,
  lane: 'cpu',
  label: 'Reading the captions',
  inputs: ['source', 'ingest', 'audio'],
  tools: ['ffmpeg'],
  reuse: 'content',
  resumes: true,
  weight: 2,
  params: Type.Object({
    track: Type.Union([
      Type.Object({ kind: Type.Literal('embedded'), streamIndex: Type.Integer(), language: Type.String() }),
      Type.Object({
        kind: Type.Literal('sidecar'),
        /** File name in the ingest artefact. */
        file: Type.String(),
        format: Type.Union([Type.Literal('srt'), Type.Literal('vtt'), Type.Literal('ass')]),
        language: Type.String(),
      }),
    ]),
    durationSeconds: Type.Number(),
  }),
  output: Type.Object({
    /** A Transcript (contract/transcript.ts) as JSON. */
    transcriptFile: Type.String(),
    wordCount: Type.Integer(),
    language: Type.String(),
  }),
})
