/** A stored clip as the public API answers it. Fields that are not available are left out, not null. */
import type { BasicClip, PublicClip } from '../../contract/public-clip.ts'
import { speakersOf } from '../../contract/manual-overrides.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import { presentPlayed, presentSegments } from '../../contract/time-map/clip-times.ts'
import type { Clip } from '../../db/clips.ts'
import { getRunMetadata } from '../../db/runs.ts'
import { mediaAddresses, type MediaAddresses } from '../rendering/register-media.ts'
import type { DbServices } from '../services.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

function mediaIds(clip: Clip): (string | null | undefined)[] {
  return [clip.renderedMedia, clip.renderedThumbnailMedia, ...Object.values(clip.document.media)]
}

function basicClip(clip: Clip, address: MediaAddresses): BasicClip {
  const document: ClipDocument = clip.document
  return {
    id: clip.id,
    title: document.title,
    bio: document.bio,
    keywords: document.keywords,
    people: document.people,
    duration: document.duration,
    startTimestamp: document.startTimestamp,
    endTimestamp: document.endTimestamp,
    segments: presentSegments(document),
    timestampBoundary: document.timestampBoundary,
    aspectRatio: document.aspectRatio,
    metadata: document.metadata ?? {},
    ...omitUndefined({
      renderedUrl: address(clip.renderedMedia),
      rawUrl: address(document.media.extended),
      thumbnailURL: address(document.media.thumbnail) ?? address(clip.renderedThumbnailMedia),
      transcriptUrl: address(document.media.transcript),
      chunkIndex: document.chunk?.index,
      relevance: document.relevance,
    }),
    fps: document.fps,
    videoHeight: document.videoHeight,
    videoResolution: document.videoResolution,
    viralityScore: document.viralityScore,
  }
}

/** Where a clip begins in the event of its chunk, seconds; as exact as the durations of segments. */
function episodeOffset({ chunk, startTimestamp }: ClipDocument): number | undefined {
  return chunk === undefined ? undefined : Math.round((chunk.offsetSeconds + startTimestamp) * 1000) / 1000
}

/** What its rendered file lost; undefined where it lost nothing, or there is no file that shows the clip as it is. */
function lostBy({ renderedMedia, renderWarnings }: Clip): PublicClip['warnings'] {
  return renderedMedia === null || renderWarnings?.length === 0 ? undefined : (renderWarnings ?? undefined)
}

function publicClip(clip: Clip, address: MediaAddresses, runMetadata: PublicClip['runMetadata']): PublicClip {
  const document: ClipDocument = clip.document
  const extended = address(document.media.extended)
  const source = address(document.media.source)
  return {
    ...basicClip(clip, address),
    ...omitUndefined({
      url: extended,
      publicURL: extended,
      extendedClipURL: extended,
      renderedThumbnailUrl: address(clip.renderedThumbnailMedia),
      wordTranscriptJSON: address(document.media.transcript),
      transcriptSrtUrl: address(document.media.transcriptSrt),
      transcriptVttUrl: address(document.media.transcriptVtt),
      peaksUrl: address(document.media.peaks),
      episodeOffsetSeconds: episodeOffset(document),
      runId: clip.runId ?? undefined,
      normalizedUrl: source,
      sourceUrl: source,
      subtitleConfig: document.subtitleConfig,
      subtitleId: document.subtitleId,
      subtitleY: document.subtitleY,
      titleConfig: document.titleConfig,
      watermarkConfig: document.watermarkConfig,
      backgroundMusicOption: document.backgroundMusicOption,
      endCardOption: document.endCardOption,
      motionConfig: document.motionConfig,
      deliveryConfig: document.deliveryConfig,
      soundConfig: document.soundConfig,
      warnings: lostBy(clip),
    }),
    companyId: clip.companyId,
    runMetadata,
    workflowId: clip.workflowId,
    taskId: document.taskId,
    taskID: document.taskId,
    sourceId: document.chunk?.episodeId ?? document.sourceId,
    sourceID: document.chunk?.episodeId ?? document.sourceId,
    sourceInputId: document.sourceInputId,
    clipHash: document.clipHash,
    createdAt: new Date(clip.createdAt).toISOString(),
    updatedAt: new Date(clip.updatedAt).toISOString(),
    originalUrl: document.originalUrl,
    playedRanges: presentPlayed(document),
    speakers: speakersOf(document),
    scoreReasons: document.scoreReasons,
    whyPicked: document.whyPicked,
    boundaries: document.boundaries,
  }
}

/** The full saved document of one clip, with absolute media addresses under `baseUrl`. */
export function presentClip(services: DbServices, clip: Clip, baseUrl: string): PublicClip {
  const runMetadata = clip.runId === null ? {} : getRunMetadata(services.db, clip.runId)
  return publicClip(clip, mediaAddresses(services, baseUrl, mediaIds(clip)), runMetadata)
}

/** The basic fields of several clips, in the order given, with `more` of each; one media look-up for all of them. */
export function presentBasicClips<More = object>(
  services: DbServices,
  clips: readonly Clip[],
  baseUrl: string,
  more: (clip: Clip) => More = () => ({}) as More,
): (BasicClip & More)[] {
  const address = mediaAddresses(services, baseUrl, clips.flatMap(mediaIds))
  return clips.map((clip) => ({ ...basicClip(clip, address), ...more(clip) }))
}
