import { Type } from '@sinclair/typebox'
import { PictureAsset, SoundAsset, VideoAsset } from '../../../server/contract/composition.ts'
import { Addresses, declareStage } from '../declare.ts'

const stored = { digest: Type.String(), bytes: Type.Integer(), mediaType: Type.String() }

/** Stores a file that nodes name by address (a logo, an end card, music) once in the sources folder, by its SHA-256. */
export const fetchAsset = declareStage({
  name: 'fetch-asset',
  version: 2,
  lane: 'network',
  label: 'Fetching pictures, videos and music',
  inputs: [],
  tools: ['ffmpeg', 'ffprobe'],
  reuse: 'run',
  weight: 1,
  params: Type.Object({
    url: Type.String(),
    /** The kind that is needed; other kinds are rejected. `media` accepts pictures and videos. */
    kind: Type.Union([
      Type.Literal('image'),
      Type.Literal('video'),
      Type.Literal('audio'),
      Type.Literal('media'),
      Type.Literal('font'),
    ]),
    /** For a `cutroom-source:` address: whether the file belongs to the company. Other files of the home are refused. */
    owned: Type.Optional(Type.Boolean()),
    addresses: Addresses,
    /** Limits by what the file turns out to be. */
    maxBytes: Type.Object({ image: Type.Integer(), video: Type.Integer(), audio: Type.Integer() }),
    minFreeBytes: Type.Integer(),
    idleTimeoutSeconds: Type.Number(),
    totalTimeoutSeconds: Type.Number(),
  }),
  /** What the file is according to its bytes, in the form that nodes use. */
  output: Type.Union([
    Type.Object({ kind: Type.Literal('image'), ...stored, picture: PictureAsset }),
    Type.Object({
      kind: Type.Literal('video'),
      ...stored,
      video: VideoAsset,
      sound: Type.Union([SoundAsset, Type.Null()]),
    }),
    Type.Object({ kind: Type.Literal('audio'), ...stored, sound: SoundAsset }),
    Type.Object({ kind: Type.Literal('font'), ...stored }),
  ]),
})
