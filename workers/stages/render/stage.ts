/**
 * Makes the finished clip: clip.mp4, thumbnail.jpg, render-manifest.json. In one ffmpeg pass, and where that was
 * interrupted, in parts that are kept.
 */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Composition } from '../../../server/contract/composition.ts'
import { openCheckpoints, type Checkpoints } from '../../checkpoints.ts'
import {
  middleFrame,
  partsArguments,
  renderArguments,
  soundArguments,
  type PictureCommand,
} from '../../media/arguments/render.ts'
import { buildMoment } from '../../media/arguments/render-moment.ts'
import type { Dialect } from '../../media/arguments/dialect.ts'
import { chooseReading, type SourceReading } from '../../media/card-probe.ts'
import { detectDialect } from '../../media/dialect.ts'
import { readVersionText, formatVersionLine } from '../../media/tools.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { bandInputOf, findTracks, findVideos, prepareClip } from './drawing.ts'
import { encodeClip, type Encoded, type InParts, type Way } from './encode.ts'
import { keepFile, SOUND_POSITION, wasInterrupted } from './parts.ts'
import { takeStill } from './still.ts'
import { afterCleaning, wantedCleaning, writeCleanSound } from './clean.ts'
import { planLoudness, type LoudnessPlan } from './loudness.ts'
import { digestOf } from '../../artefacts.ts'
import { COMPOSITOR_VERSION, type PreparedComposition } from '../../compositor/compositor.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'
import { sentencesOf, warnTo, type RenderRemark } from '../../../server/contract/render-remarks.ts'

const CLIP = 'clip.mp4'
const STILL = 'thumbnail.jpg'
const MANIFEST = 'render-manifest.json'

