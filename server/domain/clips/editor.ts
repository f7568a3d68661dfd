/** What the clip editor opens: a clip, its words, and how it would be rendered with edits that are not saved. */
import { existsSync } from 'node:fs'
import type { Assets, AssetState } from '../../contract/asset.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import {
  type StudioComposition,
  StudioDraft,
  type StudioEditor,
  type StudioSave,
  type StudioSaved,
} from '../../contract/studio-editor.ts'
import { editorCut } from '../../contract/time-map/clip-times.ts'
import { ticksToSeconds } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { getClipTranscript, type Clip } from '../../db/clips.ts'
import {
  compileComposition,
  requiredAssets,
  shortAddress,
  detectTextLanguage,
  type Compiled,
  type CompileInput,
} from '../../nodes/index.ts'
import { sourcePath } from '../../../workers/artefacts.ts'
import { factsOfClip, presentWords, requireClip } from './get-clip.ts'
import { transcriptEtag } from '../transcripts/page-transcript.ts'
import { assetsOf } from '../runs/plan/plan-assets.ts'
import { renderKeyOf } from '../runs/plan/plan-clips.ts'
import { readClipUpdates } from './read-clip-updates.ts'
import { requireCompany } from '../people/companies.ts'
import { mediaAddresses, registerMedia } from '../rendering/register-media.ts'
import { fetchedFor, requestThumbnail } from '../rendering/render-clip.ts'
import { clipEtag, requireMatch } from '../revisions.ts'
import type { DbServices, Services } from '../services.ts'
import { prepareEdit, updateClip } from './update-clip.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { Value } from '@sinclair/typebox/value'
import { contextOf } from '../../nodes/commands/context.ts'
import { doModelCalls, type Line } from '../../nodes/commands/do-calls.ts'
import type { CommandCall } from '../../nodes/commands/index.ts'
import { changesOf, editOf } from '../../nodes/editing/clip-edit.ts'
import type { StudioAssets } from '../../contract/studio-footage.ts'
import { findOpenOperation } from '../../db/operations.ts'
import { sentencesOf } from '../../contract/render-remarks.ts'

type Deps = Omit<Services, 'jobs'>

export interface ClipAddress {
  readonly companyId: string
  readonly clipId: string
  /** Base of media addresses, without a slash at the end. */
  readonly baseUrl: string
}

/** The facts of a clip's source. Throws INVALID_REQUEST when its run no longer exists. */
export function requireFacts(services: Deps, clip: Clip): SourceFacts {
  return (
    factsOfClip(services, clip) ??
    refuse('INVALID_REQUEST', 'The run that made this clip is gone; it cannot be edited.')
  )
}

/** The clip as it is stored. Throws CLIP_NOT_FOUND. */
export function openEditor(services: Deps, input: ClipAddress): StudioEditor {
  const clip = requireClip(services, input)
  const { document } = clip
  const facts = requireFacts(services, clip)
  const transcript = getClipTranscript(services.db, clip.id)
  const words = transcript?.words ?? []
  const ids = [document.media.extended, document.media.peaks, clip.renderedMedia]
  const address = mediaAddresses(services, input.baseUrl, ids)
  const { start, end, fileStart, uncut } = document.extended
  const cut = editorCut(document)
  return {
    id: clip.id,
    title: document.title,
    titles: document.titles ?? [],
    etag: clipEtag(clip),
    startTimestamp: cut.startTimestamp,
    endTimestamp: cut.endTimestamp,
    aspectRatio: document.aspectRatio,
    segments: cut.segments,
    subtitleConfig: document.subtitleConfig ?? {},
    titleConfig: document.titleConfig ?? {},
    watermarkConfig: document.watermarkConfig ?? {},
    backgroundMusicOption: document.backgroundMusicOption ?? {},
    endCardOption: document.endCardOption ?? {},
    motionConfig: document.motionConfig ?? {},
    deliveryConfig: document.deliveryConfig ?? {},
    soundConfig: document.soundConfig ?? {},
    overrides: document.overrides ?? {},
    nodes: document.nodes,
    broll: document.broll?.inserts ?? [],
    faces: document.faces ?? null,
    renderedUrl: address(clip.renderedMedia) ?? null,
    editedBy: document.editedBy ?? null,
    words: presentWords(words, document).map((word, index) => {
      const confidence = words[index]?.confidence
      return confidence === undefined ? word : { ...word, confidence }
    }),
    language: detectTextLanguage(document.language, words),
    speakers: document.speakers,
    recognisesVoices: requireCompany(services, input.companyId).recogniseVoices,
    sound: document.sound ?? null,
    wordsEtag: transcript === null ? '' : transcriptEtag(clip.id, transcript.revision),
    source: {
      url: uncut === true ? null : (address(document.media.extended) ?? null),
      startSeconds: fileStart,
      range: { start, end },
      durationSeconds: ticksToSeconds(facts.duration),
      peaksUrl: address(document.media.peaks) ?? null,
    },
    preview: composeClip(services, { clip, document, words, facts, baseUrl: input.baseUrl }).answer,
  }
}

