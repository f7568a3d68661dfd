import { Type } from '@sinclair/typebox'
import { PictureAsset, SoundAsset, VideoAsset } from '../../../server/contract/composition.ts'
import { declareStage } from '../declare.ts'

const kept = { digest: Type.String(), bytes: Type.Integer(), mediaType: Type.String() }

/**
 * Brings a file that a clip's nodes name by address into the home: a logo, an end card, music. It is kept in the sources
 * folder under its SHA-256, so the same file is kept once, whichever addresses and runs it came by.
 */
export const fetchAsset = declareStage({
  name: 'fetch-asset',
  version: 2,
  lane: 'network',
  label: 'Fetching pictures, videos and music',
  inputs: [],
  tools: ['ffmpeg', 'ffprobe'],
  models: [],
  reuse: 'run',
  weight: 1,
  params: Type.Object({
    url: Type.String(),
    /** What is wanted; anything else is refused. `media` takes what it finds. */
    kind: Type.Union([
      Type.Literal('image'),
      Type.Literal('video'),
      Type.Literal('audio'),
      Type.Literal('media'),
      Type.Literal('font'),
    ]),
    /** Of a `cutroom-source:` address: whether the file is the company's own. Nothing else of the home is handed out. */
    owned: Type.Optional(Type.Boolean()),
    /** As for ingest: whether private and loopback addresses are allowed. */
    addresses: Type.Union([Type.Literal('any'), Type.Literal('public'), Type.Literal('loopback')]),
    /** By what the file turns out to be. */
    maxBytes: Type.Object({ image: Type.Integer(), video: Type.Integer(), audio: Type.Integer() }),
    /** So much of the disk stays free. */
    minFreeBytes: Type.Integer(),
    idleTimeoutSeconds: Type.Number(),
    totalTimeoutSeconds: Type.Number(),
  }),
  /** What it is by its bytes, as nodes get it. */
  output: Type.Union([
    Type.Object({ kind: Type.Literal('image'), ...kept, picture: PictureAsset }),
    Type.Object({
      kind: Type.Literal('video'),
      ...kept,
      video: VideoAsset,
      sound: Type.Union([SoundAsset, Type.Null()]),
    }),
    Type.Object({ kind: Type.Literal('audio'), ...kept, sound: SoundAsset }),
    Type.Object({ kind: Type.Literal('font'), ...kept }),
  ]),
})
