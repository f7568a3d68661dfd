import { Type } from '@sinclair/typebox'
import { Addresses, declareStage } from '../declare.ts'

/** Downloads or copies a source, stores it once under its SHA-256, and its caption sidecars in its own artefact. */
export const ingest = declareStage({
  name: 'ingest',
  version: 1,
  lane: 'network',
  label: 'Fetching the video',
  inputs: [],
  tools: ['ffmpeg', 'ffprobe'],
  reuse: 'run',
  weight: 8,
  params: Type.Object({
    source: Type.Union([
      Type.Object({ kind: Type.Literal('url'), url: Type.String() }),
      /** From the command line or the upload route only, never from the public API. */
      Type.Object({
        kind: Type.Literal('file'),
        path: Type.String(),
        /** Path of a caption file that belongs to it, in place of those that lie beside it. */
        captions: Type.Optional(Type.String()),
        /** Its name, where its path does not have it. */
        captionsName: Type.Optional(Type.String()),
      }),
    ]),
    /** `any`: private and loopback addresses are allowed; `public`: they are refused; `loopback`: only this machine, and no name is looked up. Link-local and metadata addresses are always refused. */
    addresses: Addresses,
    maxBytes: Type.Integer(),
    minFreeBytes: Type.Integer(),
    /** How videos on web pages are fetched; absent: they are not, for an unknown reason. */
    pages: Type.Optional(
      Type.Union([
        /** Path of the user's own yt-dlp. */
        Type.Object({ ytDlp: Type.String() }),
        /** Why they are not fetched: a sentence that says what to do. */
        Type.Object({ refusal: Type.String() }),
      ]),
    ),
    /** The sound of a long download is handed out in pieces (`SoundPiece`) while it arrives. */
    hearAhead: Type.Optional(Type.Literal(true)),
    /** Give up when nothing arrives for this many seconds. */
    idleTimeoutSeconds: Type.Number(),
    totalTimeoutSeconds: Type.Number(),
    /** What an earlier run knows about this address: an unchanged source is not fetched again. */
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
    /** MIME type according to the file's content. */
    mediaType: Type.String(),
    finalUrl: Type.Union([Type.String(), Type.Null()]),
    etag: Type.Union([Type.String(), Type.Null()]),
    lastModified: Type.Union([Type.String(), Type.Null()]),
    /** The source was already stored and has not changed, so nothing was transferred. */
    unchanged: Type.Boolean(),
    sidecars: Type.Array(
      Type.Object({
        /** File name in the artefact folder. */
        file: Type.String(),
        format: Type.Union([Type.Literal('srt'), Type.Literal('vtt'), Type.Literal('ass')]),
        language: Type.String(),
        digest: Type.String(),
        /** A person named this file, rather than that it lay beside the source. */
        given: Type.Optional(Type.Literal(true)),
      }),
    ),
  }),
})