/** A clip with everything that its composition is made from. */
export interface EditedClip {
  readonly clip: Clip
  readonly document: ClipDocument
  readonly words: readonly TranscriptWord[]
  readonly facts: SourceFacts
  readonly warnings: readonly string[]
}

/** The clip with edits that are not saved. Throws as saving them would. */
export async function draftOf(services: Deps, input: ClipAddress & StudioDraft): Promise<EditedClip> {
  const clip = requireClip(services, input)
  const facts = requireFacts(services, clip)
  const { overrides } = input
  const named = Object.keys(input.updates).length > 0
  const updates = named ? readClipUpdates({ updates: input.updates }) : {}
  const prepared =
    named || overrides !== undefined
      ? await prepareEdit(services, clip, { updates, merge: false, overrides, segmentsIn: 'cut' })
      : null
  const words = prepared?.words ?? getClipTranscript(services.db, clip.id)?.words ?? []
  const document = prepared?.document ?? clip.document
  return { clip, document, words, facts, warnings: prepared?.warnings ?? [] }
}

/** What the clip would be with these edits; nothing is stored. Throws as saving them would. */
export async function composeDraft(
  services: Deps,
  input: ClipAddress & StudioDraft,
): Promise<StudioComposition> {
  const draft = await draftOf(services, input)
  const { answer: composed } = composeClip(services, { ...draft, baseUrl: input.baseUrl })
  return { ...composed, warnings: [...draft.warnings, ...composed.warnings] }
}

/** Saves edits of the version that was opened. Throws PRECONDITION_FAILED when there is a newer one, and as updateClip. */
export async function saveDraft(
  services: Deps,
  given: Omit<ClipAddress, 'baseUrl'> & StudioSave & { readonly editor?: string | undefined },
): Promise<StudioSaved> {
  const { companyId, clipId, etag, updates, overrides, editor } = given
  const { answer, clip } = await updateClip(services, {
    companyId,
    clipId,
    body: updates,
    merge: false,
    segmentsIn: 'cut',
    ...omitUndefined({ overrides, editor }),
    guard: (before) => requireMatch(etag, clipEtag(before)),
  })
  return { etag: clipEtag(clip), warnings: answer.warnings ?? [] }
}

/** The compiled composition of the clip. */
export function composeClip(
  services: Deps,
  given: {
    clip: Clip
    document: ClipDocument
    words: readonly TranscriptWord[]
    facts: SourceFacts
    baseUrl: string
  },
  compile: (input: CompileInput) => Compiled = compileComposition,
): { answer: StudioComposition; assets: Assets } {
  const { clip, document, words, facts, baseUrl } = given
  const needs = requiredAssets(document)
  const assets = assetsOf(needs, fetchedFor(services, needs, clip))
  const { composition, warnings } = compile({ document, words: [...words], facts, assets })
  const untried = needs.filter(({ url }) => !assets.has(url))
  const answer: StudioComposition = {
    composition,
    duration: document.duration,
    renderKey: renderKeyOf(composition),
    warnings: [
      ...sentencesOf(warnings),
      ...new Set(
        untried.map(({ url }) => `${shortAddress(url)} is being fetched, and shown when it is here.`),
      ),
    ],
    files: fileAddresses(services, { companyId: clip.companyId, clipId: clip.id, assets, baseUrl }),
  }
  return { answer, assets }
}

