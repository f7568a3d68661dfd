import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/**
 * Brings a source into the home: downloads it (resuming where it stopped) or copies a local file, stores it once under
 * its SHA-256 in the sources folder, and keeps caption sidecars found beside it in its own artefact.
 */
export const ingest = declareStage({
  name: 'ingest',
  version: 1,
  lane: 'network',
  label: 'Fetching the video',
  inputs: [],
  tools: ['ffprobe'],
  models: [],
  reuse: 'run',
  weight: 8,
  params: Type.Object({
    source: Type.Union([
      Type.Object({ kind: Type.Literal('url'), url: Type.String() }),
      /** From the command line or the upload route only; never from the public API. */
      Type.Object({ kind: Type.Literal('file'), path: Type.String() }),
    ]),
    /** `any`: private and loopback addresses allowed; `public`: refused. Link-local and metadata: refused always. `loopback`: this machine only, and no name is looked up. */
    addresses: Type.Union([Type.Literal('any'), Type.Literal('public'), Type.Literal('loopback')]),
    maxBytes: Type.Integer(),
    /** So much of the disk stays free. */
    minFreeBytes: Type.Integer(),
    /** How videos on web pages are fetched; absent: they are not, and nothing is known of why. */
    pages: Type.Optional(
      Type.Union([
        /** The user's own yt-dlp. */
        Type.Object({ ytDlp: Type.String() }),
        /** A sentence that says what to do. */
        Type.Object({ refusal: Type.String() }),
      ]),
    ),
    /** Give up when nothing arrives for this long. */
    idleTimeoutSeconds: Type.Number(),
    totalTimeoutSeconds: Type.Number(),
    /** What is known of this address from an earlier run: an unchanged source is not fetched again. */
    known: Type.Union([
      Type.Object({
        digest: Type.String(),
        bytes: Type.Integer(),
        etag: Type.Union([Type.String(), Type.Null()]),
        lastModified: Type.Union([Type.String(), Type.Null()]),
      }),
      Type.Null(),
    ]),
  }),
  output: Type.Object({
    digest: Type.String(),
    bytes: Type.Integer(),
    /** A name for people, from the address or the file; never used as a path. */
    displayName: Type.String(),
    /** MIME type by what the file really is. */
    mediaType: Type.String(),
    finalUrl: Type.Union([Type.String(), Type.Null()]),
    etag: Type.Union([Type.String(), Type.Null()]),
    lastModified: Type.Union([Type.String(), Type.Null()]),
    /** The source was already here and unchanged: nothing was transferred. */
    unchanged: Type.Boolean(),
    sidecars: Type.Array(
      Type.Object({
        /** File in the artefact folder. */
        file: Type.String(),
        format: Type.Union([Type.Literal('srt'), Type.Literal('vtt')]),
        language: Type.String(),
        digest: Type.String(),
      }),
    ),
  }),
})
