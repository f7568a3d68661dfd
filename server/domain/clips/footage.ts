/** Media made for an open clip editor: filmstrip files, the proxy for scrubbing, the designed thumbnail. */
import { middleSecond } from '../../contract/time-map/frames.ts'
import { hdrColours } from '../../contract/colour-matrix.ts'
import { seekingIn, type SourceFacts } from '../../contract/source-facts.ts'
import { secondsToTicks, ticksToSeconds } from '../../contract/time.ts'
import {
  MAX_SCRUB,
  STRIP_HEIGHT,
  STRIP_TILES,
  stripCount,
  stripWidth,
  type StudioScrub,
  type StudioStrip,
} from '../../contract/studio-footage.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import { getRunStage } from '../../db/runs.ts'
import type { StageName, Stages } from '../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../workers/stages/declare.ts'
import { registerArtefact } from '../runs/finish-run.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { requireClip } from './get-clip.ts'
import { requireRun } from '../runs/runs.ts'
import { artefactInput, sourceInput, type StageInvocation, slotIn } from '../runs/plan/plan-draft.ts'
import { fileStem } from '../rendering/file-names.ts'
import { mediaAddresses } from '../rendering/register-media.ts'
import type { Services } from '../services.ts'
import type { Composition } from '../../contract/composition.ts'
import type {
  StudioThumbnail,
  StudioThumbnailDraft,
  StudioThumbnailFile,
} from '../../contract/studio-editor.ts'
import { pixelsOf, type ThumbnailSizeName } from '../../contract/thumbnail.ts'
import { thumbnailDesign, thumbnailPlan, thumbnailShape } from '../../nodes/index.ts'
import { composeClip, draftOf, type ClipAddress } from './editor.ts'
import { sentencesOf } from '../../contract/render-remarks.ts'

interface PageOfSource {
  readonly companyId: string
  /** The clip whose page it is. */
  readonly clipId?: string
  /** Base of media addresses, without a slash at the end. */
  readonly baseUrl: string
}

export interface PageRequest extends PageOfSource {
  readonly clipId: string
}

/** A request waits this long for the result before it is answered with the progress. */
const WAIT_MS = 1500

/** A clip's source and the key of its probe result; null when its run no longer exists or it has no picture. */
function footageOf(
  services: Services,
  clip: { readonly runId: string | null; readonly document: Pick<ClipDocument, 'sourceId' | 'chunk'> },
) {
  const { runId, document } = clip
  const probe =
    runId === null ? null : getRunStage(services.db, runId, slotIn(document.chunk?.index, 'probe'))
  if (probe?.state !== 'finished') return null
  const facts = probe.output as SourceFacts
  const { video } = facts
  return video === null ? null : { facts, video, probeKey: probe.key, source: sourceInput(document.sourceId) }
}

export type Made<Name extends StageName> =
  | { readonly state: 'ready'; readonly url: string; readonly output: OutputOf<Stages[Name]> }
  | Exclude<StudioStrip, { state: 'ready' }>

/** Runs a stage for an open page, and registers its file under an address. */
async function runForPage<Name extends 'filmstrip' | 'cut' | 'thumbnail'>(
  services: Services,
  page: PageOfSource,
  invocation: StageInvocation & { stage: Name; params: ParamsOf<Stages[Name]> },
  file: { name: string; mediaType: string },
): Promise<Made<Name>> {
  const { companyId, baseUrl } = page
  const state = await services.jobs.runInForeground?.({ invocation, companyId }, WAIT_MS)
  if (state === undefined) return { state: 'none' }
  if (state.kind === 'making') return { state: 'making', progress: state.progress }
  if (state.kind === 'failed') return { state: 'failed', message: state.failure.message }
  const output = state.output as OutputOf<Stages[Name]>
  const { stage } = invocation
  const about = { ...omitUndefined({ companyId, clipId: page.clipId }), stage, key: state.key }
  const id = registerArtefact(services, { ...about, file: output.file, ...file })
  const url = mediaAddresses(services, baseUrl, [id])(id)
  return url === undefined ? { state: 'none' } : { state: 'ready', url, output }
}

/** One file of the filmstrip of a clip's source, made now unless it is cached. Throws CLIP_NOT_FOUND. */
export async function requestFilmstrip(
  services: Services,
  request: PageRequest & StripPlace,
): Promise<StudioStrip> {
  return requestStrip(services, request, footageOf(services, requireClip(services, request)))
}

/** The same of a run's source; `none` until it is probed. Throws TRIGGER_NOT_FOUND. */
export async function requestRunFilmstrip(
  services: Services,
  request: PageOfSource & StripPlace & { readonly runId: string },
): Promise<StudioStrip> {
  const { companyId, runId: triggerId } = request
  const { id: runId, sourceDigest } = requireRun(services, { companyId, triggerId })
  const footage =
    sourceDigest === null ? null : footageOf(services, { runId, document: { sourceId: sourceDigest } })
  return requestStrip(services, request, footage)
}

