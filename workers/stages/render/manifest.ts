/** render-manifest.json: what a finished file was made of, with which tools, and its warnings. */
import { digestOf } from '../../artefacts.ts'
import type { Composition } from '../../../server/contract/composition.ts'
import { COMPOSITOR_VERSION, type PreparedComposition } from '../../compositor/compositor.ts'
import { formatVersionLine } from '../../media/tool-version.ts'
import type { StageContext } from '../context.ts'
import type { Encoded } from './encode.ts'
import type { LoudnessPlan } from './loudness.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

export interface ManifestFacts {
  readonly composition: Composition
  readonly prepared: PreparedComposition
  readonly loudness: LoudnessPlan
  readonly encoded: Encoded
  readonly bytes: number
  readonly warnings: readonly string[]
  readonly measureMilliseconds: number
  /** Output of the tools for `-version`. */
  readonly versions: { readonly ffmpeg: string; readonly ffprobe: string }
}

/** A JSON value. Digests are SHA-256 in hex, durations are milliseconds. */
export function renderManifest(context: StageContext, facts: ManifestFacts): Record<string, unknown> {
  const { composition, encoded, prepared, versions } = facts
  return {
    formatVersion: 2,
    compositionSha256: digestOf(composition),
    sourceSha256: composition.source.digest,
    assetSha256: assetDigests(composition),
    compositorVersion: COMPOSITOR_VERSION,
    tools: {
      ffmpeg: formatVersionLine(versions.ffmpeg),
      ffprobe: formatVersionLine(versions.ffprobe),
      node: process.versions.node,
    },
    models: context.madeWith ?? [],
    encoder: {
      name: encoded.encoder.name,
      arguments: encoded.encoder.arguments,
      ...(encoded.fellBack ? { fellBackFrom: context.encoder?.way ?? '' } : {}),
    },
    loudness: facts.loudness,
    ...omitUndefined({ framing: composition.framing }),
    bands: prepared.bands.map((band, index) => ({ ...band.box, ...encoded.statistics[index] })),
    output: { ...encoded.finished, bytes: facts.bytes },
    milliseconds: { measure: facts.measureMilliseconds, ...encoded.milliseconds },
    warnings: facts.warnings,
  }
}

/**
 * Digests of all files besides the source that the composition names, sorted. It finds every `asset` with a digest, so that new
 * kinds of layers and tracks are included.
 */
export function assetDigests(composition: Composition): string[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      const digest: unknown = name === 'asset' ? (inner as { digest?: unknown } | null)?.digest : undefined
      if (typeof digest === 'string') found.add(digest)
      look(inner)
    }
  }
  look(composition)
  return [...found].sort()
}
