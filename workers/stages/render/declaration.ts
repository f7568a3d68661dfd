import { Type } from '@sinclair/typebox'
import { Composition } from '../../../server/contract/composition.ts'
import { declareStage } from '../declare.ts'
import { StoredRemark } from '../../../server/contract/render-warnings.ts'

/** The finished clip: the source as cut, with the compositor's bands overlaid. One that was interrupted, in parts. */
export const render = declareStage({
  name: 'render',
  version: 8,
  lane: 'cpu',
  label: 'Rendering the clip',
  inputs: ['source'],
  tools: ['ffmpeg', 'ffprobe'],
  encodes: true,
  reuse: 'content',
  resumes: true,
  weight: 20,
  params: Type.Object({
    composition: Composition,
    encoder: Type.Object({
      /** x264 preset of the software encoder. */
      preset: Type.String(),
      crf: Type.Integer(),
    }),
  }),
  output: Type.Object({
    file: Type.String(),
    bytes: Type.Integer(),
    width: Type.Integer(),
    height: Type.Integer(),
    durationSeconds: Type.Number(),
    /** A still from the middle of the rendered clip. */
    thumbnailFile: Type.String(),
    encoder: Type.String(),
    /** A hardware encoder was chosen and failed. */
    fellBack: Type.Optional(Type.Boolean()),
    /**
     * render-manifest.json beside the file: composition hash, digests of the source and all assets, versions of tools and models,
     * encoder, timings, warnings, and how well people are framed (contract/composition.ts) if their faces are known.
     */
    manifestFile: Type.String(),
    integratedLufs: Type.Union([Type.Number(), Type.Null()]),
    /** What the render lost, and what else it has to say; left out where there is nothing. */
    warnings: Type.Optional(Type.Array(StoredRemark)),
  }),
})
