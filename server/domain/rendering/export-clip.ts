/** A clip as a file for another program: an editing program's timeline, captions, text. */
import { pathToFileURL } from 'node:url'
import type { Assets, ReadyAsset } from '../../contract/asset.ts'
import { speakersOf } from '../../contract/manual-overrides.ts'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { isStreamAddress } from '../../contract/run.ts'
import { getRunClip, type RunClip } from '../../db/run-clips.ts'
import { getRun } from '../../db/runs.ts'
import {
  EXPORT_FORMATS,
  FORMATS,
  isExportFormat,
  type MediaReference,
  type SourceReference,
} from '../../interchange/index.ts'
import { editedWords } from '../../nodes/index.ts'
import { sourcePath } from '../../../workers/artefacts.ts'
import { factsOfClip } from '../clips/get-clip.ts'
import { fileStem } from './file-names.ts'
import { planRender } from './render-clip.ts'
import type { DbServices, HomeServices } from '../services.ts'
import { speakerNames } from '../transcripts/transcript-files.ts'

export interface ClipExport {
  readonly text: string
  readonly mediaType: string
  /** `the-clips-title.otio`: letters and digits of any script, and dashes. */
  readonly fileName: string
  /** A sentence for each thing of the clip that the format drops. */
  readonly notes: readonly string[]
}

export interface ExportRequest {
  readonly clipId: string
  /** Null: a clip of any company, for the owner of the home. */
  readonly companyId: string | null
  readonly format: string
  /** How files are referenced: by their path on this machine, or by name for programs on another machine. */
  readonly references: 'paths' | 'names'
}

/**
 * Throws CLIP_NOT_FOUND for an unknown clip or another company's, INVALID_REQUEST for an unknown format, RENDER_FAILED
 * when nothing is left of the clip.
 */
export function exportClip(services: HomeServices, request: ExportRequest): ClipExport {
  const { clipId, companyId, format, references } = request
  if (!isExportFormat(format))
    throw invalidRequest('format', `There is no format "${format}"; there are ${EXPORT_FORMATS.join(', ')}.`)
  const clip = getRunClip(services.db, clipId)
  const facts = clip === null ? null : factsOfClip(services, clip)
  if (
    clip === null ||
    facts === null ||
    (companyId !== null && (clip.companyId !== companyId || !clip.published))
  )
    throw new AppError('CLIP_NOT_FOUND', { details: { clipId } })
  const { composition, assets } = planRender(services, clipId)
  const { document } = clip
  const words = [...clip.words]
  const addressOf = (digest: string, name: string): string =>
    references === 'paths' ? pathToFileURL(sourcePath(services.home.sources, digest)).href : name
  const source: SourceReference = {
    ...named(clip.sourceDigest, sourceName(services, clip), addressOf),
    duration: facts.duration,
    frameRate: facts.video?.frameRate ?? null,
    audioChannels: facts.audio?.channels ?? 0,
  }
  const { text, notes } = FORMATS[format].write({
    composition,
    title: document.title,
    source,
    assets: assetNames(assets, addressOf),
    words: editedWords({ document, words, facts, assets }),
    language: document.language ?? 'und',
    speakers: speakerNames(words, speakersOf(document)) ?? [],
  })
  const fileName = `${fileStem(document.title, 'clip')}.${FORMATS[format].extension}`
  return { text, notes, fileName, mediaType: FORMATS[format].mediaType }
}

type AddressOf = (digest: string, name: string) => string

const named = (digest: string, name: string, addressOf: AddressOf): MediaReference => ({
  name,
  url: addressOf(digest, name),
})

/** What the source was called where it came from. */
function sourceName(
  { db }: DbServices,
  { runId, document: { chunk } }: Pick<RunClip, 'runId' | 'document'>,
): string {
  const source = runId === null ? undefined : getRun(db, runId)?.snapshot.source
  if (source === undefined) return 'source'
  if (source.kind === 'file') return source.displayName
  const name = lastPart(source.url, 'source')
  // What was recorded is a file of its own, and not the playlist.
  if (!isStreamAddress(source.url)) return name
  return `${name.replace(/\.m3u8?$/iu, '')}${chunk === undefined ? '' : `-part-${chunk.index + 1}`}.mp4`
}

/** The file name that an address ends in. */
function lastPart(url: string, otherwise: string): string {
  if (!URL.canParse(url)) return otherwise
  const part = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(part) || otherwise
  } catch {
    return part // escaped in a way that is none
  }
}

function assetNames(assets: Assets, addressOf: AddressOf): Map<string, MediaReference> {
  const names = new Map<string, MediaReference>()
  for (const [url, asset] of assets) {
    if (asset.state !== 'ready') continue
    for (const digest of digestsOf(asset))
      names.set(digest, named(digest, lastPart(/^https?:/u.test(url) ? url : '', digest), addressOf))
  }
  return names
}

function digestsOf(asset: ReadyAsset): string[] {
  switch (asset.kind) {
    case 'image':
      return [asset.picture.digest]
    case 'video':
      return [asset.video.digest, ...(asset.sound === null ? [] : [asset.sound.digest])]
    case 'audio':
      return [asset.sound.digest]
    case 'font':
      return [asset.digest]
  }
}