interface StripPlace {
  /** Seconds between two pictures. */
  readonly spacing: number
  /** Number of the file. */
  readonly sheet: number
}

async function requestStrip(
  services: Services,
  request: PageOfSource & StripPlace,
  footage: ReturnType<typeof footageOf>,
): Promise<StudioStrip> {
  if (footage === null) return { state: 'none' }
  const { facts, video, source } = footage
  const { spacing: spacingSeconds, sheet } = request
  const count = stripCount(ticksToSeconds(facts.duration), spacingSeconds, sheet)
  if (count === 0) return { state: 'none' }
  const start = sheet * STRIP_TILES * spacingSeconds
  const made = await runForPage(
    services,
    request,
    {
      slot: 'filmstrip',
      stage: 'filmstrip',
      inputs: { source },
      params: {
        start,
        spacingSeconds,
        count,
        width: stripWidth(video),
        height: STRIP_HEIGHT,
        videoStream: video.streamIndex,
        hdr: video.hdr,
        ...hdrColours(video),
        ...seekingIn(facts),
      },
    },
    { name: `filmstrip-${spacingSeconds}-${sheet}.jpg`, mediaType: 'image/jpeg' },
  )
  return made.state === 'ready' ? { state: 'ready', url: made.url, startSeconds: start, count } : made
}

/** A proxy of the clip's extended range in which seeking is instant, made now unless it is cached. Throws CLIP_NOT_FOUND. */
export async function requestScrubProxy(services: Services, request: PageRequest): Promise<StudioScrub> {
  const clip = requireClip(services, request)
  const footage = footageOf(services, clip)
  const { start, end } = clip.document.extended
  if (footage === null || end - start > MAX_SCRUB) return { state: 'none' }
  const made = await runForPage(
    services,
    request,
    {
      slot: 'cut',
      stage: 'cut',
      params: { start: secondsToTicks(start), end: secondsToTicks(end), scrub: true },
      inputs: { source: footage.source, probe: artefactInput('probe', footage.probeKey) },
    },
    { name: 'scrub.mp4', mediaType: 'video/mp4' },
  )
  if (made.state !== 'ready') return made
  const startSeconds = ticksToSeconds(made.output.sourceStart)
  return { state: 'ready', url: made.url, startSeconds, range: { start, end } }
}

/** What the thumbnail would be with these edits; nothing is stored. Throws as saving them would. */
export async function composeThumbnail(
  services: Omit<Services, 'jobs'>,
  input: ClipAddress & StudioThumbnailDraft,
): Promise<StudioThumbnail> {
  const { answer, plan, warnings, automatic } = await planThumbnail(services, input)
  const best = plan.moments.reduce((a, b) => (b.worth > a.worth ? b : a))
  return {
    ...answer,
    composition: plan.composition,
    warnings,
    frame: best.frame,
    moments: automatic.moments.map(({ frame }) => secondAt(plan.composition, frame)),
  }
}

/** The thumbnail of the clip as it is saved, made now if it is not there. CLIP_NOT_FOUND, RENDER_FAILED. */
export async function requestThumbnailFile(
  services: Services,
  input: ClipAddress & { size: ThumbnailSizeName; format: 'jpeg' | 'png' },
): Promise<StudioThumbnailFile> {
  const { size, format } = input
  const { edited, plan, warnings } = await planThumbnail(services, { ...input, updates: {} })
  const { width, height } = plan.composition.output
  const made = await runForPage(
    services,
    input,
    {
      slot: 'thumbnail',
      stage: 'thumbnail',
      inputs: { source: sourceInput(edited.document.sourceId) },
      params: format === 'png' ? { ...plan, png: true } : plan,
    },
    {
      name: `${fileStem(edited.document.title, 'thumbnail')}-${size === 'clip' ? `${width}x${height}` : size}.${format === 'png' ? 'png' : 'jpg'}`,
      mediaType: `image/${format}`,
    },
  )
  if (made.state !== 'ready') return made
  return { state: 'ready', url: made.url, warnings: [...warnings, ...(made.output.warnings ?? [])] }
}

async function planThumbnail(services: Omit<Services, 'jobs'>, input: ClipAddress & StudioThumbnailDraft) {
  const edited = await draftOf(services, input)
  const size = pixelsOf(input.size)
  const { answer, assets } = composeClip(services, { ...edited, baseUrl: input.baseUrl }, (given) =>
    thumbnailShape(given, size),
  )
  const { document } = edited
  const { composition } = answer
  const automatic = thumbnailPlan(composition, document.faces)
  const design = thumbnailDesign({ composition, document, assets })
  const plan = design === null ? automatic : thumbnailPlan(composition, document.faces, design)
  // Warnings of the clip itself are shown with the clip.
  return { edited, answer, automatic, plan, warnings: sentencesOf(design?.warnings ?? []) }
}

/** The second of the source that a frame shows. */
function secondAt({ timeMap }: Composition, frame: number): number {
  const span = timeMap.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  return span === undefined ? 0 : Math.round(middleSecond(span, frame) * 1000) / 1000
}