/** Digest and media type of a file that the composition may show. */
function fileOf(asset: AssetState): { digest: string; mediaType: string } | null {
  if (asset.state !== 'ready') return null
  if (asset.kind === 'image') return { digest: asset.picture.digest, mediaType: 'image/png' }
  if (asset.kind === 'video') return { digest: asset.video.digest, mediaType: 'video/mp4' }
  if (asset.kind === 'font') return { digest: asset.digest, mediaType: 'font/ttf' }
  return { digest: asset.sound.digest, mediaType: 'audio/mp4' }
}

/** Addresses of the fetched files, by SHA-256. */
export function fileAddresses(
  services: Deps,
  input: { companyId: string; clipId?: string; assets: Assets; baseUrl: string },
): Record<string, string> {
  const addresses: Record<string, string> = {}
  for (const asset of input.assets.values()) {
    const file = fileOf(asset)
    if (file === null) continue
    const path = sourcePath(services.home.sources, file.digest)
    if (!existsSync(path)) continue
    const { companyId, clipId } = input
    const about = { companyId, path, name: 'asset', mediaType: file.mediaType }
    const id = registerMedia(services, { ...about, ...omitUndefined({ clipId }) })
    const address = mediaAddresses(services, input.baseUrl, [id])(id)
    if (address !== undefined) addresses[file.digest] = address
  }
  return addresses
}

/**
 * Runs the calls in order, each on the result of those before, and saves the edit; a line for each reports whether it
 * was done or why not. Throws CLIP_NOT_FOUND, PRECONDITION_FAILED, and as saving an edit does.
 */
export async function runClipCommands(
  services: Omit<Services, 'jobs'>,
  address: ClipAddress,
  { calls, ifMatch }: { calls: readonly CommandCall[]; ifMatch: string },
): Promise<{ data: { lines: Line[] }; etag: string }> {
  const editor = openEditor(services, address)
  requireMatch(ifMatch, editor.etag)
  const before = editOf(editor)
  const context = contextOf({ editor, composed: before, preview: editor.preview }, editor.startTimestamp)
  const { edit, lines } = doModelCalls(before, context, calls)
  const data = { lines: [...lines] }
  const changes = changesOf(before, edit)
  if (changes === null) return { data, etag: editor.etag }
  if (!Value.Check(StudioDraft, changes)) throw new AppError('INVALID_CLIP_UPDATE')
  const { etag } = await saveDraft(services, { ...address, ...changes, etag: editor.etag })
  return { data, etag }
}

/**
 * The clip's files by address. Files that are not fetched yet are fetched by the operation that takes the thumbnail again
 * after each edit, or by the next render. Throws CLIP_NOT_FOUND.
 */
export function clipAssets(services: DbServices, address: Omit<ClipAddress, 'baseUrl'>): StudioAssets {
  const clip = requireClip(services, address)
  const needs = requiredAssets(clip.document)
  const known = assetsOf(needs, fetchedFor(services, needs, clip))
  const assets = needs.map(({ url }): StudioAssets['assets'][number] => {
    const state = known.get(url)
    if (state === undefined) return { url, state: 'waiting' }
    if (state.state === 'failed') return { url, state: 'failed', message: state.message }
    return { url, state: 'ready', kind: state.kind }
  })
  const open = assets.some(({ state }) => state === 'waiting')
    ? findOpenOperation(services.db, 'thumbnail', clip.id)
    : null
  return {
    assets,
    fetching: open === null ? null : { progress: open.progress, stopping: open.cancelRequested },
  }
}

/**
 * Stops fetching the clip's files. Fetched files and the thumbnail stay. Throws
 * CLIP_NOT_FOUND.
 */
export function stopFetching(services: Services, address: Omit<ClipAddress, 'baseUrl'>): StudioAssets {
  const { id } = requireClip(services, address)
  // One operation may be running and the next one queued.
  for (let left = 2; left > 0; left--) {
    const open = findOpenOperation(services.db, 'thumbnail', id)
    if (open !== null && !open.cancelRequested) services.jobs.cancel(open.id)
  }
  return clipAssets(services, address)
}

/** Fetches missing files again, for example after fetching was stopped. Throws CLIP_NOT_FOUND. */
export function fetchAgain(services: Services, address: Omit<ClipAddress, 'baseUrl'>): StudioAssets {
  requestThumbnail(services, requireClip(services, address))
  services.jobs.wake()
  return clipAssets(services, address)
}
