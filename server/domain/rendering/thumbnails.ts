/** The thumbnail designer: a design as it would be, and the saved one as a file in any of its sizes. */
import type { Composition } from '../../contract/composition.ts'
import type {
  StudioThumbnail,
  StudioThumbnailDraft,
  StudioThumbnailFile,
} from '../../contract/studio-editor.ts'
import { pixelsOf, type ThumbnailSizeName } from '../../contract/thumbnail.ts'
import { secondOf, thumbnailDesign, thumbnailPlan, thumbnailShape } from '../../nodes/index.ts'
import { composeClip, draftOf, type ClipAddress } from '../clips/editor.ts'
import { runForPage } from '../clips/footage.ts'
import { sourceInput } from '../runs/plan/plan-draft.ts'
import type { Services } from '../services.ts'

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
  input: ClipAddress & { readonly size: ThumbnailSizeName; readonly format: 'jpeg' | 'png' },
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
      name: `thumbnail-${size === 'clip' ? `${width}x${height}` : size}.${format === 'png' ? 'png' : 'jpg'}`,
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
  return { edited, answer, automatic, plan, warnings: [...(design?.warnings ?? [])] }
}

/** The second of the source that a frame shows. */
function secondAt({ timeMap }: Composition, frame: number): number {
  const span = timeMap.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  return span === undefined ? 0 : Math.round(secondOf(span, frame) * 1000) / 1000
}