export const runRender: StageHandler<'render'> = async (given, params) => {
  const { composition } = params
  const started = performance.now()
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  const sourceFile = given.input('source')
  const tracks = await findTracks(composition, given.sources)
  const videoFile = await findVideos(composition, given.sources)
  const dialect = await detectDialect(given.tools.ffmpeg)
  const checkpoints = openCheckpoints(given)
  const isAgain = await wasInterrupted(checkpoints)
  const cleanFile = await keepCleanSound(given, checkpoints, { composition, dialect })
  const context = afterCleaning(given, composition)
  context.progress(0, 'Measuring the sound')
  const [{ silent, nearest: _nearest, ...loudness }, { prepared, groundFile, restsFrom }, versions, source] =
    await Promise.all([
      checkpoints.keep('loudness', SOUND_POSITION, () =>
        planLoudness(
          composition,
          { source: sourceFile, tracks, clean: cleanFile },
          { ...context, ffmpeg: context.tools.ffmpeg, dialect },
        ),
      ),
      prepareClip(context, composition),
      toolVersions(context),
      chooseReading(context, composition, sourceFile),
    ])
  const measuredAt = performance.now()
  if (silent) warn(null, null, 'The clip is silent, so its loudness was not adjusted.')
  prepared.warnings.forEach(({ code, field, message }) => warn(code, field, message))

  const file = join(context.folder, CLIP)
  const stillFile = join(context.folder, STILL)
  const { gain } = loudness
  const bands = prepared.bands.map(bandInputOf)
  const picture = { composition, sourceFile, bands, videoFile, groundFile, dialect, restsFrom }
  const sound = { composition, sourceFile, gain, trackFiles: tracks, cleanFile }
  const commandFor = (way: Way): string[] =>
    renderArguments({ ...picture, ...sound, ...way, outputFile: file, stillFile })
  const settings = params.encoder
  const encoded = await encodeClip(context, {
    composition,
    prepared,
    settings,
    commandFor,
    source,
    inParts: isAgain ? { checkpoints, ...partCommands(context, { picture, sound, stillFile }) } : null,
    dialect,
    file,
    warn,
  })
  const { encoder, finished } = encoded
  sentencesOf(warnings).forEach((message) => context.warn(message))
  const bytes = (await stat(file)).size
  const manifest = renderManifest(context, {
    composition,
    prepared,
    loudness,
    encoded,
    source,
    bytes,
    warnings,
    versions,
    measureMilliseconds: Math.round(measuredAt - started),
  })
  await writeFile(join(context.folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  context.progress(1)
  return {
    file: CLIP,
    bytes,
    width: finished.width,
    height: finished.height,
    durationSeconds: finished.durationSeconds,
    thumbnailFile: STILL,
    encoder: encoder.name,
    ...(encoded.gaveUp.length > 0 ? { fellBack: true } : {}),
    manifestFile: MANIFEST,
    integratedLufs: loudness.expectedLufs,
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** The file with the cleaned sound, or the one that an earlier attempt has kept; null: nothing is to be cleaned. */
async function keepCleanSound(
  context: StageContext<'source'>,
  checkpoints: Checkpoints,
  { composition, dialect }: { readonly composition: Composition; readonly dialect: Dialect },
): Promise<string | null> {
  if (wantedCleaning(composition) === null) return null
  return keepFile(context, checkpoints, 'clean.f32', (file) =>
    writeCleanSound(context, composition, { dialect, file }),
  )
}

/** How what is kept of a render is made, piece by piece. */
function partCommands(
  context: StageContext<'source'>,
  how: {
    readonly picture: PictureCommand
    readonly sound: Omit<Parameters<typeof soundArguments>[0], 'file'>
    readonly stillFile: string
  },
): Omit<InParts, 'checkpoints'> {
  const { picture, sound, stillFile } = how
  const { composition } = picture
  return {
    commandFor: (way, { withStill, ...part }) =>
      partsArguments({ ...picture, ...way, stillFile: withStill ? stillFile : null, ...part }),
    soundCommand: (file) => soundArguments({ ...sound, file }),
    takeStill: async () => {
      await takeStill(context, buildMoment(composition, middleFrame(composition)), stillFile)
    },
  }
}

async function toolVersions({ tools }: StageContext): Promise<{ ffmpeg: string; ffprobe: string }> {
  const [ffmpeg, ffprobe] = await Promise.all([readVersionText(tools.ffmpeg), readVersionText(tools.ffprobe)])
  return { ffmpeg, ffprobe }
}

export interface ManifestFacts {
  readonly composition: Composition
  readonly prepared: PreparedComposition
  readonly loudness: LoudnessPlan
  readonly encoded: Encoded
  /** How the source was to be read. */
  readonly source: SourceReading
  readonly bytes: number
  readonly warnings: readonly RenderRemark[]
  readonly measureMilliseconds: number
  /** Output of the tools for `-version`. */
  readonly versions: { readonly ffmpeg: string; readonly ffprobe: string }
}

/** A JSON value. Digests are SHA-256 in hex, durations are milliseconds. */
export function renderManifest(context: StageContext, facts: ManifestFacts): Record<string, unknown> {
  const { composition, encoded, prepared, versions } = facts
  return {
    formatVersion: 3,
    compositionSha256: digestOf(composition),
    sourceSha256: composition.source.digest,
    assetSha256: assetDigests(composition),
    compositorVersion: COMPOSITOR_VERSION,
    tools: {
      ffmpeg: formatVersionLine(versions.ffmpeg),
      ffprobe: formatVersionLine(versions.ffprobe),
      node: process.versions.node,
      ...omitUndefined({ chosen: context.tools.chosen }),
    },
    models: context.madeWith ?? [],
    encoder: {
      name: encoded.encoder.name,
      arguments: encoded.encoder.arguments,
      ...(encoded.gaveUp.includes('encoder') ? { fellBackFrom: context.encoder?.way ?? '' } : {}),
    },
    decoder: decoderOf(encoded, facts.source),
    loudness: facts.loudness,
    ...omitUndefined({ framing: composition.framing }),
    bands: prepared.bands.map((band, index) => ({ ...band.box, ...encoded.statistics[index] })),
    output: { ...encoded.finished, bytes: facts.bytes },
    milliseconds: { measure: facts.measureMilliseconds, ...encoded.milliseconds },
    warnings: facts.warnings,
  }
}

/** What decoded the source: the card, or the processor and why. */
function decoderOf({ reading }: Encoded, source: SourceReading): Record<string, unknown> {
  if (reading !== null)
    return {
      on: reading.card,
      ...omitUndefined({ device: reading.device ?? undefined }),
      scaledTo: reading.size,
    }
  const why = source.reading === null ? source.why : `${source.reading.card} failed in this render`
  return { on: 'processor', why }
}

/** Sorted digests of all files besides the source: those of every `asset`, so that new kinds are included. */
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
