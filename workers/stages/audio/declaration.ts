import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/** Decodes the sound once, as a stream: 16 kHz mono PCM for the speech models, and a loudness envelope. */
export const audio = declareStage({
  name: 'audio',
  version: 2,
  lane: 'cpu',
  label: 'Listening to the sound',
  inputs: ['source'],
  tools: ['ffmpeg'],
  reuse: 'content',
  weight: 5,
  params: Type.Object({
    streamIndex: Type.Integer(),
    durationSeconds: Type.Number(),
    /** Only the first two of its channels are used. */
    manyChannels: Type.Optional(Type.Literal(true)),
  }),
  output: Type.Object({
    /** 16 kHz mono signed 16-bit PCM in a WAV container; time 0 is the source's time 0. */
    speechFile: Type.String(),
    /** Float32 little endian, one RMS value in dBFS (floor -100) per `envelopeHopSeconds`. */
    envelopeFile: Type.String(),
    envelopeHopSeconds: Type.Number(),
    durationSeconds: Type.Number(),
    /** Nothing above -60 dBFS anywhere. */
    silent: Type.Boolean(),
    /** Median level of speech-like parts and of the background, dBFS. */
    speechLevelDb: Type.Number(),
    noiseLevelDb: Type.Number(),
  }),
})
