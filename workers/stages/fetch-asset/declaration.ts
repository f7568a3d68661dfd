import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/**
 * Brings a file that a clip's nodes name by address into the home: a logo, an end card. It is kept in the sources
 * folder under its SHA-256, so the same picture is kept once, whichever addresses and runs it came by.
 */
export const fetchAsset = declareStage({
  name: 'fetch-asset',
  version: 1,
  lane: 'network',
  label: 'Fetching the pictures',
  inputs: [],
  tools: [],
  models: [],
  reuse: 'run',
  weight: 1,
  params: Type.Object({
    url: Type.String(),
    kind: Type.Literal('image'),
    /** As for ingest: whether private and loopback addresses are allowed. */
    addresses: Type.Union([Type.Literal('any'), Type.Literal('public')]),
    maxBytes: Type.Integer(),
    idleTimeoutSeconds: Type.Number(),
    totalTimeoutSeconds: Type.Number(),
  }),
  output: Type.Object({
    digest: Type.String(),
    bytes: Type.Integer(),
    mediaType: Type.String(),
    /** Pixels, as shown. */
    width: Type.Integer(),
    height: Type.Integer(),
    opaque: Type.Boolean(),
  }),
})
